/*
 * site_shard: one of several processes that make a site, and what joins their files.
 *
 * A file of the site belongs to the shard SHA-256(its folder) mod N. `build --verdicts V --shard
 * K/N -o PARTS/K` makes those of shard K alone, into a folder like that of a site, with one more
 * file, SITE_SHARD_NAME: which shard of what it is. `build --join PARTS -o SITE` puts the files of
 * all of them together; what is written is what a build of all of it writes.
 *
 * Tables and lists that show all results are of one folder each, but are made from all verdicts:
 * every shard loads all records.
 */
#pragma once

#include "base/project/shard.h"
#include "cli/build/build.h"

#define SITE_SHARD_NAME "shard.json"

/* --shard, where it is given; needs --verdicts. An exit code. */
int site_shard_begin(struct build *b);

/* Is this file of the shard? True without --shard. */
bool site_shard_has(const struct build *b, const char *path);

/* Files that are not are not made, where that is asked before. */
void site_shard_skip(struct build *b);

/* The last file of a part; nothing without --shard. `code` is what the verdicts come to. */
int site_shard_emit(struct build *b, int code, file_sink *emit, void *self, struct err *err);

/* The files of all parts in the folder that --join names. An exit code: the worst of theirs. */
int site_shards_join(struct cli *cli, const char *out);
