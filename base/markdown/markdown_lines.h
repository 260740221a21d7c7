/*
 * markdown_lines: the part of base/markdown/markdown.c that needs no Markdown parser: source lines,
 * the caps on what is parsed, what needs no parsing, and block positions put right.
 *
 * Why positions need it: cmark 0.30.2 gives the right first line of every block, but its last
 * line is one too many for setext headings and for fenced code that its container ended, one
 * too few (or before the first) for HTML blocks that end by their own mark, and may take in
 * blank lines; and what shows nothing (reference definitions, lone markers) is in no block.
 */
#pragma once

#include "base/markdown/markdown.h"

/* Why this text is not given to the parser, or NULL. The string is constant. */
const char *markdown_refusal(const char *text, size_t len);

/* The source with invalid UTF-8 and what is hidden (base/foreign.h: NUL, controls, marks of
 * direction) as U+FFFD, which is how our own pages show it, and without a byte order mark. */
struct bytes markdown_clean(struct arena *arena, const char *source, size_t len);

/* Append HTML with what is hidden as U+FFFD. */
void markdown_add_visible(struct buf *out, const char *html, size_t len);

/* What cmark 0.30.2 gives for most cells, without it: no character of these begins anything that is
 * not text, and white space around the line is not shown. data NULL: ask it. */
struct bytes markdown_as_it_is(const char *text);

struct bytes *markdown_split(struct arena *arena, struct bytes source, size_t *n);

/* What the parser says about one leaf block, and whether it is a setext heading or fenced. */
struct markdown_leaf {
    struct markdown_block block; /* end_line as the parser has it; text only if literal */
    int start_column;            /* from 1, in bytes */
    int literal_lines;           /* lines of the literal of code and HTML */
    bool fenced;
};

/* Fill page->blocks from the leaves, in order; page->lines is there already. `around[n - 1]` is
 * the innermost list item that line n lies in, as far as the parser says. */
void markdown_place(struct markdown_page *page, struct markdown_leaf *leaves, size_t n,
                    const struct markdown_item **around, struct arena *arena);
