/*
 * sshkey: public keys as OpenSSH writes them, and the strings that its formats are made of.
 *
 * A string is a length (uint32, big endian) and so many bytes (RFC 4251, section 5); a public key
 * is a string of strings, of which the first names its type (RFC 8709 for Ed25519). Only Ed25519
 * keys can be used; others are known by their type.
 */
#ifndef BASE_SIGNING_SSHKEY_H
#define BASE_SIGNING_SSHKEY_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/signing/hash.h"

#include <stdbool.h>

#define SSHKEY_ED25519 "ssh-ed25519"

struct sshkey {
    const char *type;        /* "ssh-ed25519" */
    struct bytes blob;       /* the whole, as it is compared and hashed */
    const char *fingerprint; /* "SHA256:…", as ssh-keygen -l prints it */
    bool usable;             /* Ed25519, and whole */
    unsigned char ed25519[HASH_ED25519_KEY_BYTES];
};

/* False when the bytes are no public key of any type. Everything lives in `arena`; the blob is
 * borrowed. */
bool sshkey_parse(struct bytes blob, struct arena *arena, struct sshkey *out);

bool sshkey_same(const struct sshkey *a, const struct sshkey *b);

/* Is this the name of a key type that OpenSSH has? */
bool sshkey_is_type(const char *word);

/* A reader of strings. Each takes what it reads off the front; false: it is not there. */
struct sshkey_reader {
    const char *at;
    size_t left;
};
bool sshkey_take_number(struct sshkey_reader *r, unsigned *out);
bool sshkey_take_string(struct sshkey_reader *r, struct bytes *out);

/* Is the string exactly this text? */
bool sshkey_bytes_are(struct bytes b, const char *text);

#endif
