/*
 * site_previous: what the last published site said of each result, from its data/index.json.
 *
 * A state is derived by every build and stored nowhere; that it was another one before is known
 * only from a site that was published: the branch has it, or the operator names its folder
 * (`fpreport build --previous DIR`). Each site hands on the history that it was given, with a line
 * more where state, rule set or figures are others, or the result is no longer in the records. A
 * result that was taken out stays, with what it stated last.
 *
 * Which figures are others is not in that file: its caller compares the published verdicts
 * (figures.h) and fills `changed`.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/records/verdict.h"

/* A figure of which something else was published than before. */
struct site_figure_change {
    int table, row;
    const char *name;                 /* key of its column */
    bool stated;                      /* by the vendor; else what checks recomputed */
    const char *before, *now;         /* NULL: there was, or is, none */
    const struct figure *said, *says; /* what these two say */
};

/* What a row stated that was added or removed. */
struct site_row_figure {
    const char *name, *stated;
    const struct figure *says; /* what that says */
};

/* A row that has no other in the publication before, or now (base/records/row_pairs.h): none of its
 * figures is another. */
struct site_row_change {
    bool added;
    int table, row;          /* in the publication that has it */
    const char *key, *words; /* base/figures/row_key.h; NULL: not known */
    struct site_row_figure *figures;
    size_t n_figures;
};

/* Some of them, and how many there are. */
struct site_figure_changes {
    struct site_figure_change *items;
    size_t n, total;
    struct site_row_change *rows; /* the new ones, then those that are gone */
    size_t n_rows, added, removed;
};

/* Is anything another than before? */
static inline bool site_any_change(const struct site_figure_changes *c)
{
    return c->total + c->added + c->removed > 0;
}

struct site_moment {
    enum state state;                   /* of a result that was taken out: its last */
    bool removed;                       /* it is no longer in the records */
    const char *tool, *rules;           /* that gave it */
    const char *date;                   /* day that it was published first; NULL: not known */
    struct site_figure_changes figures; /* that are others than in the publication before */
};

/* A sealed run that was published as evidence. */
struct site_was_run {
    int table, row;
    const char *archive, *sha256; /* NULL: not known */
    const char *date;             /* when it ended, as events have it; NULL */
};

struct site_was {
    const char *id;              /* "<vendor>/<case>" */
    const char *called;          /* the id that it was published under: site_previous_rename() */
    struct site_moment *history; /* the oldest first; at least one */
    size_t n_history;
    size_t revisions;                   /* publications that changed a figure of it */
    const char *figures_sum;            /* site_figures_sum(); NULL: not known */
    struct site_figure_changes changed; /* since; the caller's */
    struct site_was_run *runs;
    size_t n_runs;
    struct verdict_reproduction *reproductions; /* id, place, who, when, outcome and archive */
    size_t n_reproductions;
    /* Of one that was taken out: */
    bool removed;
    const char *last;             /* day of the last publication that had it; NULL */
    const struct metric *figures; /* that it stated then: place, name, stated, recomputed */
    size_t n_figures;
    bool judged;                    /* each figure's outcome and source are known, too */
    const struct verdict_row *rows; /* and of which rows: place, key and words */
    size_t n_rows;
    const struct withdrawal *withdrawn; /* NULL: no reason was stated */
};

struct site_previous {
    struct site_was *items; /* by id; those that were taken out, too */
    size_t n;
    const char *tool, *rules;
    const char *date; /* day of that publication; NULL: not known */
};

#define SITE_HISTORY_MAX 1000 /* lines of one result: of more, the first and the newest count */
#define SITE_FIGURES_SHOWN 50 /* changed figures of one moment, and rows; of more, the first */
#define SITE_ROW_FIGURES 40   /* of one row that is told */
#define SITE_REVISIONS_SHOWN                                                                    \
    20                         /* the newest moments that tell figures; of older ones the count \
                                */
#define SITE_RUNS_KEPT 1000    /* sealed runs of one result, and reproductions */
#define SITE_FIGURES_KEPT 2000 /* of a result that was taken out */

#define SITE_INDEX_FILE "data/index.json"
#define SITE_SUMS_FILE "data/figures.json"
#define SITE_INDEX_BYTES_MAX ((size_t)256 << 20)

/* "removed": in the place of a state. */
#define SITE_REMOVED "removed"

/* -1 with a diagnostic when there is no such file, or it is none of ours. */
int site_previous_load(struct site_previous *out, const char *folder, struct arena *arena,
                       struct diags *diags);

/* The same of the bytes of that file, which `arena` holds; `name` is for messages. */
int site_previous_read(struct site_previous *out, const char *name, struct bytes text,
                       struct arena *arena, struct diags *diags);

/* A record that was renamed in the case of its letters alone is the same result: what was published
 * under an id that is none of these `n` gets the one that is its own but for that, unless another
 * result has it. */
void site_previous_rename(struct site_previous *p, const char *const *ids, size_t n,
                          struct arena *arena);

/* Sums of figures, from the bytes of SITE_SUMS_FILE; what is no such file says nothing. */
void site_previous_sums(struct site_previous *p, struct bytes text, struct arena *arena);

/* The last state of each. */
enum state site_was_state(const struct site_was *was);

/* NULL when it was not there, or `previous` is NULL. */
struct site_was *site_previous_find(const struct site_previous *previous, const char *id);
