/*
 * stated_throughput: what a row says of its tokens per second and card, for the rules about MFU.
 */
#pragma once

#include "verifier/claims/audit.h"

/* The throughput that MFU is computed from: token/p/s, or an expression that ends in one. */
bool stated_throughput(const struct claim *c, struct figure *tps);
