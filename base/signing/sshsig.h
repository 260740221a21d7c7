/*
 * sshsig: detached signatures as `ssh-keygen -Y sign` makes them (OpenSSH, PROTOCOL.sshsig).
 *
 * Read strictly: version 1, a key that can sign, the hash sha512, the algorithm of that
 * key, nothing reserved, nothing behind the end, and the armour exactly as ssh-keygen writes it
 * (base64 in lines of 70), so that no other file says the same. Making signatures is left to
 * ssh-keygen, which has the keys (cli/sign.h).
 *
 * A signature that holds says that somebody with this key signed these bytes for this namespace;
 * whose key it is, and whether it counts, is signers.h.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/signing/signature.h"

#include <stdbool.h>

/* Public keys as OpenSSH writes them, and the strings that its formats are made of.
 *
 * A string is a length (uint32, big endian) and so many bytes (RFC 4251, section 5); a public key
 * is a string of strings, of which the first names its type (RFC 8709 for Ed25519, RFC 5656 for
 * ECDSA, RFC 4253 for RSA, PROTOCOL.u2f for FIDO keys). Keys that ssh-keygen -Y sign can use are
 * rows here, with what their verification needs (base/signing/signature.h does the mathematics);
 * others, certificates among them, are known by their type and sign nothing. */

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

/* What a submission's statement is signed for: a signature made for another purpose is none. */
#define SSHSIG_SUBMISSION "fpreport-submission-v1"
/* What is signed about an archive and its site (base/store/checkpoint.h). */
#define SSHSIG_CHECKPOINT "fpreport-checkpoint-v1"

#define SSHSIG_BYTES_MAX 16384 /* of the armour */

struct sshsig {
    struct sshkey key;
    const char *namespace;          /* as signed; may hold any bytes but NUL */
    struct key_signature signature; /* its bytes live in the arena */
    unsigned char flags;            /* of a FIDO key, which signs them and how often it was asked */
    unsigned counter;
};

/* ERR_INPUT with a clause about the signature ("is made by a key of type ssh-rsa, …"). */
int sshsig_parse(struct bytes armour, struct arena *arena, struct sshsig *out, struct err *err);

/* Is it a signature of this message, for this namespace, by its own key? */
bool sshsig_holds(const struct sshsig *s, const char *namespace, struct bytes message);

/* Was it made with a nonce of zero (RFC 8032, 5.1.6: r = 0, so that R is the neutral element and S
 * = k·s)? It may hold, and tells the private scalar s to everybody. ssh-keygen (OpenSSH 9.2) makes
 * such a one, and ends with 0, when it has no memory for a sum: found by `make torture`. */
bool sshsig_tells_its_key(const struct sshsig *s);
