/* The evidence of a result (result.h): sealed files, fingerprint, second runs. */
#include "renderer/site/result/result.h"

#include "base/figures/figure.h"
#include "base/figures/labels.h"
#include "base/records/facts.h"
#include "base/sealed/submission.h"
#include "base/signing/signers.h"
#include "base/text.h"
#include "renderer/site/sheet/difference.h"

#include <math.h>
#include <string.h>

static void set_alignment(struct sheet *s, struct view *v, const struct alignment *a)
{
    view_set_flag(v, "alignment", a != NULL);
    if (!a)
        return;
    struct arena *arena = s->arena;
    struct view *o = view_set_object(v, "alignment");
    view_set_text(o, "sentence",
                  sheet_fill(s, a->aligned ? "alignment.yes" : "alignment.no",
                             {"mean", site_percent_text(a->mean_rel_error * 100, 4, arena)},
                             {"max", site_percent_text(a->max_rel_error * 100, 4, arena)},
                             {"step", arena_printf(arena, "%.0f", a->max_step)},
                             {"limit", arena_printf(arena, "%g", a->limit * 100)},
                             {"steps", sheet_number(s, a->steps)},
                             {"from", arena_printf(arena, "%d", a->from_step)}));
    view_set_text(o, "reference", a->reference ? a->reference : "");
    view_set_text(o, "reference_link", sheet_link(s, a->reference ? a->reference : ""));
}

#define FILES_SHOWN 8 /* more are folded */

/* ---- sealed files and fingerprint ------------------------------------------------------- */

/* What has no sum in the manifest, as it is about the manifest. */
static const char *outside_words(struct sheet *s, const char *name)
{
    static const struct {
        const char *name, *words;
    } rows[] = {{SUBMISSION_MANIFEST, "evidence.manifest"},
                {SUBMISSION_STATEMENT, "evidence.statement"},
                {SUBMISSION_SIGNATURE, "evidence.statementsig"},
                {SUBMISSION_WITHHELD, "evidence.withheldlist"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0)
            return sheet_t(s, rows[i].words);
    return sheet_t(s, "evidence.unlisted");
}

static void set_files(struct sheet *s, struct view *v, const struct row_evidence *e)
{
    struct view *list = view_set_list(v, "files");
    for (size_t i = 0; i < e->n_files; i++) {
        struct view *f = view_push_object(list);
        sheet_set_joined(s, f, "name", e->files[i].name);
        view_set_printf(f, "bytes", "%zu", e->files[i].bytes);
        view_set_text(f, "sum", e->files[i].sha256 ? e->files[i].sha256 : "");
        view_set_text(f, "what", outside_words(s, e->files[i].name));
        view_set_flag(f, "withheld", e->files[i].withheld);
    }
    view_set_flag(v, "has_files", e->n_files > 0);
    view_set_flag(v, "few_files", e->n_files <= FILES_SHOWN);
    view_set_printf(v, "n_files", "%zu", e->n_files);
}

/* What of the submission is published, when that is not all of it, and why. */
static void set_published_part(struct sheet *s, struct view *v, const struct published_part *part)
{
    view_set_flag(v, "part", part != NULL);
    if (!part)
        return;
    struct view *o = view_set_object(v, "part");
    view_set_text(o, "words",
                  sheet_fill(s, part->only_hashes ? "evidence.hashes" : "evidence.part",
                             {"n", sheet_number(s, part->withheld)},
                             {"reason", sheet_words(s, part->reason)}));
    view_set_text(o, "whole", part->whole);
}

/* "2026-11-20T19:47:23Z" as ssh-keygen takes times; "" when it is none. */
static const char *plain_time(const char *when, struct arena *arena)
{
    char *out = arena_strdup(arena, when ? when : ""), *to = out;
    for (const char *at = out; *at; at++)
        if ((*at >= '0' && *at <= '9') || *at == 'Z')
            *to++ = *at;
    *to = '\0';
    return strlen(out) == strlen("YYYYMMDDHHMMSSZ") ? out : "";
}

/* Who signed the submission, in one line. */
static void set_signature(struct sheet *s, struct view *v, const struct row_evidence *e)
{
    static const struct {
        const char *outcome, *icon, *words;
    } rows[] = {
        [SIGNED_NOT] = {"cannot", "–", "evidence.unsigned"},
        [SIGNED_UNKNOWN] = {"cannot", "?", "evidence.unknown"},
        [SIGNED_BY] = {"pass", "✓", "evidence.signed"},
        [SIGNED_BADLY] = {"fail", "✕", "evidence.refused"},
    };
    const struct signature *sig = &e->signature;
    const struct signers *own = s->site->project->signers;
    view_set_flag(v, "signature", e->sealed);
    view_set_flag(v, "is_asked", own && own->whole.data && sig->state != SIGNED_NOT);
    view_set_text(v, "ended", plain_time(e->entered ? e->entered : e->finished, s->arena));
    if (!e->sealed)
        return;
    struct view *o = view_set_object(v, "signature");
    view_set_text(o, "outcome", rows[sig->state].outcome);
    view_set_text(o, "icon", rows[sig->state].icon);
    view_set_text(
        o, "words",
        sheet_fill(s, rows[sig->state].words, {"signer", sig->signer ? sig->signer : ""}));
    view_set_text(o, "key", sig->key ? sig->key : "");
}

/* Did this second run repeat that one? Without a row, either is of the whole result. */
static bool repeats_evidence(const struct reproduction *r, const struct row_evidence *e)
{
    return r->row == 0 || e->row == 0 || (r->table == e->table && r->row == e->row);
}

static bool is_repeated(const struct verdict *v, const struct row_evidence *e)
{
    for (size_t i = 0; i < v->n_reproductions; i++)
        if (repeats_evidence(v->reproductions[i].record, e))
            return true;
    return false;
}

/* Another value of this fact on the machine of a reproduction of that run; NULL. */
static const struct repeated_fact *changed(const struct verdict *v, const struct row_evidence *e,
                                           const char *key)
{
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct reproduction *r = v->reproductions[i].record;
        for (size_t f = 0; repeats_evidence(r, e) && f < r->n_facts; f++)
            if (strcmp(r->facts[f].key, key) == 0)
                return &r->facts[f];
    }
    return NULL;
}

/* A fact is what a program printed; that it is not known is said in the page's language. */
static void set_fact_value(struct sheet *s, struct view *v, const char *key, const char *value)
{
    view_set_text(v, key, value ? value : sheet_t(s, "fact.unknown"));
    view_set_text(v, arena_printf(s->arena, "%s_lang", key),
                  value || s->lang == PAGE_EN ? "en" : "zh");
}

static void set_facts(struct sheet *s, struct view *v, const struct verdict *verdict,
                      const struct row_evidence *e)
{
    const struct facts *facts = e->facts;
    struct view *list = view_set_list(v, "facts");
    for (size_t i = 0; facts && i < facts->n; i++) {
        const struct fact *fact = &facts->items[i];
        const struct fact_kind kind = fact_kind_of(fact->key);
        const struct repeated_fact *other = changed(verdict, e, fact->key);
        struct view *f = view_push_object(list);
        sheet_set_said(s, f, "fact", kind.label, NULL);
        view_set_text(f, "value", fact->value ? fact->value : sheet_t(s, "fact.unknown"));
        view_set_text(f, "unit", fact->value && kind.unit ? kind.unit : "");
        sheet_set_said(s, f, "unknown", fact->value ? "" : fact->unknown,
                       fact->value ? NULL : fact_reason(fact->unknown, s->arena));
        view_set_flag(f, "absent", !fact->value);
        if (other)
            set_fact_value(s, f, "other", other->here);
        else
            view_set_text(f, "other", "");
    }
    view_set_flag(v, "has_facts", list->n > 0);
    view_set_flag(v, "repeated", is_repeated(verdict, e));
}

/* Words that agree may be others: "143771" and "143770" are as far apart as is said, "535.54" and
 * "535.54.03" agree as far as both go. */
static const char *agreement_word(struct sheet *s, const struct agreement *x)
{
    double largest = 0, percent;
    bool same = true, numbers = true;
    for (size_t i = 1; i < x->n; i++) {
        const char *first = x->said[0].value, *other = x->said[i].value;
        if (text_same(first, other))
            continue;
        same = false;
        const struct figure *a = figure_read(first, s->arena), *b = figure_read(other, s->arena);
        numbers = numbers && a->kind == FIGURE_NUMBER && b->kind == FIGURE_NUMBER &&
                  site_percent_between(a, b, &percent);
        largest = numbers ? fmax(largest, fabs(percent)) : 0;
    }
    return same ? sheet_t(s, "agreement.same")
           : numbers
               ? sheet_fill(s, "agreement.close", {"n", site_percent_text(largest, 2, s->arena)})
               : sheet_t(s, "agreement.alike");
}

/* Who says what of the environment, a column for each that says anything. */
static void set_agreements(struct sheet *s, struct view *v, const struct row_evidence *e)
{
    static const struct {
        const char *outcome, *icon, *words;
    } outcomes[] = {
        [OUTCOME_PASS] = {"pass", "✓", "agreement.same"},
        [OUTCOME_FAIL] = {"fail", "≠", "agreement.differs"},
        [OUTCOME_CANNOT] = {"cannot", "–", "agreement.alone"},
    };
    struct view *list = view_set_list(v, "agreements"), *heads = view_set_list(v, "sources");
    bool speaks[SAID_BY] = {false}, differ = false;
    for (size_t i = 0; i < e->n_agreements; i++)
        for (size_t k = 0; k < e->agreements[i].n; k++)
            speaks[e->agreements[i].said[k].by] = true;
    for (enum said_by by = 0; by < SAID_BY; by++)
        if (speaks[by])
            sheet_set_said(s, view_push_object(heads), "source", said_by_name(by), NULL);
    for (size_t i = 0; i < e->n_agreements; i++) {
        const struct agreement *x = &e->agreements[i];
        struct view *row = view_push_object(list), *cells;
        sheet_set_said(s, row, "field", x->label, NULL);
        view_set_text(row, "outcome", outcomes[x->outcome].outcome);
        bool excused = agreement_excused(x);
        view_set_text(row, "icon", outcomes[excused ? OUTCOME_FAIL : x->outcome].icon);
        view_set_text(row, "words",
                      x->outcome == OUTCOME_PASS && x->n < 2 ? sheet_t(s, "agreement.withheld")
                      : x->outcome == OUTCOME_PASS           ? agreement_word(s, x)
                      : excused                              ? sheet_t(s, "agreement.image")
                                : sheet_t(s, outcomes[x->outcome].words));
        view_set_flag(row, "differs", x->outcome == OUTCOME_FAIL);
        differ |= x->outcome == OUTCOME_FAIL || excused;
        cells = view_set_list(row, "cells");
        for (enum said_by by = 0; by < SAID_BY; by++) {
            const char *value = speaks[by] ? agreement_said(x, by, s->arena) : NULL;
            bool differs = false;
            for (size_t k = 0; k < x->n; k++)
                differs = differs || (x->said[k].by == by && x->said[k].differs && !excused);
            if (!speaks[by])
                continue;
            struct view *cell = view_push_object(cells);
            /* What one of them says, in the language of the page as far as tables have it. */
            const char *here =
                value && s->lang == PAGE_EN ? label_english(LABEL_PHRASE, value, s->arena) : value;
            view_set_text(cell, "value", here);
            view_set_text(cell, "value_lang", text_has_han(here ? here : "") ? "zh" : "en");
            view_set_text(cell, "original", here != value ? value : "");
            view_set_flag(cell, "other", differs);
        }
    }
    view_set_flag(v, "has_agreements", list->n > 0);
    view_set_flag(v, "differ", differ);
}

/* What the machine was measured to do before the run. */
static void set_measured(struct sheet *s, struct view *v, const struct facts *facts)
{
    const struct measured none = {0}, *m = facts ? &facts->measured : &none;
    struct view *list = view_set_list(v, "measured");
    for (size_t i = 0; i < m->n; i++) {
        struct view *x = view_push_object(list);
        const struct measure *it = &m->items[i];
        sheet_set_said(s, x, "name", measure_label(it), NULL);
        view_set_text(x, "size", measure_size(it, s->arena));
        view_set_text(x, "unit", it->unit);
        view_set_printf(x, "median", "%.4g", it->median);
        view_set_printf(x, "range", "%.4g – %.4g", it->min, it->max);
        view_set_printf(x, "times", "%d", it->repetitions);
        view_set_text(x, "slowest",
                      isnan(it->slowest)
                          ? ""
                          : arena_printf(s->arena, "%.4g (#%d)", it->slowest, it->slowest_rank));
    }
    view_set_flag(v, "has_measured", m->n > 0);
    view_set_text(v, "measured_device", m->n ? m->device : "");
    view_set_text(v, "measured_with", m->n ? m->with : "");
    view_set_text(v, "measured_ranks", m->n ? arena_printf(s->arena, "%d", m->ranks) : "");
}

/* ---- lines that figures are from ---------------------------------------------------------- */

/* The published archive that a figure is from, and which member of it; NULL: none. */
static const struct row_evidence *cited(const struct verdict *v, const struct metric *m,
                                        const char **member)
{
    for (size_t i = 0; m->input && i < v->n_evidence; i++) {
        const struct row_evidence *e = &v->evidence[i];
        size_t n = strlen(e->archive);
        if (e->sha256 && strncmp(m->input, e->archive, n) == 0 && m->input[n] == ':') {
            *member = m->input + n + 1;
            return e;
        }
    }
    return NULL;
}

const char *sheet_cited_anchor(const struct verdict *v, const struct metric *m, struct arena *arena)
{
    const char *member;
    if (!m->input_line || !cited(v, m, &member))
        return NULL;
    for (size_t i = 0;; i++) { /* the first figure that is from there, at the latest m itself */
        const struct metric *other = &v->metrics[i];
        if (other->input && other->input_line == m->input_line &&
            other->input_from == m->input_from && strcmp(other->input, m->input) == 0)
            return arena_printf(arena, "line-%zu", i);
    }
}

const char *sheet_cited_lines(const struct metric *m, const char *to, struct arena *arena)
{
    return m->input_from ? arena_printf(arena, "%d%s%d", m->input_from, to, m->input_line)
                         : arena_printf(arena, "%d", m->input_line);
}

/* Each line or range of lines once, with what prints it. */
static void set_cited(struct sheet *s, struct view *v, const struct verdict *verdict,
                      const struct row_evidence *e)
{
    struct view *list = view_set_list(v, "cited");
    for (size_t i = 0; i < verdict->n_metrics; i++) {
        const struct metric *m = &verdict->metrics[i];
        const char *member = "", *anchor = sheet_cited_anchor(verdict, m, s->arena);
        if (!anchor || cited(verdict, m, &member) != e ||
            strcmp(anchor, arena_printf(s->arena, "line-%zu", i)) != 0)
            continue;
        const char *slash = strrchr(member, '/');
        struct view *line = view_push_object(list);
        view_set_text(line, "anchor", anchor);
        view_set_printf(line, "line", "%s:%s", slash ? slash + 1 : member,
                        sheet_cited_lines(m, "–", s->arena));
        sheet_set_joined(
            s, line, "prints",
            arena_printf(s->arena, "tar -xOf %s %s | sed -n %sp", view_get(v, "name_word")->text,
                         sheet_shell_word(s->arena, member), sheet_cited_lines(m, ",", s->arena)));
    }
    view_set_flag(v, "has_cited", list->n > 0);
}

static void push_evidence(struct sheet *s, struct view *list, const struct site_entry *of, size_t i)
{
    const struct verdict *verdict = of->verdict;
    const struct row_evidence *e = &verdict->evidence[i];
    struct view *v = view_push_object(list);
    sheet_set_place(s, v, e->table ? e->table : 1, e->row);
    view_set_text(v, "archive", e->archive);
    view_set_text(v, "archive_link", sheet_link(s, e->archive));
    view_set_text(v, "sha256", e->sha256 ? e->sha256 : "");
    view_set_text(v, "seal", e->id ? e->id : "");
    sheet_set_joined(s, v, "log", e->log ? e->log : "");
    sheet_set_fetching(s, v, e);
    view_set_flag(v, "intact", e->intact);
    view_set_flag(v, "adopted", e->adopted);
    view_set_flag(v, "readable", e->sha256 != NULL);
    set_signature(s, v, e);
    view_set_flag(v, "has_curve", e->curve.n > 0);
    sheet_set_charts(s, v, of, e, i);
    set_alignment(s, v, e->alignment);
    set_published_part(s, v, e->part);
    set_files(s, v, e);
    set_agreements(s, v, e);
    set_cited(s, v, verdict, e);
    set_facts(s, v, verdict, e);
    set_measured(s, v, e->facts);
}

void sheet_set_evidence(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "evidence");
    bool curves = false, archive = false, part = false;
    const struct signers *own = s->site->project->signers;
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        push_evidence(s, list, e, i);
        curves = curves || e->verdict->evidence[i].curve.n > 0;
        archive = archive || e->verdict->evidence[i].sha256;
        part = part || e->verdict->evidence[i].part;
    }
    view_set_flag(s->view, "has_signers", own && own->whole.data);
    view_set_flag(s->view, "has_revoked", own && own->whole.data && own->n_revoked);
    view_set_flag(s->view, "has_evidence", e->verdict->n_evidence > 0);
    view_set_flag(s->view, "has_curves", curves);
    view_set_flag(s->view, "in_part", part);
    view_set_flag(s->view, "has_archive", archive);
}

/* ---- second runs ------------------------------------------------------------------------ */

static void push_reproduction(struct sheet *s, struct view *list,
                              const struct verdict_reproduction *x)
{
    const struct reproduction *r = x->record;
    struct view *v = view_push_object(list);
    bool agrees = x->sound && reproduction_is_reproduced(r);
    sheet_set_place(s, v, (int)r->table, (int)r->row);
    view_set_text(v, "outcome", agrees ? "pass" : "fail");
    view_set_text(v, "outcome_icon", agrees ? "✓" : "✕");
    view_set_text(v, "outcome_word",
                  sheet_t(s, !x->sound ? "reproduction.void"
                             : agrees  ? "reproduction.yes"
                                       : "reproduction.no"));
    sheet_set_pieces(s, v, "by", r->by);
    view_set_text(v, "date", r->date);
    view_set_text(v, "device", r->device);
    view_set_text(v, "device_kind",
                  sheet_t(s, r->same_device ? "reproduction.same" : "reproduction.other"));
    const char *loss = reproduction_loss_words(r, s->arena);
    sheet_set_said(s, v, "loss", loss, sentence_of(s->arena, loss));
    view_set_text(v, "archive", r->archive);
    view_set_text(v, "archive_link", sheet_link(s, r->archive));
    view_set_text(v, "sha256", r->sha256);
    view_set_flag(v, "linked", x->sound && !x->held);
    struct view *facts = view_set_list(v, "facts");
    for (size_t i = 0; i < r->n_facts; i++) {
        struct view *f = view_push_object(facts);
        sheet_set_said(s, f, "fact", fact_kind_of(r->facts[i].key).label, NULL);
        set_fact_value(s, f, "original", r->facts[i].original);
        set_fact_value(s, f, "other", r->facts[i].here);
    }
    view_set_flag(v, "has_facts", r->n_facts > 0);
}

void sheet_set_reproductions(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "reproductions");
    for (size_t i = 0; i < e->verdict->n_reproductions; i++)
        push_reproduction(s, list, &e->verdict->reproductions[i]);
}
