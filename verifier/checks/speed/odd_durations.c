#include "base/reals.h"
#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A clock is not that steady. Of 1,985 accepted series of MLPerf Training v4.0 and v5.1 none has
 * more than 0.30 of its intervals equal to the millisecond, and none a median distance below
 * 1.29e-4 of the median. Of 238 native runs of tiny models (2026-11-27) no two steps of one run
 * took the same time to the last digit.
 */
#define STEPS_MIN 10

/* Of the fastest step before it. */
#define FASTEST 0.85

#define EQUAL_SHARE 0.6

#define STEADY 5e-5

/* Printed digits from which on equal durations say something: "0.4" repeats by itself. */
#define DIGITS_MIN 4

/* A card that a training uses shows more than this in some sample. */
#define IDLE 0.05

#define SAMPLES_MIN 5

/* Stamps have whole seconds: a span of so many of them, in about so many windows. */
#define PASSED_MIN_S 16.0

#define WINDOW_MIN_S 2.0

#define WINDOWS 12

#define PASSED_SHARE 0.9

static int duration_digits(double x)
{
    char text[40];
    int digits = 1;
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return digits;
}

/* How many of the sorted values are the one that occurs most. */
static size_t most_equal(const double *sorted, size_t n, double *value)
{
    size_t most = 0;
    for (size_t i = 0, run = 0; i < n; i++) {
        run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            *value = sorted[i];
        }
    }
    return most;
}

static size_t duration_seconds(const struct proof *p, double *out)
{
    size_t n = 0;
    for (size_t i = 0; i < p->log.n_points; i++)
        if (p->log.points[i].seconds > 0 && p->log.points[i].rank == p->log.points[0].rank)
            out[n++] = p->log.points[i].seconds;
    return n;
}

static void find_odd(struct audit *a, const struct proof *p, const char *message)
{
    proof_report(a, p, p->log_name, OUTCOME_FAIL, message);
}

static bool look_equal(struct audit *a, const struct proof *p)
{
    double *seconds = arena_array(a->arena, p->log.n_points, sizeof *seconds), value = NAN;
    size_t n = duration_seconds(p, seconds), n_digits = 0;
    if (n < STEPS_MIN)
        return false;
    qsort(seconds, n, sizeof *seconds, reals_by_size);
    for (size_t i = 0; i < n; i++)
        n_digits += duration_digits(seconds[i]) >= DIGITS_MIN;
    size_t equal = most_equal(seconds, n, &value);
    if (equal == n ||
        ((double)equal > EQUAL_SHARE * (double)n && duration_digits(value) >= DIGITS_MIN)) {
        find_odd(a, p,
                 sentence_say(a->arena, "%zu of %zu steps took exactly %s s", equal, n,
                              audit_number(a->arena, value)));
        return true;
    }
    double middle = curve_median(seconds, n);
    for (size_t i = 0; i < n; i++)
        seconds[i] = fabs(seconds[i] - middle);
    double spread = curve_median(seconds, n) / middle;
    if (2 * n_digits < n || !(spread < STEADY))
        return false;
    find_odd(a, p,
             sentence_say(
                 a->arena,
                 "half of the %zu step times differ from their median by at most %s of the median",
                 n, audit_number(a->arena, spread)));
    return true;
}

/* A run on cards during which no card that was watched did anything. */
static bool look_idle(struct audit *a, const struct proof *p)
{
    double most = NAN;
    size_t samples = 0;
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        for (size_t k = 0; k < m->n_cards; k++) {
            most = fmax(most, m->cards[k].busy.n ? m->cards[k].busy.peak : NAN);
            samples += m->cards[k].busy.n;
        }
    }
    if (proof_on_processor(p) || samples < SAMPLES_MIN || !(most < IDLE))
        return false;
    find_odd(a, p,
             sentence_say(a->arena,
                          "no card was utilised by more than %s %% in %zu monitor samples, "
                          "although the log contains training steps",
                          audit_fixed(a->arena, 100 * most, 1), samples));
    return true;
}

/* Seconds between the stamps of two reports, and how many of them the steps claim. */
struct span_of_steps {
    double clock, claimed;
};

/* Windows of at least so many seconds, from the first stamp of a report to the last; 0: all. */
static size_t windows_of_steps(const struct proof *p, double seconds, double *shares,
                               struct span_of_steps *all)
{
    const struct log_point *before = NULL;
    double begins = NAN, last = NAN, claimed = 0;
    size_t n = 0;
    *all = (struct span_of_steps){0, 0};
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        double at = log_clock_ms(&p->log, x, before) / 1000;
        if (x->rank != p->log.points[0].rank || isnan(at) || !(x->seconds > 0))
            continue;
        if (before) {
            double more = x->seconds * fmax(1, x->step - before->step);
            claimed += more;
            all->claimed += more;
            all->clock += at - last;
        }
        begins = before ? begins : at;
        before = x;
        last = at;
        if (seconds > 0 && at - begins >= seconds) {
            shares[n++] = claimed / (at - begins);
            begins = at;
            claimed = 0;
        }
    }
    return n;
}

/* All steps together, and those of most windows, take less time than passed between their stamps:
 * an evaluation or a checkpoint falls into few windows. Of our own trainer FP4007 asks more. */
static bool look_shorter(struct audit *a, const struct proof *p)
{
    double *shares = arena_array(a->arena, p->log.n_points, sizeof *shares);
    struct span_of_steps all;
    windows_of_steps(p, 0, shares, &all);
    if (proof_is_native(p) || !(all.clock >= PASSED_MIN_S) ||
        !(all.claimed < all.clock * PASSED_SHARE - 1))
        return false;
    size_t n = windows_of_steps(p, fmax(WINDOW_MIN_S, all.clock / WINDOWS), shares, &all);
    if (n < WINDOWS / 2 || !(curve_median_upper(shares, n) < PASSED_SHARE))
        return false;
    find_odd(a, p,
             sentence_say(a->arena, "the step times add up to %s s, but their timestamps span %s s",
                          audit_fixed(a->arena, all.claimed, 1),
                          audit_fixed(a->arena, all.clock, 1)));
    return true;
}

/* The step that a case takes its rate from is not by far the fastest of all. */
static bool look_last_step(struct audit *a, const struct proof *p)
{
    const struct case_record *kase = a->kase ? a->kase : p->kase;
    const char *rate = kase && kase->report ? kase->report->throughput : NULL;
    double *seconds = arena_array(a->arena, p->log.n_points + 1, sizeof *seconds), least = INFINITY;
    size_t n = rate && strcmp(rate, "last") == 0 ? duration_seconds(p, seconds) : 0;
    for (size_t i = 0; i + 1 < n; i++)
        least = fmin(least, seconds[i]);
    if (n < STEPS_MIN || !(seconds[n - 1] < FASTEST * least))
        return false;
    find_odd(a, p,
             sentence_say(a->arena,
                          "the last step, which gives the reported rate, took %s s, but the "
                          "fastest of the %zu steps before it took %s s",
                          audit_fixed(a->arena, seconds[n - 1], 4), n - 1,
                          audit_fixed(a->arena, least, 4)));
    return true;
}

static void check_durations(struct audit *a, struct proof *p)
{
    if (!p->main_log || !p->curve.n)
        return;
    bool equal = look_equal(a, p), idle = look_idle(a, p), shorter = look_shorter(a, p);
    bool last = look_last_step(a, p);
    if (!equal && !idle && !shorter && !last)
        proof_report(a, p, p->log_name, OUTCOME_PASS, "the step times vary like measured times");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%zu of %zu steps took exactly %s s",
     .zh = "日志的 {2} 步中有 {1} 步的耗时恰好都是 {3} 秒"},
    {.en = "half of the %zu step times differ from their median by at most %s of the median",
     .zh = "日志的 {1} 个步耗时几乎相同：有一半与中位数相差不到中位数的 {2} 倍"},
    {.en = "no card was utilised by more than %s %% in %zu monitor samples, although the log "
           "contains training steps",
     .zh = "监控的 {2} 次采样中，没有一张卡的利用率超过 {1} %，但日志中有训练步"},
    {.en = "the step times add up to %s s, but their timestamps span %s s",
     .zh = "日志中各步耗时合计 {1} 秒，但各步时间戳的跨度为 {2} 秒"},
    {.en = "the last step, which gives the reported rate, took %s s, but the fastest of the %zu "
           "steps before it took %s s",
     .zh = "日志的最后一步用于计算吞吐量，耗时 {1} 秒，但此前 {2} 步中最快的一步耗时 {3} 秒"},
    {.en = "the step times vary like measured times",
     .zh = "各步耗时像实测值那样波动"},
    {NULL, NULL},
};

const struct rule rule_fp2039 = {
    .id = "FP2039",
    .kind = "rates",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR,
    .proof = check_durations,
    .title = {.en = "Implausible step times", .zh = "步耗时不合理"},
    .statement = {.en = "The step times of a run must vary like measured times, and the cards must "
                        "be busy during the training.",
                  .zh = "运行的各步耗时必须像实测值那样波动，训练期间卡不得空闲。"},
    .why = {.en = "A real clock measures slightly different times for every step. If the step times "
                  "are identical, a program or a person invented them.",
            .zh = "用真实的时钟测量时，每一步的耗时都略有不同。步耗时完全相同，说明步耗时是程序或人"
                  "编造的。"},
    .how = {.en = "If a log contains at least ten step times, they may not all be equal. Of step "
                  "times with four or more digits, at most 60 % may be equal, and their median "
                  "deviation from the median must be at least 5e-5 of the median. If there are at "
                  "least five samples of the card utilisation, one sample must be above 5 %. The "
                  "sum of the step times must be at least 90 % of the time between their "
                  "timestamps, overall or in most parts of the log. If the throughput is computed "
                  "from the last step, this step must take at least 85 % of the time of the fastest "
                  "earlier step.",
            .zh = "日志含有的步耗时不少于十个时，这些步耗时不得全部相同。日志写出的步耗时有四位或更"
                  "多数字时，相同的步耗时不得超过 60 %，且步耗时的 MAD（中位数绝对偏差）不得小于步"
                  "耗时中位数的 5e-5。卡的利用率采样至少有五次时，至少一次必须超过 5 %。各步耗时之"
                  "和不得少于日志时间戳跨度的 90 %，按整个日志或按日志的多数区间计算均可。用最后一"
                  "步计算吞吐量时，最后一步的耗时不得少于此前最快一步的 85 %。"},
    .fix = {.en = "Write the measured time of each step into the log with all its digits.",
            .zh = "在日志中记录每一步实测的耗时，保留全部数字。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_START\"",
                .changed = "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"step\":1,"
                           "\"step_time_s\":0.01437}}\n",
                .times = 400},
};
/* clang-format on */
