/* Text to tokens: tokenizer.h has the steps. */
#include "base/text.h"
#include "trainer/tokens/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#define BLANK "\xe2\x96\x81"       /* U+2581 */
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define BLANK_BYTES 3

#define NOWHERE UINT32_MAX

/* ---- lists ---------------------------------------------------------------------------------- */

void token_list_add(struct token_list *l, int32_t id)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 256;
        l->ids = memory_grow(l->ids, l->room * sizeof *l->ids);
    }
    l->ids[l->n++] = id;
}

void token_list_release(struct token_list *l)
{
    free(l->ids);
    *l = (struct token_list){0};
}

/* ---- the normalizer ------------------------------------------------------------------------- */

struct normalized {
    char *text; /* as large as the largest text can become */
    size_t len;
    bool collapses, behind_blank;
};

static void put_bytes(struct normalized *to, const char *bytes, size_t n)
{
    memcpy(to->text + to->len, bytes, n);
    to->len += n;
}

/* What stands in the text as one: a character, or a user-defined piece. */
static void put_unit(struct normalized *to, const char *unit, size_t n)
{
    size_t i = 0;
    while (to->behind_blank && i < n && unit[i] == ' ')
        i++;
    if (i == n)
        return;
    for (; i < n; i++)
        if (unit[i] == ' ')
            put_bytes(to, BLANK, BLANK_BYTES);
        else
            put_bytes(to, &unit[i], 1);
    to->behind_blank = to->collapses && unit[n - 1] == ' ';
}

static void normalize(const struct tokenizer *t, const char *text, size_t len,
                      struct normalized *to)
{
    size_t at = 0;
    to->collapses = to->behind_blank = t->collapses_blanks;
    while (t->collapses_blanks && at < len && text[at] == ' ' &&
           piece_table_user_defined(t, text + at, len - at) < 2)
        at++;
    if (at < len && t->dummy_prefix)
        put_bytes(to, BLANK, BLANK_BYTES);
    while (at < len) {
        size_t user = piece_table_user_defined(t, text + at, len - at);
        size_t n = user ? user : utf8_next(text + at, len - at, NULL);
        if (n)
            put_unit(to, text + at, n);
        else
            put_unit(to, REPLACEMENT, 3);
        at += n ? n : 1;
    }
    if (t->collapses_blanks) {
        while (to->len >= BLANK_BYTES &&
               memcmp(to->text + to->len - BLANK_BYTES, BLANK, BLANK_BYTES) == 0)
            to->len -= BLANK_BYTES;
    }
}

/* ---- merges --------------------------------------------------------------------------------- */

/* Symbols lie in the text one behind the other; one that was merged into its left neighbour has
 * length 0. */
struct symbol {
    uint32_t begin, len;
    uint32_t before, behind; /* NOWHERE at the ends */
    bool merges;
};

/* Two neighbours that together are a piece, as they were when they were found. */
struct merge {
    float score;
    uint32_t left, right, len;
};

struct encoding {
    const struct tokenizer *tokenizer;
    const char *text;
    struct symbol *symbols;
    uint32_t n_symbols;
    struct merge *heap; /* the first is the next to be made */
    size_t n_merges, room;
};

static bool comes_before(const struct merge *a, const struct merge *b)
{
    return a->score > b->score || (a->score == b->score && a->left < b->left);
}

static void swap_merges(struct merge *a, struct merge *b)
{
    struct merge kept = *a;
    *a = *b;
    *b = kept;
}

static void push_merge(struct encoding *e, const struct merge *m)
{
    if (e->n_merges == e->room) {
        e->room = e->room ? 2 * e->room : 256;
        e->heap = memory_grow(e->heap, e->room * sizeof *e->heap);
    }
    size_t at = e->n_merges++;
    e->heap[at] = *m;
    for (; at > 0 && comes_before(&e->heap[at], &e->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap_merges(&e->heap[at], &e->heap[(at - 1) / 2]);
}

static struct merge pop_merge(struct encoding *e)
{
    struct merge first = e->heap[0];
    e->heap[0] = e->heap[--e->n_merges];
    for (size_t at = 0, child; (child = 2 * at + 1) < e->n_merges; at = child) {
        if (child + 1 < e->n_merges && comes_before(&e->heap[child + 1], &e->heap[child]))
            child++;
        if (!comes_before(&e->heap[child], &e->heap[at]))
            break;
        swap_merges(&e->heap[at], &e->heap[child]);
    }
    return first;
}

static void consider_merge(struct encoding *e, uint32_t left, uint32_t right)
{
    if (left == NOWHERE || right == NOWHERE)
        return;
    const struct symbol *l = &e->symbols[left], *r = &e->symbols[right];
    if (!l->merges || !r->merges)
        return;
    int32_t id = tokenizer_find(e->tokenizer, e->text + l->begin, l->len + r->len);
    if (id == TOKEN_NONE)
        return;
    const struct piece *p = &e->tokenizer->pieces[id];
    if (p->type == PIECE_NORMAL || p->type == PIECE_USER_DEFINED)
        push_merge(e, &(struct merge){p->score, left, right, l->len + r->len});
}

static void cut_into_symbols(struct encoding *e, size_t len)
{
    for (size_t at = 0; at < len; e->n_symbols++) {
        struct symbol *s = &e->symbols[e->n_symbols];
        size_t user = piece_table_user_defined(e->tokenizer, e->text + at, len - at);
        size_t n = user ? user : utf8_next(e->text + at, len - at, NULL);
        n = n ? n : 1; /* of a user-defined piece that is no text */
        *s = (struct symbol){(uint32_t)at, (uint32_t)n, e->n_symbols - 1, e->n_symbols + 1, !user};
        at += n;
    }
    if (e->n_symbols > 0) {
        e->symbols[0].before = NOWHERE;
        e->symbols[e->n_symbols - 1].behind = NOWHERE;
    }
}

static void merge_symbols(struct encoding *e)
{
    for (uint32_t i = 0; i + 1 < e->n_symbols; i++)
        consider_merge(e, i, i + 1);
    while (e->n_merges > 0) {
        struct merge m = pop_merge(e);
        struct symbol *l = &e->symbols[m.left], *r = &e->symbols[m.right];
        if (l->len == 0 || r->len == 0 || l->len + r->len != m.len)
            continue; /* one of them was merged meanwhile */
        l->len += r->len;
        r->len = 0;
        l->behind = r->behind;
        if (l->behind != NOWHERE)
            e->symbols[l->behind].before = m.left;
        consider_merge(e, l->before, m.left);
        consider_merge(e, m.left, l->behind);
    }
}

/* ---- ids ------------------------------------------------------------------------------------ */

static void add_bytes(const struct encoding *e, const struct symbol *s, struct token_list *out)
{
    for (uint32_t i = 0; i < s->len; i++)
        token_list_add(out, e->tokenizer->bytes[(unsigned char)e->text[s->begin + i]]);
}

static void add_ids(const struct encoding *e, struct token_list *out)
{
    const struct tokenizer *t = e->tokenizer;
    bool behind_unknown = false;
    for (uint32_t i = 0; i < e->n_symbols; i++) {
        const struct symbol *s = &e->symbols[i];
        if (s->len == 0)
            continue;
        int32_t id = tokenizer_find(t, e->text + s->begin, s->len);
        bool unknown = id == TOKEN_NONE || id == t->unknown;
        if (!unknown)
            token_list_add(out, id);
        else if (t->byte_fallback)
            add_bytes(e, s, out);
        else if (!behind_unknown)
            token_list_add(out, t->unknown);
        behind_unknown = unknown;
    }
}

static int encode_normalized(const struct tokenizer *t, const struct normalized *from,
                             struct token_list *out, struct err *err)
{
    struct encoding e = {.tokenizer = t, .text = from->text};
    e.symbols = memory_alloc((from->len + 1) * sizeof *e.symbols);
    cut_into_symbols(&e, from->len);
    merge_symbols(&e);
    int rc = 0;
    if (out->n + from->len > TOKENS_MAX)
        rc = err_set(err, ERR_INPUT, "found more than %zu tokens", TOKENS_MAX - from->len);
    else
        add_ids(&e, out);
    free(e.heap);
    free(e.symbols);
    return rc;
}

int tokenizer_encode(const struct tokenizer *t, const char *text, size_t len,
                     struct token_list *out, struct err *err)
{
    if (len > TOKENIZER_TEXT_MAX)
        return err_set(err, ERR_INPUT, "found a text of %zu bytes, expected at most %zu", len,
                       TOKENIZER_TEXT_MAX);
    struct normalized to = {.text = memory_alloc(BLANK_BYTES * (len + 1))};
    normalize(t, text, len, &to);
    int rc = encode_normalized(t, &to, out, err);
    free(to.text);
    return rc;
}
