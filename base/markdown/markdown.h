/*
 * markdown: the one door to CommonMark (cmark 0.30.2), for text that others wrote.
 *
 * Three uses, from hostile input to structure:
 *   markdown_html          a note of several paragraphs, as HTML
 *   markdown_inline_html   one table cell or label, as HTML without a block around it
 *   markdown_plain         the same, as text that a reader of the page would see
 *   markdown_page_read     a page as a flat list of its leaf blocks, with exact source lines
 *
 * HTML made here holds no markup of the author's: raw HTML is shown as text (`<br>` is a line
 * break, comments vanish), links lead only where foreign_url_allowed() lets them, images become
 * links, headings become bold paragraphs (a note must not pose as a section of the page), and
 * hidden characters are shown as U+FFFD.
 *
 * Cost: cmark 0.30.2 has inputs that take quadratic time or memory. What is parsed is therefore
 * capped (below); a note beyond a cap is shown unformatted, escaped, in <pre>, a page beyond
 * one is refused. Pipe tables are no part of CommonMark: of a page they arrive as paragraphs, one
 * row a line, and are read by whoever expects a table; of a note they are tables of HTML.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define MARKDOWN_TEXT_MAX ((size_t)64 << 10) /* bytes of one note or page */
#define MARKDOWN_LINE_MAX ((size_t)4 << 10)  /* bytes of one line, cell or label */
#define MARKDOWN_MARKERS_MAX 16              /* quote and list markers that begin one line */
/* Bytes that link reference definitions could expand to: each use repeats the whole definition. */
#define MARKDOWN_REFERENCES_MAX ((size_t)4 << 20)

/* Append the note as HTML blocks. False when it was beyond a cap and is shown unformatted. */
bool markdown_html(struct buf *out, const char *text);

/* Append one line of text as inline HTML; newlines count as spaces, block marks (`#`, `-`, `1.`)
 * as themselves. False as above. */
bool markdown_inline_html(struct buf *out, const char *text);

/* What a reader sees: "46.77\*2" -> "46.77*2", "**吞吐量**" -> "吞吐量", a link -> its text.
 * Beyond a cap the text is returned as it is. */
char *markdown_plain(struct arena *arena, const char *text);

enum markdown_kind {
    MARKDOWN_HEADING,
    MARKDOWN_PARAGRAPH, /* also a pipe table */
    MARKDOWN_CODE,
    MARKDOWN_HTML,
    MARKDOWN_BREAK,     /* --- */
    MARKDOWN_STRUCTURE, /* lines that show nothing: a lone `-` or `>`, link reference definitions */
};

/* One list item; blocks and inner items point at it. */
struct markdown_item {
    const struct markdown_item *parent; /* the item around it; NULL at the top */
    int depth;                          /* from 1 */
    int list;                           /* which list of the page, counted from 1 as they begin */
    int number;                         /* as it is shown, in an ordered list; else 0 */
    bool ordered;
    char marker; /* '-', '*', '+', '.' or ')' */
    int start_line;
};

/*
 * One leaf block. Blocks are in source order and do not overlap; every line that is not blank
 * lies in exactly one (lines that hold nothing but quote marks are MARKDOWN_STRUCTURE).
 */
struct markdown_block {
    enum markdown_kind kind;
    int level;                        /* 1 to 6 for a heading, else 0 */
    int start_line, end_line;         /* from 1, both included; the marks around it too */
    const struct markdown_item *item; /* innermost list item, or NULL */
    bool starts_item;                 /* the first block of `item` */
    int quote_depth;                  /* block quotes around it */
    /*
     * Markdown source without what contains it: no list or quote marks, no indentation, no `#`
     * or underline; lines joined by '\n', without a final one. Code and HTML: the literal text.
     */
    const char *text;
};

struct markdown_page {
    struct bytes *lines; /* line n is lines[n - 1], without its line ending */
    size_t n_lines;
    struct markdown_block *blocks;
    size_t n_blocks;
};

/*
 * Read a page; everything lives in `arena`. A byte order mark is skipped; CR, LF and CRLF end a
 * line; NUL and invalid UTF-8 are U+FFFD in `lines` and `text`. ERR_INPUT (naming `name`) when a
 * cap is passed.
 */
int markdown_page_read(struct markdown_page *page, const char *name, const char *source, size_t len,
                       struct arena *arena, struct err *err);

/* Version of cmark at run time. */
const char *markdown_library_version(void);
