#include "trainer/optimizer.h"

#include <math.h>

int optimizer_init(struct optimizer *o, struct model *model, const struct adamw *settings,
                   struct err *err)
{
    struct device *d = model->device;
    size_t bytes = model->n_weights * sizeof(float);
    *o = (struct optimizer){.settings = *settings, .model = model};
    if (d->operations->alloc(d, (void **)&o->m, bytes, err) == 0 &&
        d->operations->alloc(d, (void **)&o->v, bytes, err) == 0 &&
        d->operations->alloc(d, (void **)&o->squares, sizeof *o->squares, err) == 0 &&
        (d->number == NUMBER_FP32 || d->operations->alloc(d, (void **)&o->master, bytes, err) == 0))
        return 0;
    optimizer_release(o);
    return err_prefix(err, "optimizer state");
}

void optimizer_release(struct optimizer *o)
{
    struct device *d = o->model->device;
    d->operations->release(d, o->m);
    d->operations->release(d, o->v);
    d->operations->release(d, o->squares);
    d->operations->release(d, o->master);
}

size_t optimizer_bytes(size_t n_weights, enum number number)
{
    size_t arrays = number == NUMBER_FP32 ? 2 : 3;
    return arrays * n_weights * sizeof(float) + sizeof(double);
}

int optimizer_gradient_norm(struct optimizer *o, double loss_scale, double *norm, struct err *err)
{
    struct device *d = o->model->device;
    double squares;
    d->operations->zero(d, o->squares, sizeof squares);
    d->operations->add_sum_of_squares(d, o->squares, o->model->gradients, o->model->n_weights);
    if (d->operations->download(d, &squares, o->squares, sizeof squares, err) < 0)
        return -1;
    *norm = sqrt(squares) / loss_scale;
    return 0;
}

float optimizer_clip_factor(const struct adamw *settings, double norm)
{
    double factor = settings->clip_norm / (norm + 1e-6);
    return settings->clip_norm > 0 && factor < 1 ? (float)factor : 1;
}

void optimizer_step(struct optimizer *o, double norm, double lr, double loss_scale)
{
    const struct adamw *s = &o->settings;
    struct model *m = o->model;
    float *master = o->master ? o->master : m->weights; /* fp32 weights are their own masters */
    o->steps++;
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        const struct adamw_step step = {
            .n = p->rows * p->width,
            .weight = device_at(m->device, m->weights, p->offset),
            .master = master + p->offset,
            .m = o->m + p->offset,
            .v = o->v + p->offset,
            .gradient = m->gradients + p->offset,
            .gradient_scale = optimizer_clip_factor(s, norm) / (float)loss_scale,
            .lr = (float)lr,
            .eps = (float)s->eps,
            .decay = p->decays ? (float)s->weight_decay : 0,
            .correction1 = (float)(1 - pow(s->beta1, (double)o->steps)),
            .correction2 = (float)(1 - pow(s->beta2, (double)o->steps)),
            .beta1 = s->beta1,
            .beta2 = s->beta2,
        };
        m->device->operations->adamw(m->device, &step);
    }
}
