/*
 * diff_side: one side of a comparison, opened.
 *
 *   a folder       a run: the training logs in it are found by their names (*.log, *.log.txt,
 *                  *.output, *.csv, but for monitors), and the one with the most steps is read; a
 *                  tree of runs of more than one case is refused, with their names
 *   *.tar.zst      a sealed submission, the same way; one that is not intact is refused. So is a
 *                  file called by a SHA-256, as an archive has them
 *   any other      a curve (csv.h) when it begins like one, else a log (verifier/logs/log.h); of a
 *                  curve of several runs FILE#COLUMN is one
 *
 * A run also gives the fingerprint of its machine and the case that was run, where they are there.
 * Steps rise in the curve; of a step that is reported more than once the last report counts.
 * Everything lives in the arena. Faults that leave something readable are warnings in `diags`.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/facts.h"
#include "base/records/verdict.h"
#include "verifier/diff/csv.h"

struct pattern_row;

struct diff_side {
    const char *name; /* as the user named it */
    const char *kind; /* "curve", "log", "run", "submission" */
    const char *log;  /* file with the steps, inside of name for runs and submissions */
    const char *format;
    size_t logs; /* with steps, in all */
    struct curve curve;
    int *line;                  /* of each step of the curve */
    double *clock_ms;           /* the same; NaN: not known */
    size_t n_clocks;            /* as many */
    size_t reports;             /* of a loss, repeated ones too */
    size_t repeated;            /* reports of a step that was there already */
    size_t changed;             /* of these, with another loss */
    double skipped, skipped_of; /* steps, as its log says; 0: none */
    double first_repeated;
    int first_repeated_line;
    bool rising;         /* the steps of the file, as they stand there */
    int fall_line;       /* where they first fall; 0 */
    struct diags faults; /* of what is read of it */
    struct facts facts;
    struct case_record *kase; /* NULL */
    const char *plan;         /* that is claimed for it, where the case says none; the caller's */
};

/* ERR_INPUT when there is nothing to compare in it. A submission is read in a worker
 * (base/process/worker.h), which cannot be asked for by another. */
int diff_side_open(const char *path, const char *name, struct diff_side *out, struct arena *arena,
                   struct diags *diags, struct err *err);

/* The same with rows of a project (verifier/logs/log.h) for a log by itself. */
int diff_side_open_own(const char *path, const char *name, const struct pattern_row *own,
                       struct diff_side *out, struct arena *arena, struct diags *diags,
                       struct err *err);

int diff_side_of_submission(const char *path, const char *name, struct diff_side *out,
                            struct arena *arena, struct diags *diags, struct err *err);

/* The same from the bytes of a file; no folder, and no file is looked for. */
int diff_side_read(struct bytes in, const char *path, const char *name, struct diff_side *out,
                   struct arena *arena, struct diags *diags, struct err *err);

/* The column that the path names, "tp2" in "a.csv#tp2"; NULL: none, or the file is called so. */
const char *diff_side_column(const char *path);

/* Reports that were counted are every `stride` steps. */
void diff_side_stride(struct diff_side *side, double stride);

/* The line of the curve's step; 0 when it is not there. */
int diff_side_line(const struct diff_side *side, double step);

/* "TP8PP4DP1", by the case that was run, else as it is claimed; NULL when none is known. */
const char *diff_side_plan(const struct diff_side *side, struct arena *arena);
