/*
 * verdict_shape: what a verdict is made of, by rows of fields (base/json/shape.h).
 *
 * One table for the four ways in which a verdict leaves a process: what a worker answers
 * (verifier/verify_workers.c), what the next build finds in its cache (cli/build/verdicts.h), the
 * bytes that a shard keeps for the build (cli/shards/kept_verdicts.h), and the document of schema
 * fpreport.verify/1 (json.c). The first three have every field that is handed on, the document
 * those that are shown.
 *
 * Whoever takes a verdict that may be forged believes only what the shape allows, and
 * what verdict_take() looks at: rules that exist, names that files can have, evidence that was
 * asked for. What a verdict borrows (its result, the names of archives and references, records of
 * second runs) is not believed: it is put in from the records, in the order of what was asked.
 */
#pragma once

#include "base/project/project.h"
#include "base/records/verdict.h"

/* More than any verdict has (AUDIT_CLAIMS_MAX rows of at most 30 figures and 100 rules). */
#define VERDICT_METRICS_MAX 32768
#define VERDICT_CHECKS_MAX 131072

extern const struct shape verdict_shape;
extern const struct shape row_evidence_shape;
extern const struct shape check_shape,
    finding_shape; /* struct check_result: as checks and findings show it */

/* What is known of one file of evidence without having looked into it. */
struct verdict_evidence {
    const char *archive, *sha256;
    const struct case_record *kase; /* that names the reference; NULL: any of the project may */
    int table, row;
};

/* A verdict that was read by its shape, made one of `v->result`: there must be `n` pieces of
 * evidence, those of `known`. False: it is none that could be. */
bool verdict_take(struct verdict *v, const struct project *project,
                  const struct verdict_evidence *known, size_t n);
