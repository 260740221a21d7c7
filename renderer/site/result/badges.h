/* site_badges: result/<vendor>/<case>/badge.svg and badge.zh.svg (private to renderer/site/). */
#pragma once

#include "base/files/file.h"
#include "renderer/site/index/index.h"
#include "renderer/words/strings.h"

int site_badges_emit(const struct site_index *index, const struct strings *strings, file_sink *emit,
                     void *self, struct err *err);
