#include "verifier/checks/loss/peers.h"

#include "verifier/curves/curve_spikes.h"

#include <string.h>

void peers_collect(const struct audit *a,
                   double (*of)(const struct audit *a, const struct result *r, const void *what),
                   const void *what, struct peers *out)
{
    size_t n;
    const struct result **all = project_case_results(a->project, a->result->case_id, &n);
    for (size_t i = 0; i < n && out->n < PEERS_MAX; i++) {
        bool own = strcmp(all[i]->vendor, a->result->vendor) == 0;
        double value = own ? NAN : of(a, all[i], what);
        if (isnan(value))
            continue;
        out->names = arena_printf(a->arena, "%s%s%s %s", out->names, out->n ? ", " : "",
                                  all[i]->vendor, audit_number(a->arena, value));
        out->values[out->n++] = value;
    }
}

bool peers_agree(struct peers *p, double value)
{
    double ratio = value / curve_median(p->values, p->n);
    return ratio <= PEERS_FACTOR && ratio >= 1 / PEERS_FACTOR;
}
