#include "verifier/mlperf/rules/ruleset_set.h"

#include <stdlib.h>

static bool compile_count(struct rule_compiler *c, const struct json *json, struct mlperf_key *out)
{
    const struct json *least = json_get(json, "at_least");
    if (!json || (json->kind == JSON_STRING && strcmp(json->text, "optional") == 0))
        return true;
    out->exactly_one = json->kind == JSON_STRING && strcmp(json->text, "exactly_one") == 0;
    if (least && least->kind == JSON_NUMBER && least->number >= 1)
        out->at_least = (size_t)least->number;
    return out->exactly_one || out->at_least ||
           rule_fault(c, json, "expected \"exactly_one\", \"optional\" or {\"at_least\": n}");
}

static int compare_rule_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool compile_any_of(struct rule_compiler *c, const struct json *json, struct mlperf_key *out)
{
    uint32_t *names = NULL;
    for (const struct json *key = json ? json->child : NULL; key; key = key->next) {
        if (key->kind != JSON_STRING)
            return rule_fault(c, key, "expected a key");
        *(uint32_t *)ARENA_PUSH(c->arena, names, out->n_any_of) =
            mllog_names_add(c->names, span_of(key->text), c->arena);
    }
    if (out->n_any_of > 1)
        qsort(names, out->n_any_of, sizeof *names, compare_rule_numbers);
    out->any_of = names;
    return true;
}

static bool compile_ruleset_key(struct rule_compiler *c, const struct json *json,
                                struct mlperf_key *out)
{
    const char *key = json_get_text(json, "key", NULL);
    if (!key)
        return rule_fault(c, json, "expected an entry with a key");
    out->key = key;
    out->name = mllog_names_add(c->names, span_of(key), c->arena);
    return compile_count(c, json_get(json, "count"), out) &&
           compile_any_of(c, json_get(json, "any_of_keys"), out) &&
           mlperf_predicates_compile(c, json_get(json, "each"), &out->each.items, &out->each.n) &&
           mlperf_predicates_compile(c, json_get(json, "first"), &out->first.items,
                                     &out->first.n) &&
           mlperf_predicates_compile(c, json_get(json, "some"), &out->some.items, &out->some.n);
}

static bool compile_lets(struct rule_compiler *c, const struct json *json, struct mlperf_set *out)
{
    for (const struct json *let = json ? json->child : NULL; let; let = let->next) {
        const char *of = json_get_text(let, "value_of", NULL);
        struct mlperf_let one = {MLLOG_NAME_NONE, NULL};
        if (of)
            one.of = mllog_names_add(c->names, span_of(of), c->arena);
        else if (!(one.expression = mlperf_expression_compile(c, let)))
            return false;
        *(struct mlperf_let *)ARENA_PUSH(c->arena, out->lets, out->n_lets) = one;
        *(const char **)ARENA_PUSH(c->arena, c->lets.names, c->lets.n) = let->key;
    }
    return true;
}

static bool compile_group(struct rule_compiler *c, const struct json *json,
                          struct mlperf_group *out)
{
    const char *from = json_get_text(json, "from", NULL), *as = json_get_text(json, "as", NULL);
    const struct json *where = json_get(json, "where");
    if (!from || !as || !where)
        return rule_fault(c, json, "expected from, where, by, field_name, field_value and as");
    out->from = mllog_names_add(c->names, span_of(from), c->arena);
    out->as = mllog_names_add(c->names, span_of(as), c->arena);
    return mlperf_predicate_compile(c, where, &out->where) &&
           mlperf_path_compile(c, json_get(json, "by"), &out->by) &&
           mlperf_path_compile(c, json_get(json, "field_name"), &out->field_name) &&
           mlperf_path_compile(c, json_get(json, "field_value"), &out->field_value);
}

bool ruleset_set_compile(struct rule_compiler *c, const struct json *json, struct mlperf_set *out)
{
    const struct json *keys = json_get(json, "keys"), *groups = json_get(json, "group");
    c->lets = (struct mlperf_lets){NULL, 0};
    out->name = json->key;
    out->source = json_get_text(json, "source", "");
    bool good = compile_lets(c, json_get(json, "let"), out);
    for (const struct json *key = keys ? keys->child : NULL; good && key; key = key->next)
        good = compile_ruleset_key(c, key, ARENA_PUSH(c->arena, out->keys, out->n_keys));
    for (const struct json *group = groups ? groups->child : NULL; good && group;
         group = group->next)
        good = compile_group(c, group, ARENA_PUSH(c->arena, out->groups, out->n_groups));
    return good;
}

static const struct mlperf_set *find_set(const struct mlperf_ruleset *rules, const char *name)
{
    for (size_t i = 0; i < rules->n_sets; i++)
        if (strcmp(rules->sets[i].name, name) == 0)
            return &rules->sets[i];
    return NULL;
}

static bool link_key(struct rule_compiler *c, const struct json *includes,
                     const struct mlperf_ruleset *rules, struct mlperf_key *key)
{
    for (const struct json *m = includes ? includes->child : NULL; m; m = m->next) {
        struct mlperf_include one = {m->key, NULL};
        if (m->kind == JSON_STRING)
            one.set = find_set(rules, m->text);
        if (!one.set)
            return rule_fault(c, m, "expected the name of a set");
        *(struct mlperf_include *)ARENA_PUSH(c->arena, key->includes, key->n_includes) = one;
    }
    return true;
}

bool ruleset_set_link(struct rule_compiler *c, const struct json *json,
                      const struct mlperf_ruleset *rules, struct mlperf_set *set)
{
    const struct json *key = json_get(json, "keys");
    key = key ? key->child : NULL;
    set->entry = arena_array(c->arena, rules->names.n, sizeof *set->entry);
    for (size_t i = 0; i < rules->names.n; i++)
        set->entry[i] = -1;
    for (size_t i = 0; i < set->n_keys; i++, key = key->next) {
        set->entry[set->keys[i].name] = (int16_t)i;
        if (!link_key(c, json_get(key, "include"), rules, &set->keys[i]))
            return false;
    }
    return true;
}
