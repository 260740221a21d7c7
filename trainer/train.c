/*
 * One pass over the plan of train.h: check the settings, open everything in order of dependence,
 * then step. `struct pass` is what is open; pass_close undoes any part of it.
 */
#include "trainer/train.h"

#include "base/arena.h"
#include "trainer/comm.h"
#include "trainer/data.h"
#include "trainer/device.h"
#include "trainer/loss_scale.h"
#include "trainer/model.h"
#include "trainer/optimizer.h"
#include "trainer/precision.h"
#include "trainer/schedule.h"
#include "trainer/train_files.h"
#include "trainer/train_settings.h"
#include "trainer/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pass {
    const struct training *t;
    const struct train_observer *observer;
    struct schedule schedule;
    struct loss_scale loss_scale;
    struct comm *comm;     /* borrowed */
    struct device *device; /* comm's */
    struct data *data;
    struct model *model;
    struct zero zero;
    struct optimizer optimizer;
    struct train_files files;
    int step;                  /* the last one taken */
    int32_t *sample;           /* [sequence_length + 1] */
    int32_t *inputs, *targets; /* [rows of a micro-batch] */
    size_t tokens_per_step;
    bool stopped; /* by the observer */
};

/* ---- opening and closing ------------------------------------------------------------------- */

static void pass_close(struct pass *s)
{
    train_files_close(&s->files);
    if (s->optimizer.zero)
        optimizer_release(&s->optimizer);
    if (s->zero.model)
        zero_release(&s->zero);
    model_free(s->model);
    data_close(s->data);
    free(s->sample);
    free(s->inputs);
    free(s->targets);
}

static int model_open(struct pass *s, struct err *err)
{
    const struct training *t = s->t;
    struct model_shape shape = training_model_shape(t);
    struct adamw adamw = training_adamw(t);
    bool passing = zero_passes(t->zero, s->comm);
    shape.ranks = s->comm->world;
    if ((passing ? model_new_passing : model_new)(&s->model, &shape, s->device, err) < 0 ||
        zero_init(&s->zero, t->zero, s->model, s->comm, err) < 0)
        return -1;
    return optimizer_init(&s->optimizer, &s->zero, &adamw, err);
}

/* First weights, or those of a checkpoint with all that belongs to them. */
static int state_open(struct pass *s, struct err *err)
{
    struct checkpoint_state state = {.loss_scale = s->loss_scale};
    const struct checkpoint_context context = {
        .sequences_per_step = s->tokens_per_step / (size_t)s->t->sequence_length,
        .data_sha256 = s->data->sha256,
    };
    if (train_files_open(&s->files, s->t, &s->optimizer, &context, err) < 0 ||
        train_files_begin(&s->files, &state, err) < 0)
        return -1;
    s->loss_scale = state.loss_scale;
    s->step = (int)state.step;
    return 0;
}

static int pass_open(struct pass *s, struct err *err)
{
    const struct training *t = s->t;
    struct data_source source = training_data_source(t);
    s->schedule = training_schedule(t);
    loss_scale_init(&s->loss_scale, precision_find(t->precision)->scales_loss);
    if (data_open(&s->data, &source, err) < 0 || model_open(s, err) < 0)
        return -1;
    s->tokens_per_step = (size_t)s->model->rows * t->gradient_accumulation * s->comm->world;
    s->sample = memory_alloc((t->sequence_length + 1) * sizeof *s->sample);
    s->inputs = memory_alloc(s->model->rows * sizeof *s->inputs);
    s->targets = memory_alloc(s->model->rows * sizeof *s->targets);
    return state_open(s, err);
}

/* ---- one step ------------------------------------------------------------------------------ */

/*
 * Samples are dealt out in order: step by step, within a step micro-batch by micro-batch, within
 * that rank by rank, then sequence by sequence. So the tokens of a step do not depend on how they
 * are split between ranks and micro-batches.
 */
static void micro_batch_read(struct pass *s, int step, int micro)
{
    const struct training *t = s->t;
    size_t length = t->sequence_length;
    uint64_t batch = (uint64_t)(step - 1) * t->gradient_accumulation + micro;
    uint64_t position = (batch * s->comm->world + s->comm->rank) * t->micro_batch;
    for (int i = 0; i < t->micro_batch; i++) {
        data_sample(s->data, position + i, s->sample);
        memcpy(s->inputs + i * length, s->sample, length * sizeof *s->inputs);
        memcpy(s->targets + i * length, s->sample + 1, length * sizeof *s->targets);
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Loss and gradients of a step, over all micro-batches and ranks. */
static int step_gradients(struct pass *s, struct train_step *report, struct err *err)
{
    struct model *m = s->model;
    const struct comm_operations *comm = s->comm->operations;
    double sum;
    model_zero_gradients(m);
    for (int micro = 0; micro < s->t->gradient_accumulation; micro++) {
        double began = seconds_now();
        micro_batch_read(s, report->step, micro);
        report->input_seconds += seconds_now() - began;
        model_forward(m, s->inputs);
        model_loss(m, s->targets, s->loss_scale.scale / (float)s->tokens_per_step);
        zero_before(&s->zero, micro == 0, micro == s->t->gradient_accumulation - 1);
        model_backward(m);
    }
    if (zero_after(&s->zero, err) < 0 ||
        comm->all_reduce(s->comm, m->loss_sum, 1, COMM_FP64, err) < 0 ||
        comm->join(s->comm, err) < 0 ||
        s->device->operations->download(s->device, &sum, m->loss_sum, sizeof sum, err) < 0)
        return -1;
    report->loss = sum / (double)s->tokens_per_step;
    return optimizer_gradient_norm(&s->optimizer, s->loss_scale.scale, &report->grad_norm, err);
}

/* The update; an overflow that a smaller loss scale may avoid is none, and no error. */
static int step_update(struct pass *s, struct train_step *report, struct err *err)
{
    bool finite = isfinite(report->loss) && isfinite(report->grad_norm);
    double scale = s->loss_scale.scale;
    report->loss_scale = scale;
    report->skipped = !loss_scale_allows(&s->loss_scale, isfinite(report->grad_norm));
    if (report->skipped)
        return 0;
    if (!finite)
        return err_set(err, ERR_CHECK,
                       "step %d: the training diverged: loss %g and gradient norm %g, expected "
                       "finite numbers; a lower learning_rate or a clip_norm may help",
                       report->step, report->loss, fabs(report->grad_norm));
    optimizer_step(&s->optimizer, report->grad_norm, report->lr, scale);
    return zero_gather(&s->zero, err);
}

/* All ranks stop at the same step when any of them is told to: one that went on would wait for the
 * others for ever. loss_sum is free until the next step begins. */
static int agree_to_stop(struct pass *s, struct err *err)
{
    const struct device_operations *o = s->device->operations;
    double votes = s->stopped;
    if (s->comm->world == 1)
        return 0;
    o->upload(s->device, s->model->loss_sum, &votes, sizeof votes);
    if (s->comm->operations->all_reduce(s->comm, s->model->loss_sum, 1, COMM_FP64, err) < 0 ||
        s->comm->operations->join(s->comm, err) < 0 ||
        o->download(s->device, &votes, s->model->loss_sum, sizeof votes, err) < 0)
        return -1;
    s->stopped = votes > 0;
    return 0;
}

static int step_take(struct pass *s, int step, struct err *err)
{
    double began = seconds_now();
    struct train_step report = {
        .step = step, .lr = schedule_lr(&s->schedule, step), .tokens = s->tokens_per_step};
    if (step_gradients(s, &report, err) < 0)
        return err_prefix(err, "step %d", step);
    if (step_update(s, &report, err) < 0)
        return -1;
    if (s->device->operations->synchronize(s->device, err) < 0)
        return err_prefix(err, "step %d", step);
    report.seconds = seconds_now() - began;
    if (s->observer->stepped)
        s->stopped = s->observer->stepped(s->observer->context, &report) != 0;
    return agree_to_stop(s, err);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void report_start(struct pass *s)
{
    struct train_start start = {
        .device = s->device->name,
        .parameters = model_elements(s->model),
        .weight_bytes = s->model->n_weights * s->device->element_bytes,
        .gradient_bytes = s->model->n_gradients * sizeof(float) + zero_kept_bytes(&s->zero),
        .optimizer_bytes = optimizer_bytes(s->zero.n_state, s->device->number),
        .activation_bytes = s->model->arena_bytes,
        .data_sha256 = s->data->sha256,
        .data_tokens = s->data->file.tokens,
        .data_samples = s->data->samples,
        .unigram_entropy_nats = s->data->unigram_entropy_nats,
        .tokens_per_step = s->tokens_per_step,
        .resumed = s->step,
        .initial_sha256 = *s->files.initial_sha256 ? s->files.initial_sha256 : NULL,
        .resumed_sha256 = *s->files.resumed_sha256 ? s->files.resumed_sha256 : NULL,
    };
    start.device_bytes = start.weight_bytes + start.gradient_bytes + start.optimizer_bytes +
                         start.activation_bytes + train_files_bytes(&s->files);
    if (s->observer->started)
        s->stopped = s->observer->started(s->observer->context, &start) != 0;
}

static int report_end(struct pass *s, int steps, struct err *err)
{
    char sha256[HASH_HEX_SIZE];
    if (weights_sha256(s->model, sha256, err) < 0)
        return -1;
    if (s->observer->ended)
        s->observer->ended(s->observer->context,
                           &(struct train_end){.steps = steps, .weights_sha256 = sha256});
    return 0;
}

static int pass_train(struct pass *s, struct err *err)
{
    report_start(s);
    if (agree_to_stop(s, err) < 0)
        return -1;
    while (!s->stopped && s->step < s->t->steps) {
        if (step_take(s, s->step + 1, err) < 0)
            return -1;
        s->step++;
        const struct checkpoint_state state = {.step = (uint64_t)s->step,
                                               .loss_scale = s->loss_scale};
        bool last = s->stopped || s->step == s->t->steps;
        if (train_files_stepped(&s->files, &state, last, s->observer, err) < 0)
            return -1;
    }
    return train_files_end(&s->files, err) < 0 ? -1 : report_end(s, s->step, err);
}

int train_native(const struct training *t, struct comm *comm, const struct train_observer *observer,
                 struct err *err)
{
    struct pass s = {.t = t, .observer = observer, .comm = comm, .device = comm->device};
    int rc = training_check(t, err);
    if (rc == 0 && precision_find(t->precision)->number != s.device->number)
        rc = err_set(err, ERR_USAGE, "precision: found %s, which this device was not opened for",
                     t->precision);
    if (rc == 0)
        rc = pass_open(&s, err);
    if (rc == 0)
        rc = pass_train(&s, err);
    pass_close(&s);
    return rc;
}
