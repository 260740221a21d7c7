#include "verifier/runs/run_rounds.h"

#include "base/lookup.h"
#include "base/text.h"
#include "verifier/curves/curve_spikes.h"

#include <stdlib.h>

/* --- putting together --- */

struct finding {
    struct run_tree *tree;
    const char **names; /* of the rounds so far, by which they are found: case and number */
    size_t n;
    struct lookup seen;
    struct arena *arena;
};

/* NULL for what stands in no round, but where there is nothing else (`outside`). */
static struct run_round *round_at(struct finding *f, const struct run_place *place, bool outside)
{
    const char *kase = place->kase ? place->kase : "";
    struct run_tree *t = f->tree;
    if (place->round == RUN_NONE && !outside)
        return NULL;
    const char *name = arena_printf(f->arena, "%ld/%s", place->round, kase);
    size_t at = lookup_find(&f->seen, name);
    if (at != LOOKUP_NONE)
        return &t->rounds[at];
    struct run_round *r = ARENA_PUSH(f->arena, t->rounds, t->n_rounds);
    *(const char **)ARENA_PUSH(f->arena, f->names, f->n) = name;
    lookup_grow(&f->seen, f->names, f->n, f->arena);
    *r = (struct run_round){.round = place->round};
    case_key_parse(kase, f->arena, &r->key);
    monitor_peaks_init(&r->peaks);
    diags_init(&r->faults, f->arena);
    return r;
}

static long rank_of(const struct run_round *r, const struct run_log *l)
{
    if (l->place.rank != RUN_NONE || !l->place.node_log)
        return l->place.rank;
    return r->key.whole ? r->key.nproc * l->place.node : l->place.node;
}

/* By global rank; those without one last, by name. */
static int compare_log_ranks(const void *a, const void *b, void *round)
{
    const struct run_log *x = *(const struct run_log *const *)a,
                         *y = *(const struct run_log *const *)b;
    unsigned long i = (unsigned long)rank_of(round, x), k = (unsigned long)rank_of(round, y);
    return i != k ? (i > k) - (i < k) : strcmp(x->name, y->name);
}

static int by_case(const void *a, const void *b)
{
    const struct run_round *x = a, *y = b;
    int order = strcmp(x->key.text, y->key.text);
    return order ? order : x->round < y->round ? -1 : x->round > y->round;
}

/* Steps that `more` has and `out` has not; out may be replaced. */
static size_t steps_beside(const struct curve *out, const struct curve *more)
{
    size_t both = 0, i = 0, k = 0;
    while (i < more->n && k < out->n) {
        k = curve_step_at(out, k, more->step[i]);
        if (k == out->n)
            break;
        both += out->step[k] == more->step[i];
        i = curve_step_at(more, i + (out->step[k] == more->step[i]), out->step[k]);
    }
    return more->n - both;
}

static void put_step(struct curve *to, const struct curve *from, size_t i)
{
    to->step[to->n] = from->step[i];
    to->loss[to->n] = from->loss[i];
    to->seconds[to->n++] = from->seconds[i];
}

/* The steps of both; where both have one, that of `out`. */
static void merge_curve(struct curve *out, const struct curve *more, struct arena *arena)
{
    size_t added = steps_beside(out, more), i = 0, k = 0;
    if (added == 0)
        return;
    struct curve both = {.source = out->n ? out->source : more->source};
    both.step = arena_array(arena, out->n + added, sizeof(double));
    both.loss = arena_array(arena, out->n + added, sizeof(double));
    both.seconds = arena_array(arena, out->n + added, sizeof(double));
    while (i < out->n || k < more->n) {
        bool from_more = i == out->n || (k < more->n && more->step[k] < out->step[i]);
        bool again = !from_more && k < more->n && more->step[k] == out->step[i];
        put_step(&both, from_more ? more : out, from_more ? k : i);
        k += from_more || again;
        i += !from_more;
    }
    *out = both;
}

static void merge_round(struct run_round *r, struct arena *arena)
{
    if (r->n_logs > 1)
        qsort_r(r->logs, r->n_logs, sizeof(struct run_log *), compare_log_ranks, r);
    for (size_t i = 0; i < r->n_logs; i++) {
        struct curve curve;
        log_curve(&r->logs[i]->log, arena, &curve);
        merge_curve(&r->curve, &curve, arena);
    }
}

static bool has_no_round(const struct run_tree *t)
{
    for (size_t i = 0; i < t->n_logs; i++)
        if (t->logs[i].place.round != RUN_NONE)
            return false;
    for (size_t i = 0; i < t->n_monitors; i++)
        if (t->monitors[i].place.round != RUN_NONE)
            return false;
    return true;
}

void run_rounds_find(struct run_tree *t, struct arena *arena)
{
    bool outside = has_no_round(t);
    struct finding f = {.tree = t, .seen = {.stride = sizeof *f.names}, .arena = arena};
    for (size_t i = 0; i < t->n_logs; i++) {
        const struct run_log *l = &t->logs[i];
        struct run_round *r = round_at(&f, &l->place, outside);
        if (!r)
            continue;
        *(const struct run_log **)ARENA_PUSH(arena, r->all_logs, r->n_all_logs) = l;
        if (l->log.n_points || rank_of(r, l) != RUN_NONE)
            *(const struct run_log **)ARENA_PUSH(arena, r->logs, r->n_logs) = l;
    }
    for (size_t i = 0; i < t->n_monitors; i++) {
        const struct run_monitor *m = &t->monitors[i];
        struct run_round *r = round_at(&f, &m->place, outside);
        if (!r)
            continue;
        *(const struct run_monitor **)ARENA_PUSH(arena, r->monitors, r->n_monitors) = m;
        monitor_peaks_add(&r->peaks, &m->monitor);
    }
    if (t->n_rounds)
        qsort(t->rounds, t->n_rounds, sizeof *t->rounds, by_case);
    for (size_t i = 0; i < t->n_rounds; i++)
        merge_round(&t->rounds[i], arena);
}

/* --- judging --- */

struct judge {
    const struct run_tree *tree;
    const struct run_round *round;
    struct arena *arena; /* of the judgement */
    struct diags *diags;
    const char *where; /* "bert:…/round1" */
};

static void mark_node(struct run_numbers *nodes, const struct judge *j, const struct run_place *p)
{
    if (p->node != RUN_NONE && p->node < j->round->key.nnodes)
        nodes->items[nodes->n++] = (struct run_number){p->node, nodes->n, p->host};
}

static void check_round_node(struct judge *j, const struct run_place *p, const char *name,
                             const struct run_numbers *nodes)
{
    const struct case_key *key = &j->round->key;
    if (p->node == RUN_NONE)
        return;
    const struct run_number *first = run_numbers_first(nodes, p->node);
    if (!first)
        diags_add(j->diags, SEVERITY_WARNING, name, 0, 0,
                  "found node rank %ld, expected at most %ld: the case has %ld nodes", p->node,
                  key->nnodes - 1, key->nnodes);
    else if (strcmp(first->host, p->host) != 0)
        diags_add(j->diags, SEVERITY_WARNING, name, 0, 0,
                  "node rank %ld appears twice, as %s and as %s", p->node, first->host, p->host);
}

static void check_nodes(struct judge *j)
{
    const struct run_round *r = j->round;
    struct run_numbers nodes = {
        arena_array(j->arena, r->n_all_logs + r->n_monitors, sizeof *nodes.items), 0};
    for (size_t i = 0; i < r->n_all_logs; i++)
        mark_node(&nodes, j, &r->all_logs[i]->place);
    for (size_t i = 0; i < r->n_monitors; i++)
        mark_node(&nodes, j, &r->monitors[i]->place);
    run_numbers_sort(&nodes);
    for (size_t i = 0; i < r->n_all_logs; i++)
        check_round_node(j, &r->all_logs[i]->place, r->all_logs[i]->log.file, &nodes);
    for (size_t i = 0; i < r->n_monitors; i++)
        check_round_node(j, &r->monitors[i]->place, r->monitors[i]->monitor.file, &nodes);
    const char *missing = run_numbers_missing(&nodes, (size_t)r->key.nnodes, j->arena);
    if (missing)
        diags_add(j->diags, SEVERITY_WARNING, j->where, 0, 0,
                  "the run has no files of node %s, but its case has %ld nodes", missing,
                  r->key.nnodes);
}

static bool has_rank(const struct case_key *key, const struct run_place *p)
{
    return p->rank != RUN_NONE && p->node < key->nnodes;
}

static bool is_of_node(const struct case_key *key, const struct run_place *p)
{
    long first = key->nproc * p->node;
    return p->rank >= first && p->rank < first + key->nproc;
}

static void check_rank(struct judge *j, size_t i, const struct run_numbers *ranks)
{
    const struct case_key *key = &j->round->key;
    const struct run_log *l = j->round->logs[i];
    long rank = l->place.rank, first = key->nproc * l->place.node;
    if (!has_rank(key, &l->place))
        return;
    if (!is_of_node(key, &l->place))
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "found rank %ld on node %ld, expected %ld to %ld", rank, l->place.node, first,
                  first + key->nproc - 1);
    else if (run_numbers_first(ranks, rank)->file != i)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0, "rank %ld appears twice", rank);
}

static void check_logged_ranks(struct judge *j)
{
    const struct run_round *r = j->round;
    size_t n = (size_t)(r->key.nnodes * r->key.nproc);
    struct run_numbers ranks = {arena_array(j->arena, r->n_logs, sizeof *ranks.items), 0};
    if (!run_logs_every_rank(r->key.framework))
        return;
    for (size_t i = 0; i < r->n_logs; i++)
        if (has_rank(&r->key, &r->logs[i]->place) && is_of_node(&r->key, &r->logs[i]->place))
            ranks.items[ranks.n++] = (struct run_number){r->logs[i]->place.rank, i, NULL};
    run_numbers_sort(&ranks);
    for (size_t i = 0; i < r->n_logs; i++)
        check_rank(j, i, &ranks);
    const char *missing = run_numbers_missing(&ranks, n, j->arena);
    if (missing)
        diags_add(j->diags, SEVERITY_WARNING, j->where, 0, 0,
                  "the run has no log of rank %s, but its case has %zu ranks", missing, n);
}

static void check_script(struct judge *j, const struct run_log *l)
{
    const struct case_key *key = &j->round->key;
    const char *model, *framework;
    if (!run_script_case(l->log.script, j->arena, &model, &framework))
        return;
    if (strcmp(model, key->model) != 0 || !text_starts(framework, key->framework))
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "the log was written by %s/%s, expected %s/%s: the log belongs to another case",
                  model, framework, key->model, key->framework);
}

/* --- the logs of a round beside its first --- */

struct worst {
    double error, step;
    long rank;
    size_t logs;
};

static void compare_losses(const struct judge *j, const struct curve *first,
                           const struct curve *other, const struct run_log *l, struct worst *w)
{
    struct worst mine = {0, NAN, rank_of(j->round, l), 1};
    for (size_t i = 0, k = 0; k < other->n; k++) {
        i = curve_step_at(first, i, other->step[k]);
        if (i == first->n)
            break;
        double a = first->loss[i], b = other->loss[k];
        double error = isnan(a) != isnan(b) ? INFINITY : fabs(a - b) / fabs(a);
        if (first->step[i] == other->step[k] && error > mine.error) {
            mine.error = error;
            mine.step = first->step[i];
        }
    }
    if (mine.error <= RUN_LOSS_SLACK)
        return;
    mine.logs = w->logs + 1;
    if (mine.error > w->error)
        *w = mine;
    w->logs = mine.logs;
}

/* Median of how much later (s) `other` says that the same steps ended; NaN without common steps. */
static double clock_offset(struct judge *j, const struct log *first, const struct log *other)
{
    size_t n = 0, most = first->n_points < other->n_points ? first->n_points : other->n_points;
    double *offsets = arena_array(j->arena, most, sizeof *offsets);
    for (size_t i = 0, k = 0; i < first->n_points && k < other->n_points;) {
        const struct log_point *a = &first->points[i], *b = &other->points[k];
        if (a->step == b->step && isfinite(a->clock_ms) && isfinite(b->clock_ms))
            offsets[n++] = (b->clock_ms - a->clock_ms) / 1000;
        i += !(a->step > b->step);
        k += !(b->step > a->step);
    }
    return curve_median(offsets, n);
}

static void compare_clocks(struct judge *j, const struct run_log *first, const struct run_log *l)
{
    if (first->place.node == l->place.node)
        return;
    double offset = clock_offset(j, &first->log, &l->log);
    if (fabs(offset) > RUN_CLOCK_SLACK_S)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "the clock of node %ld is %.1f s %s that of node %ld, measured at the ends of "
                  "the same steps",
                  l->place.node, fabs(offset), offset > 0 ? "ahead of" : "behind",
                  first->place.node);
}

static const struct run_log *first_with_steps(const struct run_round *r)
{
    for (size_t i = 0; i < r->n_logs; i++)
        if (r->logs[i]->log.n_points)
            return r->logs[i];
    return NULL;
}

static void compare_logs(struct judge *j)
{
    const struct run_log *first = first_with_steps(j->round);
    struct worst worst = {0, NAN, RUN_NONE, 0};
    struct curve one, other;
    if (!first)
        return;
    log_curve(&first->log, j->arena, &one);
    long clock_node = first->place.node;
    for (size_t i = 0; i < j->round->n_logs; i++) {
        const struct run_log *l = j->round->logs[i];
        if (l == first || l->log.n_points == 0)
            continue;
        log_curve(&l->log, j->arena, &other);
        size_t missing = steps_beside(&other, &one), more = steps_beside(&one, &other);
        if (missing || more)
            diags_add(
                j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                "this log has other steps than %s: %zu steps are missing and %zu steps are extra",
                one.source, missing, more);
        compare_losses(j, &one, &other, l, &worst);
        if (l->place.node != clock_node) /* logs come by rank: once for each node */
            compare_clocks(j, first, l);
        clock_node = l->place.node;
    }
    if (worst.logs)
        diags_add(j->diags, SEVERITY_NOTICE, j->where, 0, 0,
                  "the losses of %zu ranks differ from those of %s; rank %ld differs most, by %.3g "
                  "%% at step %.17g",
                  worst.logs, first->name, worst.rank, 100 * worst.error, worst.step);
}

/* Rounds 1 to `repeat` of a case, once for each case; they are sorted, each is there once. */
static void check_rounds(struct judge *j, size_t at)
{
    const struct run_round *r = j->tree->rounds;
    long next = 1;
    if (at > 0 && strcmp(r[at - 1].key.text, r[at].key.text) == 0)
        return;
    for (size_t i = at; i < j->tree->n_rounds && strcmp(r[i].key.text, r[at].key.text) == 0; i++)
        next += r[i].round == next;
    if (next <= r[at].key.repeat)
        diags_add(j->diags, SEVERITY_WARNING, r[at].key.text, 0, 0,
                  "the run has no files of round %ld, but its case has %ld rounds", next,
                  r[at].key.repeat);
}

static void check_run_round(struct judge *j, size_t at, enum run_scope scope)
{
    const struct run_round *r = j->round;
    for (size_t k = 0; r->key.whole && k < r->n_logs; k++)
        check_script(j, r->logs[k]);
    if (scope == RUN_SCOPE_FILE)
        return;
    if (r->key.whole && scope == RUN_SCOPE_RUN)
        check_rounds(j, at);
    if (r->key.whole) {
        check_nodes(j);
        check_logged_ranks(j);
    }
    compare_logs(j);
}

void run_rounds_check(struct run_tree *t, enum run_scope scope, struct arena *arena,
                      struct diags *diags)
{
    for (size_t i = 0; i < t->n_rounds; i++) {
        struct arena own = ARENA_INIT;
        struct run_round *r = &t->rounds[i];
        struct judge j = {t, r, &own, &r->faults, NULL};
        diags_init(&r->faults, arena);
        j.where = r->round == RUN_NONE ? t->rounds[i].key.text
                                       : arena_printf(&own, "%s/round%ld", r->key.text, r->round);
        check_run_round(&j, i, scope);
        for (size_t k = 0; k < r->faults.n; k++) {
            const struct diag *d = &r->faults.items[k];
            diags_add(diags, d->severity, d->file, d->line, d->col, "%s", d->message);
        }
        arena_release(&own);
    }
}
