/*
 * english: a vendor's Chinese words on an English page, as far as the table of labels
 * (base/figures/labels.h) and that of columns (base/figures/metrics.h) know them. Pages in Markdown
 * and the site say the same.
 *
 * Each returns the text itself where it knows nothing better, else text in the arena. Nothing is
 * guessed: what no table has stays as it was published, and the caller says that it is Chinese.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

/* The title of a page: "Moore Threads S4000 GPU configuration and run information". */
const char *english_title(struct arena *arena, const char *title);

/* A cell of the general table, and one of its header. */
const char *english_general(struct arena *arena, const char *text, size_t column);
const char *english_general_header(struct arena *arena, const char *text, size_t column);

/* A header of a table of figures. Field names stay what they are. */
const char *english_header(struct arena *arena, const char *text, size_t column);

/* A configuration without what reads wrong: "H100-55机8卡" is of 55 nodes, not of fewer than none;
 * "*单机8卡" names no card. */
const char *configuration_shown(struct arena *arena, const char *text);

/* "A100单机8卡（1x8）": "A100, 1 node, 8 cards (1x8)"; only as a whole. */
const char *english_configuration(struct arena *arena, const char *text);

/* "数据精度=fp16, GAS=64": "Precision=fp16, GAS=64". */
const char *english_settings(struct arena *arena, const char *text);
