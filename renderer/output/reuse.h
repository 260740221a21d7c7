/*
 * reuse: files that need not be made again, because what they would be made from is what it was.
 *
 * Who makes files from results asks, before it makes one: reuse_keeps(reuse, path, &key). The key
 * stands for all that this file depends on beside what is the same for all files (templates, words,
 * the program): one result (reuse->results[i]), or a list of them in their order, by reuse_hash_*.
 * True: the file stays as it is and must not be made. A file that is made without asking is no
 * fault, only slower.
 *
 * A file that has to be made may have been made by the last build, too, and have parts that are the
 * same: reuse_old gives its bytes, and reuse->same which results are as they were then.
 *
 * Asked on one thread, once for each file, but for the old bytes, which any thread may ask for. A
 * key is 128 bits of SHA-256.
 */
#ifndef RENDERER_OUTPUT_REUSE_H
#define RENDERER_OUTPUT_REUSE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/signing/hash.h"

#include <stdint.h>

struct reuse_key {
    uint64_t high, low;
};

struct reuse {
    const struct reuse_key *results; /* one for each result, in their order */
    const struct reuse_key
        *listed;      /* the same: what lists show of it (renderer/site/sheet/listed.h) */
    const bool *same; /* by result: its key was the same in the last build; NULL: not known */
    bool (*keeps)(void *self, const char *path, const struct reuse_key *key);
    bool (*keeps_folder)(void *self, const char *path, const struct reuse_key *key);
    bool (*old)(void *self, const char *path, struct arena *arena, struct bytes *text);
    void *self;
};

/* Without a `reuse` everything is made. */
bool reuse_keeps(const struct reuse *r, const char *path, const struct reuse_key *key);

/* The same, for a file of which it is known that all files of its folder with this key are made
 * with it: these stay, too. They may still be asked for singly; those that there were none of are
 * not. */
bool reuse_keeps_folder(const struct reuse *r, const char *path, const struct reuse_key *key);

/* What the last build wrote there; false: nothing, or it is not known. */
bool reuse_old(const struct reuse *r, const char *path, struct arena *arena, struct bytes *text);

/* The key of something made from several: hash_init, these, reuse_hash_final. */
void reuse_hash_number(struct hash *h, uint64_t number);
void reuse_hash_key(struct hash *h, const struct reuse_key *key);
void reuse_hash_text(struct hash *h, const char *text); /* with its end */
struct reuse_key reuse_hash_final(struct hash *h);

bool reuse_key_equal(const struct reuse_key *a, const struct reuse_key *b);

#endif
