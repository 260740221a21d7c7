/*
 * site_tables_events: what happened to results, as tables for programs (private to
 * renderer/site/data/).
 */
#pragma once

#include "renderer/site/data/data_table.h"
#include "renderer/site/index/index.h"

struct site_data_table {
    const char *name;
    const char *const *columns;
    size_t n_columns;
    void (*fill)(struct data_table *t, const struct site_index *x);
    bool on_figures; /* it depends on figures, not only on outlines (renderer/site/sheet/reuse.h) */
};
#define SITE_TABLE(name, columns, fill, on_figures)                          \
    {                                                                        \
        name, columns, sizeof(columns) / sizeof *(columns), fill, on_figures \
    }

/* changes, events, withdrawn, removed, figures */
const struct site_data_table *site_event_tables(size_t *n);
