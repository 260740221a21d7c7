#include "trainer/data/corpus.h"

#include "base/signing/hash.h"
#include "trainer/device/rng.h"

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
