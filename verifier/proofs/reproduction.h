/*
 * reproduction: a second run of a result (base/records/reproduction.h), opened, measured and
 * judged.
 *
 * The new run is put in the place of the result's evidence and goes through the rules that hold
 * for evidence: what fails there as FP4001 … FP4007 makes the run no reproduction. What passes is
 * compared with the result's own evidence (reproduction_compare.c):
 *
 *   fingerprint   every fact that differs; the same kind of device is the same accelerator and
 *                 number of them, or the same processor where there is none
 *   loss          bits: every loss the same, for our own trainer on the same kind of device with
 *                 the same libraries and version; else the case's alignment rule, against the
 *                 evidence's curve, or the case's reference where the row has no evidence
 *   figures       measured / stated; a rate is judged on the same kind of accelerator only, to
 *                 REPRODUCTION_RATE_LIMIT; losses to the limit of the alignment
 *
 * The comparison is a record of its own. `fpreport reproduce` writes it down, `verify` makes it
 * again from the archives and holds the written one to it, field by field.
 */
#pragma once

#include "verifier/claims/audit.h"

/* A convention of ours, wide enough for what cards of one model differ by: binning, temperature,
 * power limit, driver, network. It is written into every record. */
#define REPRODUCTION_RATE_LIMIT 0.1

/* A log whose steps took, so many times over, exactly as long as those of another is that log. */
#define REPRODUCTION_COPY_STEPS 20

enum reproduction_fault_kind {
    REPRODUCTION_ARCHIVE,  /* not the file that was named, or not whole */
    REPRODUCTION_CASE,     /* not the result's case, or not to its end */
    REPRODUCTION_COPY,     /* not another run */
    REPRODUCTION_REPLACED, /* it was compared with evidence that the result no longer has */
    REPRODUCTION_RECORD,   /* what the record says is not what the run gives */
    REPRODUCTION_OUTCOME,  /* it does not agree with the result: no fault of the reproduction */
    REPRODUCTION_FAULTS
};

struct reproduction_fault {
    enum reproduction_fault_kind kind;
    const char *message, *file, *stated, *expected;
    int line;
};

struct reproduction_proof {
    const struct reproduction *stated;
    struct reproduction measured; /* only when there is no fault of archive and case */
    struct reproduction_fault *faults;
    size_t n_faults;
    bool sound; /* it counts: no fault but, perhaps, of the outcome */
};

/* Which reproductions of the project are of the audit's result; opens nothing. */
void reproductions_find(struct audit *a);

/* Runs the rules on an audit: rules_run (verifier/checks/rules.h), which lies above this folder.
 */
typedef void reproduction_judge(struct audit *a);

/* All that were found; after proofs_open. */
void reproductions_open(struct audit *a, reproduction_judge *judge);

/* Put what they gave into the verdict, beside the figures. */
void reproductions_note(struct audit *a);

/* The first fault of this kind from *i on; NULL at the end. */
const struct reproduction_fault *reproduction_next_fault(const struct reproduction_proof *t,
                                                         enum reproduction_fault_kind kind,
                                                         size_t *i);

/*
 * Measure a run that is no record yet: `begun` says whose it is (vendor, case, row, by, archive and
 * its SHA-256) and has no outcome, `packed` are the bytes of its archive. `out->measured` is what
 * the record should say when out->sound. It is done in a worker (base/process/worker.h); -1: it did
 * not come back, and for what reason.
 */
int reproduction_make(const struct project *project, const struct result *result,
                      const char *records, const struct reproduction *begun,
                      const struct bytes *packed, reproduction_judge *judge, struct arena *arena,
                      struct reproduction_proof *out, struct err *err);

/* The part of it that looks into archives; after audit_open. */
void reproduction_measure(struct audit *a, const struct reproduction *begun,
                          reproduction_judge *judge, struct reproduction_proof *out);

struct proof;

/* reproduction_compare.c: fill `measured` from the new run (the only proof of `again`, whose checks
 * were run) and the evidence that it repeats (NULL: none). */
void reproduction_compare(const struct audit *again, const struct proof *original,
                          struct reproduction_proof *t);
