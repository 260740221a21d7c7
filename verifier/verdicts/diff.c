#include "verifier/verdicts/diff.h"

#include "base/records/row_pairs.h"
#include "base/text.h"
#include "verifier/checks/rules.h"
#include "verifier/verdicts/diff_rows.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *words;
} whys[] = {
    [WHY_RULE_NEW] = {"rule-new", "the rule is new"},
    [WHY_RULE_ENDED] = {"rule-ended", "the rule has ended"},
    [WHY_RULE_SET] = {"rule-set", "other rules"},
    [WHY_CHOICE] = {"choice", "--only left the rule out on one side"},
    [WHY_ROWS] = {"rows", "the row is in one of them alone"},
    [WHY_STATED] = {"stated", "another value is stated"},
    [WHY_EVIDENCE] = {"evidence", "other evidence"},
    [WHY_RECOMPUTED] = {"recomputed", "another value was recomputed"},
    [WHY_TOOL] = {"tool", "another version of fpreport"},
    [WHY_WITHDRAWN] = {"withdrawn", "it was withdrawn"},
    [WHY_RECORDS] = {"records", "the page's words or the records changed"},
};

const char *why_name(enum why why)
{
    return whys[why].name;
}

const char *why_words(enum why why)
{
    return whys[why].words;
}

/* --- pairs --- */

static int compare_metrics(const void *a, const void *b)
{
    const struct doc_metric *x = a, *y = b;
    int pair = (x->pair > y->pair) - (x->pair < y->pair);
    return pair ? pair : strcmp(x->name, y->name);
}

static int compare_findings(const void *a, const void *b)
{
    const struct doc_finding *x = a, *y = b;
    int order = strcmp(x->rule, y->rule);
    order = order ? order : (x->pair > y->pair) - (x->pair < y->pair);
    return order ? order : strcmp(text_or_empty(x->stated), text_or_empty(y->stated));
}

typedef int compare_fn(const void *, const void *);

/* Equal ones stay in the order of the document: they lie in one array. */
static int compare_pointers(const void *a, const void *b, void *data)
{
    const void *x = *(const void *const *)a, *y = *(const void *const *)b;
    int order = (*(compare_fn **)data)(x, y);
    return order ? order : (x > y) - (x < y);
}

static const void **sorted(const void *items, size_t n, size_t size, compare_fn *compare,
                           struct arena *arena)
{
    const void **order = arena_array(arena, n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (const char *)items + i * size;
    if (n)
        qsort_r(order, n, sizeof *order, compare_pointers, &compare);
    return order;
}

/* Two lists in the same order, taken in step: next_pair() gives what stands at the same place of
 * both, or on one side only. */
struct pairs {
    const void **old, **new;
    size_t n_old, n_new, i, k;
    compare_fn *compare;
};

static struct pairs pairs_of(const void *old, size_t n_old, const void *new, size_t n_new,
                             size_t size, compare_fn *compare, struct arena *arena)
{
    return (struct pairs){.old = sorted(old, n_old, size, compare, arena),
                          .new = sorted(new, n_new, size, compare, arena),
                          .n_old = n_old,
                          .n_new = n_new,
                          .compare = compare};
}

static bool next_pair(struct pairs *p, const void *pair[2])
{
    bool has_old = p->i < p->n_old, has_new = p->k < p->n_new;
    if (!has_old && !has_new)
        return false;
    int order = !has_new ? -1 : !has_old ? 1 : p->compare(p->old[p->i], p->new[p->k]);
    pair[0] = order <= 0 ? p->old[p->i++] : NULL;
    pair[1] = order >= 0 ? p->new[p->k++] : NULL;
    return true;
}

/* --- why --- */

static bool differ(const char *a, const char *b)
{
    return (a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0);
}

/* Was the rule among those that a document chose? */
static bool chosen(const struct verdict_doc *doc, const char *rule)
{
    for (const char *word = doc->only; word; word = strchr(word, ',')) {
        word += *word == ',';
        size_t n = strcspn(word, ",");
        if (n && strncmp(rule, word, n) == 0)
            return true;
    }
    return !doc->only;
}

/* What the sets say about a finding that only `has` has. */
static unsigned why_rule(const struct verdict_diff *d, const char *rule, bool is_new)
{
    const struct verdict_doc *has = is_new ? d->new : d->old, *lacks = is_new ? d->old : d->new;
    bool in_one = rules_name(has->rules, rule), in_other = rules_name(lacks->rules, rule);
    if (!chosen(lacks, rule))
        return 1u << WHY_CHOICE;
    if (!differ(has->rules, lacks->rules))
        return 0;
    if (in_one && !in_other)
        return 1u << (is_new ? WHY_RULE_NEW : WHY_RULE_ENDED);
    return in_one && in_other ? 0 : 1u << WHY_RULE_SET;
}

/* Bits about the figures of this row, or of any row (row 0). */
static unsigned why_row(const struct run_change *c, int pair, int row)
{
    unsigned why = 0;
    for (size_t i = 0; i < c->n_metrics; i++) {
        const struct metric_change *m = &c->metrics[i];
        const struct doc_metric *any = m->old ? m->old : m->new;
        if (!row || any->pair == pair)
            why |= m->why;
    }
    return why | (!row && c->n_rows ? 1u << WHY_ROWS : 0);
}

static bool covers(const struct doc_evidence *e, int pair, int row)
{
    return !row || !e->row || e->pair == pair;
}

/* Has one side evidence for the row that the other has not? */
static bool lacks_evidence(const struct doc_run *a, const struct doc_run *b, int pair, int row)
{
    for (size_t i = 0; i < a->n_evidence; i++) {
        bool found = !covers(&a->evidence[i], pair, row);
        for (size_t k = 0; k < b->n_evidence && !found; k++)
            found = covers(&b->evidence[k], pair, row) &&
                    !differ(a->evidence[i].sha256, b->evidence[k].sha256);
        if (!found)
            return true;
    }
    return false;
}

static unsigned why_evidence(const struct run_change *c, int pair, int row)
{
    bool other =
        lacks_evidence(c->old, c->new, pair, row) || lacks_evidence(c->new, c->old, pair, row);
    return other ? 1u << WHY_EVIDENCE : 0;
}

static unsigned why_otherwise(const struct verdict_diff *d, unsigned why)
{
    unsigned tool = differ(d->old->tool, d->new->tool) ? 1u << WHY_TOOL : 1u << WHY_RECORDS;
    return why ? why : tool;
}

/* --- changes --- */

/* A figure that only one side has and nobody stated: its rules did not run on the other. */
static unsigned why_metric(const struct verdict_diff *d, const struct run_change *c,
                           const struct doc_metric *old, const struct doc_metric *new)
{
    const struct doc_metric *any = new ? new : old;
    bool stated = differ(old ? old->stated : NULL, new ? new->stated : NULL);
    bool recomputed = differ(old ? old->recomputed : NULL, new ? new->recomputed : NULL);
    unsigned why = (stated ? 1u << WHY_STATED : 0) | why_evidence(c, any->pair, any->row);
    if (!why && differ(d->old->only, d->new->only))
        return 1u << WHY_CHOICE;
    if (!why && !(old && new) && differ(d->old->rules, d->new->rules))
        return 1u << WHY_RULE_SET;
    return why || !recomputed ? why : 1u << WHY_RECOMPUTED;
}

static bool is_empty(const struct doc_metric *m)
{
    return !m || (!m->stated && !m->recomputed);
}

static bool is_same_metric(const struct doc_metric *a, const struct doc_metric *b)
{
    return a && b && !differ(a->stated, b->stated) && !differ(a->recomputed, b->recomputed) &&
           a->outcome == b->outcome;
}

static void compare_metric(const struct verdict_diff *d, struct run_change *c,
                           const struct doc_metric *old, const struct doc_metric *new,
                           struct arena *arena)
{
    if (is_same_metric(old, new) || (is_empty(old) && is_empty(new)))
        return;
    struct metric_change *to = ARENA_PUSH(arena, c->metrics, c->n_metrics);
    *to = (struct metric_change){old, new, why_otherwise(d, why_metric(d, c, old, new))};
    bool agreed = old && old->stated && old->outcome == OUTCOME_PASS;
    bool agrees = new &&new->outcome == OUTCOME_PASS;
    c->worse = c->worse || (agreed && !agrees && to->why != 1u << WHY_CHOICE);
}

static void compare_finding(const struct verdict_diff *d, struct run_change *c,
                            const struct doc_finding *old, const struct doc_finding *new,
                            struct arena *arena)
{
    const struct doc_finding *any = new ? new : old;
    if (old && new && old->severity == new->severity)
        return;
    unsigned why = old && new ? 1u << WHY_RULE_SET : why_rule(d, any->rule, !old);
    if (row_number_is_alone((size_t)any->pair))
        why = 1u << WHY_ROWS;
    if (old && new && !differ(d->old->rules, d->new->rules))
        why = 0;
    if (!why)
        why = why_row(c, any->pair, any->row) | why_evidence(c, any->pair, any->row);
    struct finding_change *to = ARENA_PUSH(arena, c->findings, c->n_findings);
    *to = (struct finding_change){old, new, why_otherwise(d, why)};
    bool more_severe = old && new &&new->severity > old->severity;
    bool appeared = !old && new->severity >= SEVERITY_WARNING && to->why != 1u << WHY_CHOICE;
    c->worse = c->worse || more_severe || appeared;
}

/* Figures are in the order of their rows' numbers, as the rows are. */
static void note_figure_of_row(struct run_change *c, size_t *at, const struct doc_metric *m,
                               struct arena *arena)
{
    while (c->rows[*at].pair != m->pair)
        ++*at;
    struct row_change *row = &c->rows[*at];
    *(const struct doc_metric **)ARENA_PUSH(arena, row->figures, row->n_figures) = m;
    c->worse = c->worse || (!row->is_new && m->stated && m->outcome == OUTCOME_PASS);
}

static int rank(enum state s)
{
    static const int ranks[] = {
        [STATE_VERIFIED] = 3, [STATE_PARTIAL] = 2,   [STATE_UNVERIFIED] = 1,
        [STATE_FAILED] = 0,   [STATE_WITHDRAWN] = 1,
    };
    return ranks[s];
}

/* Figures first: what changed there explains findings. */
static void compare_run(const struct verdict_diff *d, struct run_change *c, struct arena *arena)
{
    diff_rows_pair(c, arena);
    const struct doc_run *old = c->old, *new = c->new;
    const void *pair[2];
    size_t row = 0;
    struct pairs metrics = pairs_of(old->metrics, old->n_metrics, new->metrics, new->n_metrics,
                                    sizeof *old->metrics, compare_metrics, arena);
    while (next_pair(&metrics, pair)) {
        const struct doc_metric *any = pair[1] ? pair[1] : pair[0];
        if (row_number_is_alone((size_t)any->pair))
            note_figure_of_row(c, &row, any, arena);
        else
            compare_metric(d, c, pair[0], pair[1], arena);
    }
    struct pairs findings = pairs_of(old->findings, old->n_findings, new->findings, new->n_findings,
                                     sizeof *old->findings, compare_findings, arena);
    while (next_pair(&findings, pair))
        compare_finding(d, c, pair[0], pair[1], arena);
    c->why = c->n_rows ? 1u << WHY_ROWS : 0;
    for (size_t i = 0; i < c->n_metrics; i++)
        c->why |= c->metrics[i].why;
    for (size_t i = 0; i < c->n_findings; i++)
        c->why |= c->findings[i].why;
    if (new->state == STATE_WITHDRAWN && old->state != new->state)
        c->why |= 1u << WHY_WITHDRAWN;
    if (old->state != new->state)
        c->why = why_otherwise(d, c->why);
    c->worse = c->worse || (rank(new->state) < rank(old->state) && c->why != 1u << WHY_CHOICE);
}

static void add_run(struct verdict_diff *d, const struct doc_run *old, const struct doc_run *new,
                    struct arena *arena)
{
    struct run_change c = {.old = old, .new = new, .worse = !new};
    if (old && new)
        compare_run(d, &c, arena);
    d->added += !old;
    d->gone += !new;
    if (old && new) {
        bool same = !c.n_rows && !c.n_metrics && !c.n_findings && old->state == new->state;
        d->by_place += c.by_place;
        d->same += same;
        d->changed += !same;
        if (same)
            return;
    }
    d->worse += c.worse;
    *(struct run_change *)ARENA_PUSH(arena, d->runs, d->n_runs) = c;
}

void verdict_diff_make(const struct verdict_doc *old, const struct verdict_doc *new,
                       struct arena *arena, struct verdict_diff *out)
{
    const void *pair[2];
    struct pairs runs = pairs_of(old->runs, old->n_runs, new->runs, new->n_runs, sizeof *old->runs,
                                 text_by_bytes, arena);
    *out = (struct verdict_diff){.old = old, .new = new};
    while (next_pair(&runs, pair))
        add_run(out, pair[0], pair[1], arena);
}

void verdict_diff_add(struct verdict_diff *all, const struct verdict_diff *part, bool json,
                      bool color, struct arena *arena)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < part->n_runs; i++) {
        const struct run_change *c = &part->runs[i];
        buf_clear(&text);
        if (json) {
            /* As an element of the list of runs. */
            struct json_writer w = JSON_WRITER_INIT(&text);
            w.depth = 2;
            w.fresh = true;
            verdict_diff_run_json(c, &w);
        } else
            verdict_diff_run_text(c, color, &text);
        size_t front = json ? strspn(text.data, " \n") : 0;
        *(struct written_change *)ARENA_PUSH(arena, all->written, all->n_written) =
            (struct written_change){arena_strdup(arena, c->new ? c->new->id : c->old->id),
                                    arena_strndup(arena, text.data + front, text.len - front),
                                    text.len - front};
    }
    buf_release(&text);
    all->same += part->same;
    all->changed += part->changed;
    all->worse += part->worse;
    all->added += part->added;
    all->gone += part->gone;
    all->by_place += part->by_place;
}

static int compare_written(const void *a, const void *b)
{
    return strcmp(((const struct written_change *)a)->id, ((const struct written_change *)b)->id);
}

void verdict_diff_sort(struct verdict_diff *all)
{
    if (all->n_written)
        qsort(all->written, all->n_written, sizeof *all->written, compare_written);
}
