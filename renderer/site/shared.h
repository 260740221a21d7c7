/*
 * site_shared: the picture that a shared link to a page shows (private to renderer/site/): one
 * for the first page, and one for each model, vendor and accelerator. A result has that of its
 * model, any other page that of the first.
 */
#pragma once

#include "base/files/file.h"
#include "renderer/sharing/cairo_library.h"
#include "renderer/site/sheet/reuse.h"

/* "share/model/llama3_8b.png", below the top of the site: of the i-th page of a kind. */
const char *site_share_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                            struct arena *arena);

int site_shared_emit(const struct site_index *index, const struct strings *strings,
                     const struct site_keys *keys, const struct cairo_library *cairo,
                     file_sink *emit, void *self, struct err *err);
