/*
 * escape: foreign text on its way into a page, by the name of the place where it lands.
 *
 * Each function appends to `out` and cannot fail (the buffer's maximum is the caller's to
 * check). Input is a NUL-terminated string of any bytes; output is valid UTF-8: invalid
 * sequences and hidden characters (foreign_is_hidden: controls, bidirectional marks) are
 * written as U+FFFD, except where noted. All of them fit the escape of a template (mustache.h).
 */
#pragma once

#include "base/arena.h"

/* Text content and quoted attribute values: & < > " ' become entities. */
void escape_html(struct buf *out, const char *text);

/* The same, for text content alone: in what is long and has no blanks (a path, a version) lines may
 * break behind `_ . / + @ : = * -` before they break within a word; numbers stay whole. */
void escape_html_joined(struct buf *out, const char *text);

/*
 * One cell of a Markdown table, from text that is inline Markdown already: runs of line ends
 * become one space, a `|` that no backslash escapes becomes `\|`, a last backslash that would
 * escape the cell's own border is doubled, and control characters are dropped. Tags that could do
 * more than set text and links that foreign_url_allowed() would not let lead anywhere get a
 * backslash, which makes them text. All else is kept as it is (`46.77\*2`, `**x**`, `<br>`). A
 * second time it changes nothing.
 */
void escape_markdown_cell(struct buf *out, const char *text);

/* One line of Markdown (a list item, a heading): as a cell, but `|` and `\` are kept. */
void escape_markdown_line(struct buf *out, const char *text);

/* One line of a block that is kept as it was read (base/markdown/inert.h): tags and links stay,
 * because a backslash would make other blocks of what an HTML block holds. */
void escape_markdown_kept(struct buf *out, const char *text);

/* As it is: for templates whose output is plain text. */
void escape_none(struct buf *out, const char *text);
