#include "verifier/curves/curve_csv.h"

#include <ctype.h>
#include <math.h>

/* Columns by the names that exports give them: lower case, blanks and '-' as '_'. The first column
 * of a kind counts. */
static const struct column_kind {
    enum curve_column kind;
    const char *names[13]; /* until NULL */
} column_kinds[] = {
    {CURVE_STEP,
     {"step", "steps", "global_step", "global_steps", "train/global_step", "trainer/global_step",
      "train/step", "iteration", "iterations", "iter"}},
    {CURVE_EPOCH, {"epoch", "epochs"}},
    /* "value" is TensorBoard's export. */
    {CURVE_LOSS,
     {"loss", "lm_loss", "train_loss", "training_loss", "train/loss", "loss/train/total",
      "loss/train", "train/lm_loss", "train/crossentropyloss", "train/ce_loss",
      "lm_loss:", "value"}},
    {CURVE_SECONDS, {"iteration_time_s", "iteration_time", "step_time_s", "step_time", "seconds"}},
    {CURVE_MILLISECONDS, {"iteration_time_ms", "step_time_ms", "elapsed_time_per_iteration_(ms)"}},
    {CURVE_CLOCK, {"wall_time"}},
};

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
    if (separator == ' ')
        *s = span_trim(*s);
    while (n < s->n &&
           (quoted || !(s->p[n] == separator || (separator == ' ' && s->p[n] == '\t')))) {
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

static enum curve_column column_kind_of(struct span name)
{
    struct span rest = name;
    /* "name of the run - train/loss", as Weights & Biases exports it. */
    while (span_after(rest, " - ", &rest))
        name = rest;
    for (size_t i = 0; i < sizeof column_kinds / sizeof *column_kinds; i++)
        for (const char *const *known = column_kinds[i].names; *known; known++)
            if (same_name(name, *known))
                return column_kinds[i].kind;
    return CURVE_OTHER;
}

/* --- numbers --- */

/* All of the cell, be it "5." as NumPy prints whole numbers. */
static bool read_csv_number(struct span s, double *value)
{
    size_t n = span_number(s, value);
    return n > 0 && (n == s.n || (n + 1 == s.n && s.p[n] == '.'));
}

static bool is_absent_cell(struct span s)
{
    static const char *const words[] = {"", "na", "n/a", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (same_name(s, words[i]))
            return true;
    return false;
}

/* --- the first line --- */

static char separator_of(struct span line)
{
    static const char separators[] = {',', ';', '\t', ' '};
    for (size_t i = 0; i < sizeof separators; i++)
        if (line.n && memchr(line.p, separators[i], line.n))
            return separators[i];
    return '\0';
}

static void add_loss_column(struct curve_layout *l, size_t column, struct span name)
{
    if (l->n_losses == CURVE_LOSSES_MAX)
        return;
    l->losses[l->n_losses] = column;
    l->names[l->n_losses++] = name;
}

/* Numbers from the first line on: step, loss and perhaps seconds. Between blanks, where anything
 * may stand, a whole step and a loss with a point. */
static bool is_headless(struct span line, char separator)
{
    size_t columns = 0;
    for (; line.n; columns++) {
        double value;
        struct span cell = next_cell(&line, separator);
        if (!read_csv_number(cell, &value))
            return false;
        bool point = memchr(cell.p, '.', cell.n);
        if (separator == ' ' && (columns > 1 || point != (columns == 1)))
            return false;
    }
    return columns == 2 || columns == 3;
}

/* "tp2" of "tp2 - train/loss", or all of it. */
static bool is_run_or_name(struct span name, const char *text)
{
    struct span rest = span_from(name, strlen(text));
    return span_starts(name, text) && (!rest.n || span_starts(rest, " - "));
}

bool curve_csv_choose(struct curve_layout *l, const char *text)
{
    size_t found = 0, chosen = 0;
    for (size_t i = 0; i < l->n_losses; i++) {
        if (is_run_or_name(l->names[i], text)) {
            found = 1;
            chosen = l->losses[i];
            break;
        }
        if (span_find(l->names[i], text) < l->names[i].n) {
            found++;
            chosen = l->losses[i];
        }
    }
    if (found == 1)
        l->column[CURVE_LOSS] = chosen;
    return found == 1;
}

bool curve_csv_first(struct span line, struct curve_layout *l)
{
    *l = (struct curve_layout){.separator = separator_of(line)};
    if (!l->separator)
        return false;
    if (!is_headless(line, l->separator)) {
        for (size_t column = 1; line.n; column++) {
            struct span name = next_cell(&line, l->separator);
            enum curve_column kind = column_kind_of(name);
            if (kind == CURVE_OTHER && l->separator == ' ')
                return false;
            if (kind == CURVE_LOSS)
                add_loss_column(l, column, name);
            if (!l->column[kind])
                l->column[kind] = column;
        }
        l->header = true;
        l->by_epoch = !l->column[CURVE_STEP];
        if (l->by_epoch)
            l->column[CURVE_STEP] = l->column[CURVE_EPOCH];
        return l->column[CURVE_STEP] && l->column[CURVE_LOSS];
    }
    l->column[CURVE_STEP] = 1;
    l->column[CURVE_LOSS] = 2;
    l->column[CURVE_SECONDS] = 3;
    return true;
}

/* --- lines of figures --- */

static bool read_cells(const struct curve_layout *l, struct span line,
                       struct span cells[CURVE_COLUMNS])
{
    size_t column = 0;
    for (; line.n; column++) {
        struct span cell = next_cell(&line, l->separator);
        for (enum curve_column k = CURVE_STEP; k < CURVE_COLUMNS; k++)
            if (l->column[k] == column + 1)
                cells[k] = cell;
    }
    return column >= l->column[CURVE_STEP];
}

enum curve_line curve_csv_line(const struct curve_layout *l, struct span line,
                               struct curve_point *out)
{
    struct span cells[CURVE_COLUMNS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0},
                                        {"", 0}, {"", 0}, {"", 0}};
    bool sound = read_cells(l, line, cells);
    if (!sound || !read_csv_number(cells[CURVE_STEP], &out->step) || !isfinite(out->step))
        return CURVE_MALFORMED;
    if (l->by_epoch && out->step != floor(out->step))
        return CURVE_MALFORMED;
    if (is_absent_cell(cells[CURVE_LOSS]))
        return CURVE_ABSENT;
    if (!read_csv_number(cells[CURVE_LOSS], &out->loss))
        return CURVE_MALFORMED;
    double value;
    out->seconds = read_csv_number(cells[CURVE_SECONDS], &value)        ? value
                   : read_csv_number(cells[CURVE_MILLISECONDS], &value) ? value / 1000
                                                                        : NAN;
    out->clock_ms = NAN;
    if (read_csv_number(cells[CURVE_CLOCK], &out->clock_ms))
        out->clock_ms *= 1000;
    return CURVE_POINT;
}

bool curve_csv_skips(struct span line)
{
    struct span s = span_trim(line);
    return s.n == 0 || s.p[0] == '#';
}
