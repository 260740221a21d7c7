#include "base/store/store.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/sketch.h"

#include <string.h>

/*
 * Of 1,540 pairs of 56 native runs, on processors and on H200 (2026-11-27), at all lengths from 41
 * steps on and printed in 1, 0.1 and 0.001 ms, the mean of both correlations of step times is 0.73
 * at most; two cards that grow warm alike have 0.92 of values and 0.32 of differences. Copies of
 * those runs have 0.81 and more, where one step was dropped, another put in, the times multiplied
 * and printed in whole milliseconds. Noise of a thousandth leaves the values at 0.98 and the
 * differences at 0.47.
 */
#define TIMES_ALIKE 0.8

/* Of few steps the same pairs have 0.83 at most. */
#define PAIRS_FEW 40
#define TIMES_OF_FEW 0.93

#define TIMES_NOISED 0.95
#define DIFFERENCES_NOISED 0.4

#define SAMPLES_ALIKE 0.99

/* Two honest trainings in one data order are alike as well: 0.98 and more. */
#define LOSSES_ALIKE 0.999

static const struct {
    enum sketch_series which;
    double most;      /* correlation of differences; of times another one, see is_alike() */
    bool of_commands; /* losses of native runs of one case and seed are equal by right */
    const char *what;
} rows[] = {
    {SKETCH_TIMES, TIMES_ALIKE, false, "the times of its steps"},
    {SKETCH_CPU, SAMPLES_ALIKE, false, "the samples of its processors"},
    {SKETCH_WATTS, SAMPLES_ALIKE, false, "the samples of its first card's power"},
    {SKETCH_LOSSES, LOSSES_ALIKE, true, "its losses around their trend"},
};

static bool is_alike(enum sketch_series which, struct likeness x, double most)
{
    double mean = (x.values + x.differences) / 2;
    if (x.pairs < PAIRS_FEW)
        return which == SKETCH_TIMES && mean > TIMES_OF_FEW;
    if (which != SKETCH_TIMES)
        return x.values > most;
    return mean > most || (x.values > TIMES_NOISED && x.differences > DIFFERENCES_NOISED);
}

static bool is_of_command(const struct proof *p)
{
    const struct json *command = json_get(p->run, "command");
    return command && command->kind != JSON_NULL && !proof_is_native(p);
}

/* The line of the archive's log by which a submission came; 0. */
static long long came_at(const struct audit *a, const struct evidence *e)
{
    const struct store *s = a->project->store;
    const struct store_item *item = s && e ? store_submission_of(&s->index, e->sha256) : NULL;
    return item && item->added ? item->added->n : 0;
}

static const char *which_first(struct audit *a, const struct proof *p, const struct sketch *other)
{
    long long mine = came_at(a, p->evidence), theirs = came_at(a, other->evidence);
    if (!mine || !theirs || mine == theirs)
        return "the archive does not know which came first";
    return sentence_say(a->arena,
                        mine < theirs ? "this one came to the archive first, with line %lld of its "
                                        "log"
                                      : "the other came to the archive first, with line %lld of "
                                        "its log",
                        mine < theirs ? mine : theirs);
}

static bool compare_sketches(struct audit *a, const struct proof *p, const struct sketch *own,
                             const struct sketch *other)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct likeness alike = sketch_likeness(own, other, rows[i].which, a->arena);
        if (!is_alike(rows[i].which, alike, rows[i].most) ||
            (rows[i].of_commands && !is_of_command(p)))
            continue;
        proof_report(a, p, NULL, OUTCOME_FAIL,
                     sentence_say(a->arena,
                                  "%s go up and down with those of %s/%s, rank correlation %s: one "
                                  "of the two runs may be the other, changed; %s",
                                  rows[i].what, other->result->vendor, other->result->case_id,
                                  audit_fixed(a->arena, alike.values, 4),
                                  which_first(a, p, other)));
        return true;
    }
    return false;
}

/* Was this evidence sketched before, when its case was asked for again? */
static bool is_copied_again(const struct rivals *r, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (r->sketches[k].evidence == r->sketches[i].evidence)
            return true;
    return false;
}

static void check_copied_run(struct audit *a, struct proof *p)
{
    const struct rivals *rivals = &a->project->rivals;
    struct sketch own = {.result = a->result};
    size_t compared = 0;
    bool found = false;
    if (!p->opened || p->loose || !a->result || !p->main_log)
        return;
    sketch_make(p->main_log, p->monitors, p->n_monitors, a->arena, &own);
    for (size_t i = 0; i < rivals->n_sketches; i++) {
        const struct sketch *other = &rivals->sketches[i];
        if (strcmp(other->result->vendor, a->result->vendor) == 0 ||
            strcmp(other->result->case_id, a->result->case_id) != 0 || is_copied_again(rivals, i))
            continue;
        compared++;
        found |= compare_sketches(a, p, &own, other);
    }
    if (compared && !found)
        proof_report(a, p, NULL, OUTCOME_PASS,
                     sentence_say(a->arena,
                                  "its times are its own, beside %zu other runs of the case",
                                  compared));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the times of its steps",
     .zh = "各步耗时"},
    {.en = "the samples of its processors",
     .zh = "处理器的采样"},
    {.en = "the samples of its first card's power",
     .zh = "首张卡功耗的采样"},
    {.en = "its losses around their trend",
     .zh = "损失围绕趋势的起伏"},
    {.en = "the archive does not know which came first",
     .zh = "归档不知道哪一个先到"},
    {.en = "this one came to the archive first, with line %lld of its log",
     .zh = "这一个先进入归档，见其日志第 {1} 行"},
    {.en = "the other came to the archive first, with line %lld of its log",
     .zh = "另一个先进入归档，见其日志第 {1} 行"},
    {.en = "%s go up and down with those of %s/%s, rank correlation %s: one of the two runs may be "
           "the other, changed; %s",
     .zh = "{1:said}与 {2}/{3} 的一同起伏，秩相关 {4}：两次运行中可能有一次是另一次改成的；{5:said}"},
    {.en = "its times are its own, beside %zu other runs of the case",
     .zh = "与该用例的另外 {1} 次运行相比，其时间是自己的"},
    {NULL, NULL},
};

const struct rule rule_fp4019 = {
    .id = "FP4019",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .needs_records = true,
    .quotes = RULE_QUOTES_NOTHING,
    .proof = check_copied_run,
    .title = {.en = "A run of somebody else, changed", .zh = "改动过的他人运行"},
    .statement = {.en = "The times and samples of a run do not go up and down with those of another "
                        "vendor's run of the case.",
                  .zh = "一次运行的时间与采样，不会与另一厂商同一用例的运行一同起伏。"},
    .why = {.en = "Two machines do not stumble at the same steps. Times that were multiplied or "
                  "shifted keep the order of the ones they were made from.",
            .zh = "两台机器不会在相同的步上变慢。乘以一个系数或整体平移的时间，仍保持原来的大小次序。"},
    .how = {.en = "From 40 samples and 25 steps on, the rank correlation with each other vendor's run "
                  "of the case is computed, also where a step was left out or put in: of step times "
                  "(0.8, the mean of that of values and of differences, is too much, below 40 "
                  "steps 0.93), of monitors' "
                  "samples (0.99, first differences) and, of runs of commands, of losses (0.999, "
                  "first differences). It is a warning at both, and accuses neither.",
            .zh = "有 25 步或 40 次采样以上时，与其他厂商同一用例的每次运行计算秩相关，少一步或多一步时"
                  "也一样：步耗时（数值与差分两者的平均超过 0.8 算过高，不足 40 步时为 "
                  "0.93）、监控采样（一阶差分，0.99），以及由命令完成的运行的损失（一阶差分，"
                  "0.999）。对两者都算警告，并不指控任何一方。"},
    .fix = {.en = "Say whose run it is; two vendors who share one name it in the record.",
            .zh = "说明这是谁的运行；两家厂商共用一次运行时，应在记录中写明。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"vendor\": \"globex\"",
                .changed = "\"vendor\": \"nvidia\""},
};
/* clang-format on */
