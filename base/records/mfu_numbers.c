#include "base/records/mfu_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 6       /* factor, N, rate, peak, MFU, name of the peak */
#define VALUES_EXACT 9 /* parameters, layers, hidden, MPE, rate, peak, MFU, model, name */

static double number_at(const struct sentence *s, size_t i)
{
    return strtod(s->values[i].text, NULL);
}

bool mfu_numbers_of(const struct metric *m, struct mfu_numbers *out)
{
    const struct sentence *s = m->derivation ? m->derivation_made : NULL;
    bool exact = strcmp(m->name, "mfu_exact") == 0;
    *out = (struct mfu_numbers){.exact = exact, .layers = NAN, .hidden = NAN, .sequence = NAN};
    if (!s || s->n_values != (exact ? VALUES_EXACT : VALUES) ||
        (!exact && strcmp(m->name, "mfu") != 0))
        return false;
    size_t at = 0;
    out->factor = exact ? 6 : number_at(s, at++);
    out->parameters = number_at(s, at++);
    if (exact) {
        out->layers = number_at(s, at++);
        out->hidden = number_at(s, at++);
        out->sequence = number_at(s, at++);
    }
    out->rate = number_at(s, at++);
    out->peak = number_at(s, at);
    out->peak_name = s->values[s->n_values - 1].text;
    return true;
}
