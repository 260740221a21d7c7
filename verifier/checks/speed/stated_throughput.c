#include "verifier/checks/speed/stated_throughput.h"

bool stated_throughput(const struct claim *c, struct figure *tps)
{
    *tps = *claim_figure(c, "token_per_s_per_card");
    return (tps->kind == FIGURE_NUMBER || tps->kind == FIGURE_EXPRESSION) && tps->value > 0;
}
