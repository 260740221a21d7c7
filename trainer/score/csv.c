#include "trainer/score/csv.h"

#include "base/text.h"

#include <string.h>

struct csv_reader {
    const char *file;
    struct bytes in;
    size_t at;
    int line;
    char *room; /* fields, each with its NUL; as large as the file */
    struct err *err;
};

static int csv_malformed(const struct csv_reader *r, int line, const char *found,
                         const char *expected)
{
    return err_set(r->err, ERR_INPUT, "%s:%d: found %s, expected %s", r->file, line, found,
                   expected);
}

static bool ends_field(const struct csv_reader *r)
{
    return r->at == r->in.len || strchr(",\n", r->in.data[r->at]) ||
           (r->in.data[r->at] == '\r' && r->at + 1 < r->in.len && r->in.data[r->at + 1] == '\n');
}

static int read_quoted(struct csv_reader *r)
{
    int first = r->line;
    for (r->at++; r->at < r->in.len; r->at++) {
        char c = r->in.data[r->at];
        if (c == '"' && r->at + 1 < r->in.len && r->in.data[r->at + 1] == '"')
            r->at++;
        else if (c == '"')
            break;
        r->line += c == '\n';
        *r->room++ = c;
    }
    if (r->at == r->in.len)
        return csv_malformed(r, first, "a quote that is not closed", "another quote");
    r->at++;
    return ends_field(r) ? 0
                         : csv_malformed(r, r->line, "text behind a closed quote",
                                         "a comma or the end of the line");
}

static int read_plain(struct csv_reader *r)
{
    for (; !ends_field(r); r->at++)
        *r->room++ = r->in.data[r->at];
    return 0;
}

static int read_field(struct csv_reader *r, struct csv_row *row)
{
    if (row->n == CSV_FIELDS_MAX)
        return csv_malformed(r, r->line, "more than 16 fields", "fewer");
    row->fields[row->n++] = r->room;
    bool quoted = r->at < r->in.len && r->in.data[r->at] == '"';
    if ((quoted ? read_quoted(r) : read_plain(r)) < 0)
        return -1;
    *r->room++ = '\0';
    return 0;
}

/* Up to the line's end, and behind it. */
static int read_row(struct csv_reader *r, struct csv_row *row)
{
    row->line = r->line;
    while (read_field(r, row) == 0) {
        if (r->at < r->in.len && r->in.data[r->at] == ',') {
            r->at++;
            continue;
        }
        r->at += r->at < r->in.len && r->in.data[r->at] == '\r';
        r->at += r->at < r->in.len;
        r->line++;
        return 0;
    }
    return -1;
}

int csv_parse(const char *file, struct bytes in, struct arena *arena, struct csv_row **rows,
              size_t *n, struct err *err)
{
    /* A field takes its bytes and a NUL, for which there is a comma or a line's end. */
    struct csv_reader r = {file, in, 0, 1, arena_room(arena, in.len + 2), err};
    *rows = NULL;
    *n = 0;
    if (utf8_valid_until(in.data, in.len) < in.len || memchr(in.data, '\0', in.len))
        return err_set(err, ERR_INPUT, "%s: found bytes that are not UTF-8, expected a CSV file",
                       file);
    while (r.at < in.len) {
        struct csv_row row = {.n = 0};
        if (read_row(&r, &row) < 0)
            return -1;
        if (row.n == 1 && !*row.fields[0])
            continue;
        if (*n == CSV_ROWS_MAX)
            return err_set(err, ERR_INPUT, "%s:%d: found more than %d rows", file, row.line,
                           CSV_ROWS_MAX);
        *(struct csv_row *)arena_push(arena, rows, n, sizeof row) = row;
    }
    return 0;
}
