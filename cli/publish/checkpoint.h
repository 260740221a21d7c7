/*
 * publish_checkpoint: the signed word about an archive's log and the site that goes with it.
 *
 * With --sign, and where the site has a log (archive/log.jsonl), a checkpoint
 * (base/store/checkpoint.h) of that log and of all other files is signed, kept in the archive, and
 * published as archive/checkpoint.json and its .sig. One that is kept there and still says this
 * very log and site is published again as it is, with or without a key, so that the same site is
 * the same commit.
 */
#pragma once

#include "cli/cli.h"
#include "renderer/publish/site.h"

/* An exit code, after messages. */
int publish_checkpoint(struct publish_site *s, struct cli *cli);
