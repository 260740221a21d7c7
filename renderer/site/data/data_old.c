#include "renderer/site/data/data_old.h"

#include "renderer/output/reuse.h"

#include <string.h>

/* Rows that should be there and are not: the tables have little in common. */
#define MISSES_MAX 16

static const char *csv_row_end(const char *at, const char *end, const char **next)
{
    bool quoted = false;
    for (const char *p = at; p < end; p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (*p == '\n' && !quoted && p > at && p[-1] == '\r') {
            *next = p + 1;
            return p - 1;
        }
    }
    return NULL;
}

/* "    {…}," or the last one without a comma. */
static const char *json_row_end(const char *at, const char *end, const char **next)
{
    const char *line = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (!line)
        return NULL;
    *next = line + 1;
    while (*next < end && **next == ' ')
        ++*next;
    return line > at && line[-1] == ',' ? line - 1 : line;
}

static void open_table(struct site_data_old *old, const struct site_index *index, const char *path,
                       struct arena *arena)
{
    struct bytes text;
    if (!reuse_old(index->site->reuse, path, arena, &text))
        return;
    old->at = text.data;
    old->end = text.data + text.len;
}

void site_data_old_csv(struct site_data_old *old, const struct site_index *index, const char *path,
                       struct arena *arena)
{
    *old = (struct site_data_old){.row_end = csv_row_end};
    open_table(old, index, path, arena);
    if (old->at && !csv_row_end(old->at, old->end, &old->at))
        old->at = NULL;
}

void site_data_old_json(struct site_data_old *old, const struct site_index *index, const char *path,
                        struct arena *arena)
{
    *old = (struct site_data_old){.row_end = json_row_end};
    open_table(old, index, path, arena);
}

const char *site_data_old_row(struct site_data_old *old, const struct buf *begins, size_t *len)
{
    const char *next = NULL;
    if (old->misses > MISSES_MAX)
        return NULL;
    for (const char *at = old->at, *end; at && (end = old->row_end(at, old->end, &next));
         at = next) {
        if ((size_t)(end - at) < begins->len || memcmp(at, begins->data, begins->len) != 0)
            continue;
        old->at = next;
        *len = (size_t)(end - at);
        return at;
    }
    old->misses++;
    return NULL;
}
