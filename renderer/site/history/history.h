/*
 * site_history: what a result was in the publications before, and results that are gone (private
 * to renderer/site/).
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

/* {"history": [{state…, "by", "date", "current", "figures": […], "more"}]}, the newest first. */
void sheet_set_history(struct sheet *s, const struct site_entry *e);

/* {"place", "configuration", "figure", "unit", "arrow", "direction", "value", "before", "now"} of
 * each row that was added or removed (with its words as the figure, and what it states) and of each
 * figure that changed; what there was not, or is not, has a word. `now`, which may be NULL, knows
 * what the rows of figures are. "more": how many others there are, in words. */
const char *sheet_changed_more(struct sheet *s, const struct site_figure_changes *of);
void sheet_push_changed(struct sheet *s, struct view *list, const struct site_figure_changes *of,
                        const struct verdict *now);

/* What a row is (base/figures/row_key.h); NULL: nobody says. */
const char *site_row_words(const struct verdict_row *rows, size_t n, int table, int row);

/* "1 row was added: row 2 (A100 1x8). 2 figures changed: row 1, MFU (stated) 52.4% → 50.0%; …" */
const char *sheet_changed_text(struct sheet *s, const struct site_figure_changes *of);

/* As sheet_set_state, for what has no record any more: "removed". */
void sheet_set_removed(struct sheet *s, struct view *v);

/* changes.c: the newest of what has a date, one line a result: {"events", "any"}, and the day of
 * the newest of all: {"until"}, "" when nothing has one. */
void sheet_set_latest(struct sheet *s, size_t most);

/* When and as what a result that is gone was there last, as a sentence. */
const char *sheet_gone_text(struct sheet *s, const struct site_entry *e);
