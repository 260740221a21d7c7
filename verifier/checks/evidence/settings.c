/* What is stated of a run's settings against the case that was run. */
#include "verifier/checks/checks.h"

#include "base/text.h"
#include "verifier/proofs/proof.h"

#include <math.h>
#include <string.h>

static void compare_setting(struct audit *a, const struct claim *c, const char *what,
                            const char *stated, const char *ran)
{
    bool same = text_same(stated, ran);
    struct check_result *r = audit_report(
        a, same ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
        same ? "%s is %s, as in the run" : "%s is stated as %s, the run had %s", what, stated, ran);
    r->stated = stated;
    r->expected = ran;
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

static double factor(long long count)
{
    return count ? (double)count : 1;
}

/* Ranks that the case lays out against the cards of the row: more cards in the case than in the
 * row would multiply what one card did. */
static void compare_world(struct audit *a, const struct claim *c, const struct case_record *k)
{
    const struct case_parallel *plan = k->parallel;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    if (!plan || !c->cards)
        return;
    double world = factor(plan->tensor) * factor(plan->pipeline) * factor(plan->data);
    double cards = (double)c->cards, ranks = cards * factor(card ? card->ranks_per_card : 0);
    compare_setting(a, c, "number of ranks", audit_number(a->arena, world == ranks ? ranks : cards),
                    audit_number(a->arena, world));
}

/* "amp", "fp16, level O2" and mixes say something else than the precision of a case. */
static bool is_plain_precision(const char *text)
{
    return text && !text_same(text, "amp") && !strpbrk(text, ",+");
}

void check_settings(struct audit *a, struct proof *p)
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
