/*
 * corpus: a text to train on that needs no download.
 *
 * 262,144 ASCII bytes (a token is a byte, so the vocabulary is 128), made by a small grammar from
 * a fixed seed, with structure at three ranges for a model to find:
 *
 *   letters   192 words of 2 to 6 letters; a word, once begun, is soon decided
 *   words     each word has four likely followers (8:4:2:1), which depend on the word before it
 *             too: an order-2 Markov chain
 *   sentence  4 to 9 words, a comma or none, and a full stop; the last word repeats the first,
 *             which only something like attention can know
 *
 * Integer arithmetic only: the same bytes on every machine. Their SHA-256 is pinned here, and
 * corpus_generate refuses to hand out anything else.
 */
#ifndef TRAINER_CORPUS_H
#define TRAINER_CORPUS_H

#include "base/err.h"

#define CORPUS_BYTES 262144
#define CORPUS_VOCABULARY 128
#define CORPUS_SHA256 "0000000000000000000000000000000000000000000000000000000000000000"

/* Fills text with the corpus; -1 (ERR_IO) if this machine made other bytes. */
int corpus_generate(unsigned char text[CORPUS_BYTES], struct err *err);

#endif
