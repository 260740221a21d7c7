/*
 * build_redact: what the archive's log withholds of a submission is taken out of what is published.
 *
 * Verdicts are made from whole submissions. Afterwards, and before anything is rendered, each piece
 * of evidence and each archive of a second run that is not published in full is made one of the
 * redacted archive, which the log names: its path has ".redacted" or ".hashes" in it. What would
 * quote a withheld file goes: its findings keep rule and outcome and lose their words, the facts of
 * a withheld fingerprint.json and the command line of a withheld run.json are not known. Figures,
 * curves and monitors that were computed stay: they are the result.
 */
#ifndef CLI_BUILD_REDACT_H
#define CLI_BUILD_REDACT_H

#include "cli/build.h"

void build_redact(struct build *b);

#endif
