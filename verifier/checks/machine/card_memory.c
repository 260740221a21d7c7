#include "verifier/checks/machine/card_memory.h"

#include "verifier/claims/cards.h"

/* Memory that the environment names for the claim's own card, beside other cards; NaN. */
static double own_memory(const struct audit *a, const struct claim *c)
{
    double memory = NAN;
    for (size_t i = 0; c->accelerator && i < a->n_accelerators; i++) {
        double named = cards_named_memory(a->accelerators[i]);
        if (audit_card(a, a->accelerators[i]) != c->accelerator)
            continue;
        if (isnan(named) || (!isnan(memory) && named != memory))
            return NAN;
        memory = named;
    }
    return memory;
}

double card_memory(const struct audit *a, const struct claim *c, const char **source)
{
    double memory = own_memory(a, c);
    *source = "the environment section";
    if (!isnan(memory))
        return memory;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        double named = cards_named_memory(a->accelerators[i]);
        if (!isnan(memory) && named != memory)
            named = NAN;
        memory = named;
    }
    if (!isnan(memory))
        return memory;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    *source = card ? card->name : "";
    return card ? card->memory_gib : NAN;
}

/* clang-format off */
const struct words card_memory_messages[] = {
    {.en = "the environment section",
     .zh = "环境说明"},
    {NULL, NULL},
};
/* clang-format on */
