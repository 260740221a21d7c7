#include "verifier/mlperf/rules/expression.h"

#include <math.h>

static double plus(double x, double y)
{
    return x + y;
}

static double minus(double x, double y)
{
    return x - y;
}

static double times(double x, double y)
{
    return x * y;
}

/* A division by zero is no number, as where it raises an exception. */
static double over(double x, double y)
{
    return y == 0 ? NAN : x / y;
}

/* Nor are the logarithm and the negative power of 0. */
static double logarithm(double x)
{
    return x > 0 ? log2(x) : NAN;
}

static double power_of(double x, double y)
{
    return x == 0 && y < 0 ? NAN : pow(x, y);
}

/* Each is a function of one number (`one`), or of two. */
static const struct operation {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} operations[] = {
    {"add", NULL, plus},    {"sub", NULL, minus},      {"mul", NULL, times},
    {"div", NULL, over},    {"pow", NULL, power_of},   {"ceil", ceil, NULL},
    {"floor", floor, NULL}, {"log2", logarithm, NULL}, {"abs", fabs, NULL},
};

enum expression_kind { EXPRESSION_CONSTANT, EXPRESSION_THIS, EXPRESSION_REF, EXPRESSION_OPERATION };

struct mlperf_expression {
    enum expression_kind kind;
    struct mllog_value constant;
    struct mlperf_path path;
    size_t let;
    const struct operation *operation;
    const struct mlperf_expression *a, *b; /* b NULL: of one */
};

void *rule_fault(struct rule_compiler *c, const struct json *at, const char *what)
{
    diags_add(c->diags, SEVERITY_ERROR, c->file, at->line, at->col, "%s", what);
    return NULL;
}

bool mlperf_path_compile(struct rule_compiler *c, const struct json *text, struct mlperf_path *out)
{
    static const char *const roots[] = {"time_ms", "key", "value", "metadata"};
    struct span rest = span_of(text && text->kind == JSON_STRING ? text->text : ""), root;
    *out = (struct mlperf_path){.root = ROOT_TIME};
    root = span_cut(&rest, '.');
    while (out->root <= ROOT_METADATA && !span_is(root, roots[out->root]))
        out->root++;
    bool good = out->root <= ROOT_METADATA;
    while (good && rest.n) {
        struct span part = span_cut(&rest, '.');
        *(const char **)ARENA_PUSH(c->arena, out->parts, out->n) =
            arena_strndup(c->arena, part.p, part.n);
        good = part.n > 0;
    }
    if (!good && text)
        rule_fault(c, text, "expected a path that begins with time_ms, key, value or metadata");
    return good;
}

/* A text is kept as JSON, so that it is compared like one of a log. */
static struct mllog_value constant_of(struct rule_compiler *c, const struct json *json)
{
    static const char *const words[] = {"false", "true"};
    const char *text;
    if (json->kind == JSON_NUMBER)
        return mllog_number(json->number);
    if (json->kind == JSON_BOOL)
        return mllog_value(span_of(words[json->truth]));
    if (json->kind == JSON_NULL)
        return mllog_value(span_of("null"));
    text = arena_printf(c->arena, "\"%s\"", json->text);
    if (strpbrk(json->text, "\"\\"))
        rule_fault(c, json, "expected a text without quotes and backslashes");
    return mllog_value(span_of(text));
}

static const struct mlperf_expression *
compile_operation(struct rule_compiler *c, const struct json *json, struct mlperf_expression *e)
{
    const struct json *of = json->child;
    const struct json *first = of->kind == JSON_ARRAY ? of->child : of;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(of->key, operations[i].name) == 0)
            e->operation = &operations[i];
    if (!e->operation)
        return rule_fault(c, json, "found an unknown operation");
    if (e->operation->two && (of->kind != JSON_ARRAY || of->n != 2))
        return rule_fault(c, of, "expected an array of two expressions");
    e->kind = EXPRESSION_OPERATION;
    e->a = mlperf_expression_compile(c, first);
    e->b = e->operation->two ? mlperf_expression_compile(c, first->next) : NULL;
    return e->a && (e->b || e->operation->one) ? e : NULL;
}

const struct mlperf_expression *mlperf_expression_compile(struct rule_compiler *c,
                                                          const struct json *json)
{
    struct mlperf_expression *e = arena_alloc(c->arena, sizeof *e);
    if (json->kind == JSON_ARRAY)
        return rule_fault(c, json, "expected an expression");
    if (json->kind != JSON_OBJECT) {
        e->constant = constant_of(c, json);
        return e;
    }
    if (json->n != 1)
        return rule_fault(c, json, "expected an object with one member");
    if (strcmp(json->child->key, "ref") == 0) {
        const struct json *name = json->child;
        e->kind = EXPRESSION_REF;
        for (e->let = 0; e->let < c->lets.n; e->let++)
            if (name->kind == JSON_STRING && strcmp(c->lets.names[e->let], name->text) == 0)
                return e;
        return rule_fault(c, name, "expected a name that `let` binds above");
    }
    if (strcmp(json->child->key, "this") != 0)
        return compile_operation(c, json, e);
    e->kind = EXPRESSION_THIS;
    return mlperf_path_compile(c, json->child, &e->path) ? e : NULL;
}

/* n 0: there is no such place, or it is the time. */
static struct span span_of_path(const struct mlperf_path *path, const struct mllog_record *record)
{
    const struct span members[] = {[ROOT_KEY] = record->key,
                                   [ROOT_VALUE] = record->value,
                                   [ROOT_METADATA] = record->metadata,
                                   [ROOT_TIME] = {NULL, 0}};
    struct span at = members[path->root];
    size_t i = 0;
    if (path->root == ROOT_METADATA && path->n)
        at = mllog_metadata_span(record, path->parts[i++]);
    for (; i < path->n && at.n; i++)
        at = mllog_member_span(at, path->parts[i]);
    return at;
}

struct mllog_value mlperf_path_value(const struct mlperf_path *path,
                                     const struct mllog_record *record)
{
    if (path->root == ROOT_TIME && !path->n)
        return mllog_number(record->time_ms);
    return mllog_value(span_of_path(path, record));
}

bool mlperf_path_is_there(const struct mlperf_path *path, const struct mllog_record *record)
{
    return (path->root == ROOT_TIME && !path->n) || span_of_path(path, record).n;
}

static struct mllog_value compute(const struct mlperf_expression *e,
                                  const struct mllog_record *record, const struct mllog_value *lets)
{
    struct mllog_value none = {0}, a = mlperf_expression_value(e->a, record, lets);
    struct mllog_value b = e->b ? mlperf_expression_value(e->b, record, lets) : mllog_number(0);
    if (!mllog_is_number(&a) || !mllog_is_number(&b))
        return none;
    double result =
        e->operation->one ? e->operation->one(a.number) : e->operation->two(a.number, b.number);
    bool was_number = !isnan(a.number) && !isnan(b.number);
    return isnan(result) && was_number ? none : mllog_number(result);
}

struct mllog_value mlperf_expression_value(const struct mlperf_expression *e,
                                           const struct mllog_record *record,
                                           const struct mllog_value *lets)
{
    struct mllog_value none = {0};
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
        return e->constant;
    case EXPRESSION_THIS:
        return record ? mlperf_path_value(&e->path, record) : none;
    case EXPRESSION_REF:
        return lets ? lets[e->let] : none;
    case EXPRESSION_OPERATION:
        break;
    }
    return compute(e, record, lets);
}
