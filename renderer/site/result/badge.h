/*
 * badge: a small sign for other people's pages, that names vendor, result and state, so that it
 * says what it is about wherever it is copied.
 *
 * An SVG file, 20 units high, of three fields. Text has the width that the table of chart_measure
 * gives it on every machine (textLength). White on dark grounds with a thin edge, so that it can
 * be read on light and on dark pages; the state has a sign of its own shape. The same words give
 * the same bytes. Words are in one language, the caller's, and are cut when they are very long.
 */
#pragma once

#include "base/arena.h"
#include "base/files/file.h"
#include "base/records/verdict.h"
#include "renderer/site/index/index.h"
#include "renderer/words/strings.h"

struct badge {
    const char *vendor;     /* "NVIDIA" */
    const char *result;     /* "llama2_7b · A100 1x8" */
    enum state state;       /* its sign and colour */
    const char *state_word; /* "verified", "已验证" */
};

void badge_write(struct buf *out, const struct badge *badge);

/* Result/<vendor>/<case>/badge.svg and badge.zh.svg (private to renderer/site/). */

int site_badges_emit(const struct site_index *index, const struct strings *strings, file_sink *emit,
                     void *self, struct err *err);
