/*
 * seeing_operations: floating-point operations of a model that sees, as its training computes them.
 *
 *   a token     k * N
 *               N: all parameters but those of tower and projector; k: 6, or 4 where the projector
 *               alone is trained, through which gradients of inputs flow and none of weights;
 *               padding counts, for it is computed
 *   a sequence  12 * layers * hidden * length^2
 *               length: of its own batch, padded; a mean length would count too few
 *   a picture   2 * tower + rows * (4 * width * hidden + 6 * hidden^2)
 *               tower: multiply-adds of its layers that are used, forward only, for it is frozen;
 *               width: of its rows; of the projector's first layer no gradient of inputs is made
 *   tower       patches * width * 3 * patch^2
 *               + layers * (1 + patches) * (4 * width^2 + 2 * width * ffn
 *                                           + 2 * (1 + patches) * width)
 *
 * NATIVE.md (2.5, 5.1, 5.4): 365e9 operations a picture for CLIP ViT-L/14 at 336 pixels, 23 layers.
 */
#pragma once

#include "verifier/proofs/rate.h"

struct seeing_operations {
    double per_parameter; /* k */
    double parameters;    /* N */
    double tower;         /* of a picture */
    double rows;          /* of a picture */
    double projector_row; /* operations of one */
    double pair;          /* 12 * layers * hidden */
};

/* `stage` is the case's. False: the record lacks the exact number of parameters, the shape or the
 * tower. */
bool seeing_operations(const struct model *m, const char *stage, struct seeing_operations *out);

/* Is this a run of the native trainer that has these operations? */
bool seeing_has_operations(const struct proof *p);

/* All of the steps that the rate is of, and what they are made of. */
struct seeing_steps {
    struct steps_time steps;
    struct seeing_operations of;
    double pictures;  /* NaN: the log does not count them, and products are without them */
    double products;  /* operations of the parameters and the pictures */
    double attention; /* of the sequences */
};

/* NULL, or why there are none. */
const char *seeing_steps_of(const struct audit *a, const struct proof *p, struct seeing_steps *out);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words seeing_operations_messages[];
