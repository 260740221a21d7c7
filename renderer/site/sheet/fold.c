/* Columns of a list that say nothing: the same word for nothing in every row (sheet.h). */
#include "renderer/site/sheet/sheet.h"

#include <string.h>

#define ROWS_ALWAYS 1 /* case and vendor */
static const struct sheet_fold_column row_columns[] = {
    {"fold_accelerator", "col.accelerator", "card", "no_card"},
    {"fold_cards", "col.cards", "cards", "no_cards"},
    {"fold_precision", "col.precision", "precision_cell", "no_precision"},
    {"fold_rate", "col.rate", "rate", NULL},
    {"fold_mfu", "col.mfu", "mfu", NULL},
    {"fold_loss", "col.loss", "loss", NULL},
    {"fold_deviation", "col.deviation", "deviation", "deviation_absent"},
    {"fold_memory", "col.memory", "memory", NULL},
    {"fold_software", "col.software", "software", "no_software"},
    {"fold_date", "col.date", "date", "no_date"},
    {"fold_evidence", "col.evidence", "evidence", "no_evidence"},
};

#define FIGURES_ALWAYS 3 /* name, stated, outcome */
static const struct sheet_fold_column figure_columns[] = {
    {"fold_recomputed", "col.recomputed", "recomputed", "no_recomputed"},
    {"fold_reproduced", "col.reproduced", "measured_again", "no_reproduced"},
    {"fold_difference", "col.difference", "difference", "no_difference"},
    {"fold_tolerance", "col.tolerance", "tolerance", "no_tolerance"},
    {"fold_rule", "col.rule", "rule_word", "no_rule"},
    {"fold_log", "col.log", "log_word", "no_log"},
};

#define N(columns) (sizeof(columns) / sizeof *(columns))

struct sheet_folds sheet_folds_of_rows(void)
{
    return (struct sheet_folds){
        .columns = row_columns, .n_columns = N(row_columns), .always = ROWS_ALWAYS};
}

struct sheet_folds sheet_folds_of_figures(void)
{
    return (struct sheet_folds){
        .columns = figure_columns, .n_columns = N(figure_columns), .always = FIGURES_ALWAYS};
}

/* NULL: there is something. */
static const char *nothing_in(const struct view *row, const struct sheet_fold_column *c)
{
    const struct view *text = view_get(row, c->text);
    const struct view *absent = c->absent ? view_get(row, c->absent) : view_get(text, "absent");
    if (!view_is_true(absent))
        return NULL;
    return (c->absent ? text : view_get(text, "text"))->text;
}

void sheet_fold_row(struct sheet_folds *f, const struct view *row)
{
    for (size_t c = 0; c < f->n_columns; c++) {
        const char *word = nothing_in(row, &f->columns[c]);
        if (!word || (f->n && strcmp(f->words[c], word) != 0))
            f->kept[c] = true;
        f->words[c] = word ? word : "";
    }
    f->n++;
}

void sheet_set_folds(struct sheet *s, struct view *v, const struct sheet_folds *f)
{
    struct view *list = view_set_list(v, "folded");
    size_t shown = f->always;
    for (size_t c = 0; c < f->n_columns; c++) {
        bool said = f->of_page && strcmp(f->of_page, f->columns[c].flag) == 0;
        bool folded = said || (f->n > 0 && !f->kept[c]);
        view_set_flag(v, f->columns[c].flag, folded);
        shown += !folded;
        if (!folded || said)
            continue;
        struct view *one = view_push_object(list);
        view_set_text(one, "label", sheet_t(s, f->columns[c].label));
        view_set_text(one, "word", f->words[c]);
        view_set_flag(one, "next", list->n > 1);
    }
    view_set_flag(v, "has_folded", list->n > 0);
    view_set_flag(v, "folded_one", f->n == 1);
    view_set_printf(v, "span", "%zu", shown);
}
