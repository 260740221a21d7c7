#include "verifier/mlperf/rules/ruleset.h"

#include "base/signing/hash.h"
#include "base/text.h"
#include "verifier/mlperf/rules/ruleset_set.h"

/* Keys that are asked for by the code that computes from a log, whatever the rules name. */
static const char *const own_keys[] = {
    "submission_org",
    "submission_platform",
    "submission_division",
    "submission_benchmark",
    "init_start",
    "init_stop",
    "run_start",
    "run_stop",
    "eval_accuracy",
    "eval_error",
    "aggregated_eval_accuracy",
    "global_batch_size",
    "seed",
    "power_reading",
    "power_measurement_start",
    "power_measurement_stop",
    "conversion_eff",
    "interconnect_power_est",
};

static const struct json *ruleset_member(struct rule_compiler *c, const struct json *json,
                                         const char *key, enum json_kind kind)
{
    const struct json *found = json_get(json, key);
    if (found && found->kind == kind)
        return found;
    diags_add(c->diags, SEVERITY_ERROR, c->file, json->line, json->col, "expected %s as '%s'",
              json_kind_name(kind), key);
    return NULL;
}

static bool compile_reached(struct rule_compiler *c, const struct json *json,
                            struct mlperf_benchmark *out)
{
    out->reached_group = json_get_text(json, "group", NULL);
    return !json || mlperf_predicates_compile(c, json_get(json, "all"), &out->reached.items,
                                              &out->reached.n);
}

/* `skip` may use the batch size, as if a set had bound it. */
static bool compile_schedule(struct rule_compiler *c, const struct json *json,
                             struct mlperf_schedule *out)
{
    const char **names = arena_array(c->arena, 1, sizeof *names);
    const struct json *every = json_get(json, "every"), *skip = json_get(json, "skip");
    names[0] = "global_batch_size";
    c->lets = (struct mlperf_lets){names, 1};
    if (every)
        out->every = every->number;
    out->unit = json_get_text(json, "unit", "samples");
    out->skip = skip ? mlperf_expression_compile(c, skip) : NULL;
    return !skip || out->skip;
}

static double ruleset_number(const struct json *json, const char *key, double otherwise)
{
    const struct json *m = json_get(json, key);
    return m && m->kind == JSON_NUMBER ? m->number : otherwise;
}

static bool has_text(const struct json *array, const char *text)
{
    for (const struct json *m = array ? array->child : NULL; m; m = m->next)
        if (m->kind == JSON_STRING && strcmp(m->text, text) == 0)
            return true;
    return false;
}

static bool compile_benchmark(struct rule_compiler *c, const struct json *json, const char *version,
                              struct mlperf_benchmark *out)
{
    const struct json *title = json_get(json, "title");
    const char **titles[] = {&out->area, &out->data, &out->model};
    title = title ? title->child : NULL;
    for (size_t i = 0; i < 3; i++, title = title ? title->next : NULL)
        *titles[i] = title && title->kind == JSON_STRING ? title->text : "";
    out->name = json->key;
    out->runs = (size_t)ruleset_number(json, "runs", 0);
    out->drop = (size_t)ruleset_number(json, "drop", 0);
    out->round_digits = (int)ruleset_number(json, "round_digits", -1);
    out->rcp_slack = ruleset_number(json, "rcp_slack", 0);
    out->policy_has_slack = has_text(json_get(json, "rcp_slack_policy"), version);
    const char *progress = json_get_text(json, "progress", "");
    out->by_samples = text_ends(progress, "samples_count");
    if (!out->runs)
        return rule_fault(c, json, "expected the number of runs");
    const struct json *path = ruleset_member(c, json, "progress", JSON_STRING);
    return path && mlperf_path_compile(c, path, &out->progress) &&
           compile_reached(c, json_get(json, "reached_by"), out) &&
           compile_schedule(c, json_get(json, "evaluate"), &out->schedule);
}

static bool compile_benchmarks(struct rule_compiler *c, const struct json *root,
                               struct mlperf_ruleset *out)
{
    const struct json *all = ruleset_member(c, root, "benchmarks", JSON_OBJECT);
    for (const struct json *m = all ? all->child : NULL; m; m = m->next)
        if (!compile_benchmark(c, m, out->version,
                               ARENA_PUSH(c->arena, out->benchmarks, out->n_benchmarks)))
            return false;
    return all != NULL;
}

static bool compile_hyperparameters(struct rule_compiler *c, const struct json *json,
                                    struct mlperf_ruleset *out)
{
    const struct json *prefixes = json_get(json, "prefixes"), *keys = json_get(json, "keys");
    for (const struct json *m = prefixes ? prefixes->child : NULL; m; m = m->next)
        if (m->kind == JSON_STRING)
            *(const char **)ARENA_PUSH(c->arena, out->names.prefixes, out->names.n_prefixes) =
                m->text;
    for (const struct json *m = keys ? keys->child : NULL; m; m = m->next) {
        if (m->kind != JSON_STRING)
            return rule_fault(c, m, "expected a key");
        mllog_names_add(c->names, span_of(m->text), c->arena);
    }
    return true;
}

/* When all names are known. */
static void mark_hyperparameters(const struct json *keys, struct mlperf_ruleset *out,
                                 struct arena *arena)
{
    out->hyperparameters = arena_array(arena, out->names.n, sizeof *out->hyperparameters);
    for (size_t i = 0; i < out->names.n; i++)
        out->hyperparameters[i] = mllog_names_has_prefix(&out->names, out->names.spans[i]);
    for (const struct json *m = keys ? keys->child : NULL; m; m = m->next) {
        uint32_t name = mllog_names_find(&out->names, span_of(m->text));
        if (name != MLLOG_NAME_NONE)
            out->hyperparameters[name] = true;
    }
}

/* The sets of `beyond` stand behind the official ones while all are compiled. */
static bool compile_sets(struct rule_compiler *c, const struct json *sets,
                         const struct json *beyond, struct mlperf_ruleset *out)
{
    size_t n = sets->n + (beyond ? beyond->n : 0), i = 0;
    struct mlperf_set *all = arena_array(c->arena, n, sizeof *all);
    const struct json *parts[] = {sets, beyond};
    for (size_t part = 0; part < 2; part++)
        for (const struct json *m = parts[part] ? parts[part]->child : NULL; m; m = m->next)
            if (!ruleset_set_compile(c, m, &all[i++]))
                return false;
    out->sets = all;
    out->n_sets = sets->n;
    i = 0;
    for (size_t part = 0; part < 2; part++)
        for (const struct json *m = parts[part] ? parts[part]->child : NULL; m; m = m->next)
            if (!ruleset_set_link(c, m, out, &all[i++]))
                return false;
    for (i = sets->n; i < n; i++) {
        struct mlperf_benchmark *b = NULL;
        for (size_t k = 0; k < out->n_benchmarks && !b; k++)
            if (strcmp(out->benchmarks[k].name, all[i].name) == 0)
                b = &out->benchmarks[k];
        if (b)
            b->beyond = &all[i];
        else if (strcmp(all[i].name, "common") == 0)
            out->beyond = &all[i];
    }
    return true;
}

static bool compile_root(struct rule_compiler *c, const struct json *root,
                         struct mlperf_ruleset *out)
{
    const struct json *version = ruleset_member(c, root, "ruleset", JSON_STRING);
    const struct json *start = ruleset_member(c, root, "start", JSON_STRING);
    const struct json *sets = ruleset_member(c, root, "sets", JSON_OBJECT);
    const struct json *limits = ruleset_member(c, root, "init_limit_ms", JSON_OBJECT);
    if (!version || !start || !sets || !limits)
        return false;
    if (ruleset_number(root, "format", 0) != 2)
        return rule_fault(c, root, "expected format 2");
    out->version = version->text;
    out->init_limit_closed_ms = ruleset_number(limits, "closed", 0);
    out->init_limit_open_ms = ruleset_number(limits, "open", 0);
    for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
        mllog_names_add(c->names, span_of(own_keys[i]), c->arena);
    const struct json *hyperparameters = json_get(root, "hyperparameters");
    if (!compile_hyperparameters(c, hyperparameters, out) || !compile_benchmarks(c, root, out) ||
        !compile_sets(c, sets, json_get(root, "beyond"), out))
        return false;
    mark_hyperparameters(json_get(hyperparameters, "keys"), out, c->arena);
    for (size_t i = 0; i < out->n_sets; i++)
        if (strcmp(out->sets[i].name, start->text) == 0)
            out->start = &out->sets[i];
    out->n_progressions = c->n_progressions;
    return out->start || rule_fault(c, start, "expected the name of a set");
}

int mlperf_ruleset_compile(const char *file, struct bytes bytes, struct arena *arena,
                           struct mlperf_ruleset *out, struct diags *diags)
{
    struct json *root;
    *out = (struct mlperf_ruleset){.file = file};
    struct rule_compiler c = {.file = file, .arena = arena, .diags = diags, .names = &out->names};
    if (json_parse(file, bytes, arena, &root, diags) < 0)
        return -1;
    if (root->kind != JSON_OBJECT) {
        rule_fault(&c, root, "expected an object");
        return -1;
    }
    char *sha256 = arena_room(arena, HASH_HEX_SIZE);
    hash_sha256(bytes.data, bytes.len, sha256);
    out->sha256 = sha256;
    return compile_root(&c, root, out) ? 0 : -1;
}

const struct mlperf_benchmark *mlperf_ruleset_benchmark(const struct mlperf_ruleset *rules,
                                                        const char *name)
{
    for (size_t i = 0; name && i < rules->n_benchmarks; i++)
        if (strcmp(rules->benchmarks[i].name, name) == 0)
            return &rules->benchmarks[i];
    return NULL;
}
