#include "base/records/handed_on.h"

#include "base/figures/figure.h"
#include "base/records/facts.h"
#include "base/records/verdict.h"

#define TEXT_AT(type, member) .kind = FIELD_TEXT, FIELD_AT(type, member)
#define REAL_AT(type, member) .kind = FIELD_REAL, .null = true, FIELD_AT(type, member)
#define PLACE_AT(type, member) .kind = FIELD_PLACE, FIELD_AT(type, member)

static void complain_of_handed_on(const char *what, const struct json *at,
                                  struct shape_load_ctx *ctx)
{
    diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col, "%s", what);
}

/* ---- figures ------------------------------------------------------------------------------ */

static const char *const figure_kind_names[] = {
    [FIGURE_MISSING] = "missing",
    [FIGURE_WITHHELD] = "withheld",
    [FIGURE_OOM] = "oom",
    [FIGURE_PENDING] = "pending",
    [FIGURE_NUMBER] = "number",
    [FIGURE_PAIR] = "pair",
    [FIGURE_RANGE] = "range",
    [FIGURE_EXPRESSION] = "expression",
    [FIGURE_FLAG] = "flag",
    [FIGURE_BOUND] = "bound",
    [FIGURE_TEXT] = "text",
    [FIGURE_MALFORMED] = "malformed",
    NULL,
};

static const struct field figure_fields[] = {
    FIELD(NAMED, struct figure, kind, .required = true, .choices = figure_kind_names),
    FIELD(REAL, struct figure, value),
    FIELD(REAL, struct figure, second),
    FIELD(PLACE, struct figure, decimals),
    FIELD(PLACE, struct figure, second_decimals),
    FIELD(PLACE, struct figure, digits),
    FIELD(FLAG, struct figure, percent),
};

static void check_handed_on_figure(const void *value, const struct json *at,
                                   struct shape_load_ctx *ctx)
{
    struct figure *f = (struct figure *)value;
    f->evaluated = f->each = f->units = NAN;
    f->unit = f->remark = "";
    if (figure_has_value(f) && !isfinite(f->value))
        complain_of_handed_on("found a figure without a value, expected one", at, ctx);
}

const struct shape figure_shape = SHAPE("figure", struct figure, figure_fields, .flat = true,
                                        .unplaced = true, .check = check_handed_on_figure);

/* ---- curves ------------------------------------------------------------------------------- */

#define CURVE_REALS(member) \
    .kind = FIELD_REALS, .at = offsetof(struct curve, member), .at_n = offsetof(struct curve, n)

static const struct field curve_fields[] = {
    {.key = "step", CURVE_REALS(step)},
    {.key = "loss", CURVE_REALS(loss)},
    {.key = "seconds", CURVE_REALS(seconds)},
    {.key = "source", TEXT_AT(struct curve, source)},
};

static void check_curve(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct curve *c = value;
    if (c->n && (!c->step || !c->loss || !c->seconds))
        complain_of_handed_on("found a list of several, expected a curve", at, ctx);
    if (c->n && !c->step)
        return;
    for (size_t i = 1; i < c->n; i++)
        if (!(c->step[i] > c->step[i - 1])) {
            complain_of_handed_on(
                "found a step that is not behind the one before, expected a curve", at, ctx);
            return;
        }
}

const struct shape curve_shape = SHAPE("curve", struct curve, curve_fields, .flat = true,
                                       .unplaced = true, .check = check_curve);

/* ---- facts -------------------------------------------------------------------------------- */

static const struct field measure_fields[] = {
    {.key = "key", .required = true, TEXT_AT(struct measure, key)},
    {.key = "unit", .required = true, TEXT_AT(struct measure, unit)},
    {.key = "size", REAL_AT(struct measure, size)},
    {.key = "min", REAL_AT(struct measure, min)},
    {.key = "median", REAL_AT(struct measure, median)},
    {.key = "max", REAL_AT(struct measure, max)},
    {.key = "slowest", REAL_AT(struct measure, slowest)},
    {.key = "slowest_rank", PLACE_AT(struct measure, slowest_rank)},
    {.key = "repetitions", PLACE_AT(struct measure, repetitions)},
};

static const struct shape measure_shape =
    SHAPE("measure", struct measure, measure_fields, .unplaced = true);

static const struct field measured_fields[] = {
    {.key = "device", TEXT_AT(struct measured, device)},
    {.key = "with", TEXT_AT(struct measured, with)},
    {.key = "ranks", PLACE_AT(struct measured, ranks)},
    {.key = "figures",
     .kind = FIELD_OBJECTS,
     .shape = &measure_shape,
     .max = MEASURED_MAX,
     .at = offsetof(struct measured, items),
     .at_n = offsetof(struct measured, n)},
};

/* A rank that is not said is none, and not the first. */
static void check_handed_on_measured(const void *value, const struct json *at,
                                     struct shape_load_ctx *ctx)
{
    const struct measured *m = value;
    if (m->n && (!m->device || !m->with))
        complain_of_handed_on("found figures of no device, expected its name", at, ctx);
    for (size_t i = 0; i < m->n; i++)
        if (isnan(m->items[i].slowest))
            m->items[i].slowest_rank = -1;
}

static const struct shape measured_shape =
    SHAPE("measured", struct measured, measured_fields, .unplaced = true,
          .check = check_handed_on_measured);

static const struct field fact_fields[] = {
    {.key = "key", .required = true, TEXT_AT(struct fact, key)},
    {.key = "value", TEXT_AT(struct fact, value)},
    {.key = "unknown", TEXT_AT(struct fact, unknown)},
};

static void check_fact(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct fact *f = value;
    if (!f->value == !f->unknown)
        complain_of_handed_on("found a fact, expected a value or a reason", at, ctx);
}

static const struct shape fact_shape =
    SHAPE("fact", struct fact, fact_fields, .unplaced = true, .check = check_fact);

static const struct field facts_fields[] = {
    {.key = "facts",
     .kind = FIELD_OBJECTS,
     .shape = &fact_shape,
     .max = FACTS_MAX,
     .at = offsetof(struct facts, items),
     .at_n = offsetof(struct facts, n)},
    {.key = "unstable",
     .kind = FIELD_OBJECTS,
     .shape = &fact_shape,
     .max = FACTS_MAX,
     FIELD_LIST_AT(struct facts, unstable)},
    {.key = "salt", TEXT_AT(struct facts, salt)},
    {.key = "sha256", TEXT_AT(struct facts, sha256)},
    {.key = "measured",
     .kind = FIELD_INSIDE,
     .shape = &measured_shape,
     FIELD_AT(struct facts, measured)},
};

const struct shape facts_shape = SHAPE("facts", struct facts, facts_fields, .unplaced = true);

/* ---- diagnostics -------------------------------------------------------------------------- */

const char *const severity_names[] = {
    [SEVERITY_NOTICE] = "notice", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error", NULL};

static const struct field diag_fields[] = {
    {.key = "severity",
     .kind = FIELD_NAMED,
     .required = true,
     .choices = severity_names,
     FIELD_AT(struct diag, severity)},
    {.key = "file", .required = true, TEXT_AT(struct diag, file)},
    {.key = "line", PLACE_AT(struct diag, line)},
    {.key = "col", PLACE_AT(struct diag, col)},
    {.key = "message", .required = true, TEXT_AT(struct diag, message)},
};

static const struct shape diag_shape =
    SHAPE("diagnostic", struct diag, diag_fields, .unplaced = true);

static const struct field diags_fields[] = {
    {.key = "dropped", .kind = FIELD_SIZE, FIELD_AT(struct diags, dropped)},
    {.key = "errors", .kind = FIELD_SIZE, FIELD_AT(struct diags, errors)},
    {.key = "machine", .kind = FIELD_SIZE, FIELD_AT(struct diags, machine)},
    {.key = "items",
     .kind = FIELD_OBJECTS,
     .shape = &diag_shape,
     .max = DIAGS_MAX,
     .at = offsetof(struct diags, items),
     .at_n = offsetof(struct diags, n)},
};

const struct shape diags_shape = SHAPE("diagnostics", struct diags, diags_fields, .unplaced = true);

/* ---- ranks ---------------------------------------------------------------------------------- */

#define SIZE_ROW(name, number)                                        \
    {                                                                 \
        .key = name, .kind = FIELD_COUNT,                             \
        .at = offsetof(struct layout_source, size) +                  \
              (number) * sizeof(((struct layout_source *)0)->size[0]) \
    }

static const struct field layout_fields[] = {
    {.key = "source", .required = true, TEXT_AT(struct layout_source, name)},
    SIZE_ROW("ranks", LAYOUT_RANKS),
    SIZE_ROW("nodes", LAYOUT_NODES),
    SIZE_ROW("cards", LAYOUT_CARDS),
    SIZE_ROW("tensor", LAYOUT_TENSOR),
    SIZE_ROW("pipeline", LAYOUT_PIPELINE),
    SIZE_ROW("context", LAYOUT_CONTEXT),
    SIZE_ROW("chunks", LAYOUT_CHUNKS),
    SIZE_ROW("data", LAYOUT_DATA),
};

const struct shape layout_shape =
    SHAPE("layout", struct layout_source, layout_fields, .flat = true, .unplaced = true);
