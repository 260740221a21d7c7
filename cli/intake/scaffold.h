/*
 * scaffold: a new folder, made whole or not at all; what is there is never written to.
 *
 * The files are written beside it and renamed to it at the end; what a run left there that was
 * killed, the next one of the same name clears away. Templates are the files below
 * templates/new/<kind>/ of the project or as installed (cli_templates); in them "@NAME@" stands for
 * a word, and a part of a path that begins with "dot-" gets its dot.
 */
#pragma once

#include "cli/cli.h"

#include <stddef.h>

struct scaffold_word {
    const char *name, *value; /* "@CASE@", "tiny_llama" */
};

struct scaffold {
    struct cli *cli;
    const char *target;
    char *staging;
    int lock; /* of the staging folder, which says that its writer lives; -1: none can be had */
    size_t n; /* files */
};

/* ERR_USAGE when there is something at `target` (an empty folder is nothing), or its name is odd:
 * empty, control characters, invalid UTF-8, beginning with '-'. */
int scaffold_open(struct scaffold *s, struct cli *cli, const char *target, struct err *err);

int scaffold_add(struct scaffold *s, const char *path, const void *data, size_t len,
                 struct err *err);
/* As `path`; a file that is not there is an error. */
int scaffold_copy(struct scaffold *s, const char *from, const char *path, struct err *err);
int scaffold_templates(struct scaffold *s, const char *kind, const struct scaffold_word *words,
                       size_t n, struct err *err);

/* Both end it. */
int scaffold_commit(struct scaffold *s, struct err *err);
void scaffold_abort(struct scaffold *s);
