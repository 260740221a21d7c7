/*
 * verify_shard: `fpreport verify --shard K/N`, one of several processes that share the results
 * (base/project/shard.h, verifier/shard_doc.h).
 */
#ifndef CLI_VERIFY_VERIFY_SHARD_H
#define CLI_VERIFY_VERIFY_SHARD_H

#include "cli/cli.h"

struct rules;

/* An exit code. Where -o names a document of the same shard, records, rules, tool and options,
 * nothing is verified, and the code is the one that it ended with. */
int cli_verify_shard(struct cli *cli, const struct rules *rules, int fail_on);

#endif
