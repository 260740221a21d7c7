/*
 * loss_scale: keeping fp16 gradients inside of fp16's range.
 *
 * The loss is multiplied by `scale` before it is differentiated, and gradients are divided by it
 * before they are used. Where they overflow, the step is not taken and the scale halved; after
 * LOSS_SCALE_PATIENCE steps without overflow it is doubled. Micikevicius et al. 2018, "Mixed
 * precision training". Formats that need none keep the scale 1.
 */
#pragma once

#include <stdbool.h>

#define LOSS_SCALE_START 65536.0f
#define LOSS_SCALE_PATIENCE 1000
#define LOSS_SCALE_LEAST 1.0f

struct loss_scale {
    bool moves; /* fp16 */
    float scale;
    int calm; /* steps since the last overflow or change */
};

void loss_scale_init(struct loss_scale *s, bool moves);

/* After the gradients of a step: may the step be taken? An overflow at the least scale is one that
 * no scale avoids: it is not dealt with here, and the step may be taken. */
bool loss_scale_allows(struct loss_scale *s, bool finite);
