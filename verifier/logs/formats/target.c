/*
 * What the classic case scripts print when a training has got where it should:
 *
 *   converged_success. eval_mAP: 0.3721, target_mAP: 0.37
 *
 * The words are kept as "converged_success" (1), the numbers as "eval score" and "target score",
 * whatever the score is called.
 */
#include "verifier/logs/log_format.h"

/* "eval_mAP: 0.3721" */
static bool read_score(struct span *rest, const char *prefix, double *value)
{
    struct span item = span_trim(span_cut(rest, ','));
    if (!span_starts(item, prefix))
        return false;
    span_cut(&item, ':');
    return span_number(item, value) > 0;
}

static bool read_target_line(struct log_reader *r, struct span s)
{
    static const char mark[] = "converged_success.";
    double score, target;
    if (!span_starts(s, mark))
        return false;
    struct span rest = span_from(s, sizeof mark - 1);
    log_add_value(r, SPAN("converged_success"), 1);
    if (read_score(&rest, "eval_", &score) && read_score(&rest, "target_", &target)) {
        log_add_value(r, SPAN("eval score"), score);
        log_add_value(r, SPAN("target score"), target);
    }
    return true;
}

const struct log_format log_format_target = {
    .name = "target",
    .reads = "the line in which FlagPerf's classic cases report that the target was reached",
    .sample = "converged_success. eval_mAP: 0.3721, target_mAP: 0.37",
    .first = "c",
    .read = read_target_line,
};
