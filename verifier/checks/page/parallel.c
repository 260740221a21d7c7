/* Rules about how many cards there are and how the batch is spread over them. */
#include "verifier/checks/checks.h"

#include "base/text.h"
#include "verifier/claims/plan_words.h"

#include <math.h>
#include <string.h>

#define TENSOR_DEGREE "tensor_parallel_degree="
#define PIPELINE_DEGREE "line_parallel_degree=" /* most pages write "pipline" */

static long ranks_per_card(const struct audit *a, const struct claim *c)
{
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    return card && card->ranks_per_card > 1 ? (long)card->ranks_per_card : 1;
}

/* "PP0", which no plan can have. */
static bool has_zero(const char *text)
{
    static const char *const sizes[] = {"TP0", "PP0", "DP0"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *at = strstr(text, sizes[i]);
        if (at && !strchr("0123456789", at[3] ? at[3] : 'x'))
            return true;
    }
    return false;
}

/* Sizes in words, or a plan among other words. Without TP or PP what else shares the ranks (SP of
 * Ulysses) is not known. */
static bool names_sizes(const struct audit *a, const char *text, struct plan *plan)
{
    return plan_words_find(text, a->arena, plan) ||
           (plan_find(text, a->arena, plan) && (plan->tensor || plan->pipeline));
}

/* Sizes in words, in the column of plans or of hyperparameters: what they leave to data
 * parallelism is a whole number of ranks, and the stated one where DP is stated, too. */
static void check_words(struct audit *a, const struct claim *c)
{
    static const char *const columns[] = {"parallel", "hyperparameters"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct plan plan;
        const char *text = claim_cell(c, columns[i]);
        if (!text || !c->cards || !names_sizes(a, text, &plan))
            continue;
        long world = plan_world(&plan), cards = c->cards, ranks = cards * ranks_per_card(a, c);
        bool ok = plan.data ? world == cards || world == ranks : ranks % world == 0;
        struct check_result *r =
            ok ? audit_pass(a, c, "'%s' has %ld ranks on %ld cards", text, world, cards)
               : audit_fail(a, c,
                            plan.data ? "'%s' has %ld ranks, the row has %ld cards"
                                      : "'%s' has a multiple of %ld ranks, the row has %ld cards",
                            text, world, cards);
        r->stated = text;
        r->expected = arena_printf(a->arena, "%ld", cards);
    }
}

/*
 * TP * PP * DP is the number of ranks: one for each card, or as many as the card shows devices.
 * Pages of such cards count either way, so both fit, and the second is worth a notice.
 */
void check_world_size(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "parallel");
    if (text && has_zero(text)) {
        audit_fail(a, c, "the plan '%s' has a parallel size of 0", text);
        return;
    }
    if (!c->has_plan || !c->cards) {
        check_words(a, c);
        if (c->has_plan)
            audit_cannot(a, c, "the number of cards is not stated");
        return;
    }
    long world = plan_world(&c->plan), ranks = ranks_per_card(a, c);
    struct check_result *r;
    if (world == c->cards)
        r = audit_pass(a, c, "the plan has %ld ranks, one for each card", world);
    else if (world == c->cards * ranks)
        r = audit_fail(a, c, "the plan has %ld ranks for %ld cards: %ld ranks per card", world,
                       c->cards, ranks);
    else
        r = audit_fail(a, c, "the plan %s has %ld ranks, the row has %ld cards",
                       claim_cell(c, "parallel"), world, c->cards);
    if (world == c->cards * ranks)
        r->severity = SEVERITY_NOTICE;
    r->stated = arena_printf(a->arena, "%s=%ld", claim_cell(c, "parallel"), world);
    r->expected = arena_printf(a->arena, "%ld", c->cards);
}

/* The whole number behind `key`, as in "tensor_parallel_degree=2", or `otherwise`. */
static long size_after(const char *folded, const char *key, long otherwise)
{
    const char *at = strstr(folded, key);
    long value = 0;
    for (at = at ? at + strlen(key) : ""; *at >= '0' && *at <= '9' && value < 100000; at++)
        value = value * 10 + (*at - '0');
    return value ? value : otherwise;
}

/* Numbers of cards that rows have, each once: "8, 16". */
static const char *sizes_of_rows(const struct audit *a)
{
    const char **sizes = arena_array(a->arena, a->n_claims, sizeof *sizes);
    for (size_t i = 0; i < a->n_claims; i++)
        if (a->claims[i].cards)
            sizes[i] = arena_printf(a->arena, "%ld", a->claims[i].cards);
    return text_list(a->arena, sizes, a->n_claims);
}

struct strategies {
    struct audit *a;
    const char *sizes; /* of all rows */
};

/* The plan that a strategy bullet names must fit at least one row. */
static void compare_strategy(void *data, const struct item *item, const char *key)
{
    const struct strategies *s = data;
    struct audit *a = s->a;
    struct plan plan = {0, 0, 0, 0, 0};
    if (!key || strcmp(key, "details") != 0)
        return;
    if (has_zero(item->value)) {
        audit_report(a, OUTCOME_FAIL, NULL, item->line,
                     "the strategy '%s' has a parallel size of 0", item->value);
        return;
    }
    if (!plan_find(item->value, a->arena, &plan))
        plan.data = size_after(text_fold(a->arena, item->value), "dp_size=", 0);
    if (!plan.data && !plan.tensor && !plan.pipeline)
        return;
    long world = plan_world(&plan), cards = 0, by_ranks = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        cards = c->cards == world ? world : cards;
        by_ranks = c->cards * ranks_per_card(a, c) == world ? world : by_ranks;
    }
    if (!*s->sizes)
        return;
    struct check_result *r = audit_report(a, cards ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                                          "the strategy %s has %ld ranks; rows have %s cards",
                                          item->value, world, s->sizes);
    r->severity = by_ranks && !cards ? SEVERITY_NOTICE : r->severity;
    r->stated = arena_printf(a->arena, "%s=%ld", item->value, world);
    r->expected = s->sizes;
}

void check_strategy(struct audit *a)
{
    struct strategies s = {a, sizes_of_rows(a)};
    audit_items(a, compare_strategy, &s);
}

/* What the page says for all of its rows. */
struct page_batch {
    bool model_parallel;           /* it sets tensor or pipeline parallelism */
    bool differ;                   /* there are rows of several sizes */
    struct hyperparameters tokens; /* per step, where the global-batch sentence names them */
};

static bool page_is_model_parallel(const struct result *r)
{
    for (size_t i = 0; i < r->n_batch; i++) {
        const char *symbol = r->batch[i].symbol;
        if (symbol && (strcmp(symbol, "TP") == 0 || strcmp(symbol, "PP") == 0))
            return true;
    }
    return false;
}

/* The same, outside of a parallel column. */
static bool row_is_model_parallel(const struct audit *a, const struct claim *c)
{
    const char *hyper = claim_cell(c, "hyperparameters");
    const char *folded = text_fold(a->arena, hyper ? hyper : "");
    return strstr(folded, "tp=") || strstr(folded, "pp=");
}

/* "tensor_parallel_degree=2, pipline_parallel_degree=4", or TP2PP4 in the configuration's name,
 * leave so many of the cards to data; where the two differ the name counts (FP3007 says so). NaN
 * when nothing is said. */
static double strategy_data(const struct audit *a, const struct claim *c, const char *strategy)
{
    const char *s = text_fold(a->arena, strategy);
    const char *name = claim_cell(c, "config_name");
    name = text_fold(a->arena, name && text_starts(name, "config_") ? name : "");
    long tensor = size_after(name, "tp", size_after(s, TENSOR_DEGREE, 1));
    long pipeline = size_after(name, "pp", size_after(s, PIPELINE_DEGREE, 1));
    if (!strchr(s, '=') || c->cards % (tensor * pipeline))
        return NAN;
    return (double)(c->cards / (tensor * pipeline));
}

/* The length in "17.23 * 2048 / 8 = 4410 tokens/s": sequences a second times tokens; NaN. */
static double expression_length(const struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "throughput");
    const char *times = text ? strchr(figure_plain(a->arena, text), '*') : NULL;
    double length;
    int decimals;
    if (!times || !figure_scan_number(times + 1 + strspn(times + 1, " "), &length, &decimals))
        return NAN;
    return decimals == 0 && length >= 128 ? length : NAN;
}

/* Data-parallel size: of the plan; without a parallel column there is only data parallelism. */
static double data_parallel(const struct audit *a, const struct claim *c,
                            const struct page_batch *page)
{
    if (c->has_plan && c->plan.data)
        return (double)c->plan.data;
    const char *strategy = claim_cell(c, "strategy");
    if (strategy && c->cards)
        return strategy_data(a, c, strategy);
    if (claim_cell(c, "parallel") || strategy || !c->cards || page->model_parallel ||
        row_is_model_parallel(a, c))
        return NAN;
    return (double)(c->cards * ranks_per_card(a, c));
}

/* "使得globalbatchsize=4M tokens" */
static void read_page_tokens(const struct audit *a, struct hyperparameters *out)
{
    hyperparameters_parse("", a->arena, out);
    for (size_t i = 0; i < a->result->n_batch && isnan(out->gbs_tokens); i++)
        hyperparameters_parse(a->result->batch[i].text.zh, a->arena, out);
}

/* Is `tokens` the stated count, to half a unit of its last place? "4.19M" may be of 10⁶ or of
 * 1024². */
static bool is_token_count(const struct hyperparameters *stated, double tokens)
{
    double half = stated->gbs_tokens_place / 2, decimal = stated->gbs_tokens_decimal;
    return fabs(tokens - stated->gbs_tokens) <= half ||
           fabs(tokens - decimal) <= half * decimal / stated->gbs_tokens;
}

static void report_batch(struct audit *a, const struct claim *c, bool ok, const char *what,
                         const char *stated, const char *product)
{
    struct check_result *r = audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                                          "%s is stated as %s, and %s", what, stated, product);
    r->stated = stated;
    r->expected = product;
}

/* GBS * MPE against the stated number of tokens, which is rounded to its last place. */
static bool check_batch_tokens(struct audit *a, const struct claim *c,
                               const struct page_batch *page, double gbs, const char *factors)
{
    struct hyperparameters stated = c->hyper;
    double length = audit_batch(a, c, BATCH_MPE);
    length = isnan(length) ? expression_length(a, c) : length;
    bool changed = !isnan(c->hyper.gbs) || !isnan(c->hyper.gas) || !isnan(c->hyper.lbs) ||
                   !isnan(c->hyper.mpe);
    if (isnan(stated.gbs_tokens) && !changed)
        stated = page->tokens;
    if (isnan(stated.gbs_tokens) || isnan(gbs) || isnan(length))
        return false;
    const char *sequences = arena_printf(a->arena, "%s%s", factors, audit_number(a->arena, gbs));
    const char *product =
        arena_printf(a->arena, "%s sequences * %s tokens = %s", sequences,
                     audit_number(a->arena, length), audit_fixed(a->arena, gbs * length, 0));
    report_batch(a, c, is_token_count(&stated, gbs * length), "the global batch in tokens",
                 audit_fixed(a->arena, stated.gbs_tokens, 0), product);
    return true;
}

/* Are there rows of other sizes? Then the page's default cannot be every row's. */
static bool sizes_differ(const struct audit *a, const struct page_batch *page)
{
    double first = a->n_claims ? data_parallel(a, &a->claims[0], page) : NAN;
    for (size_t i = 1; i < a->n_claims; i++)
        if (data_parallel(a, &a->claims[i], page) != first)
            return true;
    return false;
}

static void check_row_batch(struct audit *a, const struct claim *c, const struct page_batch *page)
{
    double lbs = audit_batch(a, c, BATCH_LBS), gas = audit_batch(a, c, BATCH_GAS);
    double gbs = audit_batch(a, c, BATCH_GBS), dp = data_parallel(a, c, page);
    double product = lbs * gas * dp;
    bool compared = false;
    /* A page's default is of its default plan; a row that changes a factor states its own. */
    bool changed =
        isnan(c->hyper.gbs) && (!isnan(c->hyper.gas) || !isnan(c->hyper.lbs) || page->differ);
    const char *factors =
        arena_printf(a->arena, "LBS %s * GAS %s * DP %s = ", audit_number(a->arena, lbs),
                     audit_number(a->arena, gas), audit_number(a->arena, dp));
    if (!isnan(gbs) && !isnan(product) && !changed) {
        const char *text = arena_printf(a->arena, "%s%s", factors, audit_number(a->arena, product));
        report_batch(a, c, gbs == product, "the global batch", audit_number(a->arena, gbs), text);
        compared = true;
    }
    bool own = !isnan(gbs) && !changed;
    compared |= check_batch_tokens(a, c, page, own ? gbs : product, own ? "" : factors);
    if (!compared && a->result->n_batch)
        audit_cannot(a, c, "the global batch or one of its factors is not stated");
}

/* GBS = LBS * GAS * DP wherever all four are stated. */
void check_global_batch(struct audit *a)
{
    struct page_batch page = {.model_parallel = page_is_model_parallel(a->result)};
    page.differ = sizes_differ(a, &page);
    read_page_tokens(a, &page.tokens);
    for (size_t i = 0; i < a->n_claims; i++)
        check_row_batch(a, &a->claims[i], &page);
}

/* Sizes of rows. */
struct shapes {
    const char *list;             /* as nodes and cards, each once: "1x8, 2x8" */
    struct lookup cards, devices; /* the same, and as nodes and devices */
};

static const char *shape_text(struct arena *arena, long nodes, long each)
{
    return arena_printf(arena, "%ldx%ld", nodes, each);
}

static void read_shapes(const struct audit *a, struct shapes *out)
{
    const size_t n = a->n_claims;
    const char **cards = arena_array(a->arena, n, sizeof *cards);
    const char **devices = arena_array(a->arena, n, sizeof *devices);
    for (size_t i = 0; i < n; i++) {
        const struct configuration *f = &a->claims[i].config;
        if (!f->by)
            continue;
        cards[i] = shape_text(a->arena, f->by, f->of);
        devices[i] = shape_text(a->arena, f->by, f->of * ranks_per_card(a, &a->claims[i]));
    }
    *out = (struct shapes){.list = text_list(a->arena, cards, n),
                           .cards = lookup_of(cards, n, sizeof *cards, 0, a->arena),
                           .devices = lookup_of(devices, n, sizeof *devices, 0, a->arena)};
}

/* "config_A100x1x8.py" against the rows' (a x b). Cards that show several devices count those. */
void check_config_file(struct audit *a)
{
    struct shapes shapes;
    read_shapes(a, &shapes);
    const struct lookup files = audit_batch_files(a);
    for (size_t i = 0; i < files.n && *shapes.list; i++) {
        const struct batch_item *item = &a->result->batch[i];
        struct config_name name;
        if (!config_name_parse(item->file, a->arena, &name) || lookup_find(&files, item->file) != i)
            continue;
        const char *shape = shape_text(a->arena, name.nodes, name.cards);
        bool fits = lookup_find(&shapes.cards, shape) != LOOKUP_NONE;
        bool by_ranks = lookup_find(&shapes.devices, shape) != LOOKUP_NONE;
        struct check_result *r =
            audit_report(a, fits ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                         "the batch sizes are those of %s; rows have %s", item->file, shapes.list);
        r->severity = by_ranks && !fits ? SEVERITY_NOTICE : r->severity;
        r->stated = item->file;
        r->expected = shapes.list;
    }
}

static const struct name_part {
    const char *in_name, *in_strategy;
    long otherwise;
} name_parts[] = {
    {"tp", TENSOR_DEGREE, 1},
    {"pp", PIPELINE_DEGREE, 1},
    {"sp", "sharding_degree=", 0},
    {"sh", "sharding=\"stage", 0},
};

/* "…A10080Gx1x8": the two digits in front of "Gx"; 0 when there are none. */
static double name_memory(const char *folded)
{
    const char *g = strstr(folded, "gx");
    if (!g || g - folded < 2 || !strchr("123456789", g[-2]) || !strchr("0123456789", g[-1]))
        return 0;
    return (g[-2] - '0') * 10 + (g[-1] - '0');
}

static void compare_name_memory(struct audit *a, const struct claim *c, const char *name)
{
    double memory = name_memory(text_fold(a->arena, name));
    if (memory == 0 || isnan(c->config.card_memory))
        return;
    const char *expected =
        arena_printf(a->arena, "%sG", audit_number(a->arena, c->config.card_memory));
    struct check_result *r =
        audit_report(a, memory == c->config.card_memory ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     "%s is of cards with %gG, the row's have %s", name, memory, expected);
    r->stated = name;
    r->expected = expected;
}

/* "config_A100x1x8" names the size of its row, in cards or in devices. */
static void compare_name_size(struct audit *a, const struct claim *c, const char *name)
{
    struct config_name size;
    const struct configuration *f = &c->config;
    if (!f->by || !config_name_parse(name, a->arena, &size))
        return;
    bool fits =
        f->by == size.nodes && (f->of == size.cards || f->of * ranks_per_card(a, c) == size.cards);
    struct check_result *r = audit_report(a, fits ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                                          "%s is of %ldx%ld, the row of %ldx%ld", name, size.nodes,
                                          size.cards, f->by, f->of);
    r->severity = SEVERITY_WARNING;
    r->stated = name;
    r->expected = arena_printf(a->arena, "%ldx%ld", f->by, f->of);
}

/* "config_TP2PP1SH2SP4…" names sizes that the strategy states again, and the card's memory. */
void check_config_name(struct audit *a, const struct claim *c)
{
    const char *name = claim_cell(c, "config_name"), *strategy = claim_cell(c, "strategy");
    if (!name || !text_starts(name, "config_"))
        return;
    compare_name_size(a, c, name);
    if (!strategy)
        return;
    const char *n = text_fold(a->arena, name), *s = text_fold(a->arena, strategy);
    for (size_t i = 0; i < sizeof name_parts / sizeof name_parts[0]; i++) {
        const struct name_part *p = &name_parts[i];
        long named = size_after(n, p->in_name, 0),
             other = size_after(s, p->in_strategy, p->otherwise);
        if (!named || !other)
            continue;
        const char *size = arena_printf(a->arena, "%s%ld", p->in_name, named);
        struct check_result *r =
            audit_report(a, named == other ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                         "%s says %s, the strategy says %ld", name, size, other);
        r->stated = name;
        r->expected = arena_printf(a->arena, "%s%ld", p->in_name, other);
    }
    compare_name_memory(a, c, name);
}

/* The whole number that a text has behind its last `mark`, as in "17.23 * 2048 / 8 = …"; 0. */
static long number_behind(const char *text, char mark)
{
    const char *at = strrchr(text, mark);
    double value;
    int decimals;
    size_t n = at ? figure_scan_number(at + 1 + strspn(at + 1, " "), &value, &decimals) : 0;
    return n && decimals == 0 && value > 0 && value < 1e6 ? (long)value : 0;
}

static void report_cards(struct audit *a, const struct claim *c, const char *text, long cards)
{
    struct check_result *r =
        audit_report(a, cards == c->cards ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     "'%s' counts %ld cards, the row has %ld", text, cards, c->cards);
    r->stated = arena_printf(a->arena, "%ld", cards);
    r->expected = arena_printf(a->arena, "%ld", c->cards);
}

/* "17.23 * 2048 / 8 = 4410 tokens/s" is per card, "66.27 * 8 GB" is of all. */
void check_expression_cards(struct audit *a, const struct claim *c)
{
    const char *rate = claim_cell(c, "throughput"), *memory = claim_cell(c, "memory_total");
    struct figure f = *claim_figure(c, "throughput");
    if (!c->cards)
        return;
    if (f.kind == FIGURE_EXPRESSION && f.stated) {
        const char *left = arena_strndup(a->arena, rate, strcspn(rate, "="));
        long cards = number_behind(left, '/');
        if (cards)
            report_cards(a, c, rate, cards);
    }
    f = *claim_figure(c, "memory_total");
    if (f.kind == FIGURE_EXPRESSION && !f.stated && f.units >= 1)
        report_cards(a, c, memory, lround(f.units));
}
