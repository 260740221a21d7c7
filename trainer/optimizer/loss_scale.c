#include "trainer/optimizer/loss_scale.h"

void loss_scale_init(struct loss_scale *s, bool moves)
{
    *s = (struct loss_scale){.moves = moves, .scale = moves ? LOSS_SCALE_START : 1};
}

bool loss_scale_allows(struct loss_scale *s, bool finite)
{
    if (!s->moves)
        return true;
    if (!finite && s->scale > LOSS_SCALE_LEAST) {
        s->scale /= 2;
        s->calm = 0;
        return false;
    }
    if (finite && ++s->calm >= LOSS_SCALE_PATIENCE) {
        s->scale *= 2;
        s->calm = 0;
    }
    return true;
}
