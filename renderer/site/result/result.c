/* The page of one result: identity, verdict and findings; result.h has the other parts. */
#include "renderer/site/result/result.h"
#include "renderer/site/history/history.h"

#include "base/files/file.h"
#include "base/markdown/markdown.h"
#include "base/text.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/sheet/cited.h"
#include "renderer/site/sheet/kind.h"

#include <string.h>

/* Does an error contradict a figure? Others are about the page around them. */
static bool is_figure_wrong(const struct verdict *v)
{
    for (size_t i = 0; i < v->n_metrics; i++)
        if (site_metric_wrong(&v->metrics[i]))
            return true;
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].of_figure)
            return true;
    return false;
}

static void set_result_identity(struct sheet *s, const struct site_entry *e)
{
    struct view *v = s->view;
    sheet_set_identity(s, v, e);
    view_set_flag(v, "titled", e->case_record && *sheet_words(s, e->case_record->title));
    sheet_set_pieces(s, v, "case_title",
                     e->case_record ? sheet_words(s, e->case_record->title) : "");
    if (e->verdict->state == STATE_FAILED && !is_figure_wrong(e->verdict))
        view_set_text(v, "state_meaning", sheet_t(s, "meaning.malformed"));
}

static void set_result_origin(struct sheet *s, const struct result *r)
{
    struct view *page = s->view;
    view_set_flag(page, "origin", r->origin != NULL);
    if (!r->origin)
        return;
    struct view *o = view_set_object(page, "origin");
    view_set_text(o, "repository", sheet_one_line(s, r->origin->repository));
    view_set_text(o, "commit", sheet_one_line(s, r->origin->commit));
    view_set_text(o, "source_path", r->origin->path ? r->origin->path : "");
}

enum claim { CLAIM_MEASURED, CLAIM_DERIVED, CLAIM_WRONG, CLAIM_WARNED, CLAIM_REST, CLAIMS };

/* "3 recomputed from evidence, agreeing, 1 contradicted": what there is none of is not said. */
static const char *claims_text(struct sheet *s, const size_t counts[CLAIMS])
{
    static const char *const keys[CLAIMS] = {
        [CLAIM_MEASURED] = "claims.measured", [CLAIM_DERIVED] = "claims.derived",
        [CLAIM_WRONG] = "claims.wrong",       [CLAIM_WARNED] = "claims.warned",
        [CLAIM_REST] = "claims.rest",
    };
    const char *text = "";
    for (int c = 0; c < CLAIMS; c++)
        if (counts[c])
            text = arena_printf(s->arena, "%s%s%s", text, *text ? sheet_t(s, "list.next") : "",
                                sheet_fill(s, keys[c], {"n", sheet_number(s, counts[c])}));
    return text;
}

/* What failed beside the figures; "" when nothing did. */
static const char *otherwise_text(struct sheet *s, const struct verdict *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        n += c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR && !c->informational &&
             !c->of_figure;
    }
    return !n ? ""
              : sheet_fill(s, n == 1 ? "result.otherone" : "result.otherwise",
                           {"n", sheet_number(s, n)});
}

static void set_sentence(struct sheet *s, const struct verdict *v)
{
    size_t claimed = 0, counts[CLAIMS] = {0};
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (!m->claimed)
            continue;
        claimed++;
        bool evidence = m->source && strcmp(m->source, "evidence") == 0;
        counts[m->outcome == OUTCOME_FAIL   ? m->warned ? CLAIM_WARNED : CLAIM_WRONG
               : m->outcome != OUTCOME_PASS ? CLAIM_REST
               : evidence                   ? CLAIM_MEASURED
                                            : CLAIM_DERIVED]++;
    }
    const char *key = claimed > 1 ? "result.sentence" : "result.oneclaim";
    const char *claims =
        sheet_fill(s, claimed ? key : "result.noclaims", {"claimed", sheet_number(s, claimed)},
                   {"parts", claims_text(s, counts)});
    view_set_text(s->view, "sentence",
                  arena_printf(s->arena, "%s%s", claims, otherwise_text(s, v)));
}

static const char *const severity_keys[] = {
    [SEVERITY_NOTICE] = "severity.notice",
    [SEVERITY_WARNING] = "severity.warning",
    [SEVERITY_ERROR] = "severity.error",
};

/* What did not fail has no severity. */
static const struct {
    const char *class, *word;
} outcome_classes[] = {
    [OUTCOME_PASS] = {"pass", "check.pass"},
    [OUTCOME_CANNOT] = {"cannot", "check.cannot"},
};

/* Where what a finding is about can be looked at, below the top of the site: the record beside the
 * page, or the archive; "" when it is not published. */
static const char *place_link(struct sheet *s, const struct site_entry *e, const char *file)
{
    const struct verdict *v = e->verdict;
    if (!file || !e->result->file)
        return "";
    if (strcmp(file, e->result->file) == 0)
        return arena_printf(s->arena, "%srecord.json", e->path);
    for (size_t i = 0; i < v->n_evidence; i++) {
        const char *archive = v->evidence[i].archive;
        size_t n = strlen(archive);
        if (v->evidence[i].sha256 && strncmp(file, archive, n) == 0 &&
            (file[n] == ':' || file[n] == '\0'))
            return sheet_link(s, archive);
    }
    return "";
}

/* Where they were looked at: "record.json:146", of several "record.json:146–149". */
static const char *finding_lines(struct sheet *s, const struct check_result *const *c, size_t n)
{
    int from = c[0]->line, to = c[n - 1]->line;
    const char *file = path_published(s->arena, s->site->project->root, c[0]->file);
    return !from       ? file ? file : ""
           : from < to ? arena_printf(s->arena, "%s:%d–%d", file, from, to)
                       : arena_printf(s->arena, "%s:%d", file, from);
}

/* Checks that say the same, each of its row. */
static void push_checks(struct sheet *s, struct view *list, const struct site_entry *e,
                        const struct check_result *const *of, size_t n)
{
    const struct check_result *c = of[0];
    struct view *v = view_push_object(list), *places = view_set_list(v, "places");
    for (size_t i = 0; i < n && of[i]->row > 0; i++) {
        struct view *place = view_push_object(places);
        sheet_set_place(s, place, of[i]->table, of[i]->row);
        /* Its row among the figures, else in the table as published. */
        for (size_t r = 0; r < e->n_rows; r++)
            if (e->rows[r]->table == of[i]->table && e->rows[r]->row == of[i]->row)
                view_set_printf(place, "anchor", "f%d-%d", of[i]->table, of[i]->row);
    }
    view_set_text(v, "at_link", place_link(s, e, c->file));
    view_set_text(v, "rule", c->rule);
    const struct site_rule *rule =
        text_find(s->site->rules, s->site->n_rules, sizeof *s->site->rules, c->rule);
    view_set_text(v, "rule_title", rule ? sheet_words(s, rule->title) : "");
    bool failed = c->outcome == OUTCOME_FAIL;
    view_set_text(v, "severity",
                  failed ? severity_name(c->severity) : outcome_classes[c->outcome].class);
    view_set_text(
        v, "severity_word",
        sheet_t(s, failed ? severity_keys[c->severity] : outcome_classes[c->outcome].word));
    sheet_set_said(s, v, "message", c->message, c->sentence);
    sheet_set_joined(s, v, "at", finding_lines(s, of, n));
}

/* What failed stands alone, with its own line of the record. */
static bool says_same_finding(const struct check_result *a, const struct check_result *b)
{
    bool rows = a->row > 0 && b->row > 0 && a->line > 0 && b->line > a->line;
    return a->outcome != OUTCOME_FAIL && rows && strcmp(a->rule, b->rule) == 0 &&
           strcmp(a->message, b->message) == 0 && strcmp(a->file, b->file) == 0;
}

#define ERRORS_FIRST 12 /* errors that stand above all else; more are among the findings */

/* Those with this outcome, by severity. */
static size_t checks_with(const struct verdict *v, enum outcome outcome,
                          const struct check_result **out)
{
    size_t n = 0;
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTICE; severity--)
        for (size_t i = 0; i < v->n_checks; i++)
            if (v->checks[i].outcome == outcome && (int)v->checks[i].severity == severity)
                out[n++] = &v->checks[i];
    return n;
}

static void set_found(struct sheet *s, const struct site_entry *e, struct view *errors,
                      struct view *list, const struct check_result *const *found, size_t n)
{
    for (size_t i = 0, same; i < n; i += same) {
        const struct check_result *c = found[i];
        bool first = c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR &&
                     !c->informational && errors->n < ERRORS_FIRST;
        for (same = 1; i + same < n && says_same_finding(found[i + same - 1], found[i + same]);)
            same++;
        push_checks(s, first ? errors : list, e, found + i, same);
    }
}

/* Failures by severity, the errors that make the result a failed one apart and first; then what
 * could not be checked, then what agreed. */
static void set_checks(struct sheet *s, const struct site_entry *e)
{
    static const struct {
        const char *list, *count, *words;
        enum outcome outcome;
    } kinds[] = {
        {"failed", "n_failed", "checks.failed", OUTCOME_FAIL},
        {"cannot", "n_cannot", "checks.cannot", OUTCOME_CANNOT},
        {"passed", "n_passed", "checks.passed", OUTCOME_PASS},
    };
    const struct verdict *verdict = e->verdict;
    const struct check_result **found = arena_array(s->arena, verdict->n_checks, sizeof(*found));
    struct view *errors = view_set_list(s->view, "errors");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct view *list = view_set_list(s->view, kinds[k].list);
        size_t n = checks_with(verdict, kinds[k].outcome, found);
        set_found(s, e, errors, list, found, n);
        view_set_flag(s->view, arena_printf(s->arena, "has_%s", kinds[k].list), list->n > 0);
        size_t warned = 0; /* failures that make no result a failed one */
        if (kinds[k].outcome == OUTCOME_FAIL)
            warned = verdict_count(verdict, OUTCOME_FAIL, SEVERITY_NOTICE) -
                     verdict_count(verdict, OUTCOME_FAIL, SEVERITY_ERROR);
        const char *count = sheet_fill(s, kinds[k].words, {"n", sheet_number(s, n - warned)});
        if (warned)
            count = arena_printf(s->arena, "%s · %s", count,
                                 sheet_fill(s, "checks.warned", {"n", sheet_number(s, warned)}));
        view_set_text(s->view, kinds[k].count, count);
    }
    view_set_flag(s->view, "has_errors", errors->n > 0);
}

/* " (run of 2026-11-20)": the day of the first run, else that of the publication; "" without. */
static const char *run_date_text(struct sheet *s, const struct site_entry *e)
{
    const struct site_settings *settings = s->site->settings;
    const char *run = NULL;
    for (size_t i = 0; i < e->verdict->n_evidence && !run; i++)
        run = e->verdict->evidence[i].finished;
    if (site_date(run, s->arena))
        return sheet_fill(s, "result.ran", {"date", arena_strndup(s->arena, run, 10)});
    return settings && settings->date
               ? sheet_fill(s, "result.publishedon", {"date", settings->date})
               : "";
}

static void set_citation(struct sheet *s, const struct site_entry *e)
{
    const struct site_settings *settings = s->site->settings;
    const char *id = arena_printf(s->arena, "%s/%s", e->result->vendor, e->result->case_id);
    const char *url = settings && settings->url ? settings->url : "";
    const char *link =
        *url ? arena_printf(s->arena, " %s%s/%sindex.html", url, page_lang_name(s->lang), e->path)
             : "";
    view_set_text(s->view, "citation",
                  sheet_fill(s, "result.citation", {"vendor", sheet_vendor(s, e)},
                             {"case", e->result->case_id}, {"id", id},
                             {"state", view_get(s->view, "state_word")->text},
                             {"tool", s->site->tool}, {"rules", s->site->rule_set},
                             {"when", run_date_text(s, e)}, {"link", link}));
    const char *day = site_last_run_date(s->index, e, s->arena);
    sheet_set_bibtex(
        s, id, arena_printf(s->arena, "%s, %s", sheet_vendor(s, e), e->result->case_id),
        arena_printf(s->arena, "%s/%sindex.html", page_lang_name(s->lang), e->path),
        arena_printf(s->arena, "%s; fpreport %s, rule set %s",
                     view_get(s->view, "state_word")->text, s->site->tool, s->site->rule_set),
        day ? day : "");
    view_set_text(s->view, "badge", s->lang == PAGE_EN ? "badge.svg" : "badge.zh.svg");
    view_set_text(s->view, "report", sheet_fill(s, "result.report", {"id", id}));
}

static void fill_result(struct sheet *s, size_t i)
{
    const struct site_entry *e = &s->index->entries[i];
    const char *title = arena_printf(s->arena, "%s · %s", sheet_vendor(s, e), e->result->case_id);
    set_result_identity(s, e);
    set_sentence(s, e->verdict);
    sheet_set_title(s, title,
                    arena_printf(s->arena, "%s%s%s", view_get(s->view, "state_word")->text,
                                 sheet_t(s, "colon"), view_get(s->view, "sentence")->text));
    set_result_origin(s, e->result);
    sheet_set_withdrawal(s, s->view, e->result);
    set_checks(s, e);
    set_citation(s, e);
    sheet_set_history(s, e);
    sheet_set_compared(s, e);
    sheet_set_plans(s, e);
    sheet_set_evidence(s, e);
    sheet_set_reproductions(s, e);
    sheet_set_reproduce(s, e);
    sheet_set_published(s, e);
}

static const char *name_entry(const struct site_index *index, size_t i, struct arena *arena)
{
    const struct result *r = index->entries[i].result;
    return arena_printf(arena, "%s/%s", r->vendor, r->case_id);
}

const struct site_kind site_kind_result = {
    .name = "result",
    .path = "result/{name}/index.html",
    .template = "site/result.html",
    .section = "results",
    .counted = SITE_COUNT(n_entries),
    .name_of = name_entry,
    .fill = fill_result,
    .depends = SITE_ON_RESULT,
};
