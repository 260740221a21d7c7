#include "renderer/output/reuse.h"

#include <string.h>

bool reuse_keeps(const struct reuse *r, const char *path, const struct reuse_key *key)
{
    return r && r->keeps(r->self, path, key);
}

bool reuse_keeps_folder(const struct reuse *r, const char *path, const struct reuse_key *key)
{
    return r && (r->keeps_folder ? r->keeps_folder : r->keeps)(r->self, path, key);
}

void reuse_hash_number(struct hash *h, uint64_t number)
{
    hash_add(h, &number, sizeof number);
}

void reuse_hash_key(struct hash *h, const struct reuse_key *key)
{
    reuse_hash_number(h, key->high);
    reuse_hash_number(h, key->low);
}

void reuse_hash_text(struct hash *h, const char *text)
{
    hash_add(h, text, strlen(text) + 1);
}

struct reuse_key reuse_hash_final(struct hash *h)
{
    unsigned char raw[HASH_SHA256_BYTES];
    struct reuse_key key;
    hash_final_raw(h, raw);
    memcpy(&key, raw, sizeof key);
    return key;
}

void reuse_pack_key(const struct reuse_key *key, struct buf *out)
{
    pack_number(out, key->high);
    pack_number(out, key->low);
}

struct reuse_key reuse_unpack_key(struct unpack *u)
{
    struct reuse_key key = {.high = unpack_number(u)};
    key.low = unpack_number(u);
    return key;
}

bool reuse_key_equal(const struct reuse_key *a, const struct reuse_key *b)
{
    return a->high == b->high && a->low == b->low;
}
