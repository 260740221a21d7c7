/*
 * diag: everything that is found in one input, in order.
 *
 * Readers that go on after a fault (record loader, page importer, template compiler) add one
 * diagnostic per fault here; cli prints them as `file:line:col: severity: message`. Strings are
 * copied into the arena, messages with what they were made of (sentence.h); those longer than
 * ERR_TEXT_MAX are cut as in err.h. At most DIAGS_MAX are kept; further ones are only counted.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>

enum severity { SEVERITY_NOTICE, SEVERITY_WARNING, SEVERITY_ERROR };

const char *severity_name(enum severity s); /* "notice", "warning", "error" */

struct diag {
    enum severity severity;
    const char *file;    /* as the user named it */
    int line, col;       /* from 1; 0: not known */
    const char *message; /* what was found, what was expected */
};

#define DIAGS_MAX 1000

struct diags {
    struct arena *arena; /* borrowed */
    struct diag *items;
    size_t n;       /* kept */
    size_t dropped; /* found beyond DIAGS_MAX */
    size_t errors;  /* of all found, how many were errors */
    size_t machine; /* of these, how many say that the machine refused (ERR_IO), not the input */
};

#define DIAGS_INIT(in) ((struct diags){.arena = (in)})
void diags_init(struct diags *d, struct arena *arena);

void diags_add(struct diags *d, enum severity severity, const char *file, int line, int col,
               const char *fmt, ...) __attribute__((format(printf, 6, 7)));

void diags_vadd(struct diags *d, enum severity severity, const char *file, int line, int col,
                const char *fmt, va_list ap) __attribute__((format(printf, 6, 0)));

/* All of `more` behind what is there. Nothing is copied: what `more` lives in must last as long. */
void diags_append(struct diags *d, const struct diags *more);

/* An error about the whole of `file`, whose message may begin with the file's name: what prints a
 * diagnostic prints the name itself, so it is not kept twice. */
void diags_add_err(struct diags *d, const char *file, int line, int col, const struct err *err);
