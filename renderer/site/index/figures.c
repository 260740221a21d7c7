#include "renderer/site/index/figures.h"

#include "base/records/row_pairs.h"
#include "base/signing/hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_figure(const struct metric *m)
{
    return m->stated || m->found;
}

/* A text with its end; what is not there is no empty text. */
static void hash_text(struct buf *out, const char *text)
{
    buf_char(out, text ? '=' : '-');
    buf_add(out, text ? text : "", (text ? strlen(text) : 0) + 1);
}

/* The low byte first; of every build, so that printf would be most of the work. */
static void hash_number(struct buf *out, unsigned number)
{
    for (int i = 0; i < 4; i++, number >>= 8)
        buf_char(out, (char)(number & 0xff));
}

const char *site_figures_sum(const struct verdict *v, struct buf *text, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    buf_clear(text);
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (!is_figure(m))
            continue;
        hash_number(text, (unsigned)m->table);
        hash_number(text, (unsigned)m->row);
        hash_text(text, m->name);
        hash_text(text, m->stated);
        hash_text(text, figure_print(m->found, arena));
    }
    for (size_t i = 0; i < v->n_rows; i++) {
        hash_number(text, (unsigned)v->rows[i].table);
        hash_number(text, (unsigned)v->rows[i].row);
        hash_text(text, v->rows[i].key);
    }
    hash_sha256(text->data, text->len, hex);
    return arena_strdup(arena, hex);
}

size_t site_figures_count(const struct verdict *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_metrics; i++)
        n += is_figure(&v->metrics[i]);
    return n;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A figure and the number of its row (base/records/row_pairs.h). */
struct numbered {
    const struct metric *of;
    size_t number;
};

static int compare_numbered(const struct numbered *a, const struct numbered *b)
{
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number)
                                  : strcmp(a->of->name, b->of->name);
}

/* Those that are alike stay in their order: they lie in one array. */
static int compare_row_numbers(const void *x, const void *y)
{
    const struct numbered *a = x, *b = y;
    int c = compare_numbered(a, b);
    return c ? c : (a->of > b->of) - (a->of < b->of);
}

/* One publication, with its figures by the numbers of their rows. */
struct side {
    struct row_side rows;
    struct numbered *items;
    size_t n;
};

static struct side figures_side(const struct site_figures *f, struct arena *arena)
{
    struct side s = {.rows = row_side_of(f->n + f->n_rows, arena),
                     .items = arena_array(arena, f->n, sizeof *s.items)};
    struct row_figure *figures = arena_array(arena, f->n, sizeof *figures);
    struct row_said *said = arena_array(arena, f->n_rows, sizeof *said);
    for (size_t i = 0; i < f->n; i++) {
        const struct metric *m = &f->items[i];
        if (!is_figure(m))
            continue;
        figures[s.n] = (struct row_figure){m->table, m->row, m->name, m->stated, 0};
        s.items[s.n++].of = m;
        row_side_add(&s.rows, m->table, m->row);
    }
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct verdict_row *r = &f->rows[i];
        said[i] = (struct row_said){r->table, r->row, r->key, r->configuration};
        row_side_add(&s.rows, r->table, r->row);
    }
    row_side_settle(&s.rows);
    row_side_know(&s.rows, figures, s.n, said, f->n_rows);
    return s;
}

static void number_rows(struct side *s, const struct side *now)
{
    for (size_t i = 0; i < s->n; i++)
        s->items[i].number =
            row_side_number(&s->rows, &now->rows, s->items[i].of->table, s->items[i].of->row);
    if (s->n)
        qsort(s->items, s->n, sizeof *s->items, compare_row_numbers);
}

/* ---- what differs -------------------------------------------------------------------------- */

static void note_figure_change(struct site_figure_changes *out, const struct row_place *at,
                               const char *name, bool stated, const char *before, const char *now,
                               struct arena *arena)
{
    if ((!before && !now) || (before && now && strcmp(before, now) == 0))
        return;
    out->total++;
    if (out->n == SITE_FIGURES_SHOWN)
        return;
    *(struct site_figure_change *)ARENA_PUSH(arena, out->items, out->n) =
        (struct site_figure_change){.table = at->table,
                                    .row = at->row,
                                    .name = arena_strdup(arena, name),
                                    .stated = stated,
                                    .before = arena_strdup(arena, before),
                                    .now = arena_strdup(arena, now),
                                    .said = figure_read(before, arena),
                                    .says = figure_read(now, arena)};
}

/* What stands at one place and under one name of both; one may be missing. */
static void compare_one(struct site_figure_changes *out, const struct side *side,
                        const struct numbered *was, const struct numbered *is, struct arena *arena)
{
    const struct metric *old = was ? was->of : NULL, *now = is ? is->of : NULL;
    size_t place = (is ? is : was)->number / 2;
    if (row_number_is_alone((is ? is : was)->number))
        return;
    const struct row_place here = {.table = (now ? now : old)->table,
                                   .row = (now ? now : old)->row};
    const struct row_place *at = place < side->rows.n ? &side->rows.places[place] : &here;
    const char *name = (now ? now : old)->name;
    note_figure_change(out, at, name, true, old ? old->stated : NULL, now ? now->stated : NULL,
                       arena);
    note_figure_change(out, at, name, false, old ? figure_print(old->found, arena) : NULL,
                       now ? figure_print(now->found, arena) : NULL, arena);
}

static void add_side_figures(struct site_row_change *to, const struct side *s, size_t number,
                             struct arena *arena)
{
    for (size_t i = 0; i < s->n && to->n_figures < SITE_ROW_FIGURES; i++)
        if (s->items[i].number == number && s->items[i].of->stated)
            *(struct site_row_figure *)ARENA_PUSH(arena, to->figures, to->n_figures) =
                (struct site_row_figure){arena_strdup(arena, s->items[i].of->name),
                                         arena_strdup(arena, s->items[i].of->stated),
                                         figure_read(s->items[i].of->stated, arena)};
}

/* Its rows that the other has not. */
static void note_missing_rows(struct site_figure_changes *out, const struct side *s,
                              const struct side *now, struct arena *arena)
{
    for (size_t i = 0; i < s->rows.n; i++) {
        const struct row_place *p = &s->rows.places[i];
        if (!p->figures || p->partner != ROW_ALONE)
            continue;
        ++*(s == now ? &out->added : &out->removed);
        if (out->n_rows == SITE_FIGURES_SHOWN)
            continue;
        struct site_row_change *to = ARENA_PUSH(arena, out->rows, out->n_rows);
        *to = (struct site_row_change){.added = s == now,
                                       .table = p->table,
                                       .row = p->row,
                                       .key = arena_strdup(arena, p->key),
                                       .words = arena_strdup(arena, p->words)};
        add_side_figures(to, s, row_side_number(&s->rows, &now->rows, p->table, p->row), arena);
    }
}

void site_figures_compare(const struct site_figures *old, const struct site_figures *now,
                          struct arena *arena, struct site_figure_changes *out)
{
    struct arena scratch = ARENA_INIT;
    struct side a = figures_side(old, &scratch), b = figures_side(now, &scratch);
    *out = (struct site_figure_changes){0};
    row_sides_pair(&a.rows, &b.rows);
    number_rows(&a, &b);
    number_rows(&b, &b);
    for (size_t i = 0, k = 0; i < a.n || k < b.n;) {
        int c = i == a.n ? 1 : k == b.n ? -1 : compare_numbered(&a.items[i], &b.items[k]);
        compare_one(out, &b, c <= 0 ? &a.items[i] : NULL, c >= 0 ? &b.items[k] : NULL, arena);
        i += c <= 0;
        k += c >= 0;
    }
    note_missing_rows(out, &b, &b, arena);
    note_missing_rows(out, &a, &b, arena);
    arena_release(&scratch);
}
