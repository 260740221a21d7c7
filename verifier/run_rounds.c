#include "verifier/run_rounds.h"

#include "base/text.h"
#include "verifier/curve_spikes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- putting together --- */

/* NULL for what stands in no round, but where there is nothing else (`outside`). */
static struct run_round *round_at(struct run_tree *t, const struct run_place *place, bool outside,
                                  struct arena *arena)
{
    const char *kase = place->kase ? place->kase : "";
    if (place->round == RUN_NONE && !outside)
        return NULL;
    /* Files come by path: mostly it is the last one. */
    for (size_t i = t->n_rounds; i-- > 0;)
        if (t->rounds[i].round == place->round && strcmp(t->rounds[i].key.text, kase) == 0)
            return &t->rounds[i];
    struct run_round *r = ARENA_PUSH(arena, t->rounds, t->n_rounds);
    *r = (struct run_round){.round = place->round};
    case_key_parse(kase, arena, &r->key);
    monitor_peaks_init(&r->peaks);
    diags_init(&r->faults, arena);
    return r;
}

static long rank_of(const struct run_round *r, const struct run_log *l)
{
    if (l->place.rank != RUN_NONE || !l->place.node_log)
        return l->place.rank;
    return r->key.whole ? r->key.nproc * l->place.node : l->place.node;
}

/* By global rank; those without one last, by name. */
static int by_rank(const void *a, const void *b, void *round)
{
    const struct run_log *x = *(const struct run_log *const *)a,
                         *y = *(const struct run_log *const *)b;
    unsigned long i = (unsigned long)rank_of(round, x), k = (unsigned long)rank_of(round, y);
    if (i != k)
        return i < k ? -1 : 1;
    return strcmp(x->name, y->name);
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
    size_t n = 0, k = 0;
    for (size_t i = 0; i < more->n; i++) {
        while (k < out->n && out->step[k] < more->step[i])
            k++;
        n += k == out->n || out->step[k] != more->step[i];
    }
    return n;
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
        qsort_r(r->logs, r->n_logs, sizeof(struct run_log *), by_rank, r);
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
    for (size_t i = 0; i < t->n_logs; i++) {
        const struct run_log *l = &t->logs[i];
        struct run_round *r = round_at(t, &l->place, outside, arena);
        if (!r)
            continue;
        *(const struct run_log **)ARENA_PUSH(arena, r->all_logs, r->n_all_logs) = l;
        if (l->log.n_points || rank_of(r, l) != RUN_NONE)
            *(const struct run_log **)ARENA_PUSH(arena, r->logs, r->n_logs) = l;
    }
    for (size_t i = 0; i < t->n_monitors; i++) {
        const struct run_monitor *m = &t->monitors[i];
        struct run_round *r = round_at(t, &m->place, outside, arena);
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

/* "0-3, 7" of the numbers below n that are not marked; NULL when all are. */
static const char *missing_of(struct judge *j, const char *marked, size_t n)
{
    const char *text = NULL;
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        if (marked[i])
            continue;
        while (end < n && !marked[end])
            end++;
        const char *range = end - i == 1 ? arena_printf(j->arena, "%zu", i)
                                         : arena_printf(j->arena, "%zu-%zu", i, end - 1);
        text = text ? arena_printf(j->arena, "%s, %s", text, range) : range;
        if (strlen(text) > 200)
            return arena_printf(j->arena, "%s, …", text);
    }
    return text;
}

static void mark_node(struct judge *j, const struct run_place *p, const char *name,
                      const char **hosts)
{
    const struct case_key *key = &j->round->key;
    if (p->node == RUN_NONE)
        return;
    if (p->node >= key->nnodes)
        diags_add(j->diags, SEVERITY_WARNING, name, 0, 0,
                  "found node rank %ld, expected at most %ld: the case has %ld nodes", p->node,
                  key->nnodes - 1, key->nnodes);
    else if (!hosts[p->node])
        hosts[p->node] = p->host;
    else if (strcmp(hosts[p->node], p->host) != 0)
        diags_add(j->diags, SEVERITY_WARNING, name, 0, 0,
                  "node rank %ld is there twice, as %s and as %s", p->node, hosts[p->node],
                  p->host);
}

static void check_nodes(struct judge *j)
{
    const struct run_round *r = j->round;
    size_t n = (size_t)r->key.nnodes;
    const char **hosts = arena_array(j->arena, n, sizeof *hosts);
    char *marked = arena_alloc(j->arena, n);
    for (size_t i = 0; i < r->n_all_logs; i++)
        mark_node(j, &r->all_logs[i]->place, r->all_logs[i]->log.file, hosts);
    for (size_t i = 0; i < r->n_monitors; i++)
        mark_node(j, &r->monitors[i]->place, r->monitors[i]->monitor.file, hosts);
    for (size_t i = 0; i < n; i++)
        marked[i] = hosts[i] != NULL;
    const char *missing = missing_of(j, marked, n);
    if (missing)
        diags_add(j->diags, SEVERITY_WARNING, j->where, 0, 0,
                  "no files of node %s; the case has %zu nodes", missing, n);
}

/* Marks the rank of this log, or says what is wrong with it. */
static void mark_rank(struct judge *j, const struct run_log *l, char *marked)
{
    const struct case_key *key = &j->round->key;
    long rank = l->place.rank, first = key->nproc * l->place.node;
    if (rank == RUN_NONE || l->place.node >= key->nnodes)
        return;
    if (rank < first || rank >= first + key->nproc)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "found rank %ld on node %ld, expected %ld to %ld", rank, l->place.node, first,
                  first + key->nproc - 1);
    else if (marked[rank]++)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0, "rank %ld is there twice", rank);
}

static void check_ranks(struct judge *j)
{
    const struct case_key *key = &j->round->key;
    size_t n = (size_t)(key->nnodes * key->nproc);
    char *marked = arena_alloc(j->arena, n);
    if (!run_logs_every_rank(key->framework))
        return;
    for (size_t i = 0; i < j->round->n_logs; i++)
        mark_rank(j, j->round->logs[i], marked);
    const char *missing = missing_of(j, marked, n);
    if (missing)
        diags_add(j->diags, SEVERITY_WARNING, j->where, 0, 0,
                  "no log of rank %s; the case has %zu ranks", missing, n);
}

static void check_script(struct judge *j, const struct run_log *l)
{
    const struct case_key *key = &j->round->key;
    const char *model, *framework;
    if (!run_script_case(l->log.script, j->arena, &model, &framework))
        return;
    if (strcmp(model, key->model) != 0 || !text_starts(framework, key->framework))
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "the log was written by %s/%s, expected %s/%s: a log of another case", model,
                  framework, key->model, key->framework);
}

/* --- the logs of a round beside its first --- */

struct worst {
    double error, step;
    long rank;
    size_t logs;
};

static void compare_steps(struct judge *j, const struct curve *first, const struct curve *other,
                          const struct run_log *l)
{
    size_t missing = steps_beside(other, first), more = steps_beside(first, other);
    if (missing || more)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "logged other steps than %s: %zu are missing, %zu are more", first->source,
                  missing, more);
}

static void compare_losses(const struct judge *j, const struct curve *first,
                           const struct curve *other, const struct run_log *l, struct worst *w)
{
    struct worst mine = {0, NAN, rank_of(j->round, l), 1};
    for (size_t i = 0, k = 0; i < first->n && k < other->n;) {
        double a = first->loss[i], b = other->loss[k];
        if (first->step[i] == other->step[k]) {
            double error = isnan(a) != isnan(b) ? INFINITY : fabs(a - b) / fabs(a);
            if (error > mine.error) {
                mine.error = error;
                mine.step = first->step[i];
            }
        }
        bool behind = first->step[i] <= other->step[k];
        k += other->step[k] <= first->step[i];
        i += behind;
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
    double *apart = arena_array(j->arena, first->n_points, sizeof *apart);
    size_t n = 0;
    for (size_t i = 0, k = 0; i < first->n_points && k < other->n_points;) {
        const struct log_point *a = &first->points[i], *b = &other->points[k];
        if (a->step == b->step && isfinite(a->clock_ms) && isfinite(b->clock_ms))
            apart[n++] = (b->clock_ms - a->clock_ms) / 1000;
        i += !(a->step > b->step);
        k += !(b->step > a->step);
    }
    return curve_median(apart, n);
}

static void compare_clocks(struct judge *j, const struct run_log *first, const struct run_log *l)
{
    if (first->place.node == l->place.node)
        return;
    double apart = clock_offset(j, &first->log, &l->log);
    if (fabs(apart) > RUN_CLOCK_SLACK_S)
        diags_add(j->diags, SEVERITY_WARNING, l->log.file, 0, 0,
                  "the clock of node %ld is %.1f s %s that of node %ld, by the ends of the same "
                  "steps",
                  l->place.node, fabs(apart), apart > 0 ? "ahead of" : "behind", first->place.node);
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
        compare_steps(j, &one, &other, l);
        compare_losses(j, &one, &other, l, &worst);
        if (l->place.node != clock_node) /* logs come by rank: once for each node */
            compare_clocks(j, first, l);
        clock_node = l->place.node;
    }
    if (worst.logs)
        diags_add(j->diags, SEVERITY_NOTICE, j->where, 0, 0,
                  "the losses of %zu ranks differ from those of %s, most that of rank %ld: by "
                  "%.3g %% at step %.17g",
                  worst.logs, first->name, worst.rank, 100 * worst.error, worst.step);
}

/* Rounds 1 to `repeat` of a case, once for each case. */
static void check_rounds(struct judge *j, size_t at)
{
    const struct run_round *r = j->tree->rounds;
    size_t n = (size_t)r[at].key.repeat;
    char *marked = arena_alloc(j->arena, n);
    if (at > 0 && strcmp(r[at - 1].key.text, r[at].key.text) == 0)
        return;
    for (size_t i = at; i < j->tree->n_rounds && strcmp(r[i].key.text, r[at].key.text) == 0; i++)
        if (r[i].round >= 1 && (size_t)r[i].round <= n)
            marked[r[i].round - 1] = 1;
    for (size_t i = 0; i < n; i++)
        if (!marked[i]) {
            diags_add(j->diags, SEVERITY_WARNING, r[at].key.text, 0, 0,
                      "no files of round %zu; the case has %zu rounds", i + 1, n);
            return;
        }
}

static void check_round(struct judge *j, size_t at, enum run_scope scope)
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
        check_ranks(j);
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
        check_round(&j, i, scope);
        for (size_t k = 0; k < r->faults.n; k++) {
            const struct diag *d = &r->faults.items[k];
            diags_add(diags, d->severity, d->file, d->line, d->col, "%s", d->message);
        }
        arena_release(&own);
    }
}
