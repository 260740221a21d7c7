/*
 * shard_merge: the documents of all shards (verifier/shard_doc.h) become the one that a
 * verification of all results writes, byte for byte, with its exit code.
 *
 * A folder holds them, one *.json each. All are read once to see that they are whole, of one list
 * of records, one set of rules, one tool and the same settings, and that none is missing; then
 * again to judge what crosses cases (verifier/across.h); then run after run is copied in the order
 * of the results. What is kept meanwhile is the digests of rows and where each run stands: a
 * document at a time is in memory.
 */
#pragma once

#include "verifier/shard_doc.h"

/* Where one run stands in the documents, and what has to be put into it. */
struct shard_run {
    size_t place;
    size_t at, len;
    unsigned shard; /* index of the set */
    unsigned patch; /* index + 1; 0: it is copied */
};

struct shard_patch {
    struct across_found *found;
    size_t n;
    enum state before, state;
};

struct shard_set {
    struct shard_doc *docs; /* by number; without their texts */
    size_t n;
    struct shard_run *runs; /* by place */
    size_t n_runs;
    struct across_all rows;
    struct shard_patch *patches;
    size_t n_patches;
    struct shard_lent *lent;
    size_t n_lent;
    struct shard_path *paths;
    size_t n_paths;
    size_t states[STATE_WITHDRAWN + 1];
    bool incomplete;
    int code; /* exit code that all of it comes to */
    struct arena *arena;
};

/* Is this a folder with a document of a shard? */
bool shard_set_is(const char *folder);

/* ERR_USAGE when it is not the whole of one verification, with what is missing, or what differs. */
int shard_set_open(const char *folder, struct arena *arena, struct shard_set *out, struct err *err);

/* The document, in parts to `sink`. ERR_IO. */
typedef int shard_sink(void *self, const void *data, size_t len, struct err *err);
int shard_set_write(const struct shard_set *s, const char *records, shard_sink *sink, void *self,
                    struct err *err);

/* The document of one shard with what crosses cases, to be compared. -1 with err or diagnostics. */
struct verdict_doc;
int shard_set_doc(const struct shard_set *s, unsigned shard, struct arena *arena,
                  struct verdict_doc *out, struct diags *diags, struct err *err);
