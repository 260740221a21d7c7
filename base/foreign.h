/*
 * foreign: what text that others wrote may not bring into a page, and names of files into a
 * message.
 *
 * Two questions that every writer of HTML and Markdown asks in the same way, and one line of text
 * for terminals and for documents that other programs show. Escaping itself is done where the text
 * is written (renderer/templates/escape.h, base/markdown/markdown.h).
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Would this character be invisible, or change how its neighbours are read? C0 and C1 controls
 * except tab, newline and carriage return; the bidirectional controls (U+061C, U+200E, U+200F,
 * U+202A–U+202E, U+2066–U+2069); all else that Unicode lets a program not show at all (its
 * Default_Ignorable_Code_Point: U+00AD, U+200B, U+2060–U+206F, U+FEFF, the fillers of Hangul,
 * variation selectors, tags from U+E0000 on, in which whole sentences can be hidden); line ends
 * that are none (U+2028, U+2029); non-characters. They are shown as U+FFFD. U+200C, U+200D, U+FE0E
 * and U+FE0F are not among them: they are part of how words and emoji are spelled.
 */
bool foreign_is_hidden(uint32_t code);

/* Is there nothing in it that anybody sees? White space of every width, and what is hidden. */
bool foreign_is_blank(const char *text);

/* The text on one line, without what is hidden: tabs and line ends are blanks, hidden characters
 * and invalid bytes U+FFFD. Beyond `max` bytes it is cut and ends in "…"; 0: not cut. */
const char *foreign_line(struct arena *arena, const char *text, size_t max);

/*
 * May a link lead there? https, http and mailto, and what is relative to the page or the site
 * (`a/b`, `../a`, `/a`, `?q`, `#f`). Not `//host`, not any other scheme, and nothing with white
 * space, controls or backslashes, which browsers drop or turn before they look at the scheme.
 */
bool foreign_url_allowed(const char *url);

/* Is it a whole address, of http, https or mailto, in characters that a URL may have (RFC 3986;
 * others as they are written in any language) and nothing else? */
bool foreign_url_whole(const char *url);

#define FOREIGN_NAME_MAX 240
#define FOREIGN_DEPTH_MAX 12 /* components */

/*
 * What is wrong with this name, or NULL. Allowed: 1 to FOREIGN_NAME_MAX bytes, 1 to
 * FOREIGN_DEPTH_MAX components of `A-Z a-z 0-9 . _ + : -`, none empty, none beginning with '.' or
 * '-'. The colon is there because FlagPerf's case keys have it.
 */
const char *foreign_name_problem(const char *name);

/* `name` with every byte outside printable ASCII as \xNN, cut after 120 bytes: for messages. */
const char *foreign_name_shown(const char *name, struct arena *arena);
