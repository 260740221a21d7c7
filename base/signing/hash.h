/*
 * hash: SHA-256, the only digest that we show, always as 64 lower-case hex digits; and
 * SHA-512, raw, for sshsig.h.
 *
 * Of bytes at hand (hash_sha256), of a file (hash_file), or piece by piece:
 *
 *     struct hash h;
 *     char hex[HASH_HEX_SIZE];
 *     hash_init(&h);
 *     hash_add(&h, "abc", 3);
 *     hash_final(&h, hex);
 *
 * FIPS 180-4, computed by OpenSSL. SHA-256 by the functions that need no provider: to start one,
 * and to read the system's openssl.cnf for it, takes as long as a tenth of what verifies a record.
 * They take no memory and cannot fail. A library that cannot do SHA-512 is a broken invariant and
 * ends the process, as running out of memory does (base/arena.h); callers have no error to handle.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define HASH_HEX_LEN 64
#define HASH_HEX_SIZE (HASH_HEX_LEN + 1) /* with the NUL */
#define HASH_SHA256_BYTES (HASH_HEX_LEN / 2)

/* Before anything else in a process that asks for a digest: the library's memory is ours, so that a
 * signature is never taken for a wrong one because there was none (base/arena.h). */
void hash_start(void);

struct hash {
    _Alignas(8) unsigned char state[112]; /* the library's */
};

void hash_init(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t len);
void hash_final(struct hash *h, char hex[HASH_HEX_SIZE]);
void hash_final_raw(struct hash *h, unsigned char raw[HASH_SHA256_BYTES]);

void hash_sha256_raw(const void *data, size_t len, unsigned char raw[HASH_SHA256_BYTES]);
void hash_sha256(const void *data, size_t len, char hex[HASH_HEX_SIZE]);

/* Of a regular file of at most `max` bytes, read in pieces. ERR_INPUT as in file_read. */
int hash_file(const char *path, size_t max, char hex[HASH_HEX_SIZE], struct err *err);
/* The same of one that is open; `path` is its name for messages. */
int hash_open_file(int fd, const char *path, size_t max, char hex[HASH_HEX_SIZE], struct err *err);

/* Is this string exactly one digest in our form? NULL is not. */
bool hash_is_hex(const char *s);

#define HASH_SHA512_BYTES 64
void hash_sha512(const void *data, size_t len, unsigned char raw[HASH_SHA512_BYTES]);

/* "OpenSSL 3.0.…", at run time. */
const char *hash_library_version(void);
