/*
 * data_megatron: Megatron-LM's indexed data set, tokens in `x.bin` and their index in `x.idx`.
 *
 *   "MMIDIDX\0\0"  version (uint64, 1)  dtype code (uint8)  sequences (uint64)  documents (uint64)
 *   lengths of the sequences in tokens (int32 each), their places in the .bin in bytes (int64
 *   each), first sequence of each document and the end (int64 each, `documents` entries)
 *
 * All little endian and without padding, so nothing is aligned. Sequences must lie one behind the
 * other from the first byte of the .bin to its last, as Megatron's builder writes them: then the
 * .bin is the stream of tokens.
 */
#include "trainer/data/data_file.h"

#include "base/arena.h"

#include <string.h>

#define MAGIC "MMIDIDX\0"
#define MAGIC_BYTES 9
#define FIXED_BYTES (MAGIC_BYTES + 8 + 1 + 8 + 8)

static uint64_t read_u64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* An index whose arrays have been found to fit. */
struct index {
    const char *path;
    const struct token_format *format;
    uint64_t sequences, documents;
    const unsigned char *lengths, *places, *firsts;
};

static int index_parse(struct index *x, const struct token_file *idx, struct err *err)
{
    const unsigned char *bytes = idx->map;
    if (idx->map_bytes < FIXED_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return err_set(err, ERR_INPUT, "%s: not a Megatron index: no MMIDIDX header of %d bytes",
                       x->path, FIXED_BYTES);
    uint64_t version = read_u64(bytes + MAGIC_BYTES);
    if (version != 1)
        return err_set(err, ERR_INPUT, "%s: index version %llu, expected 1", x->path,
                       (unsigned long long)version);
    int code = bytes[MAGIC_BYTES + 8];
    x->format = token_format_of_megatron(code);
    if (!x->format)
        return err_set(err, ERR_INPUT,
                       "%s: dtype code %d, expected an integer type (1 to 5, or 8 for uint16)",
                       x->path, code);
    x->sequences = read_u64(bytes + MAGIC_BYTES + 9);
    x->documents = read_u64(bytes + MAGIC_BYTES + 17);
    uint64_t room = idx->map_bytes - FIXED_BYTES;
    if (x->sequences > room / 12 || x->documents > room / 8 ||
        x->sequences * 12 + x->documents * 8 != room)
        return err_set(err, ERR_INPUT,
                       "%s: %llu sequences and %llu document bounds do not fill the %llu bytes "
                       "behind the header",
                       x->path, (unsigned long long)x->sequences, (unsigned long long)x->documents,
                       (unsigned long long)room);
    x->lengths = bytes + FIXED_BYTES;
    x->places = x->lengths + x->sequences * 4;
    x->firsts = x->places + x->sequences * 8;
    return 0;
}

/* Every sequence begins where the one before ended; the last ends with the file. */
static int sequences_check(const struct index *x, const char *bin_path, uint64_t bin_bytes,
                           struct err *err)
{
    uint64_t expected = 0;
    for (uint64_t i = 0; i < x->sequences; i++) {
        const unsigned char *at = x->lengths + i * 4;
        int32_t length;
        memcpy(&length, at, sizeof length);
        uint64_t place = read_u64(x->places + i * 8);
        if (length < 0)
            return err_set(err, ERR_INPUT, "%s: sequence %llu has length %d", x->path,
                           (unsigned long long)i, length);
        if (place != expected)
            return err_set(err, ERR_INPUT,
                           "%s: sequence %llu begins at byte %llu, expected %llu (sequences must "
                           "lie one behind the other)",
                           x->path, (unsigned long long)i, (unsigned long long)place,
                           (unsigned long long)expected);
        expected += (uint64_t)length * x->format->bytes;
        if (expected > bin_bytes)
            return err_set(err, ERR_INPUT,
                           "%s: sequence %llu ends at byte %llu, but %s has %llu bytes", x->path,
                           (unsigned long long)i, (unsigned long long)expected, bin_path,
                           (unsigned long long)bin_bytes);
    }
    if (expected != bin_bytes)
        return err_set(err, ERR_INPUT, "%s: its sequences end at byte %llu, but %s has %llu bytes",
                       x->path, (unsigned long long)expected, bin_path,
                       (unsigned long long)bin_bytes);
    return 0;
}

static int documents_check(const struct index *x, struct err *err)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < x->documents; i++) {
        uint64_t first = read_u64(x->firsts + i * 8);
        if (first < last || first > x->sequences)
            return err_set(err, ERR_INPUT, "%s: document bound %llu is %llu, expected %llu to %llu",
                           x->path, (unsigned long long)i, (unsigned long long)first,
                           (unsigned long long)last, (unsigned long long)x->sequences);
        last = first;
    }
    return 0;
}

static int index_read(struct token_file *bin, const char *bin_path, const char *idx_path,
                      struct err *err)
{
    struct token_file idx;
    struct index x = {.path = idx_path};
    if (token_file_map(&idx, idx_path, err) < 0)
        return -1;
    int rc = index_parse(&x, &idx, err);
    if (rc == 0)
        rc = sequences_check(&x, bin_path, bin->map_bytes, err);
    if (rc == 0)
        rc = documents_check(&x, err);
    if (rc == 0) {
        bin->format = x.format;
        bin->bytes = bin->map;
        bin->tokens = bin->map_bytes / x.format->bytes;
    }
    token_file_unmap(&idx);
    return rc;
}

int megatron_open(struct token_file *out, const char *path, struct err *err)
{
    struct arena arena = ARENA_INIT;
    size_t n = strlen(path);
    if (n >= 4 && (strcmp(path + n - 4, ".bin") == 0 || strcmp(path + n - 4, ".idx") == 0))
        n -= 4;
    const char *bin_path = arena_printf(&arena, "%.*s.bin", (int)n, path);
    const char *idx_path = arena_printf(&arena, "%.*s.idx", (int)n, path);
    int rc = token_file_map(out, bin_path, err);
    if (rc == 0 && (rc = index_read(out, bin_path, idx_path, err)) < 0)
        token_file_unmap(out);
    arena_release(&arena);
    return rc;
}
