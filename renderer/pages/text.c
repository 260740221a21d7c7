#include "renderer/pages/view.h"

#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/text.h"
#include "renderer/templates/escape.h"

#include <string.h>

static const char *take_page_text(struct arena *arena, struct buf *b)
{
    const char *text = arena_strndup(arena, b->data, b->len);
    buf_release(b);
    return text;
}

const char *page_line(struct arena *arena, const char *text)
{
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    escape_markdown_line(&b, text);
    return take_page_text(arena, &b);
}

/* A blank always follows the cell in our tables, so a last backslash escapes nothing and is not
 * doubled: `\` is one of the ways to withhold a figure. */
const char *page_cell(struct arena *arena, const char *text)
{
    struct buf line, cell;
    buf_init(&line, BUF_DEFAULT_MAX);
    buf_init(&cell, BUF_DEFAULT_MAX);
    escape_markdown_line(&line, text);
    buf_char(&line, ' ');
    escape_markdown_cell(&cell, line.data);
    buf_release(&line);
    const char *all = take_page_text(arena, &cell);
    return text_trim(arena, all);
}

static void add_indent(struct buf *out, size_t n)
{
    buf_printf(out, "%*s", (int)n, "");
}

static void add_contained(struct buf *out, const char *line, bool first)
{
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    contain_line(&b, line, first);
    escape_markdown_line(out, b.data);
    buf_release(&b);
}

const char *page_paragraph(struct arena *arena, const char *text, size_t indent, bool behind_label)
{
    size_t n;
    char **lines = text_lines(arena, text, &n);
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *line = text_trim(arena, lines[i]);
        if (i > 0) {
            buf_char(&b, '\n');
            add_indent(&b, line[0] ? indent : 0);
        }
        if (i == 0 && behind_label)
            escape_markdown_line(&b, line);
        else
            add_contained(&b, line, i == 0);
    }
    return take_page_text(arena, &b);
}

const char *page_label(struct arena *arena, const char *text)
{
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    contain_line(&b, text_trim(arena, page_line(arena, text)), true);
    return take_page_text(arena, &b);
}

const char *page_indented(struct arena *arena, const char *text, size_t indent)
{
    size_t n;
    char **lines = text_lines(arena, inert_text(arena, text), &n);
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++) {
        buf_str(&b, i ? "\n" : "");
        add_indent(&b, i && lines[i][0] ? indent : 0);
        escape_markdown_kept(&b, lines[i]);
    }
    return take_page_text(arena, &b);
}

const char *page_block(struct arena *arena, const char *text)
{
    return page_indented(arena, text, 0);
}

const char *page_words(enum page_lang lang, const struct words *words)
{
    return lang == PAGE_EN && words->en ? words->en : words->zh;
}
