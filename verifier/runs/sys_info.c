#include "verifier/runs/sys_info.h"

#include "base/records/sys_info_labels.h"
#include "base/text.h"

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
        const char *version = run_logs_banner(logs, n, f->version)->value;
        const char *at = run_logs_banner(logs, n, f->commit)->value;
        bool by_format =
            has_format(logs, n, f->format) && !(f->unless && all && strstr(all, f->unless));
        if (!version && !at && !run_logs_banner(logs, n, f->mark)->value && !by_format)
            continue;
        at = at ? at : commit_of(f, facts, arena);
        all = arena_printf(arena, "%s%s%s%s%s%s%.*s", all ? all : "", all ? ", " : "", f->name,
                           version ? " " : "", version ? version : "", at ? "@" : "", COMMIT_DIGITS,
                           at ? at : "");
    }
    return all;
}

bool sys_info_is(const char *path)
{
    const char *base = path_base(path);
    return strcmp(base, "sys_info.log") == 0 || strcmp(base, "sys_info.log.txt") == 0;
}

static const struct sys_info_label *sys_info_label_of(struct span line)
{
    for (size_t i = 0; i < SYS_INFO_LABELS; i++)
        if (span_is(line, sys_info_labels[i].text))
            return &sys_info_labels[i];
    return NULL;
}

static void add_sys_info_fact(struct facts *out, enum fact_id id, const char *value,
                              struct arena *arena)
{
    if (facts_get(out, fact_kinds[id].key) || out->n >= FACTS_MAX || strlen(value) > FACT_TEXT_MAX)
        return;
    struct fact *f = ARENA_PUSH(arena, out->items, out->n);
    *f = (struct fact){fact_kinds[id].key, value, NULL};
}

/* "GPU 0: NVIDIA A100-SXM4-40GB (UUID: …)": what stands between the number and the bracket. */
static struct span card_name(struct span line)
{
    size_t colon = span_find(line, ": "), bracket = span_find(line, " (");
    struct span name = colon < line.n && colon < bracket ? span_from(line, colon + 2) : line;
    name.n = span_find(name, " (");
    return span_trim(name);
}

struct labelled_block {
    const struct sys_info_label *label;
    struct span first;
    size_t lines;
};

/* A machine's block has fields of its own: "Manufacturer: …", "Product Name: R5300 G5". */
static void take_sys_info_line(struct labelled_block *b, struct span line)
{
    struct span product = SPAN("Product Name: ");
    bool named = line.n > product.n && memcmp(line.p, product.p, product.n) == 0;
    if (b->lines++ == 0 || (named && b->label->fact == FACT_MACHINE))
        b->first = named ? span_trim(span_from(line, product.n)) : line;
}

static void end_block(struct labelled_block *b, struct arena *arena, struct facts *out)
{
    bool unknown = b->first.n >= 7 && memcmp(b->first.p, "unknown", 7) == 0;
    if (!b->label || b->first.n == 0 || unknown ||
        utf8_valid_until(b->first.p, b->first.n) < b->first.n)
        return;
    bool cards = b->label->fact == FACT_ACCELERATOR_MODEL;
    struct span value = cards ? card_name(b->first) : b->first;
    add_sys_info_fact(out, b->label->fact, arena_strndup(arena, value.p, value.n), arena);
    if (cards && value.p != b->first.p)
        add_sys_info_fact(out, FACT_ACCELERATOR_COUNT, arena_printf(arena, "%zu", b->lines), arena);
}

void sys_info_read(struct bytes in, struct arena *arena, struct facts *out)
{
    struct labelled_block b = {NULL, {NULL, 0}, 0};
    for (struct span rest = {in.data, in.len}; rest.n;) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        const struct sys_info_label *label = sys_info_label_of(line);
        if (label) {
            end_block(&b, arena, out);
            b = (struct labelled_block){label, {NULL, 0}, 0};
        } else if (line.n && b.label) {
            take_sys_info_line(&b, line);
        }
    }
    end_block(&b, arena, out);
}
