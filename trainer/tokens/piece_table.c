#include "trainer/tokens/piece_table.h"

#include <string.h>

/* A table that is three quarters empty needs a few; texts that were made to collide need many. */
#define PROBES_MAX 1000

#define FNV_BEGIN 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

static uint64_t hash_next(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * FNV_PRIME;
}

static size_t first_slot(const struct tokenizer *t, uint64_t hash)
{
    return (size_t)(hash ^ hash >> 32) & t->slot_mask;
}

static size_t slot_of_piece(const struct tokenizer *t, const char *text, size_t len)
{
    uint64_t hash = FNV_BEGIN;
    for (size_t i = 0; i < len; i++)
        hash = hash_next(hash, text[i]);
    return first_slot(t, hash);
}

static bool is_piece(const struct piece *p, const char *text, size_t len)
{
    return p->len == len && memcmp(p->text, text, len) == 0;
}

static int32_t find_from(const struct tokenizer *t, size_t slot, const char *text, size_t len)
{
    for (; t->slots[slot]; slot = (slot + 1) & t->slot_mask)
        if (is_piece(&t->pieces[t->slots[slot] - 1], text, len))
            return (int32_t)(t->slots[slot] - 1);
    return TOKEN_NONE;
}

int32_t tokenizer_find(const struct tokenizer *t, const char *text, size_t len)
{
    return len > t->longest ? TOKEN_NONE : find_from(t, slot_of_piece(t, text, len), text, len);
}

static int insert_piece(struct tokenizer *t, size_t id, struct err *err)
{
    const struct piece *p = &t->pieces[id];
    size_t slot = slot_of_piece(t, p->text, p->len);
    int probes = 0;
    for (; t->slots[slot]; slot = (slot + 1) & t->slot_mask) {
        if (is_piece(&t->pieces[t->slots[slot] - 1], p->text, p->len))
            return err_set(err, ERR_INPUT, "piece %zu: found the text of piece %u again", id,
                           t->slots[slot] - 1);
        if (++probes > PROBES_MAX)
            return err_set(err, ERR_INPUT,
                           "piece %zu: found more than %d pieces whose hashes are alike, expected "
                           "texts of a language",
                           id, PROBES_MAX);
    }
    t->slots[slot] = (uint32_t)id + 1;
    return 0;
}

int piece_table_make(struct tokenizer *t, struct err *err)
{
    size_t n_slots = 4;
    while (n_slots < 4 * t->n)
        n_slots *= 2;
    t->slots = arena_array(&t->arena, n_slots, sizeof *t->slots);
    t->slot_mask = n_slots - 1;
    for (size_t id = 0; id < t->n; id++)
        if (insert_piece(t, id, err) < 0)
            return -1;
    return 0;
}

size_t piece_table_user_defined(const struct tokenizer *t, const char *text, size_t len)
{
    size_t most = len < t->longest_user_defined ? len : t->longest_user_defined, found = 0;
    uint64_t hash = FNV_BEGIN;
    for (size_t n = 1; n <= most; n++) {
        hash = hash_next(hash, text[n - 1]);
        int32_t id = find_from(t, first_slot(t, hash), text, n);
        if (id != TOKEN_NONE && t->pieces[id].type == PIECE_USER_DEFINED)
            found = n;
    }
    return found;
}
