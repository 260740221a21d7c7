#include "base/store/store.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/runs.h"

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
    {SKETCH_TIMES, TIMES_ALIKE, false, "the step times"},
    {SKETCH_CPU, SAMPLES_ALIKE, false, "the CPU samples"},
    {SKETCH_WATTS, SAMPLES_ALIKE, false, "the power samples of the first card"},
    {SKETCH_LOSSES, LOSSES_ALIKE, true, "the deviations of the losses from their trend"},
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
        return "the archive does not show which run arrived first";
    return sentence_say(a->arena,
                        mine < theirs
                            ? "this run arrived in the archive first, in line %lld of its log"
                            : "the other run arrived in the archive first, in line %lld of its log",
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
                                  "%s rise and fall together with those of the run of %s/%s (rank "
                                  "correlation %s): one of the two runs may be a changed copy of "
                                  "the other; %s",
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
                                  "the step times and monitor samples differ from those of %zu "
                                  "other runs of the case",
                                  compared));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the step times",
     .zh = "各步耗时"},
    {.en = "the CPU samples",
     .zh = "CPU 采样"},
    {.en = "the power samples of the first card",
     .zh = "第一张卡的功耗采样"},
    {.en = "the deviations of the losses from their trend",
     .zh = "各步损失与损失趋势的偏差"},
    {.en = "the archive does not show which run arrived first",
     .zh = "归档库没有记录两次运行中哪一次先进入归档库"},
    {.en = "this run arrived in the archive first, in line %lld of its log",
     .zh = "两次运行中，本结果的运行先进入归档库（归档日志第 {1} 行）"},
    {.en = "the other run arrived in the archive first, in line %lld of its log",
     .zh = "两次运行中，另一个结果的运行先进入归档库（归档日志第 {1} 行）"},
    {.en = "%s rise and fall together with those of the run of %s/%s (rank correlation %s): one of "
           "the two runs may be a changed copy of the other; %s",
     .zh = "本次运行与 {2}/{3} 的运行相比，{1:said}同步变化（秩相关为 {4}），其中一次运行可能由"
           "另一次改动而成；{5:said}"},
    {.en = "the step times and monitor samples differ from those of %zu other runs of the case",
     .zh = "这次运行的各步耗时与监控采样，与同一用例的另外 {1} 次运行都不相同"},
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
    .title = {.en = "Run copied from another vendor and then changed", .zh = "抄自其他厂商、再经"
                                                                             "改动的运行"},
    .statement = {.en = "The step times and monitor samples of a training run must not follow those "
                        "of another vendor's run of the same case.",
                  .zh = "一次训练运行的各步耗时与监控采样，不得与其他厂商在同一用例上的运行同步升降"
                        "。"},
    .why = {.en = "The steps at which a machine slows down differ from machine to machine. If "
                  "somebody copies step times and multiplies or shifts them, the order of the "
                  "steps from fastest to slowest stays the same.",
            .zh = "两台机器各自训练时，不会在相同的步上变慢。即使有人把抄来的各步耗时乘以系数或整体"
                  "平移，各步从快到慢的次序也不变。"},
    .how = {.en = "If the run has at least 25 steps or 40 monitor samples, the rule computes its "
                  "rank correlation with every other vendor's run of the case. The rule also "
                  "computes each correlation after it has removed or added one step. The "
                  "correlation of the step times (mean over values and differences) may be at most "
                  "0.8, or 0.93 if there are fewer than 40 steps. The correlation of the monitor "
                  "samples (first differences) may be at most 0.99. For runs that a vendor's own "
                  "command made, the correlation of the losses (first differences) may be at most "
                  "0.999. If a correlation exceeds its limit, both results get a warning, because "
                  "either run may be the copy.",
            .zh = "如果运行至少有 25 步或 40 个监控采样，就计算它与其他厂商对同一用例的每次运行的秩"
                  "相关系数，还计算去掉一步或增加一步之后的秩相关系数。两次运行各步耗时的秩相关系数"
                  "（原值与差分两个系数的平均）不得超过 0.8，运行不足 40 步时不得超过 0.93。两次运"
                  "行的监控采样，一阶差分的秩相关系数不得超过 0.99。如果运行由厂商自己的训练命令完"
                  "成，而不是由 fpreport 内置训练器完成，那么两次运行的损失曲线的一阶差分，秩相关系"
                  "数不得超过 0.999。两次运行的秩相关系数超过上限时，对两个结果都给出警告，因为无法"
                  "判断哪一次运行是副本。"},
    .fix = {.en = "State in the result record which vendor made the run. If two vendors share one "
                  "run, state this in the result record.",
            .zh = "在结果记录中写明作为证据的运行由哪家厂商完成。如果两家厂商共用一次运行，也在结果"
                  "记录中写明。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"vendor\": \"globex\"",
                .changed = "\"vendor\": \"nvidia\""},
};
/* clang-format on */
