/*
 * template_table: a table of texts among the templates, {"schema": "…", "MEMBER": {KEY: …}}.
 *
 * The shipped file is read first, then the project's own of the same name, whose entries are laid
 * over it: `add` is told of every entry in this order and decides what one is.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/json/json.h"
#include "renderer/templates/templates.h"

struct template_table {
    const char *file; /* below a folder of templates */
    const char *schema, *member;
    int (*add)(void *to, const char *file, const struct json *entry, struct arena *arena,
               struct err *err);
};

/* A file that is not there has no entries. ERR_INPUT, with file, line and column, for one that is
 * no such table, and whatever `add` says. */
int template_table_load(const struct template_table *table, const struct templates *templates,
                        void *to, struct arena *arena, struct err *err);
