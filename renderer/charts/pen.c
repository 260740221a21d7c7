#include "renderer/charts/pen.h"

#include "base/arena.h"

#include <math.h>

/* ---- numbers ---------------------------------------------------------------------------- */

static void put_tenths(struct buf *out, long tenths)
{
    unsigned long size = tenths < 0 ? 0UL - (unsigned long)tenths : (unsigned long)tenths;
    char text[24], *end = text + sizeof text, *at = end; /* drawings are mostly numbers */
    if (size % 10) {
        *--at = (char)('0' + size % 10);
        *--at = '.';
    }
    for (unsigned long whole = size / 10; whole || at == end; whole /= 10)
        *--at = (char)('0' + whole % 10);
    if (tenths < 0)
        *--at = '-';
    buf_add(out, at, (size_t)(end - at));
}

/* Drawings are small; this only keeps what is none of them from overflowing. */
static long tenths_of(double value)
{
    return lround(fmin(fmax(value, -1e6), 1e6) * 10);
}

void pen_number(struct buf *out, double value)
{
    put_tenths(out, tenths_of(value));
}

/* ---- a path that is being written ------------------------------------------------------- */

struct pen {
    struct buf *out;
    const struct pen_paper *paper;
    size_t drawn; /* points since the pen was put down */
    long x, y;    /* the last point, in tenths */
};

static void pen_to(struct pen *pen, double x, double y)
{
    long to_x = tenths_of(x), to_y = tenths_of(y), dx = to_x - pen->x, dy = to_y - pen->y;
    if (pen->drawn && dx == 0 && dy == 0)
        return;
    buf_str(pen->out, !pen->drawn ? "m" : dx < 0 ? "" : " ");
    put_tenths(pen->out, dx);
    buf_str(pen->out, dy < 0 ? "" : " ");
    put_tenths(pen->out, dy);
    pen->drawn++;
    pen->x = to_x;
    pen->y = to_y;
}

static void pen_up(struct pen *pen)
{
    if (pen->drawn == 1) /* a single point: a dot by its round cap */
        buf_str(pen->out, "h0");
    pen->drawn = 0;
}

static void pen_point(struct pen *pen, const struct chart_series *s, size_t i)
{
    pen_to(pen, scale_place(pen->paper->x, s->x[i]), scale_place(pen->paper->y, s->y[i]));
}

/* ---- downsampling ----------------------------------------------------------------------- */

/* What is drawn of the points in one bucket: up to three of them. */
struct bucket {
    long number;
    size_t low, high, keep; /* indices */
    bool filled;
};

static void bucket_draw(struct bucket *b, struct pen *pen, const struct chart_series *s)
{
    size_t least = b->low, most = b->high;
    if (!b->filled)
        return;
    b->filled = false;
    if (b->high < b->low) {
        least = b->high;
        most = b->low;
    }
    if (b->keep < least)
        pen_point(pen, s, b->keep);
    pen_point(pen, s, least);
    if (b->keep > least && b->keep < most)
        pen_point(pen, s, b->keep);
    if (most != least)
        pen_point(pen, s, most);
    if (b->keep > most && b->keep != PEN_KEEP_NONE)
        pen_point(pen, s, b->keep);
}

static void bucket_see(struct bucket *b, const struct chart_series *s, size_t i, long number,
                       size_t keep)
{
    if (!b->filled)
        *b = (struct bucket){number, i, i, PEN_KEEP_NONE, true};
    b->low = s->y[i] < s->y[b->low] ? i : b->low;
    b->high = s->y[i] > s->y[b->high] ? i : b->high;
    b->keep = i == keep ? i : b->keep;
}

/* The bucket of a point; each point has its own when there are fewer points than buckets. */
static long bucket_number(const struct pen_paper *paper, const struct chart_series *s, size_t i)
{
    double width = fabs(paper->x->to - paper->x->from);
    if ((double)s->n <= width / paper->bucket)
        return (long)i;
    return (long)(fabs(scale_place(paper->x, s->x[i]) - paper->x->from) / paper->bucket);
}

void pen_curve(struct buf *out, const struct pen_paper *paper, const struct chart_series *s,
               size_t keep)
{
    struct pen pen = {.out = out, .paper = paper};
    struct bucket bucket = {0};
    double last_x = -INFINITY;
    bool gap = false;
    for (size_t i = 0; i < s->n; i++) {
        if (!value_is_drawable(s->x[i]) || s->x[i] < last_x)
            continue;
        last_x = s->x[i];
        if (!value_is_drawable(s->y[i])) {
            gap = true;
            continue;
        }
        long number = bucket_number(paper, s, i);
        bool next = bucket.filled && number != bucket.number;
        if (next)
            bucket_draw(&bucket, &pen, s);
        if (gap && next) /* within one bucket a gap would show nothing */
            pen_up(&pen);
        gap = false;
        bucket_see(&bucket, s, i, number, keep);
    }
    bucket_draw(&bucket, &pen, s);
    pen_up(&pen);
}

/* ---- means ------------------------------------------------------------------------------ */

struct mean {
    long number;
    double x, y; /* sums */
    size_t n;
};

static void mean_draw(struct mean *m, struct pen *pen)
{
    if (m->n)
        pen_to(pen, scale_place(pen->paper->x, m->x / (double)m->n),
               scale_place(pen->paper->y, m->y / (double)m->n));
    *m = (struct mean){0};
}

/* An empty bucket is a gap: there are many points to each. */
void pen_mean(struct buf *out, const struct pen_paper *paper, const struct chart_series *s)
{
    struct pen pen = {.out = out, .paper = paper};
    struct mean mean = {0};
    double last_x = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        if (!value_is_drawable(s->x[i]) || !value_is_drawable(s->y[i]) || s->x[i] < last_x)
            continue;
        last_x = s->x[i];
        long number = bucket_number(paper, s, i);
        if (mean.n && number != mean.number) {
            bool gap = number > mean.number + 1;
            mean_draw(&mean, &pen);
            if (gap)
                pen_up(&pen);
        }
        mean.number = number;
        mean.x += s->x[i];
        mean.y += s->y[i];
        mean.n++;
    }
    mean_draw(&mean, &pen);
    pen_up(&pen);
}

/* ---- bands ------------------------------------------------------------------------------ */

/* There along the upper edge, back along the lower one; gaps are not drawn. */
void pen_band(struct buf *out, const struct pen_paper *paper, const struct chart_series *s)
{
    struct arena arena = ARENA_INIT;
    struct pen pen = {.out = out, .paper = paper};
    double *x = arena_array(&arena, s->n, sizeof *x), *low = arena_array(&arena, s->n, sizeof *low);
    double *high = arena_array(&arena, s->n, sizeof *high), last_x = -INFINITY;
    long last = -1;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!value_is_drawable(s->x[i]) || s->x[i] < last_x || !value_is_drawable(s->low[i]) ||
            !value_is_drawable(s->high[i]))
            continue;
        last_x = s->x[i];
        long number = bucket_number(paper, s, i);
        if (n && number == last) {
            low[n - 1] = fmin(low[n - 1], s->low[i]);
            high[n - 1] = fmax(high[n - 1], s->high[i]);
            continue;
        }
        last = number;
        x[n] = s->x[i];
        low[n] = s->low[i];
        high[n++] = s->high[i];
    }
    for (size_t i = 0; i < n; i++)
        pen_to(&pen, scale_place(paper->x, x[i]), scale_place(paper->y, high[i]));
    for (size_t i = n; i > 0; i--)
        pen_to(&pen, scale_place(paper->x, x[i - 1]), scale_place(paper->y, low[i - 1]));
    pen_up(&pen);
    arena_release(&arena);
}

/* ---- a few points that stand for all ---------------------------------------------------- */

/* The usable points: indices in order of x. */
static size_t usable_points(const struct chart_series *s, size_t *index)
{
    size_t n = 0;
    double last_x = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        if (!value_is_drawable(s->x[i]) || !value_is_drawable(s->y[i]) || s->x[i] < last_x)
            continue;
        last_x = s->x[i];
        index[n++] = i;
    }
    return n;
}

/* Of the usable points [from, to) the one farthest from their mean. */
static size_t outermost(const struct chart_series *s, const size_t *all, size_t from, size_t to)
{
    double mean = 0;
    size_t best = from;
    for (size_t i = from; i < to; i++)
        mean += s->y[all[i]] / (double)(to - from);
    for (size_t i = from; i < to; i++)
        if (fabs(s->y[all[i]] - mean) > fabs(s->y[all[best]] - mean))
            best = i;
    return best;
}

static void choose_of_parts(const struct chart_series *s, const size_t *all, size_t n, size_t parts,
                            bool *chosen)
{
    double first = s->x[all[0]], width = (s->x[all[n - 1]] - first) / (double)parts;
    for (size_t i = 0, part = 1; part <= parts && i < n; part++) {
        size_t from = i;
        while (i < n && (part == parts || s->x[all[i]] < first + width * (double)part))
            i++;
        if (i > from)
            chosen[outermost(s, all, from, i)] = true;
    }
}

size_t pen_sample(const struct chart_series *s, size_t max, size_t *index)
{
    struct arena arena = ARENA_INIT;
    size_t *all = arena_array(&arena, s->n, sizeof *all), n = usable_points(s, all), kept = 0;
    bool *chosen = arena_array(&arena, s->n, sizeof *chosen);
    if (n > max) {
        size_t low = 0, high = 0;
        for (size_t i = 0; i < n; i++) {
            low = s->y[all[i]] < s->y[all[low]] ? i : low;
            high = s->y[all[i]] > s->y[all[high]] ? i : high;
        }
        chosen[0] = chosen[n - 1] = chosen[low] = chosen[high] = true;
        choose_of_parts(s, all, n, max - 4, chosen);
    }
    for (size_t i = 0; i < n; i++)
        if (n <= max || chosen[i])
            index[kept++] = all[i];
    arena_release(&arena);
    return kept;
}
