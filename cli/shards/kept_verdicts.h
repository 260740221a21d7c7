/*
 * kept_verdicts: the verdicts of a project as its shards kept them (verifier/shard_doc.h), for a
 * build that does not verify again.
 *
 * They are taken when the shards are all of one verification of the records as they are now, with
 * the rules and the tool of now; anything else is a usage error. What crosses cases is answered
 * here (verifier/across.h), since a build has all results.
 */
#pragma once

#include "cli/cli.h"

struct project;
struct verdict;

/* One for each result of the project, in their order. An exit code. */
int cli_take_verdicts(struct cli *cli, const char *folder, struct project *p,
                      struct verdict *verdicts);
