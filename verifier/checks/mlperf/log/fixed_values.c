/* FP7027: Values that the policy fixes are as it says, and numbers are numbers */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "verifier/checks/mlperf/log/target.h"

struct fixed {
    struct mlperf_log_audit *a;
    const struct mlperf_set *set;
    struct mlperf_scope scope;
    /* Of each key of the set, the predicate and the value that were said last. */
    const struct mlperf_predicate **said;
    struct mllog_value *value;
};

static void say_fixed_value(struct fixed *f, size_t key, const struct mlperf_predicate *p,
                            const struct mllog_record *r)
{
    struct mllog_value value = mllog_value(r->value);
    if (f->said[key] == p && mllog_same(&f->value[key], &value))
        return;
    f->said[key] = p;
    f->value[key] = value;
    mlperf_found(&f->a->facts->findings, f->a->arena, "FP7027", p->severity, NULL,
                 mllog_line(f->a->log->bytes, r->at), "%s = %s, expected %s; %s",
                 f->set->keys[key].key, mllog_show(&value, f->a->arena),
                 mlperf_predicate_text(p, f->a->arena), p->source ? p->source : "");
}

static void check_record(struct fixed *f, const struct mllog_record *r)
{
    int key = r->name < f->a->rules->names.n ? f->set->entry[r->name] : -1;
    const struct mlperf_predicates *each = key < 0 ? NULL : &f->set->keys[key].each;
    for (size_t i = 0; each && i < each->n; i++)
        if (mlperf_predicate_holds(&each->items[i], r, &f->scope) != PREDICATE_HOLDS) {
            say_fixed_value(f, (size_t)key, &each->items[i], r);
            return;
        }
}

static void check_set(struct mlperf_log_audit *a, const struct mlperf_set *set)
{
    struct fixed f = {.a = a, .set = set};
    f.scope = (struct mlperf_scope){.lets = mlperf_bind(set, a->evaluation->first, a->arena),
                                    .plain_booleans = true};
    f.said = arena_array(a->arena, set->n_keys, sizeof *f.said);
    f.value = arena_array(a->arena, set->n_keys, sizeof *f.value);
    for (size_t i = 0; i < a->log->n; i++)
        check_record(&f, &a->log->records[i]);
}

static void check_log_fixed_values(struct mlperf_log_audit *a)
{
    if (!mlperf_log_is_closed(a))
        return;
    if (a->rules->beyond)
        check_set(a, a->rules->beyond);
    if (a->benchmark && a->benchmark->beyond)
        check_set(a, a->benchmark->beyond);
}

const struct mlperf_rule mlperf_rule_fp7027 = {
    .id = "FP7027",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING | ALSO_NOTICE,
    .title = {"规则固定的取值", "Values that the policy fixes"},
    .statement = {"超参数等取值符合规则规定。",
                  "Values that the policy fixes are as it says, and numbers are numbers."},
    .source = "training_policies d73e20f1, \"Hyperparameters\"",
    .example = "lora_alpha = 16, expected {\"path\": \"value\", \"eq\": 32}; "
               "training_rules.adoc, \"Hyperparameters\"",
    .log = check_log_fixed_values,
};
