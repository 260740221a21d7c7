/*
 * option: the rows of options, for what reads them: the command line, --help, the pages of the
 * manual, the completions of shells.
 */
#pragma once

#include "cli/cli.h"

struct option {
    char letter;                    /* 0: none */
    const char *name, *value, *doc; /* value NULL: a flag; "[=X]": only as --name=X, else "" */
    size_t at;                      /* in struct options */
    const char *const *choices;
};

/* True ends the walk. */
typedef bool option_visit(const struct option *o, void *data);

/* Calls `visit` for the options of a command or an action (NULL: none), then for those of every
 * command. The option that ended the walk; NULL. */
const struct option *option_each(const enum option_id *ids, option_visit *visit, void *data);

/* The i-th value that the option may have; NULL behind the last, and where any text may stand. */
const char *option_choice(const struct option *o, const struct command *c, size_t i);

/* What --help says of it; `c` is the command that takes it. */
const char *option_doc(const struct option *o, const struct command *c, struct arena *arena);

/* Is it one of every command? */
bool option_is_global(const struct option *o);

/* Is its value given as --name=X only? */
bool option_is_optional(const struct option *o);
