#include "trainer/model/linear.h"

#include "trainer/model/model.h"

void *weight_at(const struct model *m, size_t offset)
{
    const struct bucket *b = &m->buckets[m->weights_bucket];
    return device_at(m->device, b->weights, offset - b->begin);
}

float *gradient_at(const struct model *m, size_t offset)
{
    return bucket_gradient(&m->buckets[m->gradient_bucket], offset);
}

/* ---- rows that ranks share ------------------------------------------------------------------ */

static bool is_shared(const struct model *m)
{
    return m->own_rows != m->rows;
}

static size_t own_elements(const struct model *m)
{
    return (size_t)m->own_rows * m->shape.hidden;
}

const void *rows_gather(struct model *m, const void *x)
{
    struct err err = ERR_INIT;
    if (!is_shared(m))
        return x;
    if (!m->failed)
        model_note_failure(m, comm_gather_now(m->tensor, m->whole, x, own_elements(m), &err), &err);
    return m->whole;
}

void *rows_room(struct model *m, void *y)
{
    return is_shared(m) ? m->whole : y;
}

void rows_scatter(struct model *m, void *y)
{
    struct err err = ERR_INIT;
    if (is_shared(m) && !m->failed)
        model_note_failure(m, comm_scatter_now(m->tensor, y, m->whole, own_elements(m), &err),
                           &err);
}

const void *linear_factor(const struct model *m, const struct linear *l)
{
    return l->instead ? l->instead : weight_at(m, l->weight);
}

/* ---- the passes ----------------------------------------------------------------------------- */

void linear_forward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                    void *y, const void *x)
{
    bool columns = l->cut == LINEAR_COLUMNS;
    const void *whole = l->cut == LINEAR_ROWS ? rows_gather(m, x) : x;
    const struct matrix_product product = {
        .transpose_b = true,
        .m = m->rows,
        .n = l->out,
        .k = l->in,
        .alpha = 1,
        .a = whole,
        .b = linear_factor(m, l),
        .c = columns ? rows_room(m, y) : y,
    };
    model_operations(m)->multiply(m->device, &product);
    lora_forward(m, l, kept, y, whole);
    if (columns)
        rows_scatter(m, y);
}

/* to = dy W, of whole rows */
static void product_into_input(struct model *m, const struct linear *l, void *to, const void *dy)
{
    const struct matrix_product product = {
        .m = m->rows,
        .n = l->in,
        .k = l->out,
        .alpha = 1,
        .a = dy,
        .b = linear_factor(m, l),
        .c = to,
    };
    model_operations(m)->multiply(m->device, &product);
}

static void product_into_weight(struct model *m, const struct linear *l, const void *dy,
                                const void *x)
{
    const struct matrix_product product = {
        .transpose_a = true,
        .m = l->out,
        .n = l->in,
        .k = m->rows,
        .alpha = 1,
        .beta = m->buckets[m->gradient_bucket].fresh ? 0 : 1,
        .a = dy,
        .b = x,
        .c = gradient_at(m, l->weight),
        .c_fp32 = true,
    };
    model_operations(m)->multiply(m->device, &product);
}

void linear_into_input(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                       void *dx, const void *dy)
{
    bool rows = l->cut == LINEAR_ROWS;
    void *to = rows ? rows_room(m, dx) : dx;
    product_into_input(m, l, to, l->cut == LINEAR_COLUMNS ? rows_gather(m, dy) : dy);
    lora_into_input(m, l, kept, to, dy);
    if (rows)
        rows_scatter(m, dx);
}

void linear_into_weight(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                        const void *dy, const void *x)
{
    bool gathered = l->cut == LINEAR_COLUMNS && is_shared(m); /* by linear_into_input */
    if (m->adapter_bucket >= 0) {                             /* W is frozen */
        if (l->n_adapters > 0)
            lora_into_weights(m, l, kept, dy, l->cut == LINEAR_ROWS ? rows_gather(m, x) : x);
        return;
    }
    product_into_weight(m, l, gathered ? m->whole : dy,
                        l->cut == LINEAR_ROWS ? rows_gather(m, x) : x);
}

/* ---- beside the products ----------------------------------------------------------------------
 */

#define MARK_GATHERED 0 /* of the tensor comm */

static void gather_begin(struct model *m, void *to, const void *x)
{
    struct err err = ERR_INIT;
    struct comm *t = m->tensor;
    if (m->failed)
        return;
    int rc = t->operations->all_gather(t, to, x, own_elements(m), comm_element_of(m->device), &err);
    model_note_failure(m, rc < 0 ? -1 : comm_mark(t, MARK_GATHERED, &err), &err);
}

static void gather_end(struct model *m)
{
    struct err err = ERR_INIT;
    if (!m->failed)
        model_note_failure(m, comm_join_mark(m->tensor, MARK_GATHERED, &err), &err);
}

static void scatter_begin(struct model *m, void *to, const void *rows)
{
    struct err err = ERR_INIT;
    struct comm *t = m->tensor;
    if (!m->failed)
        model_note_failure(m,
                           t->operations->reduce_scatter(t, to, rows, own_elements(m),
                                                         comm_element_of(m->device), &err),
                           &err);
}

static void scatter_end(struct model *m)
{
    struct err err = ERR_INIT;
    if (!m->failed)
        model_note_failure(m, m->tensor->operations->join(m->tensor, &err), &err);
}

void linear_backward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                     void *dx, const void *dy, const void *x)
{
    if (l->cut != LINEAR_ROWS || !is_shared(m) || m->adapter_bucket >= 0) {
        linear_into_input(m, l, kept, dx, dy);
        linear_into_weight(m, l, kept, dy, x);
        return;
    }
    gather_begin(m, m->whole_input, x);
    product_into_input(m, l, m->whole, dy);
    scatter_begin(m, dx, m->whole);
    gather_end(m);
    product_into_weight(m, l, dy, m->whole_input);
    scatter_end(m);
}
