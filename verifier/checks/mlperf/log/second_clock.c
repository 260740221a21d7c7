/* FP7020: init_stop, run_start and run_stop occur once: with a second one, any score can be had */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

static void check_log_second_clock(struct mlperf_log_audit *a)
{
    static const char *const keys[] = {"init_stop", "run_start", "run_stop"};
    for (size_t i = 0; i < a->evaluation->n_repeats; i++) {
        const struct mlperf_repeat *repeat = &a->evaluation->repeats[i];
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strcmp(keys[k], repeat->key) == 0)
                mlperf_found(&a->facts->findings, a->arena, "FP7020", SEVERITY_ERROR, NULL,
                             mllog_line(a->log->bytes, repeat->at),
                             "%s: found %zu records, expected one: the score depends on which of "
                             "these records is used",
                             repeat->key, repeat->n_records);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s: found %zu records, expected one: the score depends on which of these records is "
           "used",
     .zh = "日志中有 {2} 条 {1} 记录，应恰有一条：采用哪一条，算出的成绩就不同"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7020 = {
    .id = "FP7020",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"只计时一次", "One clock"},
    .statement = {"日志中 init_stop、run_start 与 run_stop 必须各出现一次；多出现一次，就可能算"
                  "出不同的成绩。",
                  "The events init_stop, run_start and run_stop must each occur exactly once, "
                  "because a second event changes the score."},
    .source = "mlcommons/logging 7bbf7926, EXACTLY_ONE; training_policies d73e20f1, \"Run "
              "Results\": the clock may not be paused",
    .example = "run_start: 2 records, expected one: the score depends on which is taken",
    .messages = messages,
    .log = check_log_second_clock,
};
