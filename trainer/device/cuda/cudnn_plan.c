#include "trainer/device/cuda/cudnn_plan.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define DESCRIPTORS_MAX 256 /* tensors and steps of a graph, two a step, and an engine's */
#define TENSORS_MAX 64
#define STEPS_MAX 48
#define CANDIDATES_MAX 64
#define KNOBS_MAX 64

struct cudnn_plan {
    const struct cudnn *cudnn; /* borrowed */
    cudnnBackendDescriptor_t owned[DESCRIPTORS_MAX];
    int n_owned;
    cudnnBackendDescriptor_t tensors[TENSORS_MAX], graph, plan;
    int64_t workspace;
    int64_t ids[TENSORS_MAX]; /* of what has an address, and where it is among the tensors */
    int places[TENSORS_MAX], n_ids;
    char text[CUDNN_PLAN_TEXT];
};

/* Building stops at the first failure: what follows does nothing; `status` is looked at once. */
struct builder {
    struct cudnn_plan *p;
    const struct cudnn *c;
    cudnnStatus_t status;
    const char *what; /* failed */
};

static bool ok(struct builder *b, cudnnStatus_t status, const char *what)
{
    if (b->status == CUDNN_STATUS_SUCCESS && status != CUDNN_STATUS_SUCCESS) {
        b->status = status;
        b->what = what;
    }
    return b->status == CUDNN_STATUS_SUCCESS;
}

static cudnnBackendDescriptor_t make(struct builder *b, cudnnBackendDescriptorType_t type)
{
    cudnnBackendDescriptor_t d = NULL;
    if (b->p->n_owned == DESCRIPTORS_MAX)
        ok(b, CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "descriptor");
    if (b->status == CUDNN_STATUS_SUCCESS && ok(b, b->c->create(type, &d), "descriptor"))
        b->p->owned[b->p->n_owned++] = d;
    return d;
}

static void put_plan_attribute(struct builder *b, cudnnBackendDescriptor_t d,
                               cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                               int64_t n, const void *value)
{
    if (b->status == CUDNN_STATUS_SUCCESS)
        ok(b, b->c->set(d, name, type, n, value), "attribute");
}

static void put_descriptor(struct builder *b, cudnnBackendDescriptor_t d,
                           cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value)
{
    put_plan_attribute(b, d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

static void done(struct builder *b, cudnnBackendDescriptor_t d, const char *what)
{
    if (b->status == CUDNN_STATUS_SUCCESS)
        ok(b, b->c->finalize(d), what);
}

static cudnnBackendDescriptor_t make_tensor(struct builder *b, const struct cudnn_tensor *t,
                                            int64_t id)
{
    cudnnBackendDescriptor_t d = make(b, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    bool nowhere = t->place == CUDNN_PLACE_NOWHERE, host = t->place == CUDNN_PLACE_HOST;
    int64_t alignment = t->alignment ? t->alignment : CUDNN_ALIGNMENT;
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &t->type);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, CUDNN_DIMS, t->dims);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, CUDNN_DIMS, t->strides);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &nowhere);
    put_plan_attribute(b, d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &host);
    done(b, d, "tensor");
    return d;
}

/* What the four kinds of steps are made of. Attribute 0 stands for none: it is one of POINTWISE's
 * own and never a tensor's. */
struct step_kind {
    cudnnBackendDescriptorType_t operation;
    cudnnBackendAttributeName_t x, b, t, y;
    bool has_detail; /* a descriptor of its own says what is computed */
    cudnnBackendDescriptorType_t detail;
    cudnnBackendAttributeName_t detail_name, precision, mode;
    cudnnBackendAttributeType_t mode_type;
};

static const struct step_kind step_kinds[] = {
    [CUDNN_STEP_MULTIPLY] = {.operation = CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
                             .x = CUDNN_ATTR_OPERATION_MATMUL_ADESC,
                             .b = CUDNN_ATTR_OPERATION_MATMUL_BDESC,
                             .y = CUDNN_ATTR_OPERATION_MATMUL_CDESC,
                             .has_detail = true,
                             .detail = CUDNN_BACKEND_MATMUL_DESCRIPTOR,
                             .detail_name = CUDNN_ATTR_OPERATION_MATMUL_DESC,
                             .precision = CUDNN_ATTR_MATMUL_COMP_TYPE},
    [CUDNN_STEP_POINTWISE] = {.operation = CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
                              .x = CUDNN_ATTR_OPERATION_POINTWISE_XDESC,
                              .b = CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                              .t = CUDNN_ATTR_OPERATION_POINTWISE_TDESC,
                              .y = CUDNN_ATTR_OPERATION_POINTWISE_YDESC,
                              .has_detail = true,
                              .detail = CUDNN_BACKEND_POINTWISE_DESCRIPTOR,
                              .detail_name = CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR,
                              .precision = CUDNN_ATTR_POINTWISE_MATH_PREC,
                              .mode = CUDNN_ATTR_POINTWISE_MODE,
                              .mode_type = CUDNN_TYPE_POINTWISE_MODE},
    [CUDNN_STEP_REDUCE] = {.operation = CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR,
                           .x = CUDNN_ATTR_OPERATION_REDUCTION_XDESC,
                           .y = CUDNN_ATTR_OPERATION_REDUCTION_YDESC,
                           .has_detail = true,
                           .detail = CUDNN_BACKEND_REDUCTION_DESCRIPTOR,
                           .detail_name = CUDNN_ATTR_OPERATION_REDUCTION_DESC,
                           .precision = CUDNN_ATTR_REDUCTION_COMP_TYPE,
                           .mode = CUDNN_ATTR_REDUCTION_OPERATOR,
                           .mode_type = CUDNN_TYPE_REDUCTION_OPERATOR_TYPE},
    [CUDNN_STEP_RESHAPE] = {.operation = CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR,
                            .x = CUDNN_ATTR_OPERATION_RESHAPE_XDESC,
                            .y = CUDNN_ATTR_OPERATION_RESHAPE_YDESC},
};

static cudnnBackendDescriptor_t make_detail(struct builder *b, const struct step_kind *kind,
                                            const struct cudnn_step *step, cudnnDataType_t y_type)
{
    cudnnBackendDescriptor_t d = make(b, kind->detail);
    bool whole = y_type == CUDNN_DATA_INT32 && step->mode == CUDNN_POINTWISE_SUB;
    cudnnDataType_t precision = y_type == CUDNN_DATA_BOOLEAN ? CUDNN_DATA_BOOLEAN
                                : whole                      ? CUDNN_DATA_INT32
                                                             : CUDNN_DATA_FLOAT;
    put_plan_attribute(b, d, kind->precision, CUDNN_TYPE_DATA_TYPE, 1, &precision);
    if (kind->mode_type == CUDNN_TYPE_POINTWISE_MODE ||
        kind->mode_type == CUDNN_TYPE_REDUCTION_OPERATOR_TYPE)
        put_plan_attribute(b, d, kind->mode, kind->mode_type, 1, &step->mode);
    if (kind->mode_type == CUDNN_TYPE_POINTWISE_MODE && step->mode == CUDNN_POINTWISE_GEN_INDEX)
        put_plan_attribute(b, d, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &step->axis);
    done(b, d, "mode of a step");
    return d;
}

static cudnnBackendDescriptor_t make_step(struct builder *b, const struct cudnn_step *step,
                                          const struct cudnn_tensor *tensors)
{
    const struct step_kind *kind = &step_kinds[step->kind];
    const struct {
        cudnnBackendAttributeName_t name;
        int tensor;
    } ports[] = {{kind->x, step->x}, {kind->b, step->b}, {kind->t, step->t}, {kind->y, step->y}};
    cudnnBackendDescriptor_t detail =
        kind->has_detail ? make_detail(b, kind, step, tensors[step->y].type) : NULL;
    cudnnBackendDescriptor_t d = make(b, kind->operation);
    if (detail)
        put_descriptor(b, d, kind->detail_name, detail);
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        if (ports[i].name && ports[i].tensor != CUDNN_NO_TENSOR)
            put_descriptor(b, d, ports[i].name, b->p->tensors[ports[i].tensor]);
    }
    done(b, d, "step");
    return d;
}

static bool is_used(const struct cudnn_graph *g, int tensor)
{
    for (int i = 0; i < g->n_steps; i++) {
        const struct cudnn_step *s = &g->steps[i];
        if (s->x == tensor || s->b == tensor || s->t == tensor || s->y == tensor)
            return true;
    }
    return false;
}

static void make_graph(struct builder *b, const struct cudnn_graph *g)
{
    struct cudnn_plan *p = b->p;
    cudnnBackendDescriptor_t steps[STEPS_MAX];
    if (g->n_tensors > TENSORS_MAX || g->n_steps > STEPS_MAX) {
        ok(b, CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "graph");
        return;
    }
    for (int i = 0; i < g->n_tensors; i++) {
        if (!is_used(g, i))
            continue;
        p->tensors[i] = make_tensor(b, &g->tensors[i], i + 1);
        if (g->tensors[i].place != CUDNN_PLACE_NOWHERE) {
            p->ids[p->n_ids] = i + 1;
            p->places[p->n_ids++] = i;
        }
    }
    for (int i = 0; i < g->n_steps; i++)
        steps[i] = make_step(b, &g->steps[i], g->tensors);
    p->graph = make(b, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    put_plan_attribute(b, p->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                       g->n_steps, steps);
    done(b, p->graph, "graph");
}

/* cuDNN says how many there are, which may be more than it was given room for. */
static int within(int64_t count, int64_t room)
{
    return (int)(count < 0 ? 0 : count > room ? room : count);
}

/* Append what the heuristics of one mode propose; the number of proposals that are there then. */
static int propose(struct builder *b, cudnnBackendHeurMode_t mode,
                   cudnnBackendDescriptor_t *configs, int n)
{
    struct cudnn_plan *p = b->p;
    cudnnBackendDescriptor_t h = make(b, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    put_descriptor(b, h, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, p->graph);
    put_plan_attribute(b, h, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
    put_descriptor(b, h, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, b->c->device);
    if (b->status != CUDNN_STATUS_SUCCESS || b->c->finalize(h) != CUDNN_STATUS_SUCCESS)
        return n; /* a mode may have nothing to say about a graph */
    int64_t count = 0;
    if (b->c->get(h, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count,
                  NULL) != CUDNN_STATUS_SUCCESS)
        return n;
    count = within(count, CANDIDATES_MAX - n);
    for (int64_t i = 0; i < count; i++)
        configs[n + i] = make(b, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    int64_t got = 0;
    if (b->status == CUDNN_STATUS_SUCCESS)
        ok(b,
           b->c->get(h, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &got,
                     configs + n),
           "results of the heuristics");
    return b->status == CUDNN_STATUS_SUCCESS ? n + within(got, count) : n;
}

/* What is known about a proposal before it is tried. */
struct engine {
    int64_t index;
    bool nondeterministic;
    struct buf text; /* "engine 6 knobs 24=31 notes 0" */
};

static void read_notes(const struct cudnn *c, cudnnBackendDescriptor_t engine, struct engine *out)
{
    cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
    int64_t n = 0;
    /* What cannot be read may say anything. */
    if (c->get(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
               CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &n, notes) != CUDNN_STATUS_SUCCESS ||
        n > CUDNN_NUMERICAL_NOTE_TYPE_COUNT) {
        out->nondeterministic = true;
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        buf_printf(&out->text, "%s%d", i ? "," : " notes ", (int)notes[i]);
        out->nondeterministic |= notes[i] == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC;
    }
}

static void read_knobs(const struct cudnn *c, cudnnBackendDescriptor_t config, struct engine *out)
{
    cudnnBackendDescriptor_t choices[KNOBS_MAX];
    int64_t n = 0;
    int made = 0;
    while (made < KNOBS_MAX &&
           c->create(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, &choices[made]) == CUDNN_STATUS_SUCCESS)
        made++;
    if (c->get(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR, made, &n,
               choices) != CUDNN_STATUS_SUCCESS)
        n = 0;
    n = within(n, made);
    for (int64_t i = 0; i < n; i++) {
        cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_COUNTS;
        int64_t value = 0, one = 1;
        c->get(choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &one, &type);
        c->get(choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &one, &value);
        buf_printf(&out->text, "%s%d=%lld", i ? "," : " knobs ", (int)type, (long long)value);
    }
    while (made > 0)
        c->destroy(choices[--made]);
}

static void read_engine(const struct cudnn *c, cudnnBackendDescriptor_t config, struct engine *out)
{
    cudnnBackendDescriptor_t engine = NULL;
    int64_t n = 0;
    if (c->create(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &engine) != CUDNN_STATUS_SUCCESS) {
        out->nondeterministic = true;
        return;
    }
    if (c->get(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n,
               &engine) == CUDNN_STATUS_SUCCESS)
        c->get(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &n, &out->index);
    else
        out->nondeterministic = true;
    buf_printf(&out->text, "engine %lld", (long long)out->index);
    read_knobs(c, config, out);
    read_notes(c, engine, out);
    c->destroy(engine);
}

/* Make a proposal the plan; false when the engine cannot run the graph after all. */
static bool try_config(struct cudnn_plan *p, cudnnBackendDescriptor_t config)
{
    const struct cudnn *c = p->cudnn;
    int64_t n = 0;
    p->plan = NULL;
    if (c->create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &p->plan) == CUDNN_STATUS_SUCCESS &&
        c->set(p->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
               &config) == CUDNN_STATUS_SUCCESS &&
        c->set(p->plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
               &c->device) == CUDNN_STATUS_SUCCESS &&
        c->finalize(p->plan) == CUDNN_STATUS_SUCCESS &&
        c->get(p->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &n,
               &p->workspace) == CUDNN_STATUS_SUCCESS)
        return true;
    if (p->plan)
        c->destroy(p->plan);
    p->plan = NULL;
    return false;
}

/* Take the first proposal that is deterministic and can run. */
static int choose_plan(struct cudnn_plan *p, const cudnnBackendDescriptor_t *configs, int n,
                       struct err *err)
{
    const struct cudnn *c = p->cudnn;
    const size_t version = c->version();
    bool taken = false;
    for (int i = 0; i < n && !taken; i++) {
        struct engine e = {0};
        buf_init(&e.text, CUDNN_PLAN_TEXT / 2);
        read_engine(c, configs[i], &e);
        taken = !e.nondeterministic && try_config(p, configs[i]);
        if (taken)
            snprintf(p->text, sizeof p->text, "cuDNN %zu.%zu.%zu %s workspace %lld",
                     version / 10000, version / 100 % 100, version % 100, e.text.data,
                     (long long)p->workspace);
        buf_release(&e.text);
    }
    if (taken)
        return 0;
    char own[CUDNN_WORD];
    cudnn_last_word(c, own, sizeof own);
    return err_set(err, ERR_CHECK,
                   "no deterministic engine of cuDNN %zu.%zu.%zu runs this graph: %d proposed, "
                   "the last word is: %s",
                   version / 10000, version / 100 % 100, version % 100, n, own);
}

int cudnn_plan_new(struct cudnn_plan **out, const struct cudnn *cudnn,
                   const struct cudnn_graph *graph, struct err *err)
{
    static const cudnnBackendHeurMode_t modes[] = {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK};
    struct cudnn_plan *p = memory_alloc(sizeof *p);
    struct builder b = {.p = p, .c = cudnn, .status = CUDNN_STATUS_SUCCESS};
    cudnnBackendDescriptor_t configs[CANDIDATES_MAX];
    int n = 0;
    *p = (struct cudnn_plan){.cudnn = cudnn};
    make_graph(&b, graph);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        n = propose(&b, modes[i], configs, n);
    if (b.status != CUDNN_STATUS_SUCCESS)
        cudnn_failed(cudnn, b.status, b.what, err);
    else if (choose_plan(p, configs, n, err) == 0) {
        *out = p;
        return 0;
    }
    cudnn_plan_free(p);
    return -1;
}

void cudnn_plan_free(struct cudnn_plan *p)
{
    if (!p)
        return;
    if (p->plan)
        p->cudnn->destroy(p->plan);
    while (p->n_owned > 0)
        p->cudnn->destroy(p->owned[--p->n_owned]);
    free(p);
}

size_t cudnn_plan_workspace(const struct cudnn_plan *p)
{
    return (size_t)p->workspace;
}

const char *cudnn_plan_text(const struct cudnn_plan *p)
{
    return p->text;
}

int cudnn_plan_run(const struct cudnn_plan *p, void *const *addresses, void *workspace,
                   struct err *err)
{
    const struct cudnn *c = p->cudnn;
    cudnnBackendDescriptor_t pack = NULL;
    void *data[TENSORS_MAX];
    for (int i = 0; i < p->n_ids; i++)
        data[i] = addresses[p->places[i]];
    cudnnStatus_t status = c->create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack);
    if (status == CUDNN_STATUS_SUCCESS)
        status =
            c->set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, p->n_ids, p->ids);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, p->n_ids,
                        data);
    if (status == CUDNN_STATUS_SUCCESS)
        status =
            c->set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->finalize(pack);
    if (status == CUDNN_STATUS_SUCCESS)
        status = c->execute(c->handle, p->plan, pack);
    int rc = status == CUDNN_STATUS_SUCCESS ? 0 : cudnn_failed(c, status, "execution", err);
    if (pack)
        c->destroy(pack);
    return rc;
}
