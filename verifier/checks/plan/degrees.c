#include "verifier/checks/plan/degrees.h"

#include <string.h>

long degree_ranks_per_card(const struct audit *a, const struct claim *c)
{
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    return card && card->ranks_per_card > 1 ? (long)card->ranks_per_card : 1;
}

bool degree_is_zero(const char *text)
{
    static const char *const sizes[] = {"TP0", "PP0", "DP0"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *at = strstr(text, sizes[i]);
        if (at && !strchr("0123456789", at[3] ? at[3] : 'x'))
            return true;
    }
    return false;
}

long degree_after(const char *folded, const char *key, long otherwise)
{
    const char *at = strstr(folded, key);
    long value = 0;
    for (at = at ? at + strlen(key) : ""; *at >= '0' && *at <= '9' && value < 100000; at++)
        value = value * 10 + (*at - '0');
    return value ? value : otherwise;
}
