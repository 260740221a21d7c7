/* Columns of a list that say nothing: the same word for nothing in every row (site_sheet.h). */
#include "renderer/site_sheet.h"

#include <string.h>

/* Where a row has the text of a column, and whether that is a word for nothing: two members of the
 * row, or the text and "absent" of a figure. */
static const struct {
    const char *flag, *label, *text, *absent;
} columns[SITE_FOLDS] = {
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

/* NULL: there is something. */
static const char *nothing_in(const struct view *row, size_t c)
{
    const struct view *text = view_get(row, columns[c].text);
    const struct view *absent =
        view_get(columns[c].absent ? row : text, columns[c].absent ? columns[c].absent : "absent");
    if (!view_is_true(absent))
        return NULL;
    return (columns[c].absent ? text : view_get(text, "text"))->text;
}

void sheet_fold_row(struct sheet_folds *f, const struct view *row)
{
    for (size_t c = 0; c < SITE_FOLDS; c++) {
        const char *word = nothing_in(row, c);
        if (!word || (f->n && strcmp(f->words[c], word) != 0))
            f->kept[c] = true;
        f->words[c] = word ? word : "";
    }
    f->n++;
}

void sheet_set_folds(struct sheet *s, struct view *v, const struct sheet_folds *f)
{
    struct view *list = view_set_list(v, "folded");
    size_t shown = 1;
    for (size_t c = 0; c < SITE_FOLDS; c++) {
        bool folded = f->n > 0 && !f->kept[c];
        view_set_flag(v, columns[c].flag, folded);
        shown += !folded;
        if (!folded)
            continue;
        struct view *one = view_push_object(list);
        view_set_text(one, "label", sheet_t(s, columns[c].label));
        view_set_text(one, "word", f->words[c]);
        view_set_flag(one, "next", list->n > 1);
    }
    view_set_flag(v, "has_folded", list->n > 0);
    view_set_printf(v, "span", "%zu", shown);
}
