/*
 * reuse: files that need not be made again, because what they would be made from is what it was.
 *
 * Who makes files from results asks, before it makes one: reuse_keeps(reuse, path, &key). The key
 * stands for all that this file depends on beside what is the same for all files (templates, words,
 * the program): one result (reuse->results[i]), or a list of them in their order, by reuse_hash_*.
 * True: the file stays as it is and must not be made. A file that is made without asking is no
 * fault, only slower.
 *
 * Asked on one thread, once for each file. A key is 128 bits of SHA-256.
 */
#pragma once

#include "base/arena.h"
#include "base/pack.h"
#include "base/signing/hash.h"

#include <stdint.h>

struct reuse_key {
    uint64_t high, low;
};

struct reuse {
    const struct reuse_key *results; /* one for each result, in their order */
    const struct reuse_key
        *listed; /* the same: what lists show of it (renderer/site/sheet/reuse.h) */
    bool (*keeps)(void *self, const char *path, const struct reuse_key *key);
    bool (*keeps_folder)(void *self, const char *path, const struct reuse_key *key);
    void *self;
};

/* Without a `reuse` everything is made. */
bool reuse_keeps(const struct reuse *r, const char *path, const struct reuse_key *key);

/* The same, for a file of which it is known that all files of its folder with this key are made
 * with it: these stay, too. They may still be asked for singly; those that there were none of are
 * not. */
bool reuse_keeps_folder(const struct reuse *r, const char *path, const struct reuse_key *key);

/* The key of something made from several: hash_init, these, reuse_hash_final. */
void reuse_hash_number(struct hash *h, uint64_t number);
void reuse_hash_key(struct hash *h, const struct reuse_key *key);
void reuse_hash_text(struct hash *h, const char *text); /* with its end */
struct reuse_key reuse_hash_final(struct hash *h);

void reuse_pack_key(const struct reuse_key *key, struct buf *out);
struct reuse_key reuse_unpack_key(struct unpack *u);

bool reuse_key_equal(const struct reuse_key *a, const struct reuse_key *b);
