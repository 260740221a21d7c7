/* What a run ran on, and which of it only whoever ran it says. */
#include "verifier/proofs/proof.h"

bool proof_on_processor(const struct proof *p)
{
    return p->round && case_key_on_processor(&p->round->key);
}

bool proof_is_adopted(const struct proof *p)
{
    const struct json *adopted = json_get(p->run, "adopted");
    return adopted && adopted->kind == JSON_BOOL && adopted->truth;
}

const char *proof_stated_card(const struct proof *p)
{
    const char *of_case = p->kase && !p->kase_assumed ? p->kase->accelerator : NULL;
    return p->stated_card          ? p->stated_card
           : proof_on_processor(p) ? NULL
                                   : json_get_text(p->run, "accelerator", of_case);
}

const struct accelerator *proof_accelerator(const struct audit *a, const struct proof *p)
{
    const char *seen = facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
    const char *folder = p->round && p->round->key.whole ? p->round->key.hardware : NULL;
    if (p->stated_card)
        return audit_card(a, p->stated_card);
    if (proof_on_processor(p))
        return audit_card(a, folder);
    const char *names[] = {seen, seen ? NULL : proof_stated_card(p), folder};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct accelerator *card = names[i] ? audit_card(a, names[i]) : NULL;
        if (card)
            return card;
    }
    return NULL;
}

struct claim proof_claim(struct audit *a, const struct proof *p)
{
    const struct accelerator *card = proof_accelerator(a, p);
    const char *model =
        proof_on_processor(p) ? NULL : facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
    struct claim c = {.precision = p->kase ? p->kase->precision : NULL, .accelerator = card};
    c.config.accelerator = card ? card->name : model ? model : "CPU";
    c.config.card_memory = NAN;
    hyperparameters_parse("", a->arena, &c.hyper);
    return c;
}
