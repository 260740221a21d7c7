#include "verifier/claims/mfu.h"
#include "verifier/checks/speed/stated_throughput.h"
#include "verifier/claims/rule.h"

/*
 * Within this share of the figure a difference is a warning only: some case scripts divide by a
 * throughput with more digits, or average over steps, and no ranking turns on it. Beyond it the
 * two printed figures contradict each other.
 */
#define SMALL_DIFFERENCE 0.005

/* Stated and recomputed in the form in which MFU is printed: percent, or ratio without '%'. */
struct comparison {
    double stated, other, place; /* place: one unit in the last printed place */
    double rounding;             /* what the rounding of the stated throughput amounts to */
    int decimals;
    bool percent;
    bool below_only, above_only; /* of a bound: the truth may lie on its one side only */
};

static bool agrees_with_mfu(const struct comparison *x)
{
    /* The sum has a rounding error of its own: 37.0 and 37.1 are not exactly 0.1 apart. */
    double slack = x->place + x->rounding + 1e-9 * fabs(x->other);
    double over = x->stated - x->other;
    return (over <= slack || x->below_only) && (-over <= slack || x->above_only);
}

static struct comparison compare_mfu(const struct figure *f, double stated, double ratio,
                                     const struct figure *tps)
{
    bool percent = f->percent || f->value > 1;
    double scale = percent ? 100 : 1;
    double half =
        fmax(figure_last_place(tps->decimals) / 2, tps->tolerance > 0 ? figure_tolerance(tps) : 0);
    return (struct comparison){.stated = stated,
                               .other = ratio * scale,
                               .place = figure_tolerance(f),
                               .rounding = ratio * scale * half / tps->value,
                               .decimals = f->decimals,
                               .percent = f->percent,
                               .below_only = f->kind == FIGURE_BOUND && !f->least,
                               .above_only = f->kind == FIGURE_BOUND && f->least};
}

static struct figure mfu_figure(double value, const struct comparison *x, int more)
{
    struct figure f = figure_fixed(value, x->decimals + more);
    f.percent = x->percent;
    return f;
}

static const char *mfu_shown(struct audit *a, double value, const struct comparison *x, int more)
{
    const struct figure f = mfu_figure(value, x, more);
    return figure_print(&f, a->arena);
}

/* What the two figures have to do with each other, as a sentence. */
static const char *explain_mfu(struct audit *a, const struct comparison *x, const struct figure *f,
                               const char *derivation)
{
    struct comparison ratio = *x;
    ratio.other /= 100;
    ratio.rounding /= 100;
    const char *said = sentence_say(
        a->arena,
        f->kind == FIGURE_RANGE   ? "MFU is stated as %s (lower or upper end of the range); %s"
        : f->kind != FIGURE_BOUND ? "MFU is stated as %s; %s"
        : f->least                ? "MFU is stated as %s or more; %s"
                                  : "MFU is stated as %s or less; %s",
        mfu_shown(a, x->stated, x, 0), derivation);
    return f->percent && agrees_with_mfu(&ratio)
               ? sentence_say(a->arena, "%s: the page prints a ratio with a percent sign", said)
               : said;
}

/* Another peak of the same card that gives the stated figure: scripts divide by one peak whatever
 * the precision of the row is. NULL when there is none. */
static const char *other_peak(struct audit *a, const struct comparison *x,
                              const struct mfu_inputs *in)
{
    for (size_t i = 0; in->card && i < in->card->n_peaks; i++) {
        const struct peak *p = &in->card->peaks[i];
        struct comparison y = *x;
        double scale = in->peak / (p->tflops * 1e12);
        y.other *= scale;
        y.rounding *= scale;
        if (agrees_with_mfu(&y))
            return sentence_say(a->arena, "the peak of %s", p->precision);
    }
    return NULL;
}

/* By another convention than FlagPerf's: it passes where the page names the one that gives the
 * stated figure, which *x then holds. Words that leave room, with a figure inside of it, leave
 * nothing to compare. */
static enum outcome by_convention(struct audit *a, const struct claim *c, struct comparison *x,
                                  const struct mfu_inputs *in, const char **other)
{
    struct mfu_conventions known;
    mfu_conventions_find(a, c, in, &known);
    for (size_t i = 0; i < known.n; i++) {
        struct comparison y = *x;
        y.other *= known.all[i].scale;
        y.rounding *= known.all[i].scale;
        if (!agrees_with_mfu(&y))
            continue;
        *other = known.all[i].name;
        if (!known.all[i].named)
            return OUTCOME_FAIL;
        *x = y;
        return OUTCOME_PASS;
    }
    double slack = x->place + x->rounding;
    if (x->stated < known.least * x->other - slack || !(x->stated <= known.most * x->other + slack))
        return OUTCOME_FAIL;
    return OUTCOME_CANNOT;
}

static enum outcome report_mfu(struct audit *a, const struct claim *c, const struct figure *f,
                               struct comparison *x, const struct mfu_inputs *in,
                               const char *derivation)
{
    const char *other = NULL;
    /* A bound on its side of anything agrees with everything beyond: nothing explains it. */
    bool bound = f->kind == FIGURE_BOUND;
    enum outcome outcome = agrees_with_mfu(x) ? OUTCOME_PASS
                           : bound            ? OUTCOME_FAIL
                                              : by_convention(a, c, x, in, &other);
    bool ok = outcome != OUTCOME_FAIL;
    other = ok || other || bound ? other : other_peak(a, x, in);
    const char *said = explain_mfu(a, x, f, derivation);
    struct check_result *r =
        outcome == OUTCOME_CANNOT ? audit_cannot(a, c,
                                                 "%s; the row's FLOP count includes operations "
                                                 "that its other columns do not fully specify",
                                                 said)
        : other
            ? audit_report(a, outcome, c, 0, "%s; the stated value follows from %s", said, other)
            : audit_report(a, outcome, c, 0, "%s", said);
    bool small = fabs(x->stated - x->other) <= SMALL_DIFFERENCE * fabs(x->other);
    r->severity = small || other || outcome == OUTCOME_CANNOT ? SEVERITY_WARNING : r->severity;
    audit_expect(r, mfu_shown(a, x->stated, x, 0), mfu_shown(a, x->other, x, 2));
    r->tolerance = mfu_shown(a, x->place + x->rounding, x, 2);
    return outcome;
}

static void check_mfu(struct audit *a, const struct claim *c)
{
    struct metric *m = audit_metric(a, c, "mfu");
    const struct figure f = *claim_figure(c, "mfu");
    struct figure tps;
    struct mfu_inputs in;
    const char *why = "the row states no throughput";
    if (!m || !(figure_has_value(&f) || f.kind == FIGURE_BOUND))
        return;
    if (!stated_throughput(c, &tps) || !mfu_find_inputs(a, c, &in, &why)) {
        m->reason = why;
        audit_cannot(a, c, "MFU cannot be recomputed: %s", why);
        return;
    }
    bool range = f.kind == FIGURE_RANGE;
    double high = mfu_ratio(&in, tps.value);
    struct comparison x = compare_mfu(&f, range ? f.second : f.value, high, &tps);
    const char *derivation = mfu_derivation(a, &in, tps.value);
    enum outcome outcome = report_mfu(a, c, &f, &x, &in, derivation);
    struct figure found = mfu_figure(x.other, &x, 2);
    if (range && !isnan(in.low_peak)) {
        in.peak = in.low_peak;
        struct comparison low = compare_mfu(&f, f.value, mfu_ratio(&in, tps.value), &tps);
        enum outcome lower = report_mfu(a, c, &f, &low, &in, mfu_derivation(a, &in, tps.value));
        outcome = outcome == OUTCOME_PASS ? lower : outcome;
        found = figure_joined(FIGURE_RANGE, mfu_figure(low.other, &low, 2), found);
    }
    m->found = figure_kept(found, a->arena);
    m->tolerance = figure_kept(mfu_figure(x.place + x.rounding, &x, 2), a->arena);
    m->source = "stated";
    m->rule = a->rule->id;
    m->derivation = derivation;
    m->outcome = outcome;
    m->reason = outcome == OUTCOME_CANNOT
                    ? "the MFU of this row counts operations that the formula does not contain"
                    : NULL;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "MFU is stated as %s (lower or upper end of the range); %s",
     .zh = "填报的 MFU 为 {1}（填报区间的下限或上限），由其他填报值计算：{2:said}"},
    {.en = "MFU is stated as %s; %s",
     .zh = "填报的 MFU 为 {1}，由其他填报值计算：{2:said}"},
    {.en = "MFU is stated as %s or more; %s",
     .zh = "填报的 MFU 为“≥ {1}”，由其他填报值计算：{2:said}"},
    {.en = "MFU is stated as %s or less; %s",
     .zh = "填报的 MFU 为“≤ {1}”，由其他填报值计算：{2:said}"},
    {.en = "%s: the page prints a ratio with a percent sign",
     .zh = "{1:said}：页面给比值加上了百分号（例如把 45 % 写成 0.45 %）"},
    {.en = "the peak of %s",
     .zh = " {1} 精度的峰值"},
    {.en = "%s; the row's FLOP count includes operations that its other columns do not fully "
           "specify",
     .zh = "{1:said}；表格行的运算量含有其他列没有完整说明的运算"},
    {.en = "%s; the stated value follows from %s",
     .zh = "{1:said}；若改用{2:said}计算，则得到填报的 MFU"},
    {.en = "MFU cannot be recomputed: %s",
     .zh = "MFU 无法复算：{1:said}"},
    {.en = "the row states no throughput",
     .zh = "表格行没有填写吞吐量"},
    {.en = "the MFU of this row counts operations that the formula does not contain",
     .zh = "表格行的 MFU 计入了公式以外的运算"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, mfu_convention_messages, NULL};

const struct rule rule_fp2003 = {
    .id = "FP2003",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .needs_records = true,
    .claim = check_mfu,
    .title = {.en = "MFU computed from the throughput", .zh = "由吞吐量计算的 MFU"},
    .statement = {.en = "The stated MFU must equal factor * N * tokens per second per card / peak, "
                        "to one unit in the last printed digit.",
                  .zh = "填报的 MFU 必须等于系数 × N × 每卡每秒 token 数 ÷ 峰值，最多相差一个末位单"
                        "位。"},
    .why = {.en = "MFU makes different accelerators comparable. Common mistakes are a ratio that is "
                  "printed with a percent sign, and the peak of another card.",
            .zh = "有了 MFU，不同的加速卡才可以比较。MFU 的常见错误是给比值加上百分号，或使用另一种"
                  "卡的峰值。"},
    .how = {.en = "The rule computes MFU = factor * N * token/p/s / peak. The factor is 6 for "
                  "training, 4 for LoRA and 2 for LLaVA's pretraining; N is the nominal number of "
                  "parameters; token/p/s is the number of tokens per second of one card; the peak "
                  "is the dense datasheet figure for the row's precision. The stated MFU may differ "
                  "from the computed MFU by one unit in the last printed digit, plus the rounding "
                  "error of token/p/s ('1e4' and '10k' count as rounded to three digits). If the "
                  "difference is larger but at most 0.5 % of the MFU, or if the stated MFU follows "
                  "from the peak of another precision, the rule gives a warning.",
            .zh = "按公式 MFU = 系数 * N * token/p/s / 峰值 计算。MFU 公式的系数：训练为 6，LoRA 为"
                  " 4，LLaVA 预训练为 2。公式中的 N 为标称参数量，token/p/s 为吞吐量，即单卡每秒的 "
                  "token 数，峰值为数据手册中表格行所写精度的稠密峰值。填报的 MFU 与计算值之差，不"
                  "得超过 MFU 的一个末位单位与吞吐量取整所致误差之和（吞吐量写作“1e4”“10k”时，按三"
                  "位有效数字计）。填报的 MFU 与计算值之差超过一个末位单位与取整误差之和、但不超过 "
                  "MFU 的 0.5 % 时，或填报的 MFU 由另一精度的峰值得出时，算警告。"},
    .fix = {.en = "Compute the MFU again from the other values of its table row; the finding shows "
                  "the calculation.",
            .zh = "用表格同一行的其他数字重新计算 MFU。这条规则的检查结果写有 MFU 的计算过程。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "48.0%",
                .changed = "57.9%"},
};
/* clang-format on */
