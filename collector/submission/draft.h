/*
 * draft: the result record of a run, as a first version for its author to read and complete.
 *
 * Environment from the fingerprint, batch sizes from the case, one row of figures from what was
 * recomputed from the logs: a figure that could not be (an MFU without a known peak) has no
 * column. A fact that the machine does not have says 无 (none); "/" would mean that somebody
 * withholds it. The framework is the command's own, and cards, plan and global batch are those of
 * the run. Sentences are left to the renderer.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/facts.h"
#include "base/records/layout.h"
#include "base/records/verdict.h"

struct draft_input {
    const char *vendor_id;
    const struct vendor *vendor;           /* NULL: not in records/ */
    const struct case_record *case_record; /* the case as it was run */
    const struct model *model;             /* NULL: not in records/ */
    const struct facts *facts;
    const struct layout_source *laid; /* ranks, cards and plan of the run (base/records/layout.h) */
    const char *framework;            /* of a command, by its log; NULL: its log names none */
    const char *card;                 /* that is stated, as nothing shows one; NULL */
    bool adopted;                     /* fpreport did not witness the run */
    bool on_processor;                /* that trained, whatever cards the machine has */
    const struct metric *metrics;     /* recomputed from the logs */
    size_t n_metrics;
    const char *archive, *sha256; /* the sealed submission, relative to records/; NULL: none */
};

/* Everything lives in `arena` or is borrowed from the input. */
void draft_result(const struct draft_input *in, struct arena *arena, struct result *out);
