#include "trainer/optimizer/optimizer.h"

#include <math.h>

bool loss_scale_allows(struct loss_scale *s, bool finite)
{
    if (!s->moves)
        return true;
    if (!finite && s->scale > LOSS_SCALE_LEAST) {
        s->scale /= 2;
        s->calm = 0;
        return false;
    }
    if (finite && ++s->calm >= LOSS_SCALE_PATIENCE) {
        s->scale *= 2;
        s->calm = 0;
    }
    return true;
}

double schedule_lr(const struct schedule *s, int step)
{
    step -= s->from_zero;
    if (step < s->warmup_steps)
        return s->lr * step / s->warmup_steps;
    if (step >= s->steps)
        return s->steps > s->warmup_steps ? s->min_lr : s->lr;
    double done = (double)(step - s->warmup_steps) / (s->steps - s->warmup_steps);
    return s->min_lr + (s->lr - s->min_lr) * (1 + cos(acos(-1.0) * done)) / 2;
}

int optimizer_init(struct optimizer *o, struct zero *zero, const struct adamw *settings,
                   struct err *err)
{
    struct device *d = zero->model->device;
    size_t bytes = zero->n_state * sizeof(float);
    *o = (struct optimizer){.settings = *settings, .zero = zero};
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
    struct device *d = o->zero->model->device;
    d->operations->release(d, o->m);
    d->operations->release(d, o->v);
    d->operations->release(d, o->squares);
    d->operations->release(d, o->master);
    *o = (struct optimizer){.zero = NULL}; /* nothing is held */
}

size_t optimizer_bytes(size_t n_state, enum number number)
{
    size_t arrays = number == NUMBER_FP32 ? 2 : 3;
    return arrays * n_state * sizeof(float) + sizeof(double);
}

/* ---- parts of the model --------------------------------------------------------------------- */

/* Where weights are divided, a rank has those of its pieces only. */
void optimizer_set_weights(struct optimizer *o, size_t offset, const float *values, size_t n)
{
    const struct zero *z = o->zero;
    struct device *d = o->zero->model->device;
    if (!z->shard)
        d->operations->narrow(d, device_at(d, z->model->weights, offset), values, n);
    for (int i = 0; (o->master || z->shard) && i < z->n_pieces; i++) {
        const struct zero_piece *p = &z->pieces[i];
        struct span part = piece_span(p, offset, n);
        const float *from = values + (part.begin - offset);
        if (part.n > 0 && z->shard)
            d->operations->narrow(d, zero_weight(z, p, part.begin), from, part.n);
        if (part.n > 0 && o->master)
            d->operations->copy(d, o->master + p->state + (part.begin - p->begin), from,
                                part.n * sizeof(float));
    }
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Of what is counted here: a tensor that several ranks of a model have alike counts once. */
static void add_squares(struct optimizer *o, const struct zero_piece *p)
{
    const struct zero *z = o->zero;
    struct device *d = o->zero->model->device;
    if (p->n == 0)
        return;
    if (z->groups->world == z->comm) { /* no rank has what another one has */
        d->operations->add_sum_of_squares(d, o->squares, p->gradient, p->n);
        return;
    }
    for (size_t i = 0; i < z->model->n_parameters; i++) {
        const struct parameter *tensor = &z->model->parameters[i];
        struct span part = piece_span(p, tensor->offset, tensor->rows * tensor->width);
        if (part.n > 0 && tensor->leads && (z->divided || z->comm->rank == 0))
            d->operations->add_sum_of_squares(d, o->squares, p->gradient + (part.begin - p->begin),
                                              part.n);
    }
}

int optimizer_gradient_norm(struct optimizer *o, double loss_scale, double *norm, struct err *err)
{
    struct device *d = o->zero->model->device;
    const struct zero *z = o->zero;
    struct comm *world = z->groups->world;
    double squares;
    d->operations->zero(d, o->squares, sizeof squares);
    for (int i = 0; i < z->n_pieces; i++)
        add_squares(o, &z->pieces[i]);
    if ((z->divided || world != z->comm) &&
        (world->operations->all_reduce(world, o->squares, 1, COMM_FP64, err) < 0 ||
         world->operations->join(world, err) < 0))
        return -1;
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

static bool does_decay(const struct adamw *s, const struct parameter *p)
{
    return s->decays == DECAYS_ALL || (s->decays == DECAYS_MATRICES && !p->is_vector) || p->decays;
}

/* Do tensors lie one behind the other, and are they updated alike? */
static bool updates_alike(const struct optimizer *o, const struct parameter *p)
{
    return p[1].offset == p->offset + p->rows * p->width &&
           does_decay(&o->settings, p) == does_decay(&o->settings, &p[1]);
}

/* The tensors from `tensor` to `last`; `common` is what all parts of a step share. */
static void step_part(struct optimizer *o, const struct zero_piece *p,
                      const struct parameter *tensor, const struct parameter *last,
                      const struct adamw_step *common)
{
    struct model *m = o->zero->model;
    size_t end = last->offset + last->rows * last->width;
    struct span part = piece_span(p, tensor->offset, end - tensor->offset);
    if (part.n == 0)
        return;
    size_t within = part.begin - p->begin, state = p->state + within;
    struct adamw_step step = *common;
    step.n = part.n;
    step.weight = zero_weight(o->zero, p, part.begin);
    step.master = o->master ? o->master + state : step.weight;
    step.m = o->m + state;
    step.v = o->v + state;
    step.gradient = p->gradient + within;
    step.decay = does_decay(&o->settings, tensor) ? (float)o->settings.weight_decay : 0;
    m->device->operations->adamw(m->device, &step);
}

static void step_piece(struct optimizer *o, const struct zero_piece *p,
                       const struct adamw_step *common)
{
    const struct model *m = o->zero->model;
    const struct parameter *at = m->parameters, *end = at + m->n_parameters;
    while (at < end) {
        const struct parameter *last = at;
        while (last + 1 < end && updates_alike(o, last))
            last++;
        step_part(o, p, at, last, common);
        at = last + 1;
    }
}

int optimizer_step(struct optimizer *o, double norm, double lr, double loss_scale, struct err *err)
{
    const struct adamw *s = &o->settings;
    o->steps++;
    const struct adamw_step common = {
        .gradient_scale = optimizer_clip_factor(s, norm) / (float)loss_scale,
        .lr = (float)lr,
        .eps = (float)s->eps,
        .correction1 = (float)(1 - pow(s->beta1, (double)o->steps)),
        .correction2 = (float)(1 - pow(s->beta2, (double)o->steps)),
        .beta1 = s->beta1,
        .beta2 = s->beta2,
    };
    for (int i = 0; i < o->zero->n_pieces; i++) {
        step_piece(o, &o->zero->pieces[i], &common);
        if (zero_gather(o->zero, i, err) < 0)
            return -1;
    }
    return 0;
}
