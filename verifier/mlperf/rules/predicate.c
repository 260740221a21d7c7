#include "verifier/mlperf/rules/predicate.h"

#include "verifier/mlperf/rules/predicate_forms.h"

static bool compile_paths(struct rule_compiler *c, const struct json *json,
                          struct mlperf_predicate *out)
{
    const struct json *path = json->kind == JSON_ARRAY ? json->child : json;
    for (; path; path = json->kind == JSON_ARRAY ? path->next : NULL) {
        struct mlperf_path *to = ARENA_PUSH(c->arena, out->paths, out->n_paths);
        if (!mlperf_path_compile(c, path, to))
            return false;
    }
    return true;
}

static bool compile_expression(struct rule_compiler *c, const struct json *json,
                               struct mlperf_predicate *out)
{
    return (out->expression = mlperf_expression_compile(c, json)) != NULL;
}

static bool compile_inner(struct rule_compiler *c, const struct json *json,
                          struct mlperf_predicate *out)
{
    struct mlperf_predicate *inner = NULL;
    if (json->kind == JSON_ARRAY)
        return mlperf_predicates_compile(c, json, &out->inner, &out->n_inner);
    inner = ARENA_PUSH(c->arena, inner, out->n_inner);
    out->inner = inner;
    return mlperf_predicate_compile(c, json, inner);
}

static bool compile_predicate_key(struct rule_compiler *c, const struct json *json,
                                  struct mlperf_predicate *out)
{
    if (json->kind != JSON_STRING)
        return rule_fault(c, json, "expected a key");
    out->name = mllog_names_add(c->names, span_of(json->text), c->arena);
    return out->name != MLLOG_NAME_NONE;
}

static bool compile_limits(struct rule_compiler *c, const struct json *json,
                           struct mlperf_predicate *out)
{
    const char *by = json_get_text(json, "by", NULL);
    out->limits = json;
    out->by = by ? mllog_names_add(c->names, span_of(by), c->arena) : MLLOG_NAME_NONE;
    return by || json->kind == JSON_NUMBER || rule_fault(c, json, "expected ms, or a table by key");
}

static bool compile_tolerance(struct rule_compiler *c, const struct json *json,
                              struct mlperf_predicate *out)
{
    out->tolerance = json->number;
    return json->kind == JSON_NUMBER || rule_fault(c, json, "expected a number");
}

static bool compile_progression(struct rule_compiler *c, const struct json *json,
                                struct mlperf_predicate *out)
{
    const struct json *start = json_get(json, "start"), *step = json_get(json, "step");
    if (!start || !step)
        return rule_fault(c, json, "expected start and step");
    out->start = mlperf_expression_compile(c, start);
    out->step = mlperf_expression_compile(c, step);
    out->progression = c->n_progressions++;
    return out->start && out->step;
}

static bool compile_severity(struct rule_compiler *c, const struct json *json,
                             struct mlperf_predicate *out)
{
    out->severity = SEVERITY_NOTICE;
    while (out->severity <= SEVERITY_ERROR && json->kind == JSON_STRING &&
           strcmp(severity_name(out->severity), json->text) != 0)
        out->severity++;
    return (json->kind == JSON_STRING && out->severity <= SEVERITY_ERROR) ||
           rule_fault(c, json, "expected error, warning or notice");
}

static bool compile_predicate_source(struct rule_compiler *c, const struct json *json,
                                     struct mlperf_predicate *out)
{
    (void)c;
    out->source = json->text;
    return true;
}

static bool compile_pick(struct rule_compiler *c, const struct json *json,
                         struct mlperf_predicate *out)
{
    (void)out;
    return (json->kind == JSON_STRING && strcmp(json->text, "min") == 0) ||
           rule_fault(c, json, "expected \"min\"");
}

/* Members of a predicate that are no operation, and the form that each stands for. */
static const struct {
    const char *name;
    bool (*compile)(struct rule_compiler *c, const struct json *json, struct mlperf_predicate *out);
    enum predicate_forms form; /* FORM_ANY: it goes with another */
} members[] = {
    {"path", compile_paths, FORM_COMPARE},
    {"expr", compile_expression, FORM_COMPARE},
    {"has", compile_paths, FORM_HAS},
    {"has_any", compile_paths, FORM_HAS},
    {"when", compile_paths, FORM_WHEN},
    {"then", compile_inner, FORM_ANY},
    {"all", compile_inner, FORM_ALL},
    {"after", compile_predicate_key, FORM_AFTER},
    {"not_after", compile_predicate_key, FORM_NOT_AFTER},
    {"elapsed_since", compile_predicate_key, FORM_ELAPSED},
    {"pick", compile_pick, FORM_ANY},
    {"lt_ms", compile_limits, FORM_ANY},
    {"is_integer", compile_expression, FORM_INTEGER},
    {"tol", compile_tolerance, FORM_ANY},
    {"abs_tol", compile_tolerance, FORM_ANY},
    {"progression", compile_progression, FORM_PROGRESSION},
    {"severity", compile_severity, FORM_ANY},
    {"source", compile_predicate_source, FORM_ANY},
};

static bool compile_member(struct rule_compiler *c, const struct json *json,
                           struct mlperf_predicate *out, enum predicate_forms *form)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(json->key, members[i].name) == 0) {
            if (members[i].form > *form)
                *form = members[i].form;
            return members[i].compile(c, json, out);
        }
    return predicate_operation_compile(c, json, out);
}

bool mlperf_predicate_compile(struct rule_compiler *c, const struct json *json,
                              struct mlperf_predicate *out)
{
    enum predicate_forms form = FORM_ANY;
    *out = (struct mlperf_predicate){.json = json,
                                     .severity = SEVERITY_ERROR,
                                     .name = MLLOG_NAME_NONE,
                                     .by = MLLOG_NAME_NONE,
                                     .tolerance = NAN};
    if (json->kind != JSON_OBJECT)
        return rule_fault(c, json, "expected a predicate");
    for (const struct json *m = json->child; m; m = m->next)
        if (!compile_member(c, m, out, &form))
            return false;
    out->form = predicate_form(form);
    return form != FORM_ANY || rule_fault(c, json, "found a predicate of an unknown form");
}

bool mlperf_predicates_compile(struct rule_compiler *c, const struct json *json,
                               const struct mlperf_predicate **out, size_t *n)
{
    struct mlperf_predicate *all = NULL;
    *n = 0;
    if (json && json->kind != JSON_ARRAY)
        return rule_fault(c, json, "expected an array of predicates");
    for (const struct json *p = json ? json->child : NULL; p; p = p->next) {
        struct mlperf_predicate one; /* compiling it may add to no array of ours */
        if (!mlperf_predicate_compile(c, p, &one))
            return false;
        *(struct mlperf_predicate *)ARENA_PUSH(c->arena, all, *n) = one;
    }
    *out = all;
    return true;
}

enum mlperf_holds mlperf_predicate_holds(const struct mlperf_predicate *p,
                                         const struct mllog_record *record,
                                         struct mlperf_scope *scope)
{
    return p->form->holds(p, record, scope);
}

static void show_predicate(const struct json *json, bool top, struct buf *out)
{
    char number[32];
    const char *separator = "";
    switch (json->kind) {
    case JSON_NULL:
        buf_str(out, "null");
        return;
    case JSON_BOOL:
        buf_str(out, json->truth ? "true" : "false");
        return;
    case JSON_NUMBER:
        json_number_format(number, json->number);
        buf_str(out, json->text ? json->text : number);
        return;
    case JSON_STRING:
        buf_printf(out, "\"%s\"", json->text);
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    buf_char(out, json->kind == JSON_ARRAY ? '[' : '{');
    for (const struct json *m = json->child; m; m = m->next) {
        if (top && (strcmp(m->key, "severity") == 0 || strcmp(m->key, "source") == 0))
            continue;
        buf_str(out, separator);
        if (json->kind == JSON_OBJECT)
            buf_printf(out, "\"%s\": ", m->key);
        show_predicate(m, false, out);
        separator = ", ";
    }
    buf_char(out, json->kind == JSON_ARRAY ? ']' : '}');
}

const char *mlperf_predicate_text(const struct mlperf_predicate *p, struct arena *arena)
{
    struct buf out = BUF_INIT(1000);
    show_predicate(p->json, true, &out);
    const char *text = arena_strdup(arena, out.data);
    buf_release(&out);
    return text;
}

const char *mlperf_predicate_found(const struct mlperf_predicate *p,
                                   const struct mllog_record *record,
                                   const struct mlperf_scope *scope, struct arena *arena)
{
    struct mllog_value v = {0};
    if (p->n_paths)
        v = mlperf_path_value(&p->paths[0], record);
    else if (p->expression)
        v = mlperf_expression_value(p->expression, record, scope->lets);
    else
        return NULL;
    return mllog_show(&v, arena);
}
