/* site_row: the rows of one result, and what it names without a record (private to
 * renderer/site/). */
#pragma once

#include "renderer/site/index/index.h"

/* At least one, so that a result without figures is listed too. */
size_t site_rows_of(const struct project *project, const struct site_entry *entry,
                    struct arena *arena, const struct site_row *const **out);

/* The class of its precision; of one that is not known, or not said, what alone it is like:
 * "unknown-wild9", "unknown-of-acme". */
const char *site_row_class(const struct site_row *row, struct arena *arena);

/* Fill in the model's id and what it is called. */
void site_name_model(const struct project *p, struct site_entry *e, struct arena *arena);

/* The id of a card that has no record, as this vendor calls it; NULL: the text names none. */
const char *site_card_id(const char *vendor, const char *card, struct arena *arena);
