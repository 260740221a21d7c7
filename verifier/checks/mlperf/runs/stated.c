/* FP7041: The minutes that a record states are those of its sealed logs */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <math.h>

static void check_runs_stated(struct mlperf_runs *r)
{
    const struct mlperf_score_record *s = r->stated;
    if (!s || mlperf_minutes_agree(s, r->score.minutes))
        return;
    if (isfinite(r->score.minutes))
        mlperf_found(r->findings, r->arena, "FP7041", SEVERITY_ERROR, r->stated_in, s->line,
                     "%s: the record states %s min, but the sealed logs give %.3f min",
                     s->benchmark, s->minutes ? s->minutes : "no", r->score.minutes);
    else
        mlperf_found(r->findings, r->arena, "FP7041", SEVERITY_ERROR, r->stated_in, s->line,
                     "%s: the record states %s min, but the sealed logs give no score",
                     s->benchmark, s->minutes);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s: the record states %s min, but the sealed logs give %.3f min",
     .zh = "{1}：结果记录写的用时为 {2} 分钟，但由封存的日志算出 {3} 分钟"},
    {.en = "%s: the record states %s min, but the sealed logs give no score",
     .zh = "{1}：结果记录写的用时为 {2} 分钟，但由封存的日志算不出成绩"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7041 = {
    .id = "FP7041",
    .severity = SEVERITY_ERROR,
    .also = 0,
    .title = {"结果记录所写的用时", "Stated minutes"},
    .statement = {"结果记录所写的用时（分钟），必须与由封存的日志复算的用时一致。",
                  "The time to train that a record states must equal the time that is recomputed "
                  "from its sealed logs."},
    .source = "fpreport: a published figure follows from its evidence",
    .example = "retinanet: found 19.5 min, the sealed logs give 20.483",
    .messages = messages,
    .runs = check_runs_stated,
};
