/*
 * verify: a result in, a verdict out.
 *
 * The result may be a record, or a published page that was imported: the same rules hold. Its
 * evidence (sealed submissions below the records folder) is opened, checked and recomputed from.
 * A submission can also be verified by itself: then nothing is stated, and the verdict holds its
 * integrity and the recomputed figures, from which collector/submission/draft.h writes a record.
 *
 * A tree of loose files is read the same way, but nothing that it gives is worth a state.
 *
 * The state is derived from the checks and metrics, never stored:
 *   withdrawn   the record says so
 *   failed      a check of severity error failed
 *   verified    every claimed figure was recomputed from intact evidence and agrees
 *   partial     some were, or nothing but the vendor saw the run
 *   unverified  none was, or the evidence is not sealed, or rules were left out
 * (verifier/checks/rules.h): what they would find is open
 *
 * Everything in the verdict lives in `arena` or is borrowed from the project and the result.
 * Verdicts are written by verdicts.h.
 */
#pragma once

#include "base/arena.h"
#include "base/project/project.h"
#include "base/records/verdict.h"

struct rules;
struct submission;

/* `rules` NULL: the whole current set (verifier/checks/rules.h). `records` is the folder that
 * evidence paths are relative to; NULL: the project's root. */
void verify_result(const struct project *project, const struct rules *rules,
                   const struct result *result, const char *records, struct arena *arena,
                   struct verdict *out);

/* The same with the bytes of a submission in place of every file of evidence, and, unless NULL, of
 * every archive of a reproduction. */
void verify_result_with(const struct project *project, const struct result *result,
                        const struct bytes *packed, const struct bytes *repeated,
                        struct arena *arena, struct verdict *out);

/* ERR_INPUT when the file is no submission that can be opened at all, or not in the canonical form:
 * readers may differ about what is in such a file, so that nothing is said of it. */
int verify_archive(const struct project *project, const struct rules *rules, const char *path,
                   struct arena *arena, struct verdict *out, struct err *err);

/* Asked in the worker, once everything else is known of a submission: what it has to say of it is
 * handed on as it is. */
typedef void verify_look(const struct submission *s, struct buf *said);

#define VERIFY_SAID_MAX ((size_t)1 << 20) /* more is no answer */

/* The same, with what `look` says; *said is "" where nothing can be opened. */
int verify_archive_looking(const struct project *project, const char *path, verify_look *look,
                           const char **said, struct arena *arena, struct verdict *out,
                           struct err *err);

/* The same of bytes at hand, read by this process: those of a submission that we make. */
int verify_archive_with(const struct project *project, const struct rules *rules, const char *path,
                        const struct bytes *packed, struct arena *arena, struct verdict *out,
                        struct err *err);

/* The state that the checks and metrics of a verdict add up to. */
enum state verify_state(const struct verdict *v, bool withdrawn);

/* What a tree is held to. */
struct pattern_row;

struct verify_against {
    const struct result *result;    /* whose rows are compared; NULL: nothing is stated */
    int table, row;                 /* of the row; 0: the one row of the run's size */
    const struct case_record *kase; /* NULL: the one that the files name */
    /* What whoever verifies says of logs: an accelerator's id, sizes, and the model, with which
     * length and precision are those that the logs print (no precision: bf16). NULL: nothing. */
    const char *card;
    const struct layout *laid;
    const struct model *model;
    const struct rules *rules;         /* that are run; NULL: the whole current set */
    const struct pattern_row *formats; /* of the project (verifier/logs/log.h); NULL */
};

/*
 * Loose files: a tree of results as FlagPerf leaves it (a run, or a case, round or node in it), a
 * run directory of `fpreport train`, or one log or monitor. One verdict for each round of each
 * case is added to *out. Its state is failed or unverified, never more: see struct found_files.
 * ERR_INPUT when nothing of a run is there, ERR_USAGE when no row or several fit.
 */
int verify_tree(const struct project *project, const char *path,
                const struct verify_against *against, struct arena *arena, struct verdict **out,
                size_t *n, struct diags *diags, struct err *err);

/* Is this text a training log (a line of it is known), and no page? */
bool verify_is_log(const char *path, struct arena *arena);

/* Many results, on all cores.
 *
 * Each is verified as verify_result does it. The verdicts are in the order of the results and do
 * not depend on the number of cores. */

/* out[i] is the verdict on results[i]. */
void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out);

/* Only those at these places, of which there are n: out[which[k]] is the verdict on
 * results[which[k]]. */
void verify_some(const struct project *project, const struct rules *rules,
                 const struct result *results, const size_t *which, size_t n, struct arena *arena,
                 struct verdict *out);
