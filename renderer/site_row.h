/* site_row: the rows of one result, and what they name (private to renderer/site_index.c). */
#ifndef RENDERER_SITE_ROW_H
#define RENDERER_SITE_ROW_H

#include "renderer/site_index.h"

/* At least one, so that a result without figures is listed too. */
size_t site_rows_of(const struct project *project, const struct site_entry *entry,
                    struct arena *arena, const struct site_row *const **out);

#endif
