#include "verifier/mlperf/rules/predicate_forms.h"

static enum mlperf_holds holds_if(bool holds)
{
    return holds ? PREDICATE_HOLDS : PREDICATE_FAILS;
}

static bool holds_number(const struct mllog_value *v, const struct mlperf_scope *scope)
{
    return v->kind == MLLOG_NUMBER || (v->kind == MLLOG_BOOL && !scope->plain_booleans);
}

/* ---- OP ------------------------------------------------------------------------------------ */

typedef enum mlperf_holds compare_fn(const struct mlperf_predicate *p, const struct mllog_value *v,
                                     const struct mllog_value *with,
                                     const struct mlperf_scope *scope);

static enum mlperf_holds is_equal(const struct mlperf_predicate *p, const struct mllog_value *v,
                                  const struct mllog_value *with, const struct mlperf_scope *scope)
{
    if (isnan(p->tolerance) && scope->plain_booleans)
        return holds_if(v->kind == with->kind && mllog_same(v, with));
    if (isnan(p->tolerance))
        return holds_if(mllog_same(v, with));
    if (!holds_number(v, scope) || !holds_number(with, scope))
        return PREDICATE_UNFIT;
    return holds_if(fabs(v->number - with->number) < p->tolerance);
}

static enum mlperf_holds holds_other(const struct mlperf_predicate *p, const struct mllog_value *v,
                                     const struct mllog_value *with,
                                     const struct mlperf_scope *scope)
{
    enum mlperf_holds same = is_equal(p, v, with, scope);
    return same == PREDICATE_UNFIT ? same : holds_if(same == PREDICATE_FAILS);
}

#define ORDERED(name, op)                                                                        \
    static enum mlperf_holds name(const struct mlperf_predicate *p, const struct mllog_value *v, \
                                  const struct mllog_value *with,                                \
                                  const struct mlperf_scope *scope)                              \
    {                                                                                            \
        (void)p;                                                                                 \
        if (!holds_number(v, scope) || !holds_number(with, scope))                               \
            return PREDICATE_UNFIT;                                                              \
        return holds_if(v->number op with->number);                                              \
    }
ORDERED(is_less, <)
ORDERED(is_at_most, <=)
ORDERED(is_greater, >)
ORDERED(is_at_least, >=)

static const struct operator_row {
    const char *name;
    compare_fn *compare; /* `in`: holds of one of several */
} operators[] = {
    {"eq", is_equal},   {"ne", holds_other}, {"in", is_equal},    {"lt", is_less},
    {"le", is_at_most}, {"gt", is_greater},  {"ge", is_at_least},
};

bool predicate_operation_compile(struct rule_compiler *c, const struct json *json,
                                 struct mlperf_predicate *out)
{
    struct predicate_operation operation = {NULL, NULL, 0};
    const struct json *with = json->kind == JSON_ARRAY ? json->child : json;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(json->key, operators[i].name) == 0)
            operation.row = &operators[i];
    if (!operation.row)
        return rule_fault(c, json, "found an unknown member of a predicate");
    for (; with; with = json->kind == JSON_ARRAY ? with->next : NULL) {
        const struct mlperf_expression *e = mlperf_expression_compile(c, with);
        if (!e)
            return false;
        *(const struct mlperf_expression **)ARENA_PUSH(c->arena, operation.with, operation.n) = e;
    }
    *(struct predicate_operation *)ARENA_PUSH(c->arena, out->operations, out->n_operations) =
        operation;
    return true;
}

static enum mlperf_holds operation_holds(const struct predicate_operation *operation,
                                         const struct mlperf_predicate *p,
                                         const struct mllog_value *v,
                                         const struct mllog_record *record,
                                         const struct mlperf_scope *scope)
{
    enum mlperf_holds holds = PREDICATE_FAILS;
    for (size_t i = 0; i < operation->n && holds != PREDICATE_HOLDS; i++) {
        struct mllog_value with = mlperf_expression_value(operation->with[i], record, scope->lets);
        holds = with.kind == MLLOG_MISSING ? PREDICATE_UNFIT
                                           : operation->row->compare(p, v, &with, scope);
    }
    return holds;
}

/* ---- forms --------------------------------------------------------------------------------- */

static struct mllog_value asked(const struct mlperf_predicate *p, const struct mllog_record *record,
                                const struct mlperf_scope *scope)
{
    return p->expression ? mlperf_expression_value(p->expression, record, scope->lets)
                         : mlperf_path_value(&p->paths[0], record);
}

static enum mlperf_holds compare_holds(const struct mlperf_predicate *p,
                                       const struct mllog_record *record,
                                       struct mlperf_scope *scope)
{
    struct mllog_value v = asked(p, record, scope);
    enum mlperf_holds holds = v.kind == MLLOG_MISSING ? PREDICATE_UNFIT : PREDICATE_HOLDS;
    for (size_t i = 0; i < p->n_operations && holds == PREDICATE_HOLDS; i++)
        holds = operation_holds(&p->operations[i], p, &v, record, scope);
    return holds;
}

static bool has_path(const struct mlperf_predicate *p, const struct mllog_record *record)
{
    for (size_t i = 0; i < p->n_paths; i++)
        if (mlperf_path_is_there(&p->paths[i], record))
            return true;
    return false;
}

static enum mlperf_holds has_holds(const struct mlperf_predicate *p,
                                   const struct mllog_record *record, struct mlperf_scope *scope)
{
    (void)scope;
    return holds_if(has_path(p, record));
}

static enum mlperf_holds all_holds(const struct mlperf_predicate *p,
                                   const struct mllog_record *record, struct mlperf_scope *scope)
{
    enum mlperf_holds holds = PREDICATE_HOLDS;
    for (size_t i = 0; i < p->n_inner && holds == PREDICATE_HOLDS; i++)
        holds = mlperf_predicate_holds(&p->inner[i], record, scope);
    return holds;
}

static enum mlperf_holds when_holds(const struct mlperf_predicate *p,
                                    const struct mllog_record *record, struct mlperf_scope *scope)
{
    return has_path(p, record) ? all_holds(p, record, scope) : PREDICATE_HOLDS;
}

static enum mlperf_holds after_holds(const struct mlperf_predicate *p,
                                     const struct mllog_record *record, struct mlperf_scope *scope)
{
    (void)record;
    return holds_if(p->name < scope->n_names && scope->seen[p->name]);
}

static enum mlperf_holds not_after_holds(const struct mlperf_predicate *p,
                                         const struct mllog_record *record,
                                         struct mlperf_scope *scope)
{
    return holds_if(after_holds(p, record, scope) == PREDICATE_FAILS);
}

/* Of a table by a key, the row that its first value names, else "*". */
static double limit_ms(const struct mlperf_predicate *p, const struct mlperf_scope *scope)
{
    if (p->by == MLLOG_NAME_NONE)
        return p->limits->number;
    const struct mllog_record *by = scope->first[p->by];
    const struct json *otherwise = json_get(p->limits, "*");
    struct mllog_value v = by ? mllog_value(by->value) : (struct mllog_value){0};
    for (const struct json *row = p->limits->child; v.kind == MLLOG_TEXT && row; row = row->next)
        if (row->kind == JSON_NUMBER && mllog_text_is(v.json, row->key))
            return row->number;
    return otherwise ? otherwise->number : NAN;
}

static enum mlperf_holds elapsed_holds(const struct mlperf_predicate *p,
                                       const struct mllog_record *record,
                                       struct mlperf_scope *scope)
{
    if (!scope->seen[p->name])
        return PREDICATE_HOLDS;
    return holds_if(record->time_ms - scope->least_time[p->name] < limit_ms(p, scope));
}

static enum mlperf_holds integer_holds(const struct mlperf_predicate *p,
                                       const struct mllog_record *record,
                                       struct mlperf_scope *scope)
{
    struct mllog_value v = asked(p, record, scope);
    if (!holds_number(&v, scope))
        return PREDICATE_UNFIT;
    return holds_if(fabs(nearbyint(v.number) - v.number) < p->tolerance);
}

static enum mlperf_holds progression_holds(const struct mlperf_predicate *p,
                                           const struct mllog_record *record,
                                           struct mlperf_scope *scope)
{
    struct mllog_value *expected = &scope->expected[p->progression];
    struct mllog_value v = asked(p, record, scope);
    struct mllog_value step = mlperf_expression_value(p->step, record, scope->lets);
    if (expected->kind == MLLOG_MISSING)
        *expected = mlperf_expression_value(p->start, record, scope->lets);
    if (!holds_number(&v, scope) || !holds_number(expected, scope) || !holds_number(&step, scope))
        return PREDICATE_UNFIT;
    if (v.number != expected->number)
        return PREDICATE_FAILS;
    *expected = mllog_number(expected->number + step.number);
    return PREDICATE_HOLDS;
}

const struct predicate_form *predicate_form(enum predicate_forms form)
{
    static const struct predicate_form forms[] = {
        [FORM_COMPARE] = {compare_holds},
        [FORM_HAS] = {has_holds},
        [FORM_WHEN] = {when_holds},
        [FORM_ALL] = {all_holds},
        [FORM_AFTER] = {after_holds},
        [FORM_NOT_AFTER] = {not_after_holds},
        [FORM_ELAPSED] = {elapsed_holds},
        [FORM_INTEGER] = {integer_holds},
        [FORM_PROGRESSION] = {progression_holds},
    };
    return &forms[form];
}
