/*
 * build_redact: what the archive's log withholds of a submission is taken out of what is published.
 *
 * Verdicts are made from whole submissions. Afterwards, and before anything is rendered, each piece
 * of evidence and each archive of a second run of which something is withheld
 * (collector/store/withheld.h) is made one of a redacted archive: its path has ".redacted" or
 * ".hashes" in it. One that the log made of the same file is taken; of a file that the log does not
 * know it is made here. What would quote a withheld file goes: its findings keep rule and outcome
 * and lose their words, the facts of a withheld fingerprint.json and the command line of a withheld
 * run.json are not known. Figures, curves and monitors that were computed stay: they are the
 * result. Of a second run stay its figures, date and device; the facts of both machines go from its
 * record, where a file of it or the fingerprint of the evidence is withheld, and what quotes a file
 * of it. It counts, whether its archive can be handed out (verdict_reproduction.held) or not.
 *
 * Of a submission that is not whole nothing is published where anything may be withheld of it: its
 * sha256 is NULL then. Which files those are its manifest cannot say, so all are taken as withheld.
 */
#pragma once

#include "cli/build/build.h"

/* ERR_INPUT where it is not known what the log withholds: then nothing may be published. */
int build_redact(struct build *b, struct err *err);
