#include "trainer/tokens/tokenizer.h"

#include "base/files/file.h"
#include "base/text.h"
#include "trainer/tokens/wire.h"

#include <math.h>
#include <stdio.h>
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

/* Fill slots from pieces. ERR_INPUT: a piece is there twice, or so many have sums alike that every
 * look-up would be slow. */
static int piece_table_make(struct tokenizer *t, struct err *err)
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

#define MODEL_TYPE_BPE 2

/* Numbers of fields. */
enum { MODEL_PIECE = 1, MODEL_TRAINER, MODEL_NORMALIZER };
enum { PIECE_TEXT = 1, PIECE_SCORE, PIECE_TYPE };
enum {
    TRAINER_MODEL_TYPE = 3,
    TRAINER_BLANKS_BEHIND = 24,
    TRAINER_BYTE_FALLBACK = 35,
    TRAINER_UNKNOWN = 45,
    TRAINER_BOS,
    TRAINER_EOS
};
enum { NORMALIZER_TABLE = 2, NORMALIZER_PREFIX, NORMALIZER_COLLAPSES, NORMALIZER_ESCAPES };

/* What counts of the two specifications, by number of the field. */
#define FIELDS 48

struct specification {
    uint64_t value[FIELDS];
    struct bytes bytes[FIELDS];
};

/* ---- the messages --------------------------------------------------------------------------- */

static int read_specification(struct bytes message, struct specification *s, struct err *err)
{
    struct wire_reader r = {message, 0};
    struct wire_field f;
    int more;
    while ((more = wire_next(&r, &f, err)) > 0)
        if (f.number < FIELDS) {
            s->value[f.number] = f.value;
            s->bytes[f.number] = f.bytes;
        }
    return more;
}

static int check_piece(const struct piece *p, struct err *err)
{
    if (p->len == 0 || p->len > TOKENIZER_PIECE_BYTES_MAX)
        return err_set(err, ERR_INPUT, "found a text of %zu bytes, expected 1 to %d", p->len,
                       TOKENIZER_PIECE_BYTES_MAX);
    if (!isfinite(p->score))
        return err_set(err, ERR_INPUT, "found a score that is not a number");
    if (p->type < PIECE_NORMAL || p->type == PIECE_UNUSED)
        return err_set(err, ERR_INPUT,
                       "found a piece that is unused or of an unknown type, expected type 1 "
                       "(normal), 2 (unknown), 3 (control), 4 (user-defined) or 6 (byte)");
    return 0;
}

static int take_piece(struct tokenizer *t, struct bytes message, struct err *err)
{
    if (t->n == TOKENIZER_PIECES_MAX)
        return err_set(err, ERR_INPUT, "found more than %zu pieces", TOKENIZER_PIECES_MAX);
    struct piece *p = arena_push(&t->arena, &t->pieces, &t->n, sizeof *p);
    struct wire_reader r = {message, 0};
    struct wire_field f;
    int more;
    p->type = PIECE_NORMAL;
    while ((more = wire_next(&r, &f, err)) > 0) {
        if (f.number == PIECE_TEXT && f.type == WIRE_BYTES) {
            p->text = f.bytes.data;
            p->len = f.bytes.len;
        } else if (f.number == PIECE_SCORE && f.type == WIRE_FIXED32)
            p->score = wire_float(&f);
        else if (f.number == PIECE_TYPE && f.type == WIRE_VARINT)
            p->type = f.value <= PIECE_BYTE ? (enum piece_type)f.value : 0;
    }
    if (more < 0 || check_piece(p, err) < 0)
        return err_prefix(err, "piece %zu", t->n - 1);
    t->longest = p->len > t->longest ? p->len : t->longest;
    if (p->type == PIECE_USER_DEFINED && p->len > t->longest_user_defined)
        t->longest_user_defined = p->len;
    return 0;
}

static int read_model(struct tokenizer *t, struct bytes file, struct specification *trainer,
                      struct specification *normalizer, struct err *err)
{
    struct wire_reader r = {file, 0};
    struct wire_field f;
    int more;
    while ((more = wire_next(&r, &f, err)) > 0) {
        int rc = 0;
        if (f.type == WIRE_BYTES && f.number == MODEL_PIECE)
            rc = take_piece(t, f.bytes, err);
        else if (f.type == WIRE_BYTES && f.number == MODEL_TRAINER)
            rc = read_specification(f.bytes, trainer, err);
        else if (f.type == WIRE_BYTES && f.number == MODEL_NORMALIZER)
            rc = read_specification(f.bytes, normalizer, err);
        if (rc < 0)
            return -1;
    }
    return more;
}

/* ---- what it is ----------------------------------------------------------------------------- */

static int take_specification(struct tokenizer *t, const struct specification *trainer,
                              const struct specification *normalizer, struct err *err)
{
    unsigned long long type = trainer->value[TRAINER_MODEL_TYPE];
    if (type != MODEL_TYPE_BPE)
        return err_set(err, ERR_INPUT, "found a model of type %llu, expected %d (BPE)", type,
                       MODEL_TYPE_BPE);
    if (normalizer->bytes[NORMALIZER_TABLE].len > 0)
        return err_set(err, ERR_INPUT,
                       "found a normalizer with a table of %zu bytes, expected the rule identity",
                       normalizer->bytes[NORMALIZER_TABLE].len);
    if (trainer->value[TRAINER_BLANKS_BEHIND] || !normalizer->value[NORMALIZER_ESCAPES])
        return err_set(err, ERR_INPUT,
                       "found blanks as suffixes or as they are, expected U+2581 in front of "
                       "words");
    t->dummy_prefix = normalizer->value[NORMALIZER_PREFIX] != 0;
    t->collapses_blanks = normalizer->value[NORMALIZER_COLLAPSES] != 0;
    t->byte_fallback = trainer->value[TRAINER_BYTE_FALLBACK] != 0;
    return 0;
}

static int32_t find_control(const struct tokenizer *t, struct bytes text)
{
    int32_t id = tokenizer_find(t, text.data, text.len);
    return id != TOKEN_NONE && t->pieces[id].type == PIECE_CONTROL ? id : TOKEN_NONE;
}

static int find_unknown(struct tokenizer *t, struct err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->pieces[i].type == PIECE_UNKNOWN) {
            t->unknown = (int32_t)i;
            n++;
        }
    if (n != 1)
        return err_set(err, ERR_INPUT, "found %zu pieces of type 2 (unknown), expected 1", n);
    return 0;
}

static int find_bytes(struct tokenizer *t, struct err *err)
{
    char text[8];
    for (int byte = 0; t->byte_fallback && byte < 256; byte++) {
        snprintf(text, sizeof text, "<0x%02X>", (unsigned)byte);
        t->bytes[byte] = tokenizer_find(t, text, strlen(text));
        if (t->bytes[byte] == TOKEN_NONE || t->pieces[t->bytes[byte]].type != PIECE_BYTE)
            return err_set(err, ERR_INPUT, "found no piece %s of type 6 (byte), expected one",
                           text);
    }
    return 0;
}

static struct bytes text_bytes(const char *text)
{
    return (struct bytes){text, strlen(text)};
}

static int tokenizer_parse(struct tokenizer *t, struct bytes file, struct err *err)
{
    struct specification trainer = {
        .value = {[TRAINER_MODEL_TYPE] = 1},
        .bytes = {[TRAINER_BOS] = text_bytes("<s>"), [TRAINER_EOS] = text_bytes("</s>")}};
    struct specification normalizer = {
        .value = {[NORMALIZER_PREFIX] = 1, [NORMALIZER_COLLAPSES] = 1, [NORMALIZER_ESCAPES] = 1}};
    if (read_model(t, file, &trainer, &normalizer, err) < 0)
        return -1;
    if (t->n == 0)
        return err_set(err, ERR_INPUT, "found no pieces, expected a SentencePiece model");
    if (take_specification(t, &trainer, &normalizer, err) < 0 || piece_table_make(t, err) < 0 ||
        find_unknown(t, err) < 0 || find_bytes(t, err) < 0)
        return -1;
    t->bos = find_control(t, trainer.bytes[TRAINER_BOS]);
    t->eos = find_control(t, trainer.bytes[TRAINER_EOS]);
    return 0;
}

int tokenizer_load(struct tokenizer *t, const char *path, struct err *err)
{
    struct bytes file;
    *t = (struct tokenizer){.arena = ARENA_INIT};
    int rc = file_read(path, TOKENIZER_FILE_MAX, &t->arena, &file, err);
    if (rc == 0 && tokenizer_parse(t, file, err) < 0)
        rc = err_prefix(err, "%s", path);
    if (rc == 0)
        hash_sha256(file.data, file.len, t->sha256);
    else
        tokenizer_release(t);
    return rc;
}

void tokenizer_release(struct tokenizer *t)
{
    arena_release(&t->arena);
    *t = (struct tokenizer){0};
}
