#include "verifier/diff/csv.h"

#include "base/files/file.h"
#include "verifier/logs/log.h"

#define WARNINGS_MAX 5 /* lines that are named; further ones are counted */

struct reader {
    const char *file;
    struct curve_layout layout;
    struct diff_points *out;
    struct diags *diags;
    int line;
    size_t malformed;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line, without its end; false at the end of the text. */
static bool next_csv_line(struct span *text, struct span *line)
{
    if (!text->n)
        return false;
    *line = span_cut(text, '\n');
    while (line->n && is_space(line->p[line->n - 1]))
        line->n--;
    return true;
}

static struct span without_mark(struct bytes in)
{
    struct span s = {in.data, in.len};
    return span_starts(s, "\xEF\xBB\xBF") ? span_from(s, 3) : s;
}

static bool read_layout(struct bytes in, struct curve_layout *l)
{
    struct span text = without_mark(in), line;
    do {
        if (!next_csv_line(&text, &line))
            return false;
    } while (curve_csv_skips(line));
    return curve_csv_first(line, l);
}

bool diff_csv_is(struct bytes in)
{
    struct curve_layout l;
    return read_layout(in, &l);
}

static size_t count_lines(struct bytes in)
{
    size_t n = 1;
    for (const char *at = in.data, *end = in.data + in.len;
         (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        n++;
    return n;
}

/* Says which columns there are; false when none of them is meant. */
static bool choose_column(struct reader *r, const char *column, struct arena *arena)
{
    struct curve_layout *l = &r->layout;
    const char *list = "";
    if (l->n_losses < 2 && !column)
        return true;
    if (column && curve_csv_choose(l, column))
        return true;
    for (size_t i = 0; i < l->n_losses; i++)
        list = arena_printf(arena, "%s%s'%.*s'", list, i ? ", " : "", (int)l->names[i].n,
                            l->names[i].p);
    diags_add(r->diags, SEVERITY_ERROR, r->file, 1, 0,
              "found %zu columns with a loss (%s), expected one: name it, as %s#%.*s", l->n_losses,
              list, path_base(r->file), (int)l->names[0].n, l->names[0].p);
    return false;
}

void diff_csv_read(const char *file, const char *column, struct bytes in, struct diff_points *out,
                   struct arena *arena, struct diags *diags)
{
    struct reader r = {.file = file, .out = out, .diags = diags};
    struct span text = without_mark(in), line;
    *out = (struct diff_points){.items = NULL};
    if (!read_layout(in, &r.layout)) {
        const char *foreign = log_foreign((struct span){in.data, in.len});
        diags_add(diags, SEVERITY_ERROR, file, 1, 0, "found %s, expected %s",
                  foreign ? foreign : "no header with the columns step and loss",
                  foreign ? "a curve as UTF-8 text" : "one as step,loss");
        return;
    }
    if (!choose_column(&r, column, arena))
        return;
    out->counted = out->by_epoch = r.layout.by_epoch;
    out->items = arena_array(arena, count_lines(in), sizeof *out->items);
    for (bool named = !r.layout.header; next_csv_line(&text, &line);) {
        r.line++;
        if (curve_csv_skips(line))
            continue;
        if (named) {
            struct curve_point p = {.line = r.line};
            enum curve_line found = curve_csv_line(&r.layout, line, &p);
            if (found == CURVE_MALFORMED && r.malformed++ < WARNINGS_MAX)
                diags_add(r.diags, SEVERITY_WARNING, r.file, r.line, 0,
                          "found a line whose step or loss is no number; it is left out");
            else if (found == CURVE_POINT)
                r.out->items[r.out->n++] = p;
        }
        named = true;
    }
    if (r.malformed > WARNINGS_MAX)
        diags_add(diags, SEVERITY_WARNING, file, 0, 0,
                  "fpreport skipped %zu lines of the log for this reason", r.malformed);
}
