/* rows: scores as a table, with the scaling of a submitter's systems. */
#include "renderer/site/mlperf/mlperf.h"

#include <math.h>
#include <string.h>

static const char *figure_or_none(struct sheet *s, double x, const char *format)
{
    return isnan(x) ? "" : arena_printf(s->arena, fabs(x) >= 1e5 ? "%.0f" : format, x);
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Accelerators * minutes of the least system over those of this one, in percent; NaN: there is no
 * smaller one. */
static double scaling_efficiency(const struct mlperf_places *places, const struct mlperf_place *of)
{
    /* The smallest system of the same submitter, round, benchmark and accelerator with a score. */
    const struct mlperf_place *least = NULL;
    for (size_t i = 0; i < places->n; i++) {
        const struct mlperf_place *p = &places->items[i];
        bool same = is_same_text(p->record->round, of->record->round) &&
                    is_same_text(p->record->package, of->record->package) &&
                    is_same_text(p->record->accelerator, of->record->accelerator) &&
                    is_same_text(p->score->benchmark, of->score->benchmark);
        if (same && p->record->accelerators > 0 && !isnan(mlperf_minutes(p->score)) &&
            (!least || p->record->accelerators < least->record->accelerators))
            least = p;
    }
    double minutes = mlperf_minutes(of->score);
    if (!least || least->record->accelerators >= of->record->accelerators || isnan(minutes))
        return NAN;
    return 100 * mlperf_minutes(least->score) * (double)least->record->accelerators /
           (minutes * (double)of->record->accelerators);
}

static size_t count_findings(const struct mlperf_score_record *score, const char *severity)
{
    size_t n = 0;
    for (size_t i = 0; i < score->n_findings; i++)
        n += strcmp(score->findings[i].severity, severity) == 0;
    return n;
}

static void set_mlperf_row(struct sheet *s, struct view *v, const struct mlperf_places *places,
                           const struct mlperf_place *p)
{
    const struct mlperf_record *r = p->record;
    view_set_text(v, "system", sheet_short(s, r->system_name ? r->system_name : r->system));
    view_set_text(v, "path", mlperf_score_path(p, s->arena));
    view_set_text(v, "round", r->round);
    view_set_text(v, "submitter", sheet_short(s, r->submitter));
    view_set_text(v, "submitter_path", mlperf_package_path(r->round, r->package, s->arena));
    view_set_text(v, "benchmark", p->score->benchmark);
    view_set_text(v, "benchmark_path",
                  mlperf_benchmark_path(r->round, p->score->benchmark, s->arena));
    view_set_text(v, "division", sheet_short(s, r->division));
    view_set_text(v, "availability", r->availability ? sheet_short(s, r->availability) : "");
    view_set_text(v, "accelerator", r->accelerator ? sheet_short(s, r->accelerator) : "");
    view_set_text(v, "accelerators",
                  r->accelerators ? arena_printf(s->arena, "%lld", r->accelerators) : "");
    view_set_text(v, "minutes", p->score->minutes ? sheet_short(s, p->score->minutes) : "");
    view_set_text(v, "samples", figure_or_none(s, p->score->samples, "%.6g"));
    view_set_text(v, "factor", figure_or_none(s, p->score->factor, "%.4f"));
    view_set_text(v, "efficiency", figure_or_none(s, scaling_efficiency(places, p), "%.1f"));
    view_set_printf(v, "errors", "%zu", count_findings(p->score, "error"));
    view_set_printf(v, "warnings", "%zu", count_findings(p->score, "warning"));
    sheet_set_state(s, v, mlperf_score_state(p->score));
}

/* "v4.0, v5.1" */
static const char *rounds_of(struct sheet *s, const struct mlperf_places *places)
{
    const char *said = "", *last = "";
    for (size_t i = 0; i < places->n; i++) {
        const char *round = places->items[i].record->round; /* in the order of the records */
        if (strcmp(round, last) == 0)
            continue;
        said = arena_printf(s->arena, "%s%s%s", said, *said ? ", " : "", round);
        last = round;
    }
    return said;
}

void mlperf_set_rows(struct sheet *s, struct view *v, const struct mlperf_places *places)
{
    struct view *rows = view_set_list(v, "rows");
    view_set_flag(v, "rounds", false); /* the page is of one */
    for (size_t i = 0; i < places->n; i++)
        set_mlperf_row(s, view_push_object(rows), places, &places->items[i]);
}

/* "H100-PCIe-80GB" is no H100-SXM5-80GB, though both are H100s. */
static bool is_of_other_form(const char *text, const char *card)
{
    static const char *const forms[] = {"PCIe", "SXM", "NVL", "OAM"};
    bool other = false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        bool named = strcasestr(text, forms[i]) != NULL;
        if (named && strcasestr(card, forms[i]))
            return false;
        other |= named;
    }
    return other;
}

void mlperf_set_rows_of_card(struct sheet *s, const struct accelerator *a)
{
    const struct project *p = s->site->project;
    struct mlperf_places all = mlperf_places_of(p, NULL, NULL, NULL, s->arena), on = {NULL, 0};
    for (size_t i = 0; a && i < all.n; i++) {
        const char *card = all.items[i].record->accelerator;
        if (card && project_find_accelerator(p, card, NULL) == a &&
            !is_of_other_form(card, a->name))
            *(struct mlperf_place *)ARENA_PUSH(s->arena, on.items, on.n) = all.items[i];
    }
    struct view *v = view_set_object(s->view, "mlperf");
    view_set_flag(v, "any", on.n > 0);
    view_set_text(v, "trademark", sheet_fill(s, "mlperf.trademark", {"round", rounds_of(s, &on)}));
    mlperf_set_rows(s, v, &on);
    view_set_flag(v, "rounds", true);
}

void mlperf_set_findings(struct sheet *s, struct view *v, const struct mlperf_score_record *score)
{
    struct view *list = view_set_list(v, "findings");
    for (size_t i = 0; i < score->n_findings; i++) {
        const struct mlperf_finding_record *f = &score->findings[i];
        struct view *item = view_push_object(list);
        const char *file = f->file ? f->file : "";
        view_set_text(item, "rule", f->rule);
        view_set_text(item, "severity", f->severity);
        view_set_text(item, "severity_word",
                      sheet_t(s, arena_printf(s->arena, "severity.%s", f->severity)));
        sheet_set_joined(s, item, "place",
                         f->at ? arena_printf(s->arena, "%s:%lld", file, f->at) : file);
        sheet_set_said(s, item, "message", f->message, mlperf_finding_sentence(f, s->arena));
    }
    view_set_flag(v, "any_finding", list->n > 0);
}
