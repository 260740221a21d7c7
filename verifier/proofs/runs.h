/*
 * runs: which run each piece of evidence is of that the project's results name.
 *
 * Compressed again, or signed by somebody else, a run is another file and the same run: its id is
 * that of the files (base/sealed/submission.h). What the archive's log names is known from there;
 * another file is read, in a worker, where somebody may ask for its run: when the log has anything
 * withdrawn, or another vendor's result of the case has evidence, too. With such a rival the files
 * in it are asked for in any case: one altered beside the log of losses makes another run of it. Of
 * them only those are kept that two vendors have (verifier/proofs/rivals.h).
 */
#pragma once

#include "base/err.h"
#include "base/project/project.h"

/* Sets evidence.run and .own of the project's results, and p->rivals, where it can be known;
 * p->store and p->signers are set before.
 * ERR_IO: this machine could not read one, so that nothing may be concluded. */
int runs_find(struct project *p, struct err *err);

/* The same of a result that is none of the project's, whose evidence lies below `records`. */
int runs_find_of(struct project *p, struct result *r, const char *records, struct err *err);
