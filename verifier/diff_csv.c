#include "verifier/diff_csv.h"

#include "verifier/span.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define WARNINGS_MAX 5 /* lines that are named; further ones are counted */

/* Columns by the names that exports give them. The first column of a kind counts. */
enum kind { KIND_OTHER, KIND_STEP, KIND_LOSS, KIND_SECONDS, KIND_MILLISECONDS, KINDS };

static const struct column_name {
    const char *name; /* lower case, blanks and '-' as '_' */
    enum kind kind;
} column_names[] = {
    {"step", KIND_STEP},
    {"steps", KIND_STEP},
    {"global_step", KIND_STEP},
    {"global_steps", KIND_STEP},
    {"iteration", KIND_STEP},
    {"iter", KIND_STEP},
    {"loss", KIND_LOSS},
    {"lm_loss", KIND_LOSS},
    {"train_loss", KIND_LOSS},
    {"training_loss", KIND_LOSS},
    {"iteration_time_s", KIND_SECONDS},
    {"iteration_time", KIND_SECONDS},
    {"step_time_s", KIND_SECONDS},
    {"step_time", KIND_SECONDS},
    {"seconds", KIND_SECONDS},
    {"iteration_time_ms", KIND_MILLISECONDS},
    {"step_time_ms", KIND_MILLISECONDS},
    {"elapsed_time_per_iteration_(ms)", KIND_MILLISECONDS},
};

/* Where each kind stands, from 1; 0: not there. */
struct layout {
    size_t column[KINDS];
    char separator;
    bool header; /* the first line names the columns */
};

struct reader {
    const char *file;
    struct layout layout;
    struct diff_points *out;
    struct diags *diags;
    int line;
    size_t malformed;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Without blanks and one pair of quotes. */
static struct span cell_text(struct span s)
{
    s = span_trim(s);
    if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
        s = span_trim((struct span){s.p + 1, s.n - 2});
    return s;
}

/* The next cell; a separator between quotes belongs to it. */
static struct span next_cell(struct span *s, char separator)
{
    size_t n = 0;
    bool quoted = false;
    while (n < s->n && (quoted || s->p[n] != separator)) {
        quoted = quoted != (s->p[n] == '"');
        n++;
    }
    struct span cell = {s->p, n};
    *s = span_from(*s, n + 1);
    return cell_text(cell);
}

static bool same_name(struct span s, const char *name)
{
    if (s.n != strlen(name))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = (char)tolower((unsigned char)s.p[i]);
        if ((c == ' ' || c == '-' ? '_' : c) != name[i])
            return false;
    }
    return true;
}

static enum kind kind_of(struct span name)
{
    for (size_t i = 0; i < sizeof column_names / sizeof column_names[0]; i++)
        if (same_name(name, column_names[i].name))
            return column_names[i].kind;
    return KIND_OTHER;
}

/* --- numbers --- */

#define EXACT_DIGITS 15 /* a mantissa of so many digits, and */
#define EXACT_POWER 22  /* ten to this power, are exact doubles: one division rounds correctly */

static const double powers[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* Plain decimals of few digits, which is nearly all there are; false: not one of them. */
static bool plain_number(struct span s, double *value)
{
    uint64_t mantissa = 0;
    size_t at = s.n && s.p[0] == '-', digits = 0, decimals = 0;
    bool point = false;
    for (; at < s.n; at++) {
        char c = s.p[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            mantissa = mantissa * 10 + (uint64_t)(c - '0');
            decimals += point;
            digits++;
        } else {
            return false;
        }
        if (digits > EXACT_DIGITS)
            return false;
    }
    *value = (double)mantissa / powers[decimals];
    *value = s.p[0] == '-' ? -*value : *value;
    return digits > 0;
}

static bool number(struct span s, double *value)
{
    if (s.n && plain_number(s, value))
        return true;
    return s.n && span_number(s, value) == s.n;
}

static bool is_absent(struct span s)
{
    static const char *const words[] = {"", "na", "n/a", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (same_name(s, words[i]))
            return true;
    return false;
}

/* --- the first line --- */

/* The next line, without its end; false at the end of the text. */
static bool next_line(struct span *text, struct span *line)
{
    if (!text->n)
        return false;
    *line = span_cut(text, '\n');
    while (line->n && is_space(line->p[line->n - 1]))
        line->n--;
    return true;
}

static bool is_skipped(struct span line)
{
    struct span s = span_trim(line);
    return s.n == 0 || s.p[0] == '#';
}

static struct span without_mark(struct bytes in)
{
    struct span s = {in.data, in.len};
    return span_starts(s, "\xEF\xBB\xBF") ? span_from(s, 3) : s;
}

static char separator_of(struct span line)
{
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (line.n && memchr(line.p, separators[i], line.n))
            return separators[i];
    return '\0';
}

static bool read_names(struct span line, struct layout *l)
{
    for (size_t column = 1; line.n; column++) {
        enum kind kind = kind_of(next_cell(&line, l->separator));
        if (!l->column[kind])
            l->column[kind] = column;
    }
    l->header = true;
    return l->column[KIND_STEP] && l->column[KIND_LOSS];
}

/* Numbers from the first line on: step, loss and perhaps seconds. */
static bool is_headless(struct span line, char separator)
{
    size_t columns = 0;
    for (; line.n; columns++) {
        double value;
        if (!number(next_cell(&line, separator), &value))
            return false;
    }
    return columns == 2 || columns == 3;
}

static bool read_layout(struct bytes in, struct layout *l)
{
    struct span text = without_mark(in), line;
    do {
        if (!next_line(&text, &line))
            return false;
    } while (is_skipped(line));
    *l = (struct layout){.separator = separator_of(line)};
    if (!l->separator)
        return false;
    if (!is_headless(line, l->separator))
        return read_names(line, l);
    l->column[KIND_STEP] = 1;
    l->column[KIND_LOSS] = 2;
    l->column[KIND_SECONDS] = 3;
    return true;
}

bool diff_csv_is(struct bytes in)
{
    struct layout l;
    return read_layout(in, &l);
}

/* --- lines of figures --- */

static void malformed(struct reader *r)
{
    if (r->malformed++ < WARNINGS_MAX)
        diags_add(r->diags, SEVERITY_WARNING, r->file, r->line, 0,
                  "found a line whose step or loss is no number; it is left out");
}

static bool read_cells(struct reader *r, struct span line, struct span cells[KINDS])
{
    const size_t *at = r->layout.column;
    size_t column = 0;
    for (; line.n; column++) {
        struct span cell = next_cell(&line, r->layout.separator);
        for (enum kind k = KIND_STEP; k < KINDS; k++)
            if (at[k] == column + 1)
                cells[k] = cell;
    }
    return column >= at[KIND_STEP];
}

static double seconds_of(struct span cells[KINDS])
{
    double value;
    if (number(cells[KIND_SECONDS], &value))
        return value;
    return number(cells[KIND_MILLISECONDS], &value) ? value / 1000 : NAN;
}

static void read_point(struct reader *r, struct span line)
{
    struct span cells[KINDS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, {"", 0}};
    struct diff_point p = {.clock_ms = NAN, .line = r->line};
    bool sound = read_cells(r, line, cells);
    if (!sound || !number(cells[KIND_STEP], &p.step) || !isfinite(p.step)) {
        malformed(r);
        return;
    }
    if (is_absent(cells[KIND_LOSS]))
        return;
    if (!number(cells[KIND_LOSS], &p.loss)) {
        malformed(r);
        return;
    }
    p.seconds = seconds_of(cells);
    r->out->items[r->out->n++] = p;
}

static size_t count_lines(struct bytes in)
{
    size_t n = 1;
    for (const char *at = in.data, *end = in.data + in.len;
         (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        n++;
    return n;
}

void diff_csv_read(const char *file, struct bytes in, struct diff_points *out, struct arena *arena,
                   struct diags *diags)
{
    struct reader r = {.file = file, .out = out, .diags = diags};
    struct span text = without_mark(in), line;
    *out = (struct diff_points){NULL, 0};
    if (!read_layout(in, &r.layout)) {
        diags_add(diags, SEVERITY_ERROR, file, 1, 0,
                  "found no header with the columns step and loss");
        return;
    }
    out->items = arena_array(arena, count_lines(in), sizeof *out->items);
    for (bool named = !r.layout.header; next_line(&text, &line);) {
        r.line++;
        if (is_skipped(line))
            continue;
        if (named)
            read_point(&r, line);
        named = true;
    }
    if (r.malformed > WARNINGS_MAX)
        diags_add(diags, SEVERITY_WARNING, file, 0, 0, "%zu lines were left out like this",
                  r.malformed);
}
