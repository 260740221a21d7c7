/* FP7027: Values that the policy fixes are as it says, and numbers are numbers */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "verifier/checks/mlperf/log/target.h"

#include <string.h>

#define SAID_MAX 100 /* of a log; what it says beyond is no longer looked at */

/* One set of `beyond`, while a log is held to it. */
struct fixed_set {
    const struct mlperf_set *set;
    struct mlperf_scope scope;
};

struct said {
    const struct mlperf_predicate *predicate;
    struct mllog_value value;
};

struct fixed {
    struct mlperf_log_audit *a;
    struct fixed_set sets[2]; /* the common one, and that of the benchmark */
    size_t n_sets;
    struct said said[SAID_MAX]; /* each predicate with each value once */
    size_t n_said;
};

static void add_fixed_set(struct fixed *f, const struct mlperf_set *set)
{
    if (set)
        f->sets[f->n_sets++] =
            (struct fixed_set){set,
                               {.lets = mlperf_bind(set, f->a->evaluation->first, f->a->arena),
                                .plain_booleans = true}};
}

static void say_fixed_value(struct fixed *f, const char *key, const struct mlperf_predicate *p,
                            const struct mllog_record *r)
{
    struct mllog_value value = mllog_value(r->value);
    for (size_t i = 0; i < f->n_said; i++) {
        const struct mllog_value *other = &f->said[i].value;
        bool same_bytes =
            other->json.n == value.json.n && memcmp(other->json.p, value.json.p, value.json.n) == 0;
        if (f->said[i].predicate == p && (same_bytes || mllog_same(other, &value)))
            return;
    }
    f->said[f->n_said++] = (struct said){p, value};
    mlperf_found(&f->a->facts->findings, f->a->arena, "FP7027", p->severity, NULL,
                 mllog_line(f->a->log->bytes, r->at), "%s = %s, expected %s; %s", key,
                 mllog_show(&value, f->a->arena), mlperf_predicate_text(p, f->a->arena),
                 p->source ? p->source : "");
}

/* Of all predicates that a record fails, the first counts. */
static void check_fixed_record(struct fixed *f, const struct mllog_record *r)
{
    for (size_t s = 0; s < f->n_sets && r->name < f->a->rules->names.n; s++) {
        const struct mlperf_set *set = f->sets[s].set;
        const struct mlperf_key *key =
            set->entry[r->name] < 0 ? NULL : &set->keys[set->entry[r->name]];
        for (size_t i = 0; key && i < key->each.n; i++)
            if (mlperf_predicate_holds(&key->each.items[i], r, &f->sets[s].scope) !=
                PREDICATE_HOLDS) {
                say_fixed_value(f, key->key, &key->each.items[i], r);
                return;
            }
    }
}

static void check_log_fixed_values(struct mlperf_log_audit *a)
{
    struct fixed f = {.a = a};
    if (!mlperf_log_is_closed(a))
        return;
    add_fixed_set(&f, a->rules->beyond);
    add_fixed_set(&f, a->benchmark ? a->benchmark->beyond : NULL);
    for (size_t i = 0; i < a->log->n && f.n_said < SAID_MAX; i++)
        check_fixed_record(&f, &a->log->records[i]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s = %s, expected %s; %s",
     .zh = "日志记录为 {1} = {2}，应满足 {3}；{4}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7027 = {
    .id = "FP7027",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING | ALSO_NOTICE,
    .title = {"MLPerf 规则固定的取值", "Values fixed by the MLPerf rules"},
    .statement = {"MLPerf 规则固定了取值的设置（如超参数），必须取规则所写的值；数值设置必须是数"
                  "字。",
                  "Settings that the MLPerf rules fix must have the values in these rules, and "
                  "numeric settings must be numbers."},
    .source = "training_policies d73e20f1, \"Hyperparameters\"",
    .example = "lora_alpha = 16, expected {\"path\": \"value\", \"eq\": 32}; "
               "training_rules.adoc, \"Hyperparameters\"",
    .messages = messages,
    .log = check_log_fixed_values,
};
