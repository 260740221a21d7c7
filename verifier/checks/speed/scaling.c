/*
 * Rates of one row among each other, and throughput per card across sizes. The best row of each
 * number of cards counts, because rows differ in batch size. More per card on more cards, or little
 * more in all, is possible (memory, batch size, all-to-all traffic) and worth a question: a
 * warning, never an error.
 */
#include "verifier/claims/alike.h"
#include "verifier/claims/rule.h"

#include <stdint.h>
#include <stdlib.h>

/* Throughput per card against that of a smaller size, in older tables. */
#define OLDER_MOST 1.25

#define OLDER_LEAST 0.5

/* Cards of a row and its rate; false when it does not say both. The cards are those of the
 * configuration file's name: 两机8卡 counts one machine's, 两机16卡 those of both. */
static bool read_rate(const struct audit *a, const struct older_table *t,
                      const struct older_row *row, double *cards, double *rate)
{
    struct config_name name;
    const struct figure f = *older_figure(t, row, OLDER_RATE);
    if (!config_name_parse(older_cell(t, row, OLDER_CONFIG), a->arena, &name))
        return false;
    *cards = (double)name.nodes * (double)name.cards;
    *rate = f.value;
    return f.kind == FIGURE_NUMBER && f.value > 0 && *cards > 0;
}

static void older_check_scaling(struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++) {
        const struct older_table *t = &a->older[i];
        double base_cards = 0, base_rate = 0, cards, rate;
        bool per_second = strstr(older_header(t, OLDER_RATE), "/s") != NULL;
        for (size_t k = 0; per_second && k < t->n_rows; k++) {
            if (!read_rate(a, t, &t->rows[k], &cards, &rate))
                continue;
            double efficiency = base_rate > 0 ? rate / cards / (base_rate / base_cards) : 1;
            if (base_rate <= 0 || cards <= base_cards)
                base_cards = cards, base_rate = rate;
            if (efficiency <= OLDER_MOST && efficiency >= OLDER_LEAST)
                continue;
            const char *text = older_cell(t, &t->rows[k], OLDER_RATE);
            audit_expect(
                audit_fail_at(a, t->rows[k].line,
                              "the throughput is %s per second on %g cards; per card, this "
                              "is %s times the throughput on %g cards",
                              text, cards, audit_fixed(a->arena, efficiency, 2), base_cards),
                text, sentence_say(a->arena, "%g to %g times", OLDER_LEAST, OLDER_MOST));
        }
    }
}

/* Columns of rates, and how many times the rate per card of the smallest size it may be. Where the
 * time to start up counts (p_train, p_whole) small cases are slow on many cards, whatever it is. */
static const struct rate_column {
    const char *key;
    bool per_card;
    double least, poor, most; /* between poor and least a network may be slow: a notice */
} rate_columns[] = {
    {"p_core", false, 0.6, 0.5, 1.25},
    {"p_train", false, 0, 0, 2},
    {"p_whole", false, 0, 0, 2},
    {"token_per_s_per_card", true, 0.6, 0.5, 1.25},
};

#define N_KINDS 5

/* A row with a rate in the column under examination. */
struct rated {
    size_t kind[N_KINDS]; /* table, card, precision, batch, stage: rates of the same are compared */
    long cards;
    double rate; /* of the whole system */
    size_t at;   /* among the claims */
};

/* One column under examination, for each claim: places of the claims that it is compared with, the
 * best row of its own size, of the smallest and of the next smaller one; SIZE_MAX: there is none.
 */
struct scaling {
    struct audit *a;
    const struct rate_column *column;
    double *rates; /* of the whole system; NaN */
    size_t *best, *smallest, *before;
};

static double system_rate(const struct claim *c, const struct rate_column *column)
{
    const struct figure f = *claim_figure(c, column->key);
    if (f.kind != FIGURE_NUMBER || f.value <= 0 || !c->cards)
        return NAN;
    return column->per_card ? f.value * (double)c->cards : f.value;
}

#define N_TEXTS 4

/* What the rows say that rates are compared by: card, precision, batch, stage. Equal texts have
 * equal numbers (verifier/claims/alike.h). */
static void number_texts(const struct audit *a, const size_t *numbers[N_TEXTS])
{
    const char **texts = arena_array(a->arena, N_TEXTS * a->n_claims, sizeof *texts);
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        const char *says[N_TEXTS] = {c->config.accelerator, c->precision,
                                     claim_cell(c, "hyperparameters"), c->config.stage};
        for (size_t k = 0; k < N_TEXTS; k++)
            texts[k * a->n_claims + i] = text_or_empty(says[k]);
    }
    for (size_t k = 0; k < N_TEXTS; k++)
        numbers[k] = alike_number(texts + k * a->n_claims, a->n_claims, a->arena);
}

/* Rows whose rates can be compared: of one table, card and precision; tokens per second also of
 * the same batch and stage, which change more than the number of cards does. */
static struct rated rated_row(const struct scaling *s, const size_t *const *numbers, size_t i)
{
    const struct claim *c = &s->a->claims[i];
    bool both = s->column->per_card;
    return (struct rated){{(size_t)c->table, numbers[0][i], numbers[1][i], both ? numbers[2][i] : 0,
                           both ? numbers[3][i] : 0},
                          c->cards,
                          s->rates[i],
                          i};
}

static int compare_kinds(const struct rated *x, const struct rated *y)
{
    for (size_t k = 0; k < N_KINDS; k++)
        if (x->kind[k] != y->kind[k])
            return x->kind[k] < y->kind[k] ? -1 : 1;
    return 0;
}

/* Those of a kind beside each other, the smallest first; of one size the best first, of the best
 * the first one of the page. */
static int compare_rated(const void *p, const void *q)
{
    const struct rated *x = p, *y = q;
    int order = compare_kinds(x, y);
    order = order ? order : (x->cards > y->cards) - (x->cards < y->cards);
    order = order ? order : (x->rate < y->rate) - (x->rate > y->rate);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void find_others(const struct scaling *s, const size_t *const *numbers)
{
    struct rated *rows = arena_array(s->a->arena, s->a->n_claims, sizeof *rows);
    size_t n = 0, smallest = 0, size = 0, before = SIZE_MAX;
    for (size_t i = 0; i < s->a->n_claims; i++)
        if (!isnan(s->rates[i]))
            rows[n++] = rated_row(s, numbers, i);
    if (n)
        qsort(rows, n, sizeof *rows, compare_rated);
    for (size_t k = 0; k < n; k++) {
        size_t i = rows[k].at;
        if (k && compare_kinds(&rows[k - 1], &rows[k]) != 0) {
            smallest = size = k;
            before = SIZE_MAX;
        } else if (rows[k].cards != rows[size].cards) {
            before = rows[size].at;
            size = k;
        }
        /* Of rows that are equally good each is the best. */
        s->best[i] = rows[k].rate == rows[size].rate ? i : rows[size].at;
        s->smallest[i] = before == SIZE_MAX ? SIZE_MAX : rows[smallest].at;
        s->before[i] = before;
    }
}

static bool report_efficiency(const struct scaling *s, size_t at, size_t base)
{
    struct audit *a = s->a;
    const struct claim *c = &a->claims[at], *b = &a->claims[base];
    double per_card = s->rates[at] / (double)c->cards;
    double efficiency = per_card / (s->rates[base] / (double)b->cards);
    bool odd = efficiency > s->column->most || efficiency < s->column->least;
    struct check_result *r =
        audit_report(a, odd ? OUTCOME_FAIL : OUTCOME_PASS, c, 0,
                     "%s is %s per second and card on %ld cards, %s times the value on %ld cards",
                     s->column->key, audit_number(a->arena, per_card), c->cards,
                     audit_fixed(a->arena, efficiency, 2), b->cards);
    if (efficiency < s->column->least && efficiency >= s->column->poor)
        r->severity = SEVERITY_NOTICE;
    r->stated = claim_cell(c, s->column->key);
    r->expected = sentence_say(a->arena, "%g to %g times", s->column->least, s->column->most);
    return odd;
}

static bool report_less(const struct scaling *s, size_t at, size_t before)
{
    struct audit *a = s->a;
    const struct claim *c = &a->claims[at], *b = &a->claims[before];
    if (s->rates[at] >= s->rates[before] || s->column->least <= 0)
        return false;
    struct check_result *r = audit_fail(
        a, c, "%ld cards reach a throughput of %s per second, but %ld cards reach %s", c->cards,
        audit_number(a->arena, s->rates[at]), b->cards, audit_number(a->arena, s->rates[before]));
    r->stated = claim_cell(c, s->column->key);
    r->expected = arena_printf(a->arena, "> %s", audit_number(a->arena, s->rates[before]));
    return true;
}

/* Says something odd about a row only once: rates go together. */
static void check_column(const struct scaling *s, bool *said)
{
    for (size_t i = 0; i < s->a->n_claims; i++) {
        if (said[i] || isnan(s->rates[i]) || s->best[i] != i || s->smallest[i] == SIZE_MAX)
            continue;
        bool odd = report_efficiency(s, i, s->smallest[i]);
        said[i] = report_less(s, i, s->before[i]) || odd;
    }
}

static void check_scaling(struct audit *a)
{
    bool *said = arena_array(a->arena, a->n_claims, sizeof *said);
    const size_t *numbers[N_TEXTS];
    number_texts(a, numbers);
    for (size_t k = 0; k < sizeof rate_columns / sizeof rate_columns[0]; k++) {
        struct scaling s = {a,
                            &rate_columns[k],
                            arena_array(a->arena, a->n_claims, sizeof *s.rates),
                            arena_array(a->arena, a->n_claims, sizeof *s.best),
                            arena_array(a->arena, a->n_claims, sizeof *s.smallest),
                            arena_array(a->arena, a->n_claims, sizeof *s.before)};
        for (size_t i = 0; i < a->n_claims; i++)
            s.rates[i] = system_rate(&a->claims[i], s.column);
        find_others(&s, numbers);
        check_column(&s, said);
    }
    older_check_scaling(a);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the throughput is %s per second on %g cards; per card, this is %s times the throughput "
           "on %g cards",
     .zh = "{2} 张卡的总吞吐量为每秒 {1}，平均每卡的吞吐量是 {4} 张卡时的 {3} 倍"},
    {.en = "%g to %g times",
     .zh = "卡数最少一行的 {1} 至 {2} 倍"},
    {.en = "%s is %s per second and card on %ld cards, %s times the value on %ld cards",
     .zh = "{3} 张卡时，{1} 为每卡每秒 {2}，是 {5} 张卡时的 {4} 倍"},
    {.en = "%ld cards reach a throughput of %s per second, but %ld cards reach %s",
     .zh = "{1} 张卡的总吞吐量为每秒 {2}，而 {3} 张卡的总吞吐量为每秒 {4}"},
    {NULL, NULL},
};

const struct rule rule_fp2015 = {
    .id = "FP2015",
    .kind = "rates",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_scaling,
    .title = {.en = "Throughput and number of cards", .zh = "吞吐量与卡数"},
    .statement = {.en = "The throughput per card must be 0.6 to 1.25 times that of the row with the "
                        "fewest cards, and a row with more cards must have a higher total "
                        "throughput.",
                  .zh = "表格各行的每卡吞吐量，必须是卡数最少一行的每卡吞吐量的 0.6 至 1.25 倍。卡"
                        "数更多的表格行，总吞吐量必须更高。"},
    .why = {.en = "Eight cards do about eight times the work of one card. If a throughput is much "
                  "larger or smaller than expected, somebody often wrote a value per card into the "
                  "column for all cards, or the reverse.",
            .zh = "八张卡在同样时间内完成的工作量，约为一张卡的八倍。吞吐量与卡数明显不成比例时，往"
                  "往是把每卡的吞吐量写进了全部卡的列，或把全部卡的吞吐量写进了每卡的列。"},
    .how = {.en = "The rule compares the throughput per card (p_core / cards, or token/p/s at the "
                  "same batch size) with that of the row with the fewest cards of the same "
                  "accelerator and precision. The ratio of the two throughputs should be 0.6 to "
                  "1.25; a ratio of 0.5 to 0.6 gives only a notice. The values of p_train and "
                  "p_whole per card may be at most twice those of the row with the fewest cards. "
                  "An unusual ratio can be correct, so this rule gives only a warning.",
            .zh = "把每卡吞吐量（p_core / 卡数，或批大小相同时的 token/p/s），与同种卡、同一精度的"
                  "各行中卡数最少一行的每卡吞吐量比较。卡数较多一行与卡数最少一行的每卡吞吐量之比应"
                  "为 0.6 至 1.25，在 0.5 至 0.6 之间时只给出提示。表格各行平均到每卡的 p_train 与 "
                  "p_whole，不得超过卡数最少一行的两倍。不寻常的每卡吞吐量之比也可能属实，因此这条"
                  "规则只给出警告。"},
    .fix = {.en = "Check whether the stated throughput is per card or for all cards.",
            .zh = "核对填报的吞吐量是每卡的，还是全部卡的。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 70 | 74 | 78 |",
                .changed = "| 7.0 | 7.4 | 7.8 |"},
};
/* clang-format on */
