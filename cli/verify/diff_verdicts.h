/* diff_verdicts: `fpreport diff OLD.json NEW.json` of two documents of verdicts. */
#pragma once

#include "cli/cli.h"

/* Is one of the two arguments such a document? */
bool cli_has_verdicts(const struct cli *cli);

int cli_diff_verdicts(struct cli *cli);

/* Are both folders of shards (verifier/shard_merge.h)? */
bool cli_has_shards(const struct cli *cli);

/* The same comparison, shard by shard. */
int cli_diff_shards(struct cli *cli);
