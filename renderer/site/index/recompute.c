#include "renderer/site/index/recompute.h"

#include "base/figures/metrics.h"
#include "base/text.h"
#include "renderer/site/index/row.h"

#include <string.h>
#include <strings.h>

/* What it is called, folded (text_fold), and what may follow behind '=' or ':'. */
static const char *const names[] = {
    "recompute",          "activationcheckpoint", "activation_checkpoint",
    "gradientcheckpoint", "gradient_checkpoint",  "重计算"};
static const char *const negations[] = {"no", "without", "disable", "不",  "未",
                                        "无", "不使用",  "未使用",  "关闭"};
static const struct {
    const char *value;
    enum site_recompute means;
} value_words[] = {
    {"false", RECOMPUTE_NONE}, {"no", RECOMPUTE_NONE},        {"off", RECOMPUTE_NONE},
    {"0", RECOMPUTE_NONE},     {"none", RECOMPUTE_NONE},      {"否", RECOMPUTE_NONE},
    {"full", RECOMPUTE_ALL},   {"selective", RECOMPUTE_PART},
};

static bool ends_with_negation(const char *text, size_t n)
{
    while (n && strchr("-_", text[n - 1]))
        n--;
    for (size_t i = 0; i < sizeof negations / sizeof *negations; i++) {
        size_t len = strlen(negations[i]);
        if (n >= len && memcmp(text + n - len, negations[i], len) == 0)
            return true;
    }
    return false;
}

/* "=full", "-granularity:full"; a name without a value says that it is used. */
static enum site_recompute recompute_of_value(const char *s)
{
    s += strspn(s, "abcdefghijklmnopqrstuvwxyz_-");
    if (*s != '=' && *s != ':')
        return RECOMPUTE_SOME;
    s += strspn(s, "=:\"'");
    size_t n = strcspn(s, ",;\"')|");
    for (size_t i = 0; i < sizeof value_words / sizeof *value_words; i++)
        if (strlen(value_words[i].value) == n && memcmp(s, value_words[i].value, n) == 0)
            return value_words[i].means;
    return RECOMPUTE_SOME;
}

static bool may_say(const char *text)
{
    return strcasestr(text, "recompute") || strcasestr(text, "checkpoint") ||
           strstr(text, "重计算");
}

static enum site_recompute recompute_of_text(const char *text, struct arena *scratch)
{
    if (!text || !may_say(text))
        return RECOMPUTE_UNSAID;
    const char *folded = text_fold(scratch, text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(folded, names[i]);
        if (at)
            return ends_with_negation(folded, (size_t)(at - folded))
                       ? RECOMPUTE_NONE
                       : recompute_of_value(at + strlen(names[i]));
    }
    return RECOMPUTE_UNSAID;
}

static enum site_recompute recompute_of_row(const struct site_row *row, struct arena *scratch)
{
    static const char *const columns[] = {"hyperparameters", "strategy", "parallel"};
    enum site_recompute r = RECOMPUTE_UNSAID;
    if (!row->row)
        return r;
    const struct row *cells = &row->of->rows[row->row - 1];
    for (size_t c = 0; c < row->of->n_columns && c < cells->n_cells && !r; c++) {
        const struct metrics_column *column = metrics_column(row->of->columns[c]);
        for (size_t k = 0; column && k < sizeof columns / sizeof *columns && !r; k++)
            if (strcmp(column->key, columns[k]) == 0)
                r = recompute_of_text(cells->cells[c].text, scratch);
    }
    return r;
}

static enum site_recompute read_items(const struct item *items, size_t n, struct arena *scratch)
{
    enum site_recompute r = RECOMPUTE_UNSAID;
    for (size_t i = 0; i < n && !r; i++) {
        const char *label = items[i].label, *value = items[i].value;
        if ((label && may_say(label)) || (value && may_say(value)))
            r = recompute_of_text(arena_printf(scratch, "%s%s%s", label ? label : "",
                                               label && value && *value ? "=" : "",
                                               value ? value : ""),
                                  scratch);
        r = r ? r : read_items(items[i].items, items[i].n_items, scratch);
    }
    return r;
}

static enum site_recompute read_groups(const struct group *groups, size_t n, struct arena *scratch)
{
    enum site_recompute r = RECOMPUTE_UNSAID;
    for (size_t i = 0; i < n && !r; i++)
        r = read_items(groups[i].items, groups[i].n_items, scratch);
    return r;
}

static enum site_recompute read_page(const struct result *of, struct arena *scratch)
{
    enum site_recompute r = read_groups(of->run_groups, of->n_run_groups, scratch);
    for (size_t i = 0; i < of->n_environments && !r; i++)
        r = read_groups(of->environments[i].groups, of->environments[i].n_groups, scratch);
    return r;
}

/* Of a case that another program runs its record says nothing of this. */
static enum site_recompute recompute_of_case(const struct case_record *c)
{
    bool native = c && strcmp(c->trainer, "native") == 0;
    const char *word = native ? c->recompute ? c->recompute : "none" : "";
    return strcmp(word, "none") == 0        ? RECOMPUTE_NONE
           : strcmp(word, "selective") == 0 ? RECOMPUTE_PART
           : strcmp(word, "full") == 0      ? RECOMPUTE_ALL
                                            : RECOMPUTE_UNSAID;
}

enum site_recompute site_recompute_of(const struct site_row *row)
{
    struct arena scratch = ARENA_INIT;
    enum site_recompute r = recompute_of_row(row, &scratch);
    r = r ? r : read_page(row->entry->result, &scratch);
    r = r ? r : recompute_of_case(row->entry->case_record);
    arena_release(&scratch);
    return r;
}

static const char *value_of_case(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return row->entry->result->case_id;
}

static const char *value_of_stage(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return *row->stage ? row->stage : NULL;
}

static const char *value_of_factor(const struct site_row *row, struct arena *arena)
{
    return arena_printf(arena, "%g", site_row_factor(row));
}

static const char *value_of_sequence(const struct site_row *row, struct arena *arena)
{
    double sequence = site_row_sequence(row);
    return sequence > 0 ? arena_printf(arena, "%.10g", sequence) : NULL;
}

static const char *value_of_recompute(const struct site_row *row, struct arena *arena)
{
    static const char *const values[] = {
        [RECOMPUTE_UNSAID] = NULL,      [RECOMPUTE_NONE] = "none", [RECOMPUTE_SOME] = "used",
        [RECOMPUTE_PART] = "selective", [RECOMPUTE_ALL] = "full",
    };
    (void)arena;
    return values[site_recompute_of(row)];
}

static const char *value_of_precision(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return *row->precision ? row->precision : NULL;
}

static const struct {
    const char *name;
    const char *(*value)(const struct site_row *row, struct arena *arena);
} criteria[SITE_CONDITIONS] = {
    [CRITERION_CASE] = {"case", value_of_case},
    [CRITERION_PRECISION] = {"precision_class", site_row_class},
    [CRITERION_STAGE] = {"stage", value_of_stage},
    [CRITERION_FACTOR] = {"mfu_factor", value_of_factor},
    [CRITERION_SEQUENCE] = {"sequence_length", value_of_sequence},
    [CONDITION_RECOMPUTE] = {"recompute", value_of_recompute},
    [CONDITION_PRECISION] = {"precision", value_of_precision},
};

const char *site_criterion_name(enum site_criterion c)
{
    return criteria[c].name;
}

const char *site_criterion_value(const struct site_row *row, enum site_criterion c,
                                 struct arena *arena)
{
    return criteria[c].value(row, arena);
}

size_t site_criterion_rows(const struct site_entry *e, enum site_criterion c, struct arena *arena,
                           const struct site_row **out)
{
    const char **values = arena_array(arena, e->n_rows, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        bool known = false;
        values[n] = site_criterion_value(e->rows[i], c, arena);
        for (size_t k = 0; k < n && !known; k++)
            known = text_equal_or_empty(values[k], values[n]);
        if (!known)
            out[n++] = e->rows[i];
    }
    return n;
}

static enum site_likeness likeness_if(bool same)
{
    return same ? LIKENESS_SAME : LIKENESS_DIFFERENT;
}

/* What is used somehow may be a part or all. */
static enum site_likeness recomputes_alike(const struct site_row *a, const struct site_row *b)
{
    enum site_recompute x = site_recompute_of(a), y = site_recompute_of(b);
    if (!x || !y)
        return LIKENESS_UNKNOWN;
    bool vague = (x == RECOMPUTE_SOME && y != RECOMPUTE_NONE) ||
                 (y == RECOMPUTE_SOME && x != RECOMPUTE_NONE);
    return x == y ? LIKENESS_SAME : vague ? LIKENESS_UNKNOWN : LIKENESS_DIFFERENT;
}

enum site_likeness site_rows_alike(const struct site_row *a, const struct site_row *b,
                                   enum site_criterion c)
{
    struct arena scratch = ARENA_INIT;
    enum site_likeness like;
    if (c == CONDITION_RECOMPUTE)
        like = recomputes_alike(a, b);
    else if (c == CONDITION_PRECISION)
        like = !*a->precision || !*b->precision
                   ? LIKENESS_UNKNOWN
                   : likeness_if(strcasecmp(a->precision, b->precision) == 0);
    else
        like = likeness_if(text_equal_or_empty(site_criterion_value(a, c, &scratch),
                                               site_criterion_value(b, c, &scratch)));
    arena_release(&scratch);
    return like;
}

enum site_likeness site_results_alike(const struct site_compared *pair, enum site_criterion c)
{
    struct arena scratch = ARENA_INIT;
    const struct site_row **a = arena_array(&scratch, pair->a->n_rows, sizeof(*a));
    const struct site_row **b = arena_array(&scratch, pair->b->n_rows, sizeof(*b));
    size_t n = site_criterion_rows(pair->a, c, &scratch, a), counts[LIKENESS_SAME + 1] = {0};
    size_t m = site_criterion_rows(pair->b, c, &scratch, b);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            counts[site_rows_alike(a[i], b[k], c)]++;
    arena_release(&scratch);
    return counts[LIKENESS_SAME]                 ? (n * m == 1 ? LIKENESS_SAME : LIKENESS_PARTLY)
           : counts[LIKENESS_DIFFERENT] == n * m ? LIKENESS_DIFFERENT
                                                 : LIKENESS_UNKNOWN;
}
