/*
 * inert: Markdown that others wrote, wherever it is shown: forges and other programs show what is
 * HTML in it as HTML, and not every one of them takes scripts out.
 *
 * A plain tag such as <br> in a line of words, an address, a comment may stand. What has
 * attributes, what swallows or hides the text behind it (script, style, template …), what begins a
 * block of HTML, declarations, attributes in braces, and links that foreign_url_allowed() would not
 * let lead anywhere are text. Code is text already, but for programs that know no fences.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The text itself, or a copy without its controls (but tabs and line ends): what is left may be a
 * tag that was none with them. */
const char *inert_without_controls(struct arena *arena, const char *text);

/* A character at which such a tag, "](url", "]: url" or "{attributes}" begins. The text is without
 * controls. */
bool inert_is_odd(const char *all, size_t at);

/* A text of several blocks, contained (base/markdown/contain.h) and inert. `<` becomes an entity,
 * as inside of HTML, and in programs that find other ends of it, a backslash would not help. A
 * block of HTML of several lines becomes code: they could be a table or a list without it.
 * Importing and rendering pass a text through here, so that both sides see the same: a second time
 * it changes nothing. */
const char *inert_text(struct arena *arena, const char *text);
