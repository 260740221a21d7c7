/*
 * site_parts: what the pages of the site share (private to renderer/site*.c).
 */
#ifndef RENDERER_SITE_PARTS_H
#define RENDERER_SITE_PARTS_H

#include "renderer/site.h"
#include "renderer/view.h"

/* One result with its verdict and where its page lies. */
struct site_entry {
    const struct result *result;
    const struct verdict *verdict;
    const struct case_record *case_record; /* NULL: no such case */
    const struct model *model;             /* NULL: not known */
    const struct vendor *vendor;           /* NULL: no such vendor */
};

struct site_entry site_entry_of(const struct site *site, size_t index);

/* A page's context: title, `root` (the way back to the top, "../../"), tool and rule set. */
struct view *site_page(const struct site *site, struct arena *arena, const char *title, int depth);

/* {"state": "failed", "state_words": …}: text, never colour alone. */
void site_set_state(struct view *v, enum state state);

/* A list of rows for the tables of results: vendor, case, model, configuration, figures. */
void site_set_results(struct view *page, const struct site *site, struct arena *arena,
                      bool (*wanted)(const struct site_entry *, const void *), const void *what);

/* The whole result page. */
struct view *site_result_page(const struct site *site, size_t index, struct arena *arena);

/* A record's table as {"caption", "columns": […], "rows": [{"cells": […]}]}. `verdict` is NULL for
 * tables that hold no figures; else `table` counts figure tables from 1. */
struct view *site_table(const struct table *t, const struct verdict *verdict, int table,
                        struct arena *arena);

/* Display name of words: English when there is one. */
const char *site_words(struct words w);

#endif
