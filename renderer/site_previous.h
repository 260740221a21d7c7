/*
 * site_previous: what the last published site said of each result, from its data/index.json.
 *
 * A state is derived by every build and stored nowhere; that it was another one before is known
 * only from a site that was published: the branch has it, or the operator names its folder
 * (`fpreport build --previous DIR`). Each site hands on the history that it was
 * given, with a line more where state or rule set are others.
 */
#ifndef RENDERER_SITE_PREVIOUS_H
#define RENDERER_SITE_PREVIOUS_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/verdict.h"

struct site_moment {
    enum state state;
    const char *tool, *rules; /* that gave it */
    const char *date;         /* day that it was published first; NULL: not known */
};

struct site_was {
    const char *id;              /* "<vendor>/<case>" */
    struct site_moment *history; /* the oldest first; at least one */
    size_t n_history;
};

struct site_previous {
    struct site_was *items; /* by id */
    size_t n;
    const char *tool, *rules;
};

#define SITE_HISTORY_MAX 1000 /* lines of one result: of more, the first and the newest count */

#define SITE_INDEX_FILE "data/index.json"
#define SITE_INDEX_BYTES_MAX ((size_t)256 << 20)

/* -1 with a diagnostic when there is no such file, or it is none of ours. */
int site_previous_load(struct site_previous *out, const char *folder, struct arena *arena,
                       struct diags *diags);

/* The same of the bytes of that file, which `arena` holds; `name` is for messages. */
int site_previous_read(struct site_previous *out, const char *name, struct bytes text,
                       struct arena *arena, struct diags *diags);

/* The last state of each. */
enum state site_was_state(const struct site_was *was);

/* NULL when it was not there, or `previous` is NULL. */
const struct site_was *site_previous_find(const struct site_previous *previous, const char *id);

#endif
