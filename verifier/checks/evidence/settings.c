#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void compare_setting(struct audit *a, const struct claim *c, const char *what,
                            const char *stated, const char *ran)
{
    bool same = text_same(stated, ran);
    audit_expect(audit_judge(a, same, c,
                             same ? "%s is stated as %s, and the run used the same value"
                                  : "%s is stated as %s, but the run used %s",
                             what, stated, ran),
                 stated, ran);
}

static void compare_batch(struct audit *a, const struct claim *c, const struct case_record *k)
{
    const struct {
        enum batch_symbol symbol;
        const char *name;
        double ran;
    } sizes[] = {
        {BATCH_LBS, "LBS", (double)k->micro_batch},
        {BATCH_GAS, "GAS", (double)k->gradient_accumulation},
        {BATCH_MPE, "MPE", (double)k->sequence_length},
        {BATCH_GBS, "GBS",
         k->parallel || strcmp(k->trainer ? k->trainer : "", "native") == 0 ? case_sequences(k)
                                                                            : 0},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double stated = audit_batch(a, c, sizes[i].symbol);
        if (!isnan(stated) && sizes[i].ran > 0)
            compare_setting(a, c, sizes[i].name, audit_number(a->arena, stated),
                            audit_number(a->arena, sizes[i].ran));
    }
}

/* Ranks that the case lays out against the cards of the row: more cards in the case than in the
 * row would multiply what one card did. */
static void compare_world(struct audit *a, const struct claim *c, const struct case_record *k)
{
    const struct case_parallel *plan = k->parallel;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    if (!plan || !c->cards)
        return;
    double world =
        plan_factor(plan->tensor) * plan_factor(plan->pipeline) * plan_factor(plan->data);
    double cards = (double)c->cards, ranks = cards * plan_factor(card ? card->ranks_per_card : 0);
    compare_setting(a, c, "number of ranks", audit_number(a->arena, world == ranks ? ranks : cards),
                    audit_number(a->arena, world));
}

/* "amp", "fp16, level O2" and mixes say something else than the precision of a case. */
static bool is_plain_precision(const char *text)
{
    return text && !text_same(text, "amp") && !strpbrk(text, ",+");
}

static void check_stated_settings(struct audit *a, struct proof *p)
{
    size_t i = 0;
    const char *named = a->result ? audit_general(a, "model") : NULL;
    const struct model *model = named ? project_find_model(a->project, named) : NULL;
    if (!p->kase || p->kase_assumed)
        return;
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;) {
        compare_batch(a, c, p->kase);
        compare_world(a, c, p->kase);
        if (is_plain_precision(c->precision) && is_plain_precision(p->kase->precision))
            compare_setting(a, c, "precision", c->precision, p->kase->precision);
        if (model)
            compare_setting(a, c, "model", model->id, p->kase->model);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is stated as %s, and the run used the same value",
     .zh = "{1:said}：页面填报的值为 {2}，与运行实际所用的一致"},
    {.en = "%s is stated as %s, but the run used %s",
     .zh = "{1:said}：页面填报的值为 {2}，但运行实际所用的值为 {3}"},
    {.en = "number of ranks",
     .zh = "进程数"},
    {.en = "model",
     .zh = "模型"},
    {.en = "precision",
     .zh = "精度"},
    {NULL, NULL},
};

const struct rule rule_fp4008 = {
    .id = "FP4008",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_CASE,
    .proof = check_stated_settings,
    .title = {.en = "Stated settings of the run", .zh = "页面填报的运行设置"},
    .statement = {.en = "The batch sizes, the precision and the model that a page states must be "
                        "those that the run used.",
                  .zh = "页面填报的批大小、精度与模型，必须与运行实际所用的一致。"},
    .why = {.en = "A reader who repeats the run uses the batch sizes, the precision and the model "
                  "that the page states.",
            .zh = "读者复现一次运行时，会采用页面填报的批大小、精度与模型。"},
    .how = {.en = "The rule compares LBS, GAS, MPE, GBS, precision and model, as stated in the "
                  "table row or on the page, with the case that was run.",
            .zh = "将表格行或页面填报的 LBS、GAS、GBS（各种批大小）、MPE（序列长度）、精度与模型，"
                  "与实际运行的用例比较。"},
    .fix = {.en = "State on the page the settings that the run used.",
            .zh = "在页面上填写运行实际所用的设置。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"模型\", \"tiny_llama\"",
                .changed = "\"模型\", \"llama2_7b\""},
};
/* clang-format on */
