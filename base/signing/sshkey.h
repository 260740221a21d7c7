/*
 * sshkey: public keys as OpenSSH writes them, and the strings that its formats are made of.
 *
 * A string is a length (uint32, big endian) and so many bytes (RFC 4251, section 5); a public key
 * is a string of strings, of which the first names its type (RFC 8709 for Ed25519, RFC 5656 for
 * ECDSA, RFC 4253 for RSA, PROTOCOL.u2f for FIDO keys). Keys that ssh-keygen -Y sign can use are
 * rows here, with what their verification needs (base/signing/signature.h does the mathematics);
 * others, certificates among them, are known by their type and sign nothing.
 */
#pragma once

#include "base/arena.h"
#include "base/bytes.h"
#include "base/signing/signature.h"

#include <stdbool.h>

struct sshkey {
    const char *type;        /* "ssh-ed25519" */
    struct bytes blob;       /* the whole, as it is compared and hashed */
    const char *fingerprint; /* "SHA256:…", as ssh-keygen -l prints it */
    bool usable;             /* whole, of a kind that signs, and not too short */
    struct public_key numbers;
    bool hardware;            /* a FIDO key, which signs for its application */
    struct bytes application; /* of a FIDO key: "ssh:" */
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
/* A positive whole number in its shortest form, without the zero before a first bit of 1. */
bool sshkey_take_positive(struct sshkey_reader *r, struct bytes *out);

/* Is the string exactly this text? */
bool sshkey_bytes_are(struct bytes b, const char *text);
