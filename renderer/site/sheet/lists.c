/* Lists of rows on pages: all of them, or those of one vendor, accelerator or model. */
#include "renderer/site/index/dates.h"
#include "renderer/site/index/recompute.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/sheet.h"

#include "base/figures/row_key.h"
#include "base/foreign.h"

#include <stdlib.h>
#include <string.h>

#define SOFTWARE_MAX 48 /* bytes of it in a list */

/* Keys of the figures of a row, in the order of enum site_figure. */
static const char *const figure_keys[SITE_FIGURES] = {
    [SITE_RATE] = "rate",
    [SITE_MFU] = "mfu",
    [SITE_LOSS] = "loss",
    [SITE_MEMORY] = "memory",
};

static void set_deviation(struct sheet *s, struct view *v, const struct site_row *row)
{
    const struct alignment *a = row->evidence ? row->evidence->alignment : NULL;
    if (a) {
        /* The deviation is ours, from the logs: green only if these count, red where it is too
         * large. */
        static const struct {
            const char *class, *icon, *word;
        } marks[] = {
            {"measured", "✓", "mark.measured"},
            {"stated", "○", "source.evidence"},
            {"contradicted", "✕", "mark.contradicted"},
        };
        enum state state = row->entry->verdict->state;
        bool counts = row->evidence->intact && state != STATE_FAILED && state != STATE_WITHDRAWN;
        int mark = !row->evidence->alignment->aligned ? 2 : counts ? 0 : 1;
        view_set_text(v, "deviation_mark", marks[mark].class);
        view_set_text(v, "deviation_icon", marks[mark].icon);
        view_set_text(v, "deviation_word", sheet_t(s, marks[mark].word));
    }
    view_set_flag(v, "deviation_absent", a == NULL);
    view_set_text(v, "deviation_machine",
                  a ? site_percent_data(a->max_rel_error * 100, 6, s->arena) : "");
    view_set_text(v, "deviation",
                  a               ? site_percent_text(a->max_rel_error * 100, 4, s->arena)
                  : row->evidence ? sheet_t(s, "figure.incomparable")
                                  : sheet_t(s, "figure.noevidence"));
}

static void set_cards(struct sheet *s, struct view *v, const struct site_row *row)
{
    const char *absent = sheet_t(s, "figure.none");
    const char *held = *row->card_cell ? sheet_absent(s, row->card_cell) : NULL;
    const char *no_card = *row->card ? sheet_absent(s, row->card) : held ? held : absent;
    const char *card = row->accelerator ? sheet_card(s, row->accelerator) : row->card;
    view_set_text(v, "card", no_card ? no_card : sheet_short(s, card));
    view_set_flag(v, "no_card", no_card != NULL);
    view_set_text(v, "accelerator", row->card_id ? row->card_id : "");
    view_set_text(v, "card_lang", no_card ? "" : sheet_foreign(s, card));
    view_set_text(v, "cards",
                  row->cards ? arena_printf(s->arena, "%ld", row->nodes * row->cards) : absent);
    view_set_text(v, "layout",
                  row->cards ? arena_printf(s->arena, "%ld×%ld", row->nodes, row->cards) : absent);
    view_set_flag(v, "no_cards", row->cards == 0);
}

/* With what, when, and where that can be seen. */
static void set_row_origin(struct sheet *s, struct view *v, const struct site_row *row)
{
    bool ran, intact = row->evidence && row->evidence->intact;
    const char *day = site_row_day(s->index, row, s->arena, &ran);
    view_set_flag(v, "no_software", !*row->software);
    sheet_set_joined(s, v, "software",
                     *row->software ? foreign_line(s->arena, row->software, SOFTWARE_MAX)
                                    : sheet_t(s, "figure.none"));
    view_set_text(v, "software_lang", *row->software ? sheet_foreign(s, row->software) : "");
    view_set_flag(v, "no_date", !day);
    view_set_text(v, "date", day ? day : sheet_t(s, "figure.none"));
    view_set_text(v, "date_of", !day ? "" : sheet_t(s, ran ? "date.run" : "date.listed"));
    view_set_flag(v, "no_evidence", !row->evidence);
    view_set_text(v, "evidence",
                  sheet_t(s, !row->evidence ? "figure.noevidence"
                             : intact       ? "evidence.sealed"
                                            : "evidence.broken"));
    view_set_text(v, "evidence_mark", intact ? "measured" : "contradicted");
    view_set_text(v, "evidence_icon", intact ? "✓" : "✕");
    view_set_text(v, "evidence_word", sheet_t(s, intact ? "evidence.intact" : "evidence.broken"));
}

void sheet_set_identity(struct sheet *s, struct view *v, const struct site_entry *e)
{
    view_set_text(v, "vendor", e->result->vendor);
    sheet_set_of(s, v, e);
    view_set_text(v, "model", e->model_id);
    view_set_text(v, "model_name", sheet_model(s, e));
    view_set_flag(v, "reproduced", verdict_is_reproduced(e->verdict));
    sheet_set_state(s, v, e->verdict->state);
}

static void set_figures(struct sheet *s, struct view *v, const struct site_row *row,
                        const struct site_columns *columns)
{
    struct view *figures = view_set_list(v, "figures");
    for (size_t c = 0; columns && c < columns->n; c++) {
        struct view *cell = view_push_object(figures);
        sheet_set_figure(s, cell, "figure", site_row_metric(row, columns->at[c]->key));
        view_set_text(cell, "label", sheet_words(s, columns->at[c]->label));
        view_set_text(cell, "unit", sheet_unit(s, columns->at[c]->unit));
        sheet_set_direction(s, cell, columns->at[c]->better);
    }
}

const char *sheet_row_mark(struct sheet *s, const struct site_row *row)
{
    const struct result *r = row->entry->result;
    return arena_printf(s->arena, "%s/%s:%s", r->vendor, r->case_id,
                        row_name(row->table, row->row, row->key, s->arena));
}

/* What else a reader may filter by: the vendor in the other language, the configuration as it was
 * published. */
static const char *also(struct sheet *s, const struct site_row *row)
{
    const struct vendor *v = row->entry->vendor;
    const char *other = v ? s->lang == PAGE_EN ? v->name.zh : v->name.en : NULL;
    const char *published = sheet_short(s, row->configuration);
    bool same = strcmp(published, sheet_configuration(s, row->configuration)) == 0;
    return arena_printf(s->arena, "%s %s", other ? sheet_short(s, other) : "",
                        same ? "" : published);
}

/* Models that are not counted in tokens state figures of all cards together: of what, beside it. */
static void set_whole_unit(struct sheet *s, struct view *figure, const struct metric *m)
{
    static const struct {
        const char *name, *words;
    } whole[] = {
        {"p_core", "rate.core"},
        {"p_train", "rate.train"},
        {"p_whole", "rate.whole"},
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(whole[i].name, m->name) == 0)
            view_set_text(figure, "unit",
                          sheet_fill(s, whole[i].words, {"unit", sheet_unit(s, m->unit)}));
}

const struct view *sheet_push_row(struct sheet *s, struct view *rows, const struct site_row *row,
                                  const struct site_columns *columns)
{
    struct view *v = view_push_object(rows);
    sheet_set_identity(s, v, row->entry);
    set_cards(s, v, row);
    sheet_set_configuration(s, v, row->configuration);
    sheet_set_detail(s, v, row);
    view_set_flag(v, "no_precision", !*row->precision);
    view_set_text(v, "precision_cell",
                  *row->precision        ? sheet_short(s, row->precision)
                  : *row->precision_cell ? sheet_absent(s, row->precision_cell)
                                         : sheet_t(s, "figure.none"));
    set_row_origin(s, v, row);
    view_set_text(v, "anchor",
                  row->row ? arena_printf(s->arena, "f%d-%d", row->table, row->row) : "figures");
    view_set_text(v, "row_name", row_name(row->table, row->row, row->key, s->arena));
    for (int f = 0; f < SITE_FIGURES; f++) {
        const struct metric *m = row->figures[f];
        struct view *figure = sheet_set_figure(s, v, figure_keys[f], m);
        bool usual = !m || f != SITE_RATE || strcmp(m->name, "token_per_s_per_card") == 0;
        view_set_flag(figure, "other_unit", !usual && !view_is_true(view_get(figure, "absent")));
        if (!usual)
            set_whole_unit(s, figure, m);
    }
    const struct view *other = view_get(view_get(v, figure_keys[SITE_RATE]), "other_unit");
    view_set_text(v, "rate_unit", view_is_true(other) ? "" : sheet_t(s, "unit.card"));
    set_deviation(s, v, row);
    view_set_text(v, "group", row->group);
    /* For the script: criteria parted by tabs, of which no word has one. */
    const char *words[SITE_CRITERIA], *all = "";
    sheet_criteria(s, row, words);
    for (int i = 0; i < SITE_CRITERIA; i++)
        all = arena_printf(s->arena, "%s%s%s", all, i ? "\t" : "", words[i]);
    view_set_text(v, "criteria", all);
    /* For the script; nothing where nobody says. */
    enum site_recompute r = site_recompute_of(row);
    view_set_text(v, "recompute", r ? sheet_recompute(s, r) : "");
    view_set_text(v, "also", also(s, row));
    set_figures(s, v, row, columns);
    sheet_set_why(s, v, row);
    return v;
}

const char *sheet_row_count(struct sheet *s, size_t n)
{
    return sheet_fill(s, "rows.count", {"n", sheet_number(s, n)});
}

/* Rows are in the order of their states: one body each, so that no sorting mixes them. */
static void set_rows(struct sheet *s, struct view *v, const struct site_row *const *rows, size_t n,
                     const struct site_columns *columns, struct sheet_folds folds)
{
    struct view *bodies = view_set_list(v, "bodies"), *body = NULL, *list = NULL;
    size_t first = 0;
    view_set_flag(v, "filter", n > SHEET_FEW_ROWS);
    view_set_flag(v, "everywhere", false); /* but on the pages of all results */
    for (size_t i = 0; i < n; i++) {
        enum state state = rows[i]->entry->verdict->state;
        if (i == 0 || state != rows[i - 1]->entry->verdict->state) {
            body = view_push_object(bodies);
            sheet_set_state(s, body, state);
            list = view_set_list(body, "rows");
            first = i;
        }
        sheet_fold_row(&folds, sheet_push_row(s, list, rows[i], columns));
        if (i + 1 == n || rows[i + 1]->entry->verdict->state != state)
            view_set_text(body, "count", sheet_row_count(s, i + 1 - first));
    }
    sheet_set_folds(s, v, &folds);
    view_set_text(v, "row_count", sheet_row_count(s, n));
}

void sheet_set_rows(struct sheet *s, struct view *v, const struct site_row *const *rows, size_t n,
                    const struct site_columns *columns)
{
    set_rows(s, v, rows, n, columns, sheet_folds_of_rows());
}

void sheet_set_rows_of_card(struct sheet *s, const struct site_part *part)
{
    struct sheet_folds folds = sheet_folds_of_rows();
    folds.of_page = "fold_accelerator";
    set_rows(s, s->view, part->rows, part->n, NULL, folds);
}

void sheet_set_counts(struct sheet *s, struct view *list)
{
    for (int state = 0; state < SITE_STATES; state++) {
        size_t n = 0;
        for (size_t i = 0; i < s->index->n_entries; i++)
            n += s->index->entries[i].verdict->state == (enum state)state;
        struct view *v = view_push_object(list);
        sheet_set_state(s, v, (enum state)state);
        view_set_printf(v, "count", "%zu", n);
        view_set_flag(v, "some", n > 0);
    }
}

/* {"id", "name", "count"} for each; the name is that of the record. */
static void set_links(struct sheet *s, const char *key, const struct site_list *lists, size_t n,
                      const char *(*name)(const struct sheet *, const struct site_list *))
{
    struct view *list = view_set_list(s->view, key);
    for (size_t i = 0; i < n; i++) {
        struct view *v = view_push_object(list);
        view_set_text(v, "id", lists[i].id);
        view_set_text(v, "name", sheet_short(s, name(s, &lists[i])));
        view_set_text(v, "name_lang", sheet_foreign(s, view_get(v, "name")->text));
        view_set_text(v, "count", sheet_row_count(s, lists[i].n));
    }
}

const char *sheet_list_vendor(const struct sheet *s, const struct site_list *list)
{
    const struct vendor *vendor = list->record;
    return vendor ? sheet_words(s, vendor->name) : list->id;
}

const char *sheet_list_model(const struct sheet *s, const struct site_list *list)
{
    const struct model *model = list->record;
    return model ? sheet_words(s, model->name) : list->called;
}

const char *sheet_list_card(const struct sheet *s, const struct site_list *list)
{
    return list->record ? sheet_card(s, list->record) : list->called;
}

void sheet_set_all_links(struct sheet *s)
{
    const struct site_index *x = s->index;
    set_links(s, "models", x->models, x->n_models, sheet_list_model);
    set_links(s, "vendors", x->vendors, x->n_vendors, sheet_list_vendor);
    set_links(s, "accelerators", x->accelerators, x->n_accelerators, sheet_list_card);
}

void sheet_set_pages(struct sheet *s, const char *folder, size_t current, size_t n)
{
    struct view *list = view_set_list(s->view, "pages");
    for (size_t p = 1; n > 1 && p <= n; p++) {
        struct view *v = view_push_object(list);
        view_set_text(v, "href",
                      p > 1 ? arena_printf(s->arena, "%s%zu/index.html", folder, p)
                            : arena_printf(s->arena, "%sindex.html", folder));
        view_set_printf(v, "number", "%zu", p);
        view_set_flag(v, "current", p == current);
    }
    view_set_flag(s->view, "everywhere", false);
    view_set_flag(s->view, "has_pages", list->n > 0);
    view_set_flag(s->view, "whole", list->n == 0);
}

void sheet_set_part(struct sheet *s, const struct site_part *part, const char *name,
                    const char *kind)
{
    const struct site_list *list = part->list;
    const char *whole = name;
    name = sheet_short(s, whole);
    const char *folder = arena_printf(s->arena, "%s/%s/", kind, list->id);
    const char *title = part->number > 1 ? sheet_fill(s, "list.page", {"name", name},
                                                      {"page", sheet_number(s, part->number)})
                                         : name;
    const char *description =
        sheet_fill(s, "list.description", {"name", title}, {"n", sheet_number(s, list->n)});
    sheet_set_title(s, title, description);
    sheet_set_pages(s, folder, part->number, part->of);
    view_set_text(s->view, "id", list->id);
    view_set_text(s->view, "whole_name", strlen(name) < strlen(whole) ? whole : "");
    view_set_text(s->view, "data", arena_printf(s->arena, "data/%s/%s", kind, list->id));
}
