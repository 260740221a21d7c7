/* start: what an independent trainer begins with, as files: weights as they are drawn, and every
 * sequence in the order in which it is read. */
#pragma once

#include "trainer/training/train.h"

#include <stdio.h>

FILE *start_create(const char *folder, const char *name, struct err *err);
int start_finish(FILE *f, const char *name, struct err *err);

/* A new folder: the weights, or the adapters where it is they that are trained. */
int start_weights(const struct training *t, const char *folder, struct err *err);

/* Of a model that sees, tower.safetensors in it; samples.json, of each sample in order its tokens,
 * labels and picture (-1: none); and pixels.u8, of the pictures in this order. */
int start_pictures(const struct training *t, int ranks, const char *folder, struct err *err);

/* sequences.i32 in it: sequence_length + 1 tokens each, little endian. */
int start_sequences(const struct training *t, int ranks, const char *folder, struct err *err);
