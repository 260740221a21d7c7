/*
 * corpus: a text to train on that needs no download.
 *
 * 262,144 ASCII bytes (a token is a byte, so the vocabulary is 128), made by a small grammar from
 * a fixed seed, with structure at three ranges for a model to find:
 *
 *   letters   48 words of 2 to 6 letters: a word, once begun, is soon decided
 *   words     each word has four followers with weights 8:4:2:1, and the word before it decides
 *             which follower has which weight: an order-2 Markov chain
 *   sentence  one per line, 4 to 9 words, sometimes a comma, a full stop; the last word is the
 *             first again, which only something like attention can know
 *
 * Integer arithmetic only: the same bytes on every machine. Their SHA-256 is pinned here, and
 * corpus_generate refuses to hand out anything else.
 */
#pragma once

#include "base/err.h"

#define CORPUS_BYTES 262144
#define CORPUS_VOCABULARY 128
#define CORPUS_SHA256 "490b775339af795f1db58a65bda3f3bb308b1532fa1a3e5e0a2fc314aab5fb44"

/* Fills text with the corpus; -1 (ERR_IO) if this machine made other bytes. */
int corpus_generate(unsigned char text[CORPUS_BYTES], struct err *err);
