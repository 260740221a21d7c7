#include "verifier/runs/framework.h"

#include "base/files/file.h"
#include "base/text.h"

#include <string.h>

static const struct framework {
    const char *name;
    enum log_banner version, mark, commit; /* BANNERS: it has none */
    const char *format;                    /* of logs that only it writes; NULL */
    const char *unless;                    /* another one, which writes the same; NULL */
} frameworks[] = {
    {"FlagScale", BANNERS, BANNER_FLAGSCALE, BANNERS, NULL, NULL},
    {"NeMo", BANNER_NEMO, BANNER_NEMO_LINES, BANNERS, NULL, NULL},
    {"Megatron-LM", BANNER_MEGATRON, BANNERS, BANNER_COMMIT, "megatron", "FlagScale"},
    {"PaddleNLP", BANNER_PADDLENLP, BANNERS, BANNERS, NULL, NULL},
    {"PaddlePaddle", BANNER_PADDLE, BANNERS, BANNER_PADDLE_COMMIT, NULL, NULL},
    {"transformers", BANNER_TRANSFORMERS, BANNERS, BANNERS, "huggingface", "PaddleNLP"},
    {"DeepSpeed", BANNER_DEEPSPEED, BANNERS, BANNERS, NULL, NULL},
};

static const char *banner(const struct run_log *const *logs, size_t n, enum log_banner which)
{
    for (size_t i = 0; which < BANNERS && i < n; i++)
        if (logs[i]->log.banners[which].value)
            return logs[i]->log.banners[which].value;
    return NULL;
}

static bool has_format(const struct run_log *const *logs, size_t n, const char *format)
{
    for (size_t i = 0; format && i < n; i++)
        if (logs[i]->log.format && strcmp(logs[i]->log.format, format) == 0)
            return true;
    return false;
}

static const char *commit_of(const struct framework *f, const struct facts *facts,
                             struct arena *arena)
{
    const char *origin = facts_value(facts, FACT_FRAMEWORK_ORIGIN);
    bool its = origin && strstr(text_fold(arena, path_base(origin)), text_fold(arena, f->name));
    return its ? facts_value(facts, FACT_FRAMEWORK_COMMIT) : NULL;
}

/* Ten digits tell a commit from all others of a repository. */
#define COMMIT_DIGITS 10

const char *framework_of_logs(const struct run_log *const *logs, size_t n,
                              const struct facts *facts, struct arena *arena)
{
    const char *all = NULL;
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++) {
        const struct framework *f = &frameworks[i];
        const char *version = banner(logs, n, f->version), *at = banner(logs, n, f->commit);
        bool by_format =
            has_format(logs, n, f->format) && !(f->unless && all && strstr(all, f->unless));
        if (!version && !at && !banner(logs, n, f->mark) && !by_format)
            continue;
        at = at ? at : commit_of(f, facts, arena);
        all = arena_printf(arena, "%s%s%s%s%s%s%.*s", all ? all : "", all ? ", " : "", f->name,
                           version ? " " : "", version ? version : "", at ? "@" : "", COMMIT_DIGITS,
                           at ? at : "");
    }
    return all;
}
