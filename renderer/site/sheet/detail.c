/* What tells a row from its neighbours (sheet.h): in lists, comparisons and charts. */
#include "renderer/site/sheet/sheet.h"

#include "base/foreign.h"
#include "renderer/words/english.h"

#include <math.h>
#include <string.h>

#define CHANGED_MAX 120 /* bytes of changed settings in a list */
#define NAME_MAX 40     /* and in the label of a drawing */

static const char *overlaid_stage_name(struct sheet *s, const char *stage)
{
    static const struct {
        const char *stage, *word;
    } known[] = {{"pretrain", "stage.pretrain"}, {"finetune", "stage.finetune"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].stage, stage) == 0)
            return sheet_t(s, known[i].word);
    return foreign_line(s->arena, stage, NAME_MAX);
}

/* Precisions that nobody says are those of their vendor: no other row is known to have them. */
static const char *precision_word(struct sheet *s, const struct site_row *row)
{
    if (strcmp(row->precision_class, SITE_CLASS_UNKNOWN) != 0)
        return sheet_class(s, row->precision_class);
    if (*row->precision)
        return foreign_line(s->arena, row->precision, NAME_MAX);
    return arena_printf(s->arena, "%s (%s)", sheet_t(s, "figure.none"),
                        sheet_vendor(s, row->entry));
}

void sheet_criteria(struct sheet *s, const struct site_row *row, const char *words[SITE_CRITERIA])
{
    double sequence = site_row_sequence(row);
    words[CRITERION_CASE] = row->entry->result->case_id;
    words[CRITERION_PRECISION] = precision_word(s, row);
    words[CRITERION_STAGE] =
        *row->stage ? overlaid_stage_name(s, row->stage) : sheet_t(s, "figure.none");
    words[CRITERION_FACTOR] = arena_printf(s->arena, "%g", site_row_factor(row));
    words[CRITERION_SEQUENCE] =
        sequence > 0 ? arena_printf(s->arena, "%.10g", sequence) : sheet_t(s, "figure.none");
}

const char *sheet_group(struct sheet *s, const struct site_row *row)
{
    bool unknown = strcmp(row->precision_class, SITE_CLASS_UNKNOWN) == 0 && *row->precision;
    const char *all = unknown ? foreign_line(s->arena, row->precision, NAME_MAX)
                              : sheet_class(s, row->precision_class);
    if (*row->stage)
        all = arena_printf(s->arena, "%s · %s", all, overlaid_stage_name(s, row->stage));
    if (!isnan(row->factor))
        all = arena_printf(
            s->arena, "%s · %s", all,
            sheet_fill(s, "group.factor", {"n", arena_printf(s->arena, "%g", row->factor)}));
    if (!isnan(row->sequence))
        all = arena_printf(
            s->arena, "%s · %s", all,
            sheet_fill(s, "group.sequence", {"n", arena_printf(s->arena, "%.10g", row->sequence)}));
    return all;
}

void sheet_set_detail(struct sheet *s, struct view *v, const struct site_row *row)
{
    view_set_text(v, "precision", sheet_short(s, row->precision));
    view_set_text(v, "plan", foreign_line(s->arena, row->plan, CHANGED_MAX));
    const char *changed =
        s->lang == PAGE_EN ? english_settings(s->arena, row->changed) : row->changed;
    view_set_text(v, "changed", foreign_line(s->arena, changed, CHANGED_MAX));
    view_set_text(v, "changed_lang", sheet_language(s, changed));
    view_set_flag(v, "before", *row->precision || *row->plan);
    view_set_flag(v, "detail", *row->precision || *row->plan || *row->changed);
}

const char *sheet_row_traits(struct sheet *s, const struct site_row *row,
                             const struct site_row *const *among, size_t n)
{
    const char *what = *row->configuration ? row->configuration : row->card, *all = "";
    bool precision = false, plan = false, changed = false;
    for (size_t i = 0; i < n; i++)
        if (row->entry->vendor == among[i]->entry->vendor &&
            strcmp(row->entry->result->vendor, among[i]->entry->result->vendor) == 0 &&
            strcmp(row->configuration, among[i]->configuration) == 0) {
            precision |= strcmp(row->precision, among[i]->precision) != 0;
            plan |= strcmp(row->plan, among[i]->plan) != 0;
            changed |= strcmp(row->changed, among[i]->changed) != 0;
        }
    const struct {
        bool shown;
        const char *text;
    } parts[] = {{precision, foreign_line(s->arena, row->precision, NAME_MAX)},
                 {plan, foreign_line(s->arena, row->plan, NAME_MAX)},
                 {changed, foreign_line(s->arena, row->changed, NAME_MAX)},
                 {true, sheet_configuration(s, what)}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].shown && *parts[i].text)
            all = arena_printf(s->arena, "%s%s%s", all, *all ? " · " : "", parts[i].text);
    return all;
}

const char *sheet_row_name(struct sheet *s, const struct site_row *row,
                           const struct site_row *const *among, size_t n)
{
    const char *traits = sheet_row_traits(s, row, among, n), *vendor = sheet_vendor(s, row->entry);
    return *traits ? arena_printf(s->arena, "%s · %s", vendor, traits) : vendor;
}

const char *sheet_recompute(struct sheet *s, enum site_recompute r)
{
    static const char *const words[] = {
        [RECOMPUTE_UNSAID] = "figure.none",  [RECOMPUTE_NONE] = "recompute.none",
        [RECOMPUTE_SOME] = "recompute.some", [RECOMPUTE_PART] = "recompute.selective",
        [RECOMPUTE_ALL] = "recompute.full",
    };
    return sheet_t(s, words[r]);
}
