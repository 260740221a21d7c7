/*
 * signature: does a signature hold? Ed25519 (RFC 8032), ECDSA on the curves of NIST (FIPS 186-4)
 * and RSA with PKCS #1 v1.5 (RFC 8017, 8.2), by OpenSSL's EVP interface. Where the numbers stand
 * in files is left to sshsig.h, and whose key counts to signers.h.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

#define ED25519_SIGNATURE_BYTES 64
#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 16384

enum public_key_kind {
    PUBLIC_KEY_OTHER,
    PUBLIC_KEY_ED25519,
    PUBLIC_KEY_P256,
    PUBLIC_KEY_P384,
    PUBLIC_KEY_P521,
    PUBLIC_KEY_RSA
};

/* Numbers are big endian, positive, without leading zeros. */
struct public_key {
    enum public_key_kind kind;
    struct bytes point;    /* Ed25519: 32 bytes; ECDSA: 4, x, y; RSA: the modulus */
    struct bytes exponent; /* of RSA */
};

struct key_signature {
    bool sha256;        /* RSA: with SHA-256 instead of SHA-512 */
    struct bytes bytes; /* Ed25519 and RSA: the whole; ECDSA: r */
    struct bytes s;     /* of ECDSA */
};

/* Is it as long as its kind is, and an RSA modulus of RSA_BITS_MIN to RSA_BITS_MAX? */
bool public_key_has_size(const struct public_key *key);

/* False, too, for numbers that are no key. */
bool signature_holds(const struct public_key *key, const struct key_signature *signature,
                     struct bytes message);

/* Let the library load what it needs for all kinds (base/process/sandbox.c). */
void signature_warm(void);
