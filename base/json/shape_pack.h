/*
 * shape_pack: a record, or what was derived from some, as bytes (base/pack.h), by the rows of its
 * shape, for whoever reads it in another process of ours.
 *
 * Everything that the shape names is kept but what is only shown, and the line of every object that
 * has one; what is no field is not. Text of evidence that is no UTF-8 is kept as U+FFFD.
 * Whoever takes it believes nothing: a value that the shape would not load (shape.h: kinds, limits,
 * choices, what is required) makes the reader bad. Rules about more than one field are asked of
 * what is derived (`unplaced`), not of records.
 */
#pragma once

#include "base/json/shape.h"
#include "base/pack.h"

#define SHAPE_DEPTH_MAX 64

void shape_pack(const struct shape *shape, const void *value, struct buf *out);
void shape_unpack(const struct shape *shape, void *value, struct arena *arena, struct unpack *u);
