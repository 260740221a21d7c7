#include "trainer/data/conversations.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "trainer/data/data.h"
#include "trainer/data/length_groups.h"
#include "trainer/data/picture_corpus.h"
#include "trainer/device/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_EPOCH UINT64_MAX
#define SAMPLES_MAX ((size_t)1 << 30)

static int64_t entry(const struct conversations *c, enum conversation_file file, size_t i)
{
    const struct token_file *f = &c->files[file];
    return f->format->read(f->bytes + i * f->format->bytes);
}

/* What messages call the data. */
static const char *conversations_name(const struct conversations *c)
{
    return c->wish.path ? c->wish.path : "picture corpus";
}

/* ---- the files ------------------------------------------------------------------------------ */

static const struct conversation_row {
    const char *name, *format;
    int dimensions;
} conversation_rows[CONVERSATION_FILES] = {
    [CONVERSATION_TOKENS] = {"tokens.npy", "int32", 1},
    [CONVERSATION_LABELS] = {"labels.npy", "int32", 1},
    [CONVERSATION_OFFSETS] = {"offsets.npy", "int64", 1},
    [CONVERSATION_PICTURES] = {"pictures.npy", "int32", 1},
    [CONVERSATION_LENGTHS] = {"lengths.npy", "int32", 1},
    [CONVERSATION_PIXELS] = {"pixels.npy", "uint8", 4},
};

static int check_pixels(struct conversations *c, const size_t shape[NPY_DIMENSIONS_MAX],
                        const char *path, struct err *err)
{
    size_t side = (size_t)c->wish.side;
    if (shape[1] != side || shape[2] != side || shape[3] != 3)
        return err_set(err, ERR_INPUT,
                       "%s: found pictures of [%zu, %zu, %zu], expected [%zu, %zu, 3] for this "
                       "model",
                       path, shape[1], shape[2], shape[3], side, side);
    c->pictures = shape[0];
    return 0;
}

static int open_conversation_file(struct conversations *c, enum conversation_file which,
                                  const struct json *outputs, struct arena *arena, struct err *err)
{
    const struct conversation_row *row = &conversation_rows[which];
    const char *path = path_join(arena, c->wish.path, row->name);
    struct token_file *f = &c->files[which];
    size_t shape[NPY_DIMENSIONS_MAX];
    if (which == CONVERSATION_PIXELS && !file_exists(path))
        return 0;
    if (npy_open_shaped(f, row->dimensions, shape, path, err) < 0)
        return -1;
    if (strcmp(f->format->name, row->format) != 0)
        return err_set(err, ERR_INPUT, "%s: found %s, expected %s", path, f->format->name,
                       row->format);
    if (which == CONVERSATION_PIXELS && check_pixels(c, shape, path, err) < 0)
        return -1;
    char sha256[HASH_HEX_SIZE];
    const struct json *wanted = json_get(outputs, row->name);
    if (!wanted || wanted->kind != JSON_STRING)
        return err_set(err, ERR_INPUT, "%s: found no digest of it in prepared.json, expected one",
                       path);
    if (f->map_bytes > CONVERSATIONS_HASHED)
        return 0;
    hash_sha256(f->map, f->map_bytes, sha256);
    if (strcmp(sha256, wanted->text) == 0)
        return 0;
    return err_set(err, ERR_INPUT, "%s: SHA-256 is %s, prepared.json says %s", path, sha256,
                   wanted->text);
}

static int open_folder(struct conversations *c, struct arena *arena, struct err *err)
{
    struct diags diags;
    struct json *root;
    const char *path = path_join(arena, c->wish.path, "prepared.json");
    diags_init(&diags, arena);
    if (json_load(path, arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s:%d: %s", path, diags.items[0].line,
                       diags.items[0].message);
    if (hash_file(path, JSON_BYTES_MAX, c->sha256, err) < 0)
        return -1;
    for (int f = 0; f < CONVERSATION_FILES; f++)
        if (open_conversation_file(c, (enum conversation_file)f, json_get(root, "outputs"), arena,
                                   err) < 0)
            return -1;
    return 0;
}

static void open_corpus(struct conversations *c)
{
    struct picture_corpus corpus;
    picture_corpus_make(&corpus, c->wish.side, c->wish.questions, c->sha256);
    const struct {
        void *from;
        size_t n;
        const char *descr;
    } parts[CONVERSATION_FILES] = {
        [CONVERSATION_TOKENS] = {corpus.tokens, corpus.n_tokens, "<i4"},
        [CONVERSATION_LABELS] = {corpus.labels, corpus.n_tokens, "<i4"},
        [CONVERSATION_OFFSETS] = {corpus.offsets, corpus.samples + 1, "<i8"},
        [CONVERSATION_PICTURES] = {corpus.pictures, corpus.samples, "<i4"},
        [CONVERSATION_LENGTHS] = {corpus.lengths, corpus.samples, "<i4"},
        [CONVERSATION_PIXELS] = {corpus.pixels, corpus.pixel_bytes, "|u1"},
    };
    for (int f = 0; f < CONVERSATION_FILES; f++)
        c->files[f] = (struct token_file){.map = parts[f].from,
                                          .bytes = parts[f].from,
                                          .tokens = parts[f].n,
                                          .format = token_format_of_npy(parts[f].descr, 3)};
    c->pictures = corpus.n_pictures;
}

/* ---- one look at everything ----------------------------------------------------------------- */

static int refuse_sample(const struct conversations *c, size_t sample, const char *what,
                         struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: sample %zu: %s", conversations_name(c), sample, what);
}

static size_t begin_of(const struct conversations *c, size_t sample)
{
    return (size_t)entry(c, CONVERSATION_OFFSETS, sample);
}

static bool has_picture(const struct conversations *c, size_t sample)
{
    return entry(c, CONVERSATION_PICTURES, sample) >= 0;
}

/* Lengths of the arrays against each other, and that offsets rise within them. */
static int check_arrays(struct conversations *c, struct err *err)
{
    const struct token_file *f = c->files;
    size_t n = f[CONVERSATION_OFFSETS].tokens, tokens = f[CONVERSATION_TOKENS].tokens;
    if (n < 2 || n - 1 > SAMPLES_MAX || f[CONVERSATION_LABELS].tokens != tokens ||
        f[CONVERSATION_PICTURES].tokens != n - 1 || f[CONVERSATION_LENGTHS].tokens != n - 1)
        return err_set(err, ERR_INPUT,
                       "%s: found %zu tokens, %zu labels, %zu offsets, %zu pictures and %zu "
                       "lengths, expected a label for each token, and a picture and a length for "
                       "each sample",
                       conversations_name(c), tokens, f[CONVERSATION_LABELS].tokens, n,
                       f[CONVERSATION_PICTURES].tokens, f[CONVERSATION_LENGTHS].tokens);
    c->samples = n - 1;
    if (entry(c, CONVERSATION_OFFSETS, 0) != 0 ||
        entry(c, CONVERSATION_OFFSETS, n - 1) != (int64_t)tokens)
        return err_set(err, ERR_INPUT,
                       "%s: offsets: found another beginning or end, expected 0 and %zu",
                       conversations_name(c), tokens);
    for (size_t i = 0; i < c->samples; i++)
        if (entry(c, CONVERSATION_OFFSETS, i) >= entry(c, CONVERSATION_OFFSETS, i + 1))
            return refuse_sample(c, i, "found no tokens, expected offsets that rise", err);
    return 0;
}

static int check_token(const struct conversations *c, size_t sample, size_t i, int *marks,
                       struct err *err)
{
    int64_t token = entry(c, CONVERSATION_TOKENS, i), label = entry(c, CONVERSATION_LABELS, i);
    bool mark = token == CONVERSATION_IMAGE;
    *marks += mark;
    if (!mark && (token < 0 || token >= c->wish.vocabulary))
        return err_set(err, ERR_INPUT, "%s: token %zu is %lld, expected 0 to %d, or %d",
                       conversations_name(c), i, (long long)token, c->wish.vocabulary - 1,
                       CONVERSATION_IMAGE);
    if (label != CONVERSATION_IGNORED && (mark || label != token))
        return refuse_sample(c, sample, "a label is neither its token nor -100", err);
    return 0;
}

static int check_sample(struct conversations *c, size_t sample, uint64_t *counts, struct err *err)
{
    int64_t picture = entry(c, CONVERSATION_PICTURES, sample);
    int marks = 0;
    for (size_t i = begin_of(c, sample); i < begin_of(c, sample + 1); i++)
        if (check_token(c, sample, i, &marks, err) < 0)
            return -1;
    if (picture < -1 || (picture >= 0 && (size_t)picture >= c->pictures))
        return refuse_sample(c, sample, "its picture is not there", err);
    if (marks != (picture >= 0))
        return refuse_sample(c, sample, "found another number of places than of pictures", err);
    /* How long it is when it is read, and how many targets it has then. */
    int64_t row = 0, length = c->wish.length;
    int32_t targets = 0;
    for (size_t i = begin_of(c, sample); i < begin_of(c, sample + 1); i++) {
        int64_t label = entry(c, CONVERSATION_LABELS, i);
        bool mark = entry(c, CONVERSATION_TOKENS, i) == CONVERSATION_IMAGE;
        if (row > 0 && row < length && label != CONVERSATION_IGNORED) {
            targets++;
            counts[label]++;
        }
        row += mark ? c->wish.picture_rows : 1;
    }
    c->lengths[sample] = (int32_t)(row < length ? row : length);
    c->targets[sample] = targets;
    c->rows += (size_t)c->lengths[sample];
    return 0;
}

static int check_conversations(struct conversations *c, struct err *err)
{
    uint64_t *counts = memory_alloc((size_t)c->wish.vocabulary * sizeof *counts), n = 0;
    int rc = 0;
    c->lengths = memory_alloc(c->samples * sizeof *c->lengths);
    c->targets = memory_alloc(c->samples * sizeof *c->targets);
    for (size_t i = 0; rc == 0 && i < c->samples; i++) {
        rc = check_sample(c, i, counts, err);
        n += (uint64_t)c->targets[i];
    }
    for (int t = 0; rc == 0 && t < c->wish.vocabulary; t++) {
        double p = n > 0 ? (double)counts[t] / (double)n : 0;
        c->unigram_entropy_nats -= p > 0 ? p * log(p) : 0;
    }
    free(counts);
    if (rc == 0 && n == 0)
        rc = err_set(err, ERR_INPUT, "%s: found no targets, expected at least one",
                     conversations_name(c));
    return rc;
}

static int check_pinned(const struct conversations *c, struct err *err)
{
    const char *pinned = c->wish.sha256;
    if (!pinned || !*pinned || strcmp(pinned, c->sha256) == 0)
        return 0;
    return err_set(err, ERR_INPUT, "%s: SHA-256 is %s, expected %s", conversations_name(c),
                   c->sha256, pinned);
}

/* ---- open and close ------------------------------------------------------------------------- */

static int open_all(struct conversations *c, struct err *err)
{
    struct arena arena = ARENA_INIT;
    int rc = c->wish.path ? open_folder(c, &arena, err) : 0;
    if (!c->wish.path)
        open_corpus(c);
    if (rc == 0)
        rc = check_pinned(c, err);
    if (rc == 0)
        rc = check_arrays(c, err);
    if (rc == 0)
        rc = check_conversations(c, err);
    if (rc == 0 && c->wish.grouped) {
        c->groups = memory_alloc(c->samples * sizeof *c->groups);
        for (size_t i = 0; i < c->samples; i++)
            c->groups[i] = (int32_t)entry(c, CONVERSATION_LENGTHS, i);
    }
    arena_release(&arena);
    return rc;
}

int conversations_open(struct conversations **out, const struct conversations_wish *wish,
                       struct err *err)
{
    struct conversations *c = memory_alloc(sizeof *c);
    c->wish = *wish;
    c->epoch = NO_EPOCH;
    if (open_all(c, err) < 0) {
        conversations_close(c);
        return -1;
    }
    c->order = memory_alloc(c->samples * sizeof *c->order);
    *out = c;
    return 0;
}

void conversations_close(struct conversations *c)
{
    if (!c)
        return;
    for (int f = 0; f < CONVERSATION_FILES; f++)
        if (c->wish.path)
            token_file_unmap(&c->files[f]);
        else
            free(c->files[f].map);
    free(c->lengths);
    free(c->targets);
    free(c->groups);
    free(c->order);
    free(c);
}

/* ---- reading -------------------------------------------------------------------------------- */

size_t conversations_sample(struct conversations *c, uint64_t position)
{
    uint64_t epoch = position / c->samples;
    if (c->epoch != epoch && c->groups)
        length_groups_order(c->order, c->groups, c->samples, c->wish.ranks, c->wish.micro_batch,
                            c->wish.seed, epoch);
    else if (c->epoch != epoch)
        order_shuffle(c->order, c->samples, c->wish.seed, epoch);
    c->epoch = epoch;
    return c->order[position % c->samples];
}

void conversations_count(struct conversations *c, uint64_t position, int n,
                         struct conversation_counts *counts)
{
    int32_t longest = 0;
    for (int i = 0; i < n; i++) {
        size_t sample = conversations_sample(c, position + (uint64_t)i);
        longest = c->lengths[sample] > longest ? c->lengths[sample] : longest;
        counts->real += (size_t)c->lengths[sample];
        counts->targets += (size_t)c->targets[sample];
        counts->pictures += has_picture(c, sample);
    }
    counts->padded += (size_t)n * (size_t)longest;
    counts->pairs += (size_t)n * (size_t)longest * (size_t)longest;
}

static void read_pixels(const struct conversations *c, size_t sample, uint8_t *to)
{
    size_t bytes = (size_t)c->wish.side * (size_t)c->wish.side * 3;
    size_t picture = (size_t)entry(c, CONVERSATION_PICTURES, sample);
    memcpy(to, c->files[CONVERSATION_PIXELS].bytes + picture * bytes, bytes);
}

/* Row `at` of the batch on: a sample's rows, each the target of the one before. */
static void read_conversation_rows(const struct conversations *c, size_t sample, int at,
                                   struct conversation_batch *b)
{
    int row = 0, rows = c->wish.picture_rows;
    for (size_t i = begin_of(c, sample); i < begin_of(c, sample + 1); i++) {
        int64_t token = entry(c, CONVERSATION_TOKENS, i), label = entry(c, CONVERSATION_LABELS, i);
        bool mark = token == CONVERSATION_IMAGE;
        for (int k = 0; k < (mark ? rows : 1); k++, row++) {
            bool is_there = row < c->lengths[sample];
            if (is_there)
                b->inputs[at + row] = mark ? -1 : (int32_t)token;
            if (is_there && row > 0 && label != CONVERSATION_IGNORED)
                b->targets[at + row - 1] = (int32_t)label;
            if (mark)
                b->places[b->pictures * rows + k] = is_there ? at + row : -1;
        }
    }
}

void conversations_read(struct conversations *c, uint64_t position, int n,
                        struct conversation_batch *batch)
{
    size_t picture = (size_t)c->wish.side * (size_t)c->wish.side * 3;
    int longest = 1, round = c->wish.round > 0 ? c->wish.round : 1;
    for (int i = 0; i < n; i++) {
        int length = c->lengths[conversations_sample(c, position + (uint64_t)i)];
        longest = length > longest ? length : longest;
    }
    longest = (longest + round - 1) / round * round;
    batch->length = longest < c->wish.length ? longest : c->wish.length;
    batch->pictures = 0;
    for (int i = 0; i < n * batch->length; i++) {
        batch->inputs[i] = 0;
        batch->targets[i] = TARGET_NONE;
    }
    for (int i = 0; i < n; i++) {
        size_t sample = conversations_sample(c, position + (uint64_t)i);
        read_conversation_rows(c, sample, i * batch->length, batch);
        if (has_picture(c, sample))
            read_pixels(c, sample, batch->pixels + (size_t)batch->pictures++ * picture);
    }
}
