#include "base/markdown/markdown_table.h"

#include "base/figures/pipe_table.h"
#include "base/markdown/markdown.h"
#include "base/text.h"

#include <string.h>

static void put_paragraph_lines(struct buf *out, struct arena *arena, char **lines, size_t n)
{
    if (n == 0)
        return;
    buf_str(out, "<p>");
    /* These lines as one text; a paragraph has many, so that it is not made line by line. */
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        len += strlen(lines[i]) + 1;
    char *text = arena_room(arena, len), *at = text;
    for (size_t i = 0; i < n; i++) {
        size_t of = strlen(lines[i]);
        memcpy(at, lines[i], of);
        at += of;
        *at++ = '\n';
    }
    at[-1] = '\0';
    markdown_inline_html(out, text);
    buf_str(out, "</p>\n");
}

static void put_pipe_row(struct buf *out, const struct cell *cells, size_t n, bool is_head)
{
    buf_str(out, "<tr>");
    for (size_t i = 0; i < n; i++) {
        buf_str(out, is_head ? "<th scope=\"col\">" : "<td>");
        markdown_inline_html(out, cells[i].text);
        buf_str(out, is_head ? "</th>" : "</td>");
    }
    buf_str(out, "</tr>\n");
}

/* The table that these lines begin with; how many of them are its. */
static size_t put_pipe_table(struct buf *out, struct arena *arena, char **lines, size_t n)
{
    size_t used = 2, n_cells;
    struct cell *cells;
    buf_str(out, "<table>\n<thead>\n");
    pipe_cells(arena, lines[0], &cells, &n_cells);
    put_pipe_row(out, cells, n_cells, true);
    buf_str(out, "</thead>\n<tbody>\n");
    for (; used < n; used++) {
        pipe_cells(arena, lines[used], &cells, &n_cells);
        if (n_cells == 0)
            break;
        put_pipe_row(out, cells, n_cells, false);
    }
    buf_str(out, "</tbody>\n</table>\n");
    return used;
}

bool markdown_table_html(struct buf *out, const char *paragraph, struct arena *arena)
{
    size_t n, from = 0;
    char **lines = text_lines(arena, paragraph, &n);
    bool found = false;
    for (size_t at = 0; at + 1 < n;) {
        if (pipe_table_columns(arena, lines[at], lines[at + 1]) == 0) {
            at++;
            continue;
        }
        put_paragraph_lines(out, arena, lines + from, at - from);
        from = at += put_pipe_table(out, arena, lines + at, n - at);
        found = true;
    }
    if (found)
        put_paragraph_lines(out, arena, lines + from, n - from);
    return found;
}
