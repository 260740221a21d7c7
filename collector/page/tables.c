#include "collector/page/page.h"

#include "base/figures/figure.h"
#include "base/figures/foreign_table.h"
#include "base/figures/metrics.h"
#include "base/text.h"

#include <string.h>

/* Rows whose cells after the first are dashes head a group of rows. */
static bool is_group_row(const struct row *row)
{
    if (row->n_cells < 2)
        return false;
    for (size_t i = 1; i < row->n_cells; i++) {
        const char *s = row->cells[i].text;
        if (strspn(s, "-") < 2 || s[strspn(s, "-")] != '\0')
            return false;
    }
    return true;
}

static bool is_blank_row(const struct row *row)
{
    for (size_t i = 0; i < row->n_cells; i++)
        if (row->cells[i].text[0])
            return false;
    return true;
}

static void warn_rows(struct importer *imp, const struct table *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        if (row->n_cells != t->n_columns)
            importer_warn(imp, row->line, "found %zu cells, expected %zu", row->n_cells,
                          t->n_columns);
        else if (is_blank_row(row))
            importer_warn(imp, row->line, "found a row without any content");
    }
}

void import_general(struct importer *imp, struct table *table)
{
    imp->result->general = table;
    warn_rows(imp, table);
}

/* Text in a column of numbers is kept, and marked as what nobody should write on purpose. */
static void mark_cell(struct importer *imp, const char *column, const struct figure *says,
                      struct cell *cell)
{
    if (result_is_figure(column, says))
        return;
    cell->as_published = true;
    diags_add(imp->diags, SEVERITY_WARNING, imp->file, cell->line, cell->col,
              "found \"%s\" in column \"%s\", expected a number", cell->text, column);
}

/* "*A100单机8卡 消融实验*" -> its inside; NULL when the line is no caption. */
static const char *caption_of(struct importer *imp, struct bytes line)
{
    char *s = text_trim_n(imp->arena, line.data, line.len);
    size_t n = strlen(s);
    if (n < 3 || s[0] != '*' || s[n - 1] != '*' || memchr(s + 1, '*', n - 2) || s[1] == ' ' ||
        s[n - 2] == ' ' || s[n - 2] == '\\')
        return NULL;
    return text_trim_n(imp->arena, s + 1, n - 2);
}

static struct block *push_block(struct importer *imp, int line)
{
    struct result *r = imp->result;
    struct block *b = ARENA_PUSH(imp->arena, r->performance, r->n_performance);
    b->line = line;
    return b;
}

/* Two lines of cells, one below the other: a table but for the rule that belongs between them.
 * The first such line, counted from 0; -1 when there is none. */
static int find_unruled(const char *text)
{
    int n = 0;
    for (const char *line = text, *next; (next = strchr(line, '\n')) != NULL; line = next, n++) {
        next++;
        const char *second = line[0] == '|' ? strchr(line + 1, '|') : NULL;
        if (second && second < next && next[0] == '|' && strchr(next + 1, '|'))
            return n;
    }
    return -1;
}

/* Lines below a table without a blank line between, without any word in them, or that would be a
 * table. */
static void warn_text(struct importer *imp, const struct piece *first, const char *text)
{
    bool glued =
        first > imp->pieces && first[-1].kind == PIECE_TABLE && first[-1].end + 1 == first->start;
    int unruled = find_unruled(text);
    if (!import_has_words(text))
        importer_warn(imp, first->start, "found a stray \"%s\"; kept as text",
                      import_excerpt(imp, text));
    else if (first->kind == PIECE_TEXT && unruled >= 0)
        importer_warn(imp, first->start + unruled,
                      "found cells without a rule (|---|---|) below the first line; kept as text");
    else if (glued)
        importer_warn(imp, first->start, "found text directly below a table; kept as text");
}

void import_performance_end(struct importer *imp)
{
    if (imp->run.n == 0)
        return;
    const struct piece *first = &imp->pieces[imp->run.first];
    const char *text = import_verbatim(imp, first, first + imp->run.n - 1);
    imp->run.n = 0;
    push_block(imp, first->start)->text.zh = text;
    warn_text(imp, first, text);
}

/* The line directly above a table, when it is a caption, leaves the text before the table. */
static const char *take_caption(struct importer *imp, const struct piece *table)
{
    if (imp->run.n == 0)
        return NULL;
    struct piece *last = &imp->pieces[imp->run.first + imp->run.n - 1];
    if (last->kind != PIECE_TEXT || last->end + 1 != table->start)
        return NULL;
    const char *caption = caption_of(imp, imp->page.lines[last->end - 1]);
    if (!caption)
        importer_warn(imp, last->end, "found text directly above a table; kept as text");
    else if (last->start == last->end)
        imp->run.n--;
    else
        last->end--;
    return caption;
}

void import_performance(struct importer *imp, const struct piece *p)
{
    if (p->kind != PIECE_TABLE || p->block->quote_depth > 0) {
        import_run_add(imp, p);
        return;
    }
    p->table->caption = take_caption(imp, p);
    import_performance_end(imp);
    push_block(imp, p->start)->table = p->table;
    warn_rows(imp, p->table);
    imp->foreign = imp->foreign || foreign_table_is(p->table, imp->arena);
    if (metrics_is_table(p->table)) {
        struct table *t = p->table;
        table_read_figures(t, imp->arena);
        for (size_t k = 0; k < t->n_columns; k++) {
            for (size_t i = 0; i < t->n_rows; i++)
                if (k < t->rows[i].n_cells && !is_group_row(&t->rows[i]))
                    mark_cell(imp, t->columns[k], &t->rows[i].figures[k], &t->rows[i].cells[k]);
        }
    }
}
