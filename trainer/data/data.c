#include "trainer/data/data.h"

#include "base/arena.h"
#include "base/signing/hash.h"
#include "base/text.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20261120
#define WORDS 48
#define WORD_LETTERS_MAX 6
#define FOLLOWERS 4

struct word {
    int letters;
    char text[WORD_LETTERS_MAX];
};

struct grammar {
    struct rng rng;
    struct word words[WORDS];
    unsigned char followers[WORDS][FOLLOWERS];
};

/* The longest piece added at once is a sentence: 9 words with a space or comma and space, and the
 * end; what of the last one does not fit is cut. */
struct text {
    unsigned char *bytes;
    size_t n;
};

static void text_add(struct text *t, const char *s, int n)
{
    for (int i = 0; i < n && t->n < CORPUS_BYTES; i++)
        t->bytes[t->n++] = (unsigned char)s[i];
}

/* Words alternate between consonants and vowels, so that they can be read aloud. */
static void word_make(struct word *w, struct rng *rng)
{
    static const char consonants[] = "bcdfghjklmnprstvz", vowels[] = "aeiou";
    int vowel_next = (int)rng_below(rng, 2);
    w->letters = 2 + (int)rng_below(rng, WORD_LETTERS_MAX - 1);
    for (int i = 0; i < w->letters; i++, vowel_next = !vowel_next)
        w->text[i] = vowel_next ? vowels[rng_below(rng, sizeof vowels - 1)]
                                : consonants[rng_below(rng, sizeof consonants - 1)];
}

/* One of the four followers of `last` with weights 8:4:2:1; which of them is the likely one turns
 * with the parity of the word before. */
static int word_after(struct grammar *g, int before, int last)
{
    uint64_t draw = rng_below(&g->rng, 15);
    int rank = draw < 8 ? 0 : draw < 12 ? 1 : draw < 14 ? 2 : 3;
    return g->followers[last][(rank + before % 2) % FOLLOWERS];
}

int corpus_generate(unsigned char bytes[CORPUS_BYTES], struct err *err)
{
    struct grammar grammar;
    struct text text = {.bytes = bytes};
    char sha256[HASH_HEX_SIZE];
    rng_init(&grammar.rng, SEED, RNG_CORPUS, 0);
    for (int w = 0; w < WORDS; w++)
        word_make(&grammar.words[w], &grammar.rng);
    for (int w = 0; w < WORDS; w++)
        for (int f = 0; f < FOLLOWERS; f++)
            grammar.followers[w][f] = (unsigned char)rng_below(&grammar.rng, WORDS);
    while (text.n < CORPUS_BYTES) {
        int words = 4 + (int)rng_below(&grammar.rng, 6), comma = (int)rng_below(&grammar.rng, 8);
        int first = (int)rng_below(&grammar.rng, WORDS), before = first, last = first;
        for (int i = 0; i < words; i++) {
            int word = i == 0 || i == words - 1 ? first : word_after(&grammar, before, last);
            const char *gap = i == words - 1 ? ".\n" : i == comma ? ", " : " ";
            text_add(&text, grammar.words[word].text, grammar.words[word].letters);
            text_add(&text, gap, (int)strlen(gap));
            before = last;
            last = word;
        }
    }
    hash_sha256(bytes, CORPUS_BYTES, sha256);
    if (strcmp(sha256, CORPUS_SHA256) != 0)
        return err_set(err, ERR_IO, "generated corpus: SHA-256 is %s, expected %s", sha256,
                       CORPUS_SHA256);
    return 0;
}

void order_shuffle(uint64_t *order, size_t n, uint64_t seed, uint64_t epoch)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_ORDER, epoch);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t k = n - 1; k > 0; k--) {
        size_t other = rng_below(&rng, k + 1);
        uint64_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

#define NO_EPOCH UINT64_MAX

/* ---- kinds --------------------------------------------------------------------------------- */

static void heap_free(struct token_file *f)
{
    free(f->map);
}

static int generated_open(struct token_file *f, const char *path, struct err *err)
{
    (void)path;
    unsigned char *text = memory_alloc(CORPUS_BYTES);
    *f = (struct token_file){.map = text,
                             .map_bytes = CORPUS_BYTES,
                             .bytes = text,
                             .tokens = CORPUS_BYTES,
                             .format = token_format_of_npy("|u1", 3)};
    if (corpus_generate(text, err) == 0)
        return 0;
    heap_free(f);
    f->map = NULL;
    return -1;
}

struct data_kind {
    const char *name;
    bool has_path;
    int (*open)(struct token_file *, const char *path, struct err *);
    void (*close)(struct token_file *);
};

static const struct data_kind kinds[] = {
    {"generated", false, generated_open, heap_free},
    {"npy", true, npy_open, token_file_unmap},
    {"megatron", true, megatron_open, token_file_unmap},
};

/* ---- one look at every token --------------------------------------------------------------- */

/* What messages call the data. */
static const char *data_name(const struct data *d)
{
    return d->kind->has_path ? d->source.path : "generated corpus";
}

static int64_t token_at(const struct data *d, size_t i)
{
    const struct token_format *format = d->file.format;
    return format->read(d->file.bytes + i * format->bytes);
}

static int check_sha256(struct data *d, struct err *err)
{
    const char *pinned = d->source.sha256;
    hash_sha256(d->file.map, d->file.map_bytes, d->sha256);
    if (!pinned || !*pinned || strcmp(pinned, d->sha256) == 0)
        return 0;
    return err_set(err, ERR_INPUT, "%s: SHA-256 is %s, expected %s", data_name(d), d->sha256,
                   pinned);
}

static int count_tokens(const struct data *d, uint64_t *counts, struct err *err)
{
    for (size_t i = 0; i < d->file.tokens; i++) {
        int64_t token = token_at(d, i);
        if (token < 0 || token >= d->source.vocabulary)
            return err_set(err, ERR_INPUT, "%s: token %zu is %lld, expected 0 to %d", data_name(d),
                           i, (long long)token, d->source.vocabulary - 1);
        counts[token]++;
    }
    return 0;
}

static int measure_entropy(struct data *d, struct err *err)
{
    uint64_t *counts = memory_alloc(d->source.vocabulary * sizeof *counts);
    int rc = count_tokens(d, counts, err);
    for (int t = 0; rc == 0 && t < d->source.vocabulary; t++) {
        double p = (double)counts[t] / (double)d->file.tokens;
        d->unigram_entropy_nats -= counts[t] ? p * log(p) : 0;
    }
    free(counts);
    return rc;
}

static int data_check(struct data *d, struct err *err)
{
    size_t length = (size_t)d->source.length;
    if (d->file.tokens < length + 1)
        return err_set(err, ERR_INPUT, "%s: %zu tokens, expected at least %zu for one sample",
                       data_name(d), d->file.tokens, length + 1);
    d->samples = (d->file.tokens - 1) / length;
    return check_sha256(d, err) < 0 || measure_entropy(d, err) < 0 ? -1 : 0;
}

/* ---- open, order, close -------------------------------------------------------------------- */

int data_open(struct data **out, const struct data_source *source, struct err *err)
{
    const struct data_kind *kind =
        text_find(kinds, sizeof kinds / sizeof *kinds, sizeof *kinds, source->kind);
    if (!kind)
        return err_set(err, ERR_USAGE,
                       "data kind: found \"%s\", expected generated, npy or "
                       "megatron",
                       source->kind);
    if (kind->has_path && (!source->path || !*source->path))
        return err_set(err, ERR_USAGE, "data path: missing, expected one for kind %s", kind->name);
    struct data *d = memory_alloc(sizeof *d);
    d->source = *source;
    d->kind = kind;
    d->epoch = NO_EPOCH;
    if (kind->open(&d->file, source->path, err) < 0 || data_check(d, err) < 0) {
        data_close(d);
        return -1;
    }
    d->order = memory_alloc(d->samples * sizeof *d->order);
    *out = d;
    return 0;
}

void data_close(struct data *d)
{
    if (!d)
        return;
    d->kind->close(&d->file);
    free(d->order);
    free(d);
}

void data_sample(struct data *d, uint64_t position, int32_t *tokens)
{
    if (d->epoch != position / d->samples) {
        uint64_t epoch = position / d->samples;
        order_shuffle(d->order, d->samples, d->source.seed, epoch);
        d->epoch = epoch;
    }
    size_t first = d->order[position % d->samples] * (size_t)d->source.length;
    for (int i = 0; i <= d->source.length; i++)
        tokens[i] = (int32_t)token_at(d, first + i);
}
