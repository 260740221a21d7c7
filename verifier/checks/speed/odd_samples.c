#include "base/lines/span.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

#include <stdlib.h>

/* A tool's sample is a mean over a part of a second, so that a card passes its limit: the largest
 * of our eight sealed runs on H100s and H200s is 705 W of 700. */
#define POWER_MOST 1.3

/* In these runs cards without work drew 73 to 81 W of 700, those that waited for it 121 to 148. */
#define POWER_LEAST 0.25

#define WORKING 0.2 /* an MFU from which on a card is not idle */

#define BUSY_MOST 1.005 /* rounded */

#define SAMPLES_LEAST 5

/* In these runs a card at work drew the same in three samples running at most, one without work in
 * seven. */
#define SAMPLES_EQUAL 20

#define IN_USE 0.5

#define SHARES_EQUAL 10

#define SHARE_SLACK 0.02

struct card_samples {
    double busy, watts; /* largest of any card; NaN */
    size_t n_busy, n_watts;
    double busy_of_all; /* the largest of each card, added */
    size_t cards;       /* that have such samples */
    bool constant;      /* each card in use drew the same in all of its many samples */
    const char *file;
    int line; /* of the most watts */
};

static void add_card_samples(struct card_samples *s, const struct run_monitor *m,
                             const struct monitor_card *c)
{
    const struct monitor_series *w = &c->watts;
    if (!w->n && !c->busy.n)
        return; /* clocks */
    s->busy = fmax(s->busy, c->busy.n ? c->busy.peak : NAN);
    s->n_busy += c->busy.n;
    s->busy_of_all += c->busy.n ? c->busy.peak : 0;
    s->cards += c->busy.n > 0;
    s->n_watts += w->n;
    s->constant &= w->n >= SAMPLES_EQUAL && fabs(w->peak - w->mean) < 1e-9 * w->peak && c->busy.n &&
                   c->busy.mean > IN_USE;
    if (w->n && !(s->watts >= w->peak)) {
        s->watts = w->peak;
        s->file = m->name;
        s->line = w->line;
    }
}

static void find_odd_sample(struct audit *a, const struct proof *p, const char *file, int line,
                            const char *message)
{
    proof_report(a, p, file, OUTCOME_FAIL, message)->line = line;
}

/* The unit that follows a value of a card, in small letters; "": none. */
static bool is_card_unit(struct span s)
{
    static const char *const units[] = {"w", "c", "mib", "%", ""};
    char word[4] = "";
    if (s.n > 3)
        return false;
    for (size_t i = 0; i < s.n; i++)
        word[i] = (char)(s.p[i] | 0x20);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(word, units[i]) == 0 || (s.n == 1 && s.p[0] == '%'))
            return true;
    return false;
}

/* "nanW", "inf", "-578W": what a tool prints of a value that is none, or nobody's. */
static bool is_no_number(struct span word)
{
    static const char *const texts[] = {"nan", "NaN", "-nan", "inf", "-inf", "Inf"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (span_starts(word, texts[i]))
            return is_card_unit(span_from(word, strlen(texts[i])));
    size_t n = span_starts(word, "-") ? span_number(span_from(word, 1), &value) : 0;
    struct span unit = span_from(word, n ? n + 1 : word.n);
    return n && value > 0 && (span_is(unit, "W") || span_is(unit, "MiB") || span_is(unit, "%"));
}

/* The first word of a line that is no number; n 0: there is none. */
static struct span first_no_number(struct span words)
{
    while (words.n) {
        struct span rest = span_cut(&words, ' ');
        while (rest.n) {
            struct span word = span_cut(&rest, '\t');
            if (is_no_number(word))
                return word;
        }
    }
    return (struct span){"", 0};
}

static bool look_for_no_numbers(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *m = p->monitors[i];
        const struct bytes *text = p->loose ? NULL : submission_file(&p->submission, m->name);
        struct span left = {text ? text->data : "", text ? text->len : 0};
        for (int line = 1; left.n; line++) {
            struct span word = first_no_number(span_cut(&left, '\n'));
            if (!word.n)
                continue;
            find_odd_sample(a, p, m->name, line,
                            sentence_say(a->arena,
                                         "a monitor sample is '%s', which is not a number",
                                         arena_strndup(a->arena, word.p, word.n)));
            return true;
        }
    }
    return false;
}

/* Of processor and memory fpreport writes a share, of which none is beyond the whole. */
static bool look_at_shares(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *m = p->monitors[i];
        const char *kind = m->monitor.kind ? m->monitor.kind : "";
        const struct bytes *text = p->loose ? NULL : submission_file(&p->submission, m->name);
        struct span left = {text ? text->data : "", text ? text->len : 0};
        if (strcmp(kind, "cpu") != 0 && strcmp(kind, "mem") != 0)
            continue;
        for (int line = 1; left.n; line++) {
            struct span s = span_cut(&left, '\n'), value = s;
            double share;
            span_cut(&value, '\t');
            if (!span_number(value, &share) || (share >= 0 && share <= 1))
                continue;
            find_odd_sample(a, p, m->name, line,
                            sentence_say(a->arena,
                                         "a CPU or memory utilisation of the machine is %s, "
                                         "expected a value from 0 to 1",
                                         audit_number(a->arena, share)));
            return true;
        }
    }
    return false;
}

/* Four digits of what many processors did in 5 s; none or all of them may be at work throughout. */
static bool look_at_constant_use(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        double share = m->series.mean;
        if (!m->kind || strcmp(m->kind, "cpu") != 0 || m->series.n < SHARES_EQUAL ||
            fabs(m->series.peak - share) > 1e-9 || share < SHARE_SLACK || share > 1 - SHARE_SLACK)
            continue;
        find_odd_sample(a, p, p->monitors[i]->name, 0,
                        sentence_say(a->arena, "the CPU utilisation is %s %% in all %zu samples",
                                     audit_fixed(a->arena, 100 * share, 2), m->series.n));
        return true;
    }
    return false;
}

/* A card that works is warmer than freezing water. */
static bool look_at_heat(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++)
        for (size_t k = 0; k < p->monitors[i]->monitor.n_cards; k++) {
            const struct monitor_card *c = &p->monitors[i]->monitor.cards[k];
            if (!c->celsius.n || c->celsius.peak > 0 || !(c->busy.peak > IN_USE))
                continue;
            find_odd_sample(a, p, p->monitors[i]->name, c->celsius.line,
                            sentence_say(a->arena,
                                         "a working card was never warmer than %s degrees",
                                         audit_number(a->arena, c->celsius.peak)));
            return true;
        }
    return false;
}

static bool look_at_power(struct audit *a, const struct proof *p, const struct card_samples *s,
                          double mfu)
{
    /* What a card may draw: the record's, else the fingerprint's limit. */
    const struct accelerator *card = proof_accelerator(a, p);
    const char *limit = facts_value(&p->facts, FACT_ACCELERATOR_POWER_LIMIT);
    double board = card && card->board_watts > 0      ? card->board_watts
                   : limit && strtod(limit, NULL) > 0 ? strtod(limit, NULL)
                                                      : NAN;
    bool beyond = s->watts > POWER_MOST * board;
    if (!beyond &&
        !(mfu > WORKING && s->n_watts >= SAMPLES_LEAST && s->watts < POWER_LEAST * board))
        return false;
    find_odd_sample(a, p, s->file, s->line,
                    sentence_say(a->arena,
                                 beyond ? "a card drew %s W, but its maximum is %s W"
                                        : "no card drew more than %s W at full speed, but the "
                                          "maximum power of the card is %s W",
                                 audit_fixed(a->arena, s->watts, 0),
                                 audit_fixed(a->arena, board, 0)));
    return true;
}

/* The MFU is that of all cards, so that one at work does not make up for those that stand still. */
static bool look_at_idle_cards(struct audit *a, const struct proof *p, const struct card_samples *s,
                               double mfu)
{
    double cards = fmin((double)s->cards, (double)p->laid.size[LAYOUT_CARDS]);
    double busy = s->busy_of_all / cards;
    if (s->n_busy < SAMPLES_LEAST * s->cards || !(cards > 1) || !(mfu > busy))
        return false;
    find_odd_sample(a, p, s->file, 0,
                    sentence_say(a->arena,
                                 "the average utilisation of the %s cards was at most %s %%, but "
                                 "the run has an MFU of %s %%",
                                 audit_number(a->arena, cards),
                                 audit_fixed(a->arena, 100 * busy, 1),
                                 audit_fixed(a->arena, 100 * mfu, 1)));
    return true;
}

/* Work is done in the time in which a kernel runs, and no faster than the peak. */
static bool look_at_use(struct audit *a, const struct proof *p, const struct card_samples *s,
                        double mfu)
{
    if (s->busy > BUSY_MOST) {
        find_odd_sample(a, p, s->file, 0,
                        sentence_say(a->arena,
                                     "the utilisation of a card is %s %%, which is not possible",
                                     audit_fixed(a->arena, 100 * s->busy, 1)));
        return true;
    }
    if (s->n_busy < SAMPLES_LEAST || !(mfu > s->busy))
        return look_at_idle_cards(a, p, s, mfu);
    find_odd_sample(a, p, s->file, 0,
                    sentence_say(a->arena,
                                 "no card was utilised by more than %s %% in %zu samples, but the "
                                 "run has an MFU of %s %%",
                                 audit_fixed(a->arena, 100 * s->busy, 1), s->n_busy,
                                 audit_fixed(a->arena, 100 * mfu, 1)));
    return true;
}

/* Cards of the machine that has most, beside those that the run used of each. */
static bool look_at_count(struct audit *a, const struct proof *p, const struct card_samples *s)
{
    double nodes = fmax(1, (double)p->laid.size[LAYOUT_NODES]);
    double used = (double)p->laid.size[LAYOUT_CARDS] / nodes, seen = (double)p->peaks.cards;
    if (!seen || !(seen < used))
        return false;
    find_odd_sample(
        a, p, s->file, 0,
        sentence_say(a->arena,
                     "the monitors of a machine show %s cards, but the run used %s per machine",
                     audit_number(a->arena, seen), audit_number(a->arena, used)));
    return true;
}

static bool look_constant(struct audit *a, const struct proof *p, const struct card_samples *s)
{
    if (!s->constant)
        return false;
    find_odd_sample(
        a, p, s->file, s->line,
        sentence_say(a->arena,
                     "each card in use drew constant power: all of its %zu samples are %s W",
                     s->n_watts, audit_fixed(a->arena, s->watts, 0)));
    return true;
}

/* Of the row that the evidence is of, else of the run; NaN: not known. */
static double mfu_of_run(struct audit *a, struct proof *p)
{
    const struct claim of_run = proof_claim(a, p);
    size_t i = 0;
    const struct claim *c = proof_next_claim(a, p, &i);
    struct rate rate = {.tokens_per_s_per_card = NAN};
    struct mfu_inputs in = {.peak = NAN};
    const char *why;
    rate_find(a, p, c, &rate);
    return mfu_find_inputs(a, c ? c : &of_run, &in, &why)
               ? mfu_ratio(&in, rate.tokens_per_s_per_card)
               : NAN;
}

static void check_card_samples(struct audit *a, struct proof *p)
{
    struct card_samples s = {.busy = NAN, .watts = NAN, .constant = true};
    for (size_t i = 0; i < p->n_monitors; i++)
        for (size_t k = 0; k < p->monitors[i]->monitor.n_cards; k++)
            add_card_samples(&s, p->monitors[i], &p->monitors[i]->monitor.cards[k]);
    s.constant &= s.n_watts > 0;
    bool odd = look_for_no_numbers(a, p), cards = !proof_on_processor(p) && s.n_busy + s.n_watts;
    double mfu = cards && !recompute_unsound(p) ? mfu_of_run(a, p) : NAN;
    odd |= look_at_shares(a, p);
    odd |= look_at_constant_use(a, p);
    odd |= cards && look_at_heat(a, p);
    odd |= cards && look_at_power(a, p, &s, mfu);
    odd |= cards && look_at_use(a, p, &s, mfu);
    odd |= cards && look_at_count(a, p, &s);
    odd |= cards && look_constant(a, p, &s);
    if (!odd && cards)
        proof_report(a, p, s.file, OUTCOME_PASS, "the card samples are consistent with the run");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "a monitor sample is '%s', which is not a number",
     .zh = "监控文件的一次采样是“{1}”，不是数字"},
    {.en = "a card drew %s W, but its maximum is %s W",
     .zh = "监控显示一张卡的功耗为 {1} W，但这张卡的最大功耗为 {2} W"},
    {.en = "no card drew more than %s W at full speed, but the maximum power of the card is %s W",
     .zh = "全速运行时，没有一张卡的功耗超过 {1} W，而卡的最大功耗为 {2} W"},
    {.en = "the average utilisation of the %s cards was at most %s %%, but the run has an MFU of "
           "%s %%",
     .zh = "监控显示 {1} 张卡的平均利用率最高只有 {2} %，但运行的 MFU 为 {3} %"},
    {.en = "no card was utilised by more than %s %% in %zu samples, but the run has an MFU of %s "
           "%%",
     .zh = "监控的 {2} 次采样中，没有一张卡的利用率超过 {1} %，但运行的 MFU 为 {3} %"},
    {.en = "the utilisation of a card is %s %%, which is not possible",
     .zh = "监控显示一张卡的利用率为 {1} %，这不可能"},
    {.en = "the monitors of a machine show %s cards, but the run used %s per machine",
     .zh = "一台机器的监控显示 {1} 张卡，但运行在每台机器上使用了 {2} 张卡"},
    {.en = "each card in use drew constant power: all of its %zu samples are %s W",
     .zh = "每张使用中的卡功耗都恒定不变：{1} 次采样都是 {2} W"},
    {.en = "a CPU or memory utilisation of the machine is %s, expected a value from 0 to 1",
     .zh = "监控显示机器的 CPU 或内存占用率为 {1}，但占用率应在 0 至 1 之间"},
    {.en = "the CPU utilisation is %s %% in all %zu samples",
     .zh = "监控的全部 {2} 次采样中，CPU 利用率都是 {1} %"},
    {.en = "a working card was never warmer than %s degrees",
     .zh = "监控显示一张工作中的卡的温度始终不高于 {1} 度"},
    {.en = "the card samples are consistent with the run",
     .zh = "各卡的监控采样与运行相符"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {mfu_messages, NULL};

const struct rule rule_fp3021 = {
    .id = "FP3021",
    .kind = "environment",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_MONITOR,
    .proof = check_card_samples,
    .title = {.en = "Implausible monitor samples", .zh = "监控采样不合理"},
    .statement = {.en = "The monitors must show plausible power for each card, enough utilisation "
                        "for the speed of the run, and as many cards as the run used.",
                  .zh = "监控显示的每张卡的功耗必须合理，利用率必须与运行的速度相符，卡数必须与运行"
                        "所用的卡数相同。"},
    .why = {.en = "Only the monitor samples and the training log show what the cards did during a "
                  "run. Invented samples do not fit the speed of the run.",
            .zh = "运行期间卡的工作情况，只有监控采样与训练日志能够反映。编造的监控采样与运行的速度"
                  "不相符。"},
    .how = {.en = "All monitor samples must be numbers. No power sample may exceed 1.3 times the "
                  "power of the card, which is `board_watts` in the card's record or else the power "
                  "limit in the fingerprint. If the run has an MFU of 20 % or more, at least one "
                  "power sample must exceed a quarter of the power of the card. If there are at "
                  "least 5 utilisation samples, the MFU must not exceed the largest of them. If a "
                  "card in use has at least 20 power samples, they may not all be equal. The "
                  "temperature of a working card must be above 0 °C. The utilisation of the CPU and "
                  "of the host memory must be between 0 and 1.",
            .zh = "运行的所有监控采样都必须是数字。卡的功耗采样不得超过卡的最大功耗的 1.3 倍。卡的"
                  "最大功耗取加速卡记录中的 `board_watts`，没有该字段时取机器指纹中的功耗上限。运行"
                  "的 MFU 达到 20 % 时，至少一次功耗采样必须超过卡的最大功耗的四分之一。卡的利用率"
                  "采样至少有 5 次时，运行的 MFU 不得超过利用率的最大值。一张使用中的卡至少有 20 次"
                  "功耗采样时，这些采样不得全部相同。工作中的卡的温度必须高于 0 ℃。监控显示的 CPU "
                  "与主机内存占用率必须在 0 与 1 之间。"},
    .fix = {.en = "Monitor every machine from the start to the end of the run, and do not change "
                  "the monitor files.",
            .zh = "从运行开始到结束，每台机器都要监控，并且不要改动监控文件。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RUN,
                .file = "mem_monitor.log",
                .honest = "0.0265",
                .changed = "nan"},
};
/* clang-format on */
