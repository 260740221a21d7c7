#include "base/signing/hash.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* SHA-256 without a provider: see hash.h */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#define PIECE_BYTES 65536

static void *crypto_alloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return size ? memory_grow(NULL, size) : NULL;
}

static void *crypto_grow(void *old, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (size)
        return memory_grow(old, size);
    free(old);
    return NULL;
}

static void crypto_free(void *old, const char *file, int line)
{
    (void)file, (void)line;
    free(old);
}

void hash_start(void)
{
    CRYPTO_set_mem_functions(crypto_alloc, crypto_grow, crypto_free);
}

_Static_assert(sizeof(SHA256_CTX) == sizeof((struct hash *)0)->state, "the room in hash.h");

static SHA256_CTX *sha256_of(struct hash *h)
{
    return (SHA256_CTX *)(void *)h->state;
}

void hash_init(struct hash *h)
{
    SHA256_Init(sha256_of(h));
}

void hash_add(struct hash *h, const void *data, size_t len)
{
    SHA256_Update(sha256_of(h), data, len);
}

void hash_final_raw(struct hash *h, unsigned char raw[HASH_SHA256_BYTES])
{
    SHA256_Final(raw, sha256_of(h));
}

void hash_final(struct hash *h, char hex[HASH_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char raw[HASH_SHA256_BYTES];
    hash_final_raw(h, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        hex[2 * i] = digits[raw[i] >> 4];
        hex[2 * i + 1] = digits[raw[i] & 15];
    }
    hex[HASH_HEX_LEN] = '\0';
}

void hash_sha256(const void *data, size_t len, char hex[HASH_HEX_SIZE])
{
    struct hash h;
    hash_init(&h);
    hash_add(&h, data, len);
    hash_final(&h, hex);
}

/* Add everything up to the end of fd, but never more than max bytes. */
static int hash_add_file(struct hash *h, int fd, const char *path, size_t max, struct err *err)
{
    char piece[PIECE_BYTES];
    size_t total = 0;
    for (;;) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, ERR_INPUT, "%s", path);
        if (n == 0)
            return 0;
        if ((size_t)n > max - total)
            return err_set(err, ERR_INPUT, "%s: more than the %zu bytes that are read", path, max);
        total += (size_t)n;
        hash_add(h, piece, (size_t)n);
    }
}

int hash_open_file(int fd, const char *path, size_t max, char hex[HASH_HEX_SIZE], struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    struct hash h;
    hash_init(&h);
    if (hash_add_file(&h, fd, path, max, err) < 0)
        return -1;
    hash_final(&h, hex);
    return 0;
}

int hash_file(const char *path, size_t max, char hex[HASH_HEX_SIZE], struct err *err)
{
    /* O_NONBLOCK: a FIFO must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    int rc = hash_open_file(fd, path, max, hex, err);
    close(fd);
    return rc;
}

bool hash_is_hex(const char *s)
{
    return s && strlen(s) == HASH_HEX_LEN && strspn(s, "0123456789abcdef") == HASH_HEX_LEN;
}

void hash_sha256_raw(const void *data, size_t len, unsigned char raw[HASH_SHA256_BYTES])
{
    struct hash h;
    hash_init(&h);
    hash_add(&h, data, len);
    hash_final_raw(&h, raw);
}

void hash_sha512(const void *data, size_t len, unsigned char raw[HASH_SHA512_BYTES])
{
    /* Nothing else can go wrong in SHA-2. */
    if (!EVP_Digest(data, len, raw, NULL, EVP_sha512(), NULL))
        memory_end("SHA-2, ", sizeof(void *));
}

const char *hash_library_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}
