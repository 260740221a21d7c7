/*
 * manual: pages of the manual, in roff's man macros, from the rows of commands and options.
 *
 * They say what --help says, in its words: a page of its own for the program and for each command,
 * whose actions are sections of it.
 */
#pragma once

#include "cli/cli.h"

/* Page of a command; NULL: of the program. */
void manual_page(struct buf *out, const struct command *c, struct arena *arena);

/* "fpreport-archive.1"; NULL: "fpreport.1". */
const char *manual_file(const struct command *c, struct arena *arena);
