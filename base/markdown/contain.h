/*
 * contain: Markdown text that ends where it ends.
 *
 * A code fence or an HTML comment that is never closed takes in everything that a page puts
 * behind it. Text that others wrote is passed through here before anything is put behind it,
 * and when it is imported, so that both sides see the same text.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

/* The text itself when nothing is left open at its end; else a copy with the missing end added,
 * or, where no end helps, the whole text in a fence. Text that markdown_page_read refuses is
 * fenced, too, once. */
const char *contain_text(struct arena *arena, const char *text);

/*
 * Append one line of a paragraph with a backslash where it would otherwise begin a block of its
 * own (a bullet, a heading, an underline, HTML …). `first`: it is the first line; behind that,
 * fewer blocks can begin.
 */
void contain_line(struct buf *out, const char *line, bool first);

/* The text as a fenced code block that nothing in it can end. */
char *contain_fence(struct arena *arena, const char *text);

/* Is the whole text such a block? It ends where it ends, whatever markdown_page_read says of its
 * lines, whose caps do not know of fences. */
bool contain_is_fence(const char *text);
