/*
 * shard: a part of the records, for one of several processes that share the work.
 *
 * A result belongs to the shard SHA-256(case id) mod N, the digest as one number, its first byte
 * the highest: all results of a case are in one, so that rules which compare them find them all.
 * Which shard is known from the path of a record; nothing of the others is read.
 *
 * `list` is the digest of what all shards must agree about: the paths of all records, and the
 * bytes of those that every shard reads (vendors, accelerators, models, site.json, signers/).
 * `own` is that of the bytes of the records of this shard. Evidence is known by the digests that
 * records state of it.
 */
#pragma once

#include "base/arena.h"
#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>

#define SHARDS_MAX 4096

/* The record of a case or a result, as it was listed. `place`: among the results of all shards, in
 * the order in which they are loaded. */
struct shard_file {
    const char *path, *instead; /* instead: what it is, where it is no file; NULL */
    size_t place;
    struct bytes text; /* without data: not kept, or it could not be read */
};

struct shard {
    unsigned number, of; /* from 0; below `of` */
    char list[HASH_HEX_SIZE], own[HASH_HEX_SIZE];
    struct shard_file *cases, *results; /* of this shard */
    size_t n_cases, n_results;
    size_t n_all; /* results of all shards */
    /* Where the texts of its records are kept when they are listed, so that what is loaded is what
     * `own` is of, and is read once; NULL: they are not. */
    struct arena *texts;
};

/* "K/N"; ERR_USAGE. */
int shard_read(const char *text, struct shard *out, struct err *err);

/* SHA-256 of the text mod `of`. */
unsigned shard_number(const char *text, size_t len, unsigned of);

bool shard_has(const struct shard *s, const char *case_id, size_t len);

/* Sets all but `number` and `of`. ERR_USAGE when two vendors differ in the case of letters only,
 * and in shard 0, without which nothing is merged, when two cases do: which of them counts
 * (names.h) no shard could know. */
int shard_list(struct shard *s, const char *root, struct arena *arena, struct err *err);

/* The same of all shards at once: own[k] is that of number k. */
int shard_list_each(struct shard *s, const char *root, char (*own)[HASH_HEX_SIZE],
                    struct arena *arena, struct err *err);

/* The place of a result of this shard; `from` is that of the one before in s->results, at first 0,
 * for results are asked for in their order. */
size_t shard_place_of(const struct shard *s, const char *path, size_t *from);
