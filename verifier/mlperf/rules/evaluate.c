#include "verifier/mlperf/rules/evaluate.h"

#include "base/text.h"
#include "verifier/mlperf/rules/group.h"

#include <math.h>

/* What is known of one key of the set at hand. */
struct tally {
    size_t n;
    struct mllog_value first;
    uint32_t second_at;
    bool same;      /* all values are equal */
    bool some_held; /* a record satisfies `some` */
};

struct evaluator {
    const struct mlperf_ruleset *rules;
    const struct mllog *log;
    struct arena *arena;
    struct mlperf_evaluation *out;
    struct mlperf_message *keyed; /* by name; rule NULL: none */
    const struct mlperf_set *set; /* at hand */
    struct mlperf_scope scope;
    bool *seen;
    double *least_time;
    struct tally *tallies; /* by the set's keys */
};

static void note_broken_rule(struct evaluator *e, struct mlperf_message *m,
                             enum mlperf_message_kind kind, const struct mlperf_key *rule,
                             const struct mlperf_predicate *predicate,
                             const struct mllog_record *record)
{
    if (m->rule != rule || m->kind != kind)
        *m = (struct mlperf_message){.kind = kind, .set = e->set, .rule = rule};
    if (record) {
        if (m->n_records < MLPERF_PLACES_MAX)
            m->places[m->n_records] = record->at;
        m->n_records++;
    }
    if (record && m->n_records > 1)
        return; /* the first is the one that is quoted */
    m->predicate = predicate;
    if (predicate && record)
        m->found = mlperf_predicate_found(predicate, record, &e->scope, e->arena);
    else if (record) {
        struct mllog_value value = mllog_value(record->value);
        m->found = mllog_show(&value, e->arena);
    }
}

static struct mlperf_message *new_message(struct evaluator *e)
{
    return ARENA_PUSH(e->arena, e->out->messages, e->out->n_messages);
}

/* The first predicate that does not hold; NULL: all do. */
static const struct mlperf_predicate *failing(struct evaluator *e,
                                              const struct mlperf_predicates *all,
                                              const struct mllog_record *record,
                                              enum mlperf_holds *holds)
{
    const struct mlperf_predicate *found = NULL;
    for (size_t i = 0; i < all->n; i++) {
        enum mlperf_holds one = mlperf_predicate_holds(&all->items[i], record, &e->scope);
        if (one == PREDICATE_HOLDS || found)
            continue;
        found = &all->items[i];
        *holds = one;
    }
    return found;
}

static void open_set(struct evaluator *e, const struct mlperf_key *rule,
                     const struct mllog_record *record, bool said)
{
    struct mllog_value value = mllog_value(record->value);
    for (size_t i = 0; value.kind == MLLOG_TEXT && i < rule->n_includes; i++)
        if (mllog_text_is(value.json, rule->includes[i].value)) {
            if (e->out->n_sets < MLPERF_SETS_MAX)
                e->out->sets[e->out->n_sets++] = rule->includes[i].set;
            return;
        }
    if (!said)
        note_broken_rule(e, &e->keyed[rule->name], MESSAGE_EACH, rule, NULL, record);
}

static void check_each(struct evaluator *e, const struct mlperf_key *rule,
                       const struct mllog_record *record)
{
    enum mlperf_holds ignored;
    bool seen = e->seen[rule->name];
    if (seen && text_starts(rule->key, "submission_"))
        return;
    const struct mlperf_predicate *failed = failing(e, &rule->each, record, &ignored);
    if (!failed && !seen)
        failed = failing(e, &rule->first, record, &ignored);
    if (failed)
        note_broken_rule(e, &e->keyed[rule->name], MESSAGE_EACH, rule, failed, record);
    if (rule->n_includes)
        open_set(e, rule, record, failed != NULL);
}

static void check_some(struct evaluator *e, const struct mlperf_key *rule, struct tally *tally,
                       const struct mllog_record *record, struct mlperf_message *type)
{
    enum mlperf_holds holds = PREDICATE_HOLDS;
    const struct mlperf_predicate *failed = NULL;
    for (size_t i = 0; i < rule->some.n && !failed; i++) {
        holds = mlperf_predicate_holds(&rule->some.items[i], record, &e->scope);
        failed = holds == PREDICATE_HOLDS ? NULL : &rule->some.items[i];
    }
    tally->some_held |= !failed;
    if (failed && holds == PREDICATE_UNFIT)
        note_broken_rule(e, type, MESSAGE_SOME_TYPE, rule, failed, record);
}

static void tally_record(struct tally *tally, const struct mllog_record *record, bool counts)
{
    struct mllog_value value = {0};
    if (!tally->n++) {
        tally->first = mllog_value(record->value);
        tally->same = true;
        return;
    }
    if (tally->n == 2)
        tally->second_at = record->at;
    if (!counts || !tally->same)
        return;
    value = mllog_value(record->value);
    tally->same = mllog_same(&tally->first, &value);
}

static void take_rule_record(struct evaluator *e, const struct mllog_record *record,
                             struct mlperf_message *types)
{
    int entry = record->name < e->rules->names.n ? e->set->entry[record->name] : -1;
    if (record->name >= e->rules->names.n)
        return; /* of this log alone: no rule asks for it */
    if (entry >= 0) {
        const struct mlperf_key *rule = &e->set->keys[entry];
        check_each(e, rule, record);
        if (rule->some.n)
            check_some(e, rule, &e->tallies[entry], record, &types[entry]);
        tally_record(&e->tallies[entry], record, rule->exactly_one);
    }
    if (!e->seen[record->name] || record->time_ms < e->least_time[record->name])
        e->least_time[record->name] = record->time_ms;
    e->seen[record->name] = true;
}

static void note_repeat(struct evaluator *e, const struct mlperf_key *rule, const struct tally *t)
{
    for (size_t i = 0; i < e->out->n_repeats; i++)
        if (strcmp(e->out->repeats[i].key, rule->key) == 0)
            return;
    *(struct mlperf_repeat *)ARENA_PUSH(e->arena, e->out->repeats, e->out->n_repeats) =
        (struct mlperf_repeat){rule->key, t->n, t->second_at};
}

static bool same_keys(const struct mlperf_key *a, const struct mlperf_key *b)
{
    return a->n_any_of == b->n_any_of &&
           memcmp(a->any_of, b->any_of, a->n_any_of * sizeof *a->any_of) == 0;
}

static void check_any(struct evaluator *e, const struct mlperf_key *rule)
{
    for (const struct mlperf_key *k = e->set->keys; k < rule; k++)
        if (same_keys(k, rule))
            return; /* said there */
    for (size_t i = 0; i < rule->n_any_of; i++)
        if (e->seen[rule->any_of[i]])
            return;
    note_broken_rule(e, new_message(e), MESSAGE_ANY, rule, NULL, NULL);
}

static void finish_set(struct evaluator *e, const struct mlperf_message *types)
{
    for (size_t i = 0; i < e->set->n_keys; i++) {
        const struct mlperf_key *rule = &e->set->keys[i];
        const struct tally *t = &e->tallies[i];
        struct mlperf_message *m = &e->keyed[rule->name];
        if (rule->exactly_one && t->n > 1 && t->same)
            note_repeat(e, rule, t);
        else if ((rule->exactly_one && t->n != 1) || t->n < rule->at_least) {
            *m = (struct mlperf_message){
                .kind = MESSAGE_COUNT, .set = e->set, .rule = rule, .n_records = t->n};
            m->places[0] = t->second_at;
        }
        if (types[i].rule)
            *new_message(e) = types[i];
        if (rule->some.n && t->n && !t->some_held)
            note_broken_rule(e, new_message(e), MESSAGE_SOME, rule, &rule->some.items[0], NULL);
        if (rule->n_any_of)
            check_any(e, rule);
    }
}

const struct mllog_value *mlperf_bind(const struct mlperf_set *set,
                                      const struct mllog_record *const *first, struct arena *arena)
{
    struct mllog_value *values = arena_array(arena, set->n_lets, sizeof *values);
    for (size_t i = 0; i < set->n_lets; i++)
        if (set->lets[i].expression)
            values[i] = mlperf_expression_value(set->lets[i].expression, NULL, values);
        else if (first[set->lets[i].of])
            values[i] = mllog_value(first[set->lets[i].of]->value);
    return values;
}

static void evaluate_set(struct evaluator *e, const struct mlperf_set *set)
{
    size_t n_names = e->rules->names.n;
    struct mlperf_message *types = arena_array(e->arena, set->n_keys, sizeof *types);
    e->set = set;
    for (size_t i = 0; i < set->n_keys; i++)
        e->keyed[set->keys[i].name].rule = NULL;
    e->tallies = arena_array(e->arena, set->n_keys, sizeof *e->tallies);
    memset(e->seen, 0, n_names * sizeof *e->seen);
    e->scope = (struct mlperf_scope){
        .lets = mlperf_bind(set, e->out->first, e->arena),
        .seen = e->seen,
        .least_time = e->least_time,
        .first = e->out->first,
        .expected = arena_array(e->arena, e->rules->n_progressions, sizeof *e->scope.expected),
        .n_names = n_names};
    for (size_t i = 0; i < e->log->n; i++)
        take_rule_record(e, &e->log->records[i], types);
    for (size_t g = 0; g < set->n_groups; g++) {
        e->out->grouped =
            mlperf_group_make(&set->groups[g], e->log, &e->scope, e->arena, &e->out->n_grouped);
        for (size_t i = 0; i < e->out->n_grouped; i++)
            take_rule_record(e, &e->out->grouped[i], types);
    }
    finish_set(e, types);
}

void mlperf_evaluate(const struct mlperf_ruleset *rules, const struct mllog *log,
                     struct arena *arena, struct mlperf_evaluation *out)
{
    mlperf_evaluate_from(rules, rules->start, log, arena, out);
}

void mlperf_evaluate_from(const struct mlperf_ruleset *rules, const struct mlperf_set *set,
                          const struct mllog *log, struct arena *arena,
                          struct mlperf_evaluation *out)
{
    size_t n = rules->names.n;
    struct evaluator e = {.rules = rules, .log = log, .arena = arena, .out = out};
    *out = (struct mlperf_evaluation){.first = arena_array(arena, n, sizeof *out->first)};
    e.keyed = arena_array(arena, n, sizeof *e.keyed);
    e.seen = arena_array(arena, n, sizeof *e.seen);
    e.least_time = arena_array(arena, n, sizeof *e.least_time);
    for (size_t i = log->n; i > 0; i--)
        if (log->records[i - 1].name < n)
            out->first[log->records[i - 1].name] = &log->records[i - 1];
    if (!log->n_all)
        return; /* there is nothing to say more of */
    out->sets[out->n_sets++] = set;
    for (size_t i = 0; i < out->n_sets; i++)
        evaluate_set(&e, out->sets[i]);
    for (size_t i = 0; i < n; i++)
        if (e.keyed[i].rule)
            *new_message(&e) = e.keyed[i];
}
