/*
 * verify_shard: `fpreport verify --shard K/N`, one of several processes that share the results
 * (base/project/shard.h, verifier/shard_doc.h).
 */
#pragma once

#include "cli/cli.h"

struct rules;

/* What verdicts depend on beside records, rules and tool, as shards name it. */
const char *cli_shard_settings(struct cli *cli);

/* An exit code. Where -o names a document of the same shard, records, rules, tool and options,
 * nothing is verified, and the code is the one that it ended with. */
int cli_verify_shard(struct cli *cli, const struct rules *rules, int fail_on);
