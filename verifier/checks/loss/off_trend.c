#include "verifier/checks/loss/step_line.h"
#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

/*
 * Measured on 2026-11-27 on 200 native runs of tiny models (seeds, ranks, rates, resumed ones), the
 * shipped runs and the curves of ../shared/corpus/curves, each cut at up to 60 places as if it had
 * ended there: 8590 ends, of which 2705 are below their trend. Of those below it by 10 % and more
 * the largest score is 6.3. Of 4360 losses among the first twenty, 22.1 is the largest score (a
 * jump when the warm-up ends). Of 9340 losses beside their reference, 6.8.
 */
#define LAST_SCORE 8
#define LAST_AWAY 0.1

#define EARLY_SCORE 30
#define EARLY_AWAY 0.1

#define RESIDUAL_SCORE 50
#define RESIDUAL_AWAY 0.01

/* Of 2340 pieces of these curves none is nearer to a line than 0.14 of its range. */
#define STRAIGHT 0.005
#define STRAIGHT_MIN 20

static void find_off_trend(struct audit *a, const struct proof *p, size_t i, const char *message)
{
    struct check_result *r = proof_report(a, p, p->log_name, OUTCOME_FAIL, message);
    r->line = step_line(&p->log, p->curve.step[i]);
}

/* A loss above its trend is a bad batch; nobody gains by it. */
static bool look_last(struct audit *a, const struct proof *p)
{
    struct trend t = trend_last(&p->curve);
    size_t last = p->curve.n - 1;
    if (!(t.score > LAST_SCORE) || t.away > -LAST_AWAY)
        return false;
    find_off_trend(
        a, p, last,
        sentence_say(a->arena,
                     "the loss of the last step (%s) is %s, but the trend of the %d steps before "
                     "it gives %s; this deviation is %s times the usual deviation",
                     audit_number(a->arena, p->curve.step[last]),
                     audit_number(a->arena, p->curve.loss[last]), TREND_LAST,
                     audit_fixed(a->arena, t.expected, 4), audit_fixed(a->arena, t.score, 1)));
    return true;
}

/* A loss that stands out makes its neighbours stand out by half of that, and the first, whose line
 * goes through the next two, by twice as much: the one that stands out most is meant. */
static size_t most_off(const struct curve *c)
{
    size_t most = 1;
    for (size_t i = 2; i <= TREND_EARLY; i++)
        if (fabs(trend_early(c, i).away) > fabs(trend_early(c, most).away))
            most = i;
    bool first = most == 1 && !(4 * fabs(trend_early(c, 2).away) > fabs(trend_early(c, 1).away));
    return first ? 0 : most;
}

static bool look_early(struct audit *a, const struct proof *p)
{
    bool found = false;
    for (size_t i = 0; i < TREND_EARLY && i < p->curve.n && !found; i++) {
        struct trend t = trend_early(&p->curve, i);
        found = t.score > EARLY_SCORE && fabs(t.away) > EARLY_AWAY;
    }
    if (!found)
        return false;
    size_t at = most_off(&p->curve);
    struct trend t = trend_early(&p->curve, at);
    find_off_trend(a, p, at,
                   sentence_say(a->arena,
                                "the loss of step %s is %s, but the neighbouring steps give %s; "
                                "this deviation is %s times the usual deviation",
                                audit_number(a->arena, p->curve.step[at]),
                                audit_number(a->arena, p->curve.loss[at]),
                                audit_fixed(a->arena, t.expected, 4),
                                audit_fixed(a->arena, t.score, 1)));
    return true;
}

static bool look_residuals(struct audit *a, const struct proof *p)
{
    bool found = false;
    for (size_t i = 0; p->reference.n && i < p->curve.n && !found; i++) {
        struct trend t = trend_residual(&p->curve, &p->reference, i);
        found = t.score > RESIDUAL_SCORE && fabs(t.away) > RESIDUAL_AWAY;
        if (found)
            find_off_trend(
                a, p, i,
                sentence_say(a->arena,
                             "the loss of step %s is %s, but the reference has %s; the "
                             "neighbouring steps follow the reference %s times more closely",
                             audit_number(a->arena, p->curve.step[i]),
                             audit_number(a->arena, p->curve.loss[i]),
                             audit_number(a->arena, t.expected),
                             audit_fixed(a->arena, t.score, 0)));
    }
    return found;
}

/* The largest distance from the line between the first loss and the last, of the losses' range. */
static double distance_from_line(const struct curve *c)
{
    size_t last = c->n - 1;
    double slope = (c->loss[last] - c->loss[0]) / (c->step[last] - c->step[0]);
    double away = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        double line = c->loss[0] + slope * (c->step[i] - c->step[0]);
        away = fmax(away, fabs(c->loss[i] - line));
        low = fmin(low, c->loss[i]);
        high = fmax(high, c->loss[i]);
    }
    return high > low ? away / (high - low) : 0;
}

static bool look_line(struct audit *a, const struct proof *p)
{
    const struct curve *c = &p->curve;
    if (c->n < STRAIGHT_MIN || !(distance_from_line(c) < STRAIGHT))
        return false;
    find_off_trend(a, p, c->n - 1,
                   sentence_say(a->arena, "the %zu losses form a straight line from %s to %s", c->n,
                                audit_number(a->arena, c->loss[0]),
                                audit_number(a->arena, c->loss[c->n - 1])));
    return true;
}

static void check_off_trend(struct audit *a, struct proof *p)
{
    if (!p->curve.n || p->curve.by_epoch)
        return;
    bool last = look_last(a, p), early = look_early(a, p), residual = look_residuals(a, p);
    bool straight = look_line(a, p);
    if (!last && !early && !residual && !straight)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the first losses and the last loss follow the trend of their neighbours");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the loss of the last step (%s) is %s, but the trend of the %d steps before it "
           "gives %s; this deviation is %s times the usual deviation",
     .zh = "最后一步（第 {1} 步）的损失为 {2}，按此前 {3} 步的趋势应为 {4}，这个偏差是通常偏差的 "
           "{5} 倍"},
    {.en = "the loss of step %s is %s, but the neighbouring steps give %s; this deviation is %s "
           "times the usual deviation",
     .zh = "第 {1} 步的损失为 {2}，按相邻各步的损失应为 {3}，这个偏差是通常偏差的 {4} 倍"},
    {.en = "the loss of step %s is %s, but the reference has %s; the neighbouring steps follow "
           "the reference %s times more closely",
     .zh = "第 {1} 步的损失为 {2}，参考曲线上这一步的损失为 {3}；相邻各步与参考曲线的偏差只有这一步"
           "的 {4} 分之一"},
    {.en = "the %zu losses form a straight line from %s to %s",
     .zh = "{1} 个损失正好排成从 {2} 到 {3} 的一条直线"},
    {.en = "the first losses and the last loss follow the trend of their neighbours",
     .zh = "运行最初各步和最后一步的损失，都符合相邻各步的趋势"},
    {NULL, NULL},
};

const struct rule rule_fp2036 = {
    .id = "FP2036",
    .kind = "curves",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG,
    .proof = check_off_trend,
    .title = {.en = "Losses that do not follow the trend", .zh = "偏离相邻各步趋势的损失"},
    .statement = {.en = "The last loss of a run and its first twenty losses must follow the trend "
                        "of the neighbouring steps. If the run uses the same data order as the "
                        "reference curve of its case, every loss must follow that curve.",
                  .zh = "运行的最后一步和最初二十步的损失，必须符合相邻各步的趋势。如果运行的数据次"
                        "序与用例的参考曲线相同，每一步的损失都必须符合参考曲线。"},
    .why = {.en = "Vendors state the last loss of a run, and somebody who copies a loss curve "
                  "usually changes its first steps. An edited loss differs from the losses of the "
                  "neighbouring steps, and differs even more from the reference curve.",
            .zh = "厂商填报的是运行的最后一个损失，因此有人会改动这个损失。抄袭损失曲线的人，通常改"
                  "动最初几步的损失。改动过的损失与相邻各步的损失不符，与参考曲线的差别更大。"},
    .how = {.en = "The rule fits a line through the 20 losses before the last loss. The last loss "
                  "must not lie below the fitted line by more than 10 % and by more than 8 scaled "
                  "MAD (median absolute deviation). The rule also compares each of the first "
                  "twenty losses with the losses of the neighbouring steps; the limits are 10 % "
                  "and 30 scaled MAD. If the run follows the reference curve of its case within 1 "
                  "%, each loss is compared with that curve, with limits of 1 % and 50 times the "
                  "deviation of its neighbours. Twenty or more losses that form a straight line "
                  "are reported, because no real training produces a straight line.",
            .zh = "用运行的最后一个损失之前的 20 个损失拟合一条直线。运行的最后一个损失低于这条拟合"
                  "直线时，偏差不得同时超过 10 % 和 8 倍标准化 MAD（中位数绝对偏差）。运行最初的二"
                  "十个损失分别与相邻各步的损失比较，偏差不得同时超过 10 % 和 30 倍标准化 MAD。如果"
                  "运行与用例的参考曲线相差不超过 1 %，就把每个损失与参考曲线比较，偏差不得同时超过"
                  " 1 % 和相邻各步偏差的 50 倍。二十个以上的损失排成一条直线时，检查也不通过，因为"
                  "真实的训练不会产生直线。"},
    .fix = {.en = "Submit the log without changes. If nobody changed the log, check the training "
                  "data of the step that the finding names.",
            .zh = "提交未经改动的日志。如果没有人改动过日志，请检查损失异常的那一步所用的训练数据。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 0.907718062, \"grad",
                .changed = "\"loss\": 0.807718062, \"grad"},
};
/* clang-format on */
