#include "verifier/checks/machine/environment_cards.h"

#include <string.h>

const char *environment_card_names(struct audit *a)
{
    const char *names = a->n_accelerators ? a->accelerators[0] : "";
    for (size_t i = 1; i < a->n_accelerators; i++)
        names = sentence_say(a->arena, "%s and %s", names, a->accelerators[i]);
    return names;
}

bool environment_vendor_makes_cards(struct audit *a)
{
    for (size_t i = 0; i < a->project->n_accelerators; i++) {
        const struct accelerator *card = &a->project->accelerators[i];
        if (strcmp(card->vendor, a->result->vendor) == 0 && strcmp(card->id, "cpu") != 0)
            return true;
    }
    return false;
}

/* clang-format off */
const struct words environment_card_messages[] = {
    {.en = "%s and %s",
     .zh = "{1:said} 和 {2}"},
    {NULL, NULL},
};
/* clang-format on */
