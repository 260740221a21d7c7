/* FP7012: Every run logs seeds that are whole numbers, and no two runs share one */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/files/file.h"

#include <string.h>

static const char *words_of(const struct mlperf_runs *r, const struct mlperf_run_of *run)
{
    switch (run->seed_fault) {
    case SEED_NONE:
        return "the log states no seed";
    case SEED_NOT_WHOLE:
        return "a seed in the log is not a whole number";
    case SEED_UNKNOWN:
        return "the seeds are unknown, because some records cannot be read";
    case SEED_SHARED:
        return sentence_say(r->arena, "seed %s also occurs in %s", run->seed,
                            path_base(run->seed_with->path));
    case SEED_GOOD:
        break;
    }
    return NULL;
}

static void check_runs_seeds(struct mlperf_runs *r)
{
    /* The policy asks for seeds from 4.1 on. */
    bool asked = strcmp(r->rules->version, "4.0.0") != 0;
    enum severity severity = r->bypass.seeds ? SEVERITY_WARNING : SEVERITY_ERROR;
    for (size_t i = 0; i < r->n; i++) {
        const char *words = words_of(r, &r->runs[i]);
        if (words)
            mlperf_found(r->findings, r->arena, "FP7012", asked ? severity : SEVERITY_NOTICE,
                         r->runs[i].file->shown, 0, "%s", words);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log states no seed",
     .zh = "日志没有写明随机种子"},
    {.en = "a seed in the log is not a whole number",
     .zh = "日志中有一个随机种子不是整数"},
    {.en = "the seeds are unknown, because some records cannot be read",
     .zh = "日志中有些记录无法读取，因此不知道随机种子"},
    {.en = "seed %s also occurs in %s",
     .zh = "随机种子 {1} 也用于另一次运行（{2}）"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7012 = {
    .id = "FP7012",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING | ALSO_NOTICE,
    .title = {"各次运行的随机种子", "Seeds"},
    .statement = {"每次运行的日志必须写明一个整数的随机种子，各次运行的种子不得相同。",
                  "Every run must log its random seeds as integers, and two runs may not use the "
                  "same seed."},
    .source = "mlcommons/logging 7bbf7926, seed_checker.py; training_policies d73e20f1, "
              "\"Random numbers\"",
    .example = "seed 1234 at train.py:50 is that of result_0.txt, too",
    .messages = messages,
    .runs = check_runs_seeds,
};
