/* The evidence of a result (site_result.h): sealed files, fingerprint, second runs. */
#include "renderer/site_result.h"

#include "base/facts.h"

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
                             {"mean", arena_printf(arena, "%.4f", a->mean_rel_error * 100)},
                             {"max", arena_printf(arena, "%.4f", a->max_rel_error * 100)},
                             {"step", arena_printf(arena, "%.0f", a->max_step)},
                             {"limit", arena_printf(arena, "%g", a->limit * 100)},
                             {"steps", sheet_number(s, a->steps)},
                             {"from", arena_printf(arena, "%d", a->from_step)}));
    view_set_text(o, "reference", a->reference ? a->reference : "");
}

/* ---- sealed files and fingerprint ------------------------------------------------------- */

static void set_files(struct view *v, const struct row_evidence *e)
{
    struct view *list = view_set_list(v, "files");
    for (size_t i = 0; i < e->n_files; i++) {
        struct view *f = view_push_object(list);
        view_set_text(f, "name", e->files[i].name);
        view_set_printf(f, "bytes", "%zu", e->files[i].bytes);
        view_set_text(f, "sum", e->files[i].sha256 ? e->files[i].sha256 : "");
    }
    view_set_flag(v, "has_files", e->n_files > 0);
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
    view_set_flag(v, "signature", e->sealed);
    view_set_text(v, "ended", plain_time(e->finished, s->arena));
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

/* Another value of this fact on the machine of a reproduction; NULL. */
static const struct repeated_fact *changed(const struct verdict *v, const char *key)
{
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct reproduction *r = v->reproductions[i].record;
        for (size_t f = 0; f < r->n_facts; f++)
            if (strcmp(r->facts[f].key, key) == 0)
                return &r->facts[f];
    }
    return NULL;
}

static void set_facts(struct sheet *s, struct view *v, const struct verdict *verdict,
                      const struct facts *facts)
{
    struct view *list = view_set_list(v, "facts");
    for (size_t i = 0; facts && i < facts->n; i++) {
        const struct fact *fact = &facts->items[i];
        const struct fact_kind kind = fact_kind_of(fact->key);
        const struct repeated_fact *other = changed(verdict, fact->key);
        struct view *f = view_push_object(list);
        sheet_set_said(s, f, "fact", kind.label);
        view_set_text(f, "value", fact->value ? fact->value : sheet_t(s, "fact.unknown"));
        view_set_text(f, "unit", fact->value && kind.unit ? kind.unit : "");
        sheet_set_said(s, f, "unknown", fact->value ? "" : fact->unknown);
        view_set_flag(f, "absent", !fact->value);
        view_set_text(f, "other",
                      !other        ? ""
                      : other->here ? other->here
                                    : sheet_t(s, "fact.unknown"));
    }
    view_set_flag(v, "has_facts", list->n > 0);
}

/* What the machine was measured to do before the run. */
static void set_measured(struct sheet *s, struct view *v, const struct facts *facts)
{
    const struct measured none = {0}, *m = facts ? &facts->measured : &none;
    struct view *list = view_set_list(v, "measured");
    for (size_t i = 0; i < m->n; i++) {
        struct view *x = view_push_object(list);
        const struct measure *it = &m->items[i];
        sheet_set_said(s, x, "name", measure_label(it));
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

static void push_evidence(struct sheet *s, struct view *list, const struct site_entry *of, size_t i)
{
    const struct verdict *verdict = of->verdict;
    const struct row_evidence *e = &verdict->evidence[i];
    struct view *v = view_push_object(list);
    sheet_set_place(s, v, e->table ? e->table : 1, e->row);
    view_set_text(v, "archive", e->archive);
    view_set_text(v, "sha256", e->sha256 ? e->sha256 : "");
    view_set_text(v, "seal", e->id ? e->id : "");
    view_set_text(v, "log", e->log ? e->log : "");
    sheet_set_fetching(s, v, e);
    view_set_flag(v, "intact", e->intact);
    view_set_flag(v, "readable", e->sha256 != NULL);
    set_signature(s, v, e);
    view_set_flag(v, "has_curve", e->curve.n > 0);
    sheet_set_charts(s, v, of, e, i);
    set_alignment(s, v, e->alignment);
    set_files(v, e);
    set_facts(s, v, verdict, e->facts);
    set_measured(s, v, e->facts);
}

void sheet_set_evidence(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "evidence");
    bool curves = false, archive = false;
    for (size_t i = 0; i < e->verdict->n_evidence; i++) {
        push_evidence(s, list, e, i);
        curves = curves || e->verdict->evidence[i].curve.n > 0;
        archive = archive || e->verdict->evidence[i].sha256;
    }
    view_set_flag(s->view, "has_signers", s->site->project->signers != NULL);
    view_set_flag(s->view, "has_evidence", e->verdict->n_evidence > 0);
    view_set_flag(s->view, "has_curves", curves);
    view_set_flag(s->view, "has_archive", archive);
}

/* ---- second runs ------------------------------------------------------------------------ */

static void set_repeated_facts(struct sheet *s, struct view *v, const struct reproduction *r)
{
    struct view *list = view_set_list(v, "facts");
    const char *unknown = sheet_t(s, "fact.unknown");
    for (size_t i = 0; i < r->n_facts; i++) {
        struct view *f = view_push_object(list);
        sheet_set_said(s, f, "fact", fact_kind_of(r->facts[i].key).label);
        view_set_text(f, "original", r->facts[i].original ? r->facts[i].original : unknown);
        view_set_text(f, "other", r->facts[i].here ? r->facts[i].here : unknown);
    }
    view_set_flag(v, "has_facts", r->n_facts > 0);
}

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
    view_set_text(v, "by", r->by);
    view_set_text(v, "date", r->date);
    view_set_text(v, "device", r->device);
    view_set_text(v, "device_kind",
                  sheet_t(s, r->same_device ? "reproduction.same" : "reproduction.other"));
    sheet_set_said(s, v, "loss", reproduction_loss_words(r, s->arena));
    view_set_text(v, "archive", r->archive);
    view_set_text(v, "sha256", r->sha256);
    view_set_flag(v, "sound", x->sound);
    set_repeated_facts(s, v, r);
}

void sheet_set_reproductions(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "reproductions");
    for (size_t i = 0; i < e->verdict->n_reproductions; i++)
        push_reproduction(s, list, &e->verdict->reproductions[i]);
}
