#include "verifier/checks/mlperf/log/target.h"

bool mlperf_log_is_closed(const struct mlperf_log_audit *a)
{
    return a->facts->division && strcmp(a->facts->division, "closed") == 0;
}

/* The rule that wants one of the evaluations to satisfy something, of the last set that has it. */
static const struct mlperf_key *rule_of(const struct mlperf_log_audit *a,
                                        const struct mlperf_set **set)
{
    const struct mlperf_key *found = NULL;
    for (size_t s = 0; s < a->evaluation->n_sets; s++)
        for (size_t i = 0; i < a->evaluation->sets[s]->n_keys; i++) {
            const struct mlperf_key *key = &a->evaluation->sets[s]->keys[i];
            if (strcmp(key->key, "eval_accuracy") != 0 || !key->some.n)
                continue;
            found = key;
            *set = a->evaluation->sets[s];
        }
    return found;
}

static bool reaches(const struct mlperf_key *rule, const struct mllog_record *r,
                    struct mlperf_scope *scope)
{
    for (size_t i = 0; i < rule->some.n; i++)
        if (mlperf_predicate_holds(&rule->some.items[i], r, scope) != PREDICATE_HOLDS)
            return false;
    return true;
}

bool mlperf_target_of(const struct mlperf_log_audit *a, struct mlperf_target *out)
{
    const struct mllog_record *start = mllog_last(a->log, "run_start");
    const struct mllog_record *stop = mllog_last(a->log, "run_stop");
    const struct mlperf_set *set = NULL;
    const struct mlperf_key *rule = rule_of(a, &set);
    *out = (struct mlperf_target){0};
    if (!mlperf_log_is_closed(a) || !rule || !start || !stop)
        return false;
    struct mlperf_scope scope = {.lets = mlperf_bind(set, a->evaluation->first, a->arena)};
    for (size_t i = 0; i < a->log->n; i++) {
        const struct mllog_record *r = &a->log->records[i];
        if (r->name != rule->name)
            continue;
        bool good = reaches(rule, r, &scope);
        bool in_time =
            r > start && r < stop && r->time_ms >= start->time_ms && r->time_ms <= stop->time_ms;
        if (good && !out->reached)
            out->reached = r;
        if (good && in_time && !out->reached_in_time)
            out->reached_in_time = r;
        if (r < stop) {
            out->last = r;
            out->last_reaches = good;
        }
    }
    return true;
}
