#include "base/figures/row_key.h"

#include "base/arena.h"
#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* What describes a row rather than being measured, in the order of the digest. */
static const enum column_kind describing[] = {COLUMN_CONFIGURATION, COLUMN_CONFIG_NAME,
                                              COLUMN_PRECISION,     COLUMN_PARALLEL,
                                              COLUMN_STRATEGY,      COLUMN_HYPERPARAMETERS};
#define N_DESCRIBING (sizeof describing / sizeof *describing)

struct row_reader {
    const struct table *of;
    const struct metrics_column **columns;
    struct arena scratch;
    struct hash hash;
    struct buf words;
};

/* The kind and the text with their ends, so that no two rows give the same bytes. */
static void hash_key_text(struct row_reader *r, char kind, const char *text)
{
    const char *folded = text_fold(&r->scratch, text);
    hash_add(&r->hash, &kind, 1);
    hash_add(&r->hash, folded, strlen(folded) + 1);
}

static void add_words(struct row_reader *r, const char *text)
{
    if (*text)
        buf_printf(&r->words, "%s%s", r->words.len ? " · " : "", text);
}

static void add_cell(struct row_reader *r, char kind, const char *text)
{
    if (figure_absence(text, &r->scratch) != FIGURE_TEXT)
        return;
    hash_key_text(r, kind, text);
    add_words(r, text);
}

/* "1x8" */
static bool has_layout(const char *text)
{
    for (const char *x = text; (x = strpbrk(x, "xX")); x++)
        if (x > text && isdigit((unsigned char)x[-1]) && isdigit((unsigned char)x[1]))
            return true;
    return false;
}

/* "| GPT3-6.7B | ------- | --- |" */
static bool is_row_heading(const struct row *row)
{
    bool other = row->n_cells && *row->cells[0].text && !has_layout(row->cells[0].text);
    for (size_t i = 1; i < row->n_cells && other; i++)
        other = row->cells[i].text[strspn(row->cells[i].text, " -")] == '\0';
    return other;
}

static struct row_key read_row_key(struct row_reader *r, const struct row *row, const char *heading,
                                   struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    hash_init(&r->hash);
    buf_clear(&r->words);
    hash_key_text(r, 't', r->of->caption ? r->of->caption : "");
    hash_key_text(r, 'h', heading);
    add_words(r, heading);
    for (size_t k = 0; k < N_DESCRIBING; k++)
        for (size_t i = 0; i < r->of->n_columns && i < row->n_cells; i++)
            if (r->columns[i] && r->columns[i]->kind == describing[k])
                add_cell(r, (char)('a' + k), row->cells[i].text);
    hash_final(&r->hash, hex);
    return (struct row_key){arena_strndup(arena, hex, ROW_KEY_LEN),
                            arena_strndup(arena, r->words.len ? r->words.data : "", r->words.len)};
}

const struct row_key *row_keys(const struct table *t, struct arena *arena)
{
    struct row_reader r = {.of = t, .scratch = ARENA_INIT};
    struct row_key *keys = arena_array(arena, t->n_rows, sizeof *keys);
    const char *heading = "";
    r.columns = arena_array(&r.scratch, t->n_columns, sizeof *r.columns);
    buf_init(&r.words, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < t->n_columns; i++)
        r.columns[i] = metrics_column(t->columns[i]);
    for (size_t i = 0; i < t->n_rows; i++) {
        bool heads = is_row_heading(&t->rows[i]);
        keys[i] = read_row_key(&r, &t->rows[i], heads ? "" : heading, arena);
        heading = heads ? t->rows[i].cells[0].text : heading;
    }
    buf_release(&r.words);
    arena_release(&r.scratch);
    return keys;
}

const char *row_name(int table, int row, const char *key, struct arena *arena)
{
    return arena_printf(arena, "%d.%d%s%s", table, row, key ? "-" : "", key ? key : "");
}
