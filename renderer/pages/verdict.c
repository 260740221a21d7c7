#include "renderer/pages/view.h"

#include "base/figures/metrics.h"
#include "renderer/words/messages.h"
#include "renderer/words/ratio.h"

#include <string.h>

#define NOT_VERIFIED "unverified"

/* What the states are called on a page. */
static const struct {
    enum state state;
    struct words text;
} states[] = {
    {STATE_VERIFIED,
     {"已验证：全部填报值均由证据复算，结果一致", "verified: every figure was recomputed "
                                                  "from evidence and agrees"}},
    {STATE_PARTIAL,
     {"部分验证：部分填报值已由证据复算", "partial: some figures were recomputed from "
                                          "evidence"}},
    {STATE_UNVERIFIED,
     {"未验证：没有可供复算的证据", "unverified: there is no evidence to recompute "
                                    "from"}},
    {STATE_FAILED, {"未通过：至少一项检查未通过", "failed: at least one check failed"}},
    {STATE_WITHDRAWN, {"已撤回", "withdrawn"}},
};

static const struct words not_checked = {"未验证：生成本页时没有做检查",
                                         "unverified: nothing was checked when this page was made"};

const char *page_state(enum page_lang lang, const struct verdict *v)
{
    for (size_t i = 0; v && i < sizeof states / sizeof *states; i++)
        if (states[i].state == v->state)
            return page_words(lang, &states[i].text);
    return page_words(lang, &not_checked);
}

const struct metric *page_metric(const struct verdict *v, int table, int row, const char *column)
{
    for (size_t i = 0; v && i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (m->table == table && m->row == row && strcmp(m->name, column) == 0)
            return m;
    }
    return NULL;
}

static const struct {
    const char *source;
    struct words text;
} sources[] = {
    {"evidence", {"由证据中的日志复算", "recomputed from the logs in the evidence"}},
    {"stated", {"由其他填报值复算", "recomputed from other stated figures"}},
};

/* Where the number on this line comes from; never empty. */
static const char *metric_source_line(struct arena *arena, const struct page_options *o,
                                      const struct metric *m)
{
    static const struct words only_stated = {"仅为厂商填报", "stated by the vendor only"};
    for (size_t i = 0; m->source && i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].source, m->source) == 0)
            return page_words(o->lang, &sources[i].text);
    const char *text = page_words(o->lang, &only_stated);
    return m->reason
               ? arena_printf(arena, "%s (%s)", text,
                              messages_text(o->messages, o->lang, m->reason, m->reason_made, arena))
               : text;
}

static void set_metric(struct view *v, const struct page_options *o, const struct metric *m)
{
    static const struct words outcomes[] = {
        [OUTCOME_PASS] = {"一致", "agrees"},
        [OUTCOME_FAIL] = {"不一致", "differs"},
        [OUTCOME_CANNOT] = {"无法检查", "not checked"},
    };
    /* Arithmetic on the vendor's own figures is no evidence. */
    static const struct words derived = {"仅由填报值推算", "only derived"};
    struct arena *a = v->arena;
    enum page_lang lang = o->lang;
    bool is_derived = m->outcome == OUTCOME_PASS && !m->reproduced && m->stated && m->source &&
                      strcmp(m->source, "stated") == 0;
    const struct metrics_column *c = metrics_by_key(m->name);
    view_set_printf(v, "where", "%d.%d", m->table, m->row);
    view_set_raw(v, "name", page_cell(a, c ? page_words(lang, &c->label) : m->name));
    view_set_raw(v, "unit", page_cell(a, m->unit && m->unit[0] ? m->unit : ""));
    view_set_raw(v, "stated",
                 page_cell(a, m->stated ? ratio_read(m->name, m->stated, m->says, a) : ""));
    view_set_raw(
        v, "recomputed",
        page_cell(a, m->found ? ratio_read(m->name, figure_print(m->found, a), m->found, a) : "—"));
    view_set_raw(v, "reproduced", page_cell(a, m->reproduced ? m->reproduced->measured : "—"));
    view_set_raw(v, "tolerance", page_cell(a, m->tolerance ? figure_print(m->tolerance, a) : "—"));
    view_set_raw(v, "outcome", page_words(lang, is_derived ? &derived : &outcomes[m->outcome]));
    view_set_raw(v, "source", page_cell(a, metric_source_line(a, o, m)));
}

/* Failed checks of these severities, as a list and as whether there are any. */
static void set_findings(struct view *at, const struct page_options *o, const char *key,
                         const struct verdict *v, enum severity least, enum severity most)
{
    static const struct words severities[] = {
        [SEVERITY_NOTICE] = {"提示", "notice"},
        [SEVERITY_WARNING] = {"警告", "warning"},
        [SEVERITY_ERROR] = {"错误", "error"},
    };
    struct view *list = view_set_list(at, key);
    for (size_t i = 0; v && i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome != OUTCOME_FAIL || c->severity < least || c->severity > most)
            continue;
        struct view *f = view_push_object(list);
        view_set_raw(f, "rule", page_line(at->arena, c->rule));
        view_set_raw(f, "severity", page_words(o->lang, &severities[c->severity]));
        view_set_raw(f, "message",
                     page_line(at->arena, messages_text(o->messages, o->lang, c->message,
                                                        c->sentence, at->arena)));
    }
    view_set_flag(at, arena_printf(at->arena, "has_%s", key), list->n > 0);
}

static void set_withdrawal(struct view *at, enum page_lang lang, const struct withdrawal *w)
{
    struct view *list = view_set_list(at, "withdrawn");
    if (!w)
        return;
    struct view *v = view_push_object(list);
    const char *reason = page_words(lang, &w->reason);
    view_set_raw(v, "date", page_line(at->arena, w->date));
    view_set_raw(v, "by", page_line(at->arena, w->by));
    view_set_raw(v, "reason", page_line(at->arena, reason ? reason : ""));
}

static void set_evidence(struct view *at, const struct verdict *v)
{
    struct view *list = view_set_list(at, "evidence");
    for (size_t i = 0; v && i < v->n_evidence; i++) {
        struct view *e = view_push_object(list);
        view_set_raw(e, "archive", page_line(at->arena, v->evidence[i].archive));
        const char *sha256 = v->evidence[i].sha256; /* NULL: no submission could be read */
        view_set_raw(e, "sha256", page_line(at->arena, sha256 ? sha256 : "–"));
        view_set_flag(e, "intact", v->evidence[i].intact);
    }
    view_set_flag(at, "has_evidence", list->n > 0);
}

static void set_reproductions(struct view *at, enum page_lang lang, const struct verdict *v)
{
    static const struct words yes = {"已复现", "reproduced"}, no = {"未复现", "not reproduced"};
    static const struct words unsound = {"不计入", "does not count"};
    struct view *list = view_set_list(at, "reproductions");
    for (size_t i = 0; v && i < v->n_reproductions; i++) {
        const struct verdict_reproduction *x = &v->reproductions[i];
        const struct reproduction *r = x->record;
        struct view *e = view_push_object(list);
        view_set_printf(e, "where", "%lld.%lld", r->table, r->row);
        view_set_raw(e, "outcome",
                     page_words(lang, !x->sound                       ? &unsound
                                      : reproduction_is_reproduced(r) ? &yes
                                                                      : &no));
        view_set_raw(e, "by", page_line(at->arena, r->by));
        view_set_raw(e, "date", page_line(at->arena, r->date));
        view_set_raw(e, "device", page_line(at->arena, r->device));
        view_set_raw(e, "archive", page_line(at->arena, r->archive));
        view_set_raw(e, "sha256", page_line(at->arena, r->sha256));
    }
    view_set_flag(at, "has_reproductions", list->n > 0);
}

void page_set_verdict(struct view *at, const struct page_options *o, const struct page_entry *entry)
{
    const struct verdict *v = entry->verdict;
    view_set_raw(at, "tool", page_line(at->arena, o->tool));
    view_set_raw(at, "state", v ? state_name(v->state) : NOT_VERIFIED);
    view_set_raw(at, "state_text", page_state(o->lang, v));
    set_withdrawal(at, o->lang, entry->result->withdrawn);
    struct view *list = view_set_list(at, "metrics");
    for (size_t i = 0; v && i < v->n_metrics; i++)
        set_metric(view_push_object(list), o, &v->metrics[i]);
    view_set_flag(at, "has_metrics", list->n > 0);
    set_findings(at, o, "failures", v, SEVERITY_WARNING, SEVERITY_ERROR);
    set_findings(at, o, "notices", v, SEVERITY_NOTICE, SEVERITY_NOTICE);
    set_evidence(at, v);
    set_reproductions(at, o->lang, v);
}
