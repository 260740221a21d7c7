#include "verifier/checks/plan/degrees.h"
#include "verifier/claims/rule.h"

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
    if (strategy && c->cards) {
        /* "tensor_parallel_degree=2, pipline_parallel_degree=4", or TP2PP4 in the configuration's
         * name, leave so many of the cards to data; where the two differ the name counts (FP3007
         * says so). NaN when nothing is said. */
        const char *s = text_fold(a->arena, strategy);
        const char *name = claim_cell(c, "config_name");
        name = text_fold(a->arena, name && text_starts(name, "config_") ? name : "");
        long tensor = degree_after(name, "tp", degree_after(s, DEGREE_TENSOR, 1));
        long pipeline = degree_after(name, "pp", degree_after(s, DEGREE_PIPELINE, 1));
        if (!strchr(s, '=') || c->cards % (tensor * pipeline))
            return NAN;
        return (double)(c->cards / (tensor * pipeline));
    }
    if (claim_cell(c, "parallel") || strategy || !c->cards || page->model_parallel ||
        row_is_model_parallel(a, c))
        return NAN;
    return (double)(c->cards * degree_ranks_per_card(a, c));
}

/* "使得globalbatchsize=4M tokens" */
static void read_page_tokens(const struct audit *a, struct hyperparameters *out)
{
    hyperparameters_parse("", a->arena, out);
    for (size_t i = 0; i < a->result->n_batch && isnan(out->gbs_tokens); i++)
        hyperparameters_parse(a->result->batch[i].text.zh, a->arena, out);
}

/* Is `tokens` the stated count, to one unit of its last place, or half a million of "4M"? "4.19M"
 * may be of 10⁶, of 1024², or of 1000 K. */
static bool is_token_count(const struct hyperparameters *stated, double tokens)
{
    double unit = stated->gbs_tokens_place / stated->gbs_tokens,
           decimal = stated->gbs_tokens_decimal;
    bool millions = stated->gbs_tokens / decimal > 1.03;
    const double readings[] = {stated->gbs_tokens, decimal,
                               millions ? sqrt(stated->gbs_tokens * decimal) : NAN};
    bool whole = !strchr(stated->gbs_tokens_text, '.');
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        if (fabs(tokens - readings[i]) <= unit * readings[i] * (whole ? 0.5 : 1 + 1e-9))
            return true;
    return false;
}

static void report_batch(struct audit *a, const struct claim *c, bool ok, const char *what,
                         const char *stated, const char *product)
{
    struct check_result *r = audit_judge(a, ok, c, "%s is stated as %s; %s", what, stated, product);
    audit_expect(r, stated, product);
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
        sentence_say(a->arena, "%s sequences * %s tokens per sequence = %s", sequences,
                     audit_number(a->arena, length), audit_fixed(a->arena, gbs * length, 0));
    report_batch(a, c, is_token_count(&stated, gbs * length), "the global batch in tokens",
                 stated.gbs_tokens_text, product);
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
static void check_global_batch(struct audit *a)
{
    struct page_batch page = {.model_parallel = page_is_model_parallel(a->result)};
    page.differ = sizes_differ(a, &page);
    read_page_tokens(a, &page.tokens);
    for (size_t i = 0; i < a->n_claims; i++)
        check_row_batch(a, &a->claims[i], &page);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is stated as %s; %s",
     .zh = "填报的{1:said}为 {2}；由各因子计算：{3:said}"},
    {.en = "%s sequences * %s tokens per sequence = %s",
     .zh = "{1} 条序列 * {2} token = {3}"},
    {.en = "the global batch in tokens",
     .zh = "以 token 计的全局批大小"},
    {.en = "the global batch",
     .zh = "全局批大小"},
    {.en = "the global batch or one of its factors is not stated",
     .zh = "没有填写全局批大小，或没有填写计算全局批大小所需的某个因子"},
    {NULL, NULL},
};

const struct rule rule_fp2004 = {
    .id = "FP2004",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .page = check_global_batch,
    .title = {.en = "Global batch size", .zh = "全局批大小"},
    .statement = {.en = "The global batch size must be LBS * GAS * DP. A global batch size in "
                        "tokens must be LBS * GAS * DP * sequence length (K means 1024 or 1000, "
                        "and M means the square of K).",
                  .zh = "全局批大小必须等于 LBS × GAS × DP。全局批大小以 token 计时，必须等于 LBS ×"
                        " GAS × DP × 序列长度（1K 为 1000 或 1024，1M 为 1000×1000 或 1024×1024）。"},
    .why = {.en = "If LBS, GAS and DP do not give the stated global batch size, the run used "
                  "another value for at least one of LBS, GAS, DP or the global batch size.",
            .zh = "由 LBS、GAS 与 DP 算不出填报的全局批大小，说明 LBS、GAS、DP 与全局批大小中，至少"
                  "有一个的填报值不是运行所用的值。"},
    .how = {.en = "The rule computes GBS = LBS * GAS * DP with the values of the table row. If the "
                  "table row does not state LBS, GAS or DP, the rule takes the value that the page "
                  "states. A global batch size in tokens must be GBS times the sequence length, "
                  "and may differ by one unit in the last printed digit. K means 1024 or 1000, and "
                  "M means the square of K, or 1000 K.",
            .zh = "用表格行中的值计算 GBS = LBS * GAS * DP。表格行没有填写 LBS、GAS 或 DP 时，取页"
                  "面正文所写的值。全局批大小以 token 计时，必须等于 GBS 乘以序列长度，可以相差一个"
                  "末位单位。在以 token 计的批大小中，1K 可以是 1000 或 1024，1M 可以是 1000×1000、"
                  "1024×1024 或 1000×1024。"},
    .fix = {.en = "Correct LBS, GAS, DP or the global batch size, whichever is wrong.",
            .zh = "LBS、GAS、DP 与全局批大小中，哪一个写错，就改正哪一个。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "GBS=128=512K",
                .changed = "GBS=256=512K"},
};
/* clang-format on */
