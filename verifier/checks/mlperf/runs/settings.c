/* FP7033: Hyperparameters are the same in all runs */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>
#include <string.h>

/* Did the run end, or comply? What broke off says little. */
static bool counts(const struct mlperf_log_facts *log)
{
    return !log->refused && (mlperf_log_complies(log) || !isnan(log->last_stop_ms));
}

static const char *value_of(const struct mlperf_log_facts *log, const char *key)
{
    for (size_t i = 0; i < log->n_settings; i++)
        if (strcmp(log->settings[i].key, key) == 0)
            return log->settings[i].value;
    return NULL;
}

static void compare_setting_of_runs(struct mlperf_runs *r, const char *key)
{
    const char *first = NULL, *other = NULL;
    size_t with_first = 0, with_others = 0;
    for (size_t i = 0; i < r->n; i++) {
        const char *value = counts(r->runs[i].log) ? value_of(r->runs[i].log, key) : NULL;
        if (!value)
            continue;
        first = first ? first : value;
        bool same = strcmp(first, value) == 0;
        with_first += same;
        with_others += !same;
        other = same || other ? other : value;
    }
    if (!other)
        return;
    bool batch = strcmp(key, "global_batch_size") == 0;
    mlperf_found(r->findings, r->arena, "FP7033", batch ? SEVERITY_ERROR : SEVERITY_WARNING,
                 r->directory->shown, 0,
                 with_others > 1 ? "%s differs between the runs: %s (%zu), %s and others (%zu)"
                                 : "%s differs between the runs: %s (%zu), %s (%zu)",
                 key, first, with_first, other, with_others);
}

static bool is_setting_compared(const struct mlperf_runs *r, size_t run, const char *key)
{
    for (size_t i = 0; i < run; i++)
        if (value_of(r->runs[i].log, key))
            return true;
    return false;
}

static void check_runs_settings(struct mlperf_runs *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->runs[i].log->n_settings; k++)
            if (!is_setting_compared(r, i, r->runs[i].log->settings[k].key))
                compare_setting_of_runs(r, r->runs[i].log->settings[k].key);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s differs between the runs: %s (%zu), %s (%zu)",
     .zh = "各次运行的 {1} 不相同：{3} 次运行为 {2}，{5} 次运行为 {4}"},
    {.en = "%s differs between the runs: %s (%zu), %s and others (%zu)",
     .zh = "各次运行的 {1} 不相同：{3} 次运行为 {2}，{5} 次运行为 {4} 等其他值"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7033 = {
    .id = "FP7033",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING,
    .title = {"各次运行的超参数", "Equal hyperparameters"},
    .statement = {"同一结果的各次运行，超参数必须相同。",
                  "All runs of a result must use the same hyperparameters."},
    .source = "training_policies d73e20f1, \"Scoring\": N independent runs",
    .example = "opt_base_learning_rate differs between the runs: 0.0001 (4), 0.0002 (1)",
    .messages = messages,
    .runs = check_runs_settings,
};
