/*
 * verify_bundle: the verdict of a result page from the bundle that the page offers
 * (base/project/bundle.h), and nothing else: no records of this machine are asked.
 *
 * A worker (base/process/worker.h) takes the file apart and reads its records; where that went
 * well, this process reads the same records from the members that it answered. Evidence is judged
 * in a worker of its own, as of any result.
 */
#pragma once

#include "base/project/bundle.h"
#include "base/records/verdict.h"
#include "cli/cli.h"

struct rules;

/* Read it, with the keys of --signers where they are given. An exit code; what is wrong with it is
 * in cli->diags. */
int cli_bundle_open(struct cli *cli, const char *path, struct bundle **out);

/* `rules` NULL: the whole current set. */
void cli_bundle_verify(struct cli *cli, struct bundle *b, const struct rules *rules,
                       struct verdict *out);

/* What a verdict from bundles says of its records; and a line on stderr that tells this verdict
 * from that of the page; EXIT_CHECK when they differ. */
#define BUNDLE_RECORDS_SAID "records, evidence and signers are those of the bundle"
int cli_bundle_compare(struct cli *cli, const struct bundle *b, const struct verdict *v);
