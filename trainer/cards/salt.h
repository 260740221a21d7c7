/*
 * salt: what serial numbers, UUIDs, hardware addresses and host names are hashed with, so that two
 * fingerprints can show the same card or machine without showing which one it is.
 *
 * A salt is 32 random bytes, kept by whoever submits as 64 hex digits and a newline in a file that
 * only they may read: $XDG_CONFIG_HOME/fpreport/salt, else $HOME/.config/fpreport/salt. It is made
 * when it is needed first, and copied by hand to the machines that are to be told apart under one
 * submitter. It is secret: serial numbers and names are short enough to be guessed, so that with
 * the salt in public their hashes would be no better than they are. It is in no run and no
 * submission; its id is, so that it is known which hashes may be compared.
 *
 *     hash = the first 32 digits of SHA-256("<salt>:<kind>:<value>")
 *     id   = the first 16 digits of SHA-256("fpreport-salt:<salt>")
 *
 * <kind> is the key of the fact (base/records/facts.h), so that a name is never compared with a
 * serial.
 */
#pragma once

#include "base/arena.h"

#define SALT_HASH_LEN 32
#define SALT_ID_LEN 16

struct salt {
    const char *hex;    /* NULL: there is none, and then */
    const char *reason; /* why */
    const char *id;
};

/* Where it is; NULL: no environment variable says where. */
const char *salt_path(struct arena *arena);

/* Read it, or make it where there is none. `path` NULL: salt_path(). */
void salt_open(struct salt *s, const char *path, struct arena *arena);

/* The hash of one value; `s` has a salt. */
const char *salt_hash(const struct salt *s, const char *kind, const char *value,
                      struct arena *arena);
