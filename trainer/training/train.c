/*
 * One pass over the plan of train.h: check the settings, open everything in order of dependence,
 * then step. `struct pass` is what is open; pass_close undoes any part of it.
 */
#include "trainer/training/train.h"

#include "base/arena.h"
#include "base/clock.h"
#include "trainer/data/data.h"
#include "trainer/data/reader.h"
#include "trainer/device/device.h"
#include "trainer/device/precision.h"
#include "trainer/model/model.h"
#include "trainer/optimizer/loss_scale.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/optimizer/schedule.h"
#include "trainer/optimizer/weights.h"
#include "trainer/ranks/groups.h"
#include "trainer/training/micro_batches.h"
#include "trainer/training/train_files.h"
#include "trainer/training/train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    const struct training *t;
    const struct train_observer *observer;
    struct schedule schedule;
    struct loss_scale loss_scale;
    struct comm *comm;     /* borrowed */
    struct groups groups;  /* of it */
    struct device *device; /* comm's */
    struct data *data;
    struct model *model;
    struct zero zero;
    struct optimizer optimizer;
    struct train_files files;
    struct micro_batches micro_batches;
    struct reader *reader; /* NULL: this rank reads no data */
    int step;              /* the last one taken */
    int32_t *sample;       /* [sequence_length + 1], the reader's */
    size_t tokens_per_step;
    size_t targets_per_step; /* whose losses are averaged */
    double since;            /* when the time of the step that is taken began */
    bool wish;               /* this rank's observer wants to stop */
    bool stopped;            /* all ranks do */
};

static void reached(const struct pass *s, const char *what)
{
    if (s->observer->reached)
        s->observer->reached(s->observer->context, what);
}

/* ---- data ---------------------------------------------------------------------------------- */

/*
 * Samples are dealt out in order: step by step, within a step micro-batch by micro-batch, within
 * that data rank by data rank, then sequence by sequence. So the tokens of a step do not depend on
 * how they are split between ranks and micro-batches. On the reader's thread.
 */
static void micro_batch_read(void *context, uint64_t batch, int32_t *inputs, int32_t *targets)
{
    struct pass *s = context;
    const struct training *t = s->t;
    size_t length = t->sequence_length;
    uint64_t position =
        (batch * s->groups.plan.data + s->groups.place.data) * (uint64_t)t->micro_batch;
    for (int i = 0; i < t->micro_batch; i++) {
        data_sample(s->data, position + i, s->sample);
        memcpy(inputs + i * length, s->sample, length * sizeof *inputs);
        memcpy(targets + i * length, s->sample + 1, length * sizeof *targets);
        if (t->targets_inside)
            targets[(i + 1) * length - 1] = TARGET_NONE;
    }
}

/* Behind the steps that were taken. */
static int reader_begin(struct pass *s, struct err *err)
{
    uint64_t of_step = s->t->gradient_accumulation;
    if (!s->micro_batches.reads)
        return 0;
    const struct reader_plan plan = {.first = of_step * s->step,
                                     .end = of_step * s->t->steps,
                                     .tokens = s->model->rows,
                                     .read = micro_batch_read,
                                     .context = s};
    s->sample = memory_alloc((s->t->sequence_length + 1) * sizeof *s->sample);
    return reader_open(&s->reader, &plan, err);
}

/* ---- opening and closing ------------------------------------------------------------------- */

static void pass_close(struct pass *s)
{
    if (s->reader)
        reader_close(s->reader);
    micro_batches_release(&s->micro_batches);
    train_files_close(&s->files);
    if (s->optimizer.zero)
        optimizer_release(&s->optimizer);
    if (s->zero.model)
        zero_release(&s->zero);
    model_free(s->model);
    data_close(s->data);
    groups_close(&s->groups);
    free(s->sample);
}

static int model_open(struct pass *s, struct err *err)
{
    const struct training *t = s->t;
    struct model_shape shape;
    struct adamw adamw = training_adamw(t);
    if (training_model_part(t, s->comm->rank, s->comm->world, &shape, err) < 0 ||
        groups_open(&s->groups, &t->plan, training_copies(t), t->tied, s->comm, err) < 0)
        return -1;
    reached(s, "groups of ranks");
    const struct model_passing passing = zero_passing(t->zero, s->groups.data);
    if (model_new_passing(&s->model, &shape, &passing, s->device, err) < 0)
        return -1;
    s->model->tensor = s->groups.tensor;
    s->model->dropout_seed = t->seed;
    if (zero_init(&s->zero, t->zero, s->model, &s->groups, err) < 0)
        return -1;
    micro_batches_init(&s->micro_batches, s->model, &s->zero, &s->groups, t->gradient_accumulation);
    reached(s, "memory of the model");
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
    reached(s, "first weights");
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
    s->tokens_per_step =
        (size_t)s->model->rows * t->gradient_accumulation * (size_t)s->groups.plan.data;
    s->targets_per_step = t->targets_inside ? s->tokens_per_step / (size_t)t->sequence_length *
                                                  ((size_t)t->sequence_length - 1)
                                            : s->tokens_per_step;
    return state_open(s, err) < 0 ? -1 : reader_begin(s, err);
}

/* ---- one step ------------------------------------------------------------------------------ */

/* Does this rank's observer want to stop, now at the latest? */
static bool wants_to_stop(struct pass *s)
{
    if (!s->wish && s->observer->asked)
        s->wish = s->observer->asked(s->observer->context) != 0;
    return s->wish;
}

/* One rank alone may leave a step that it has begun. */
static bool leaves(void *context)
{
    struct pass *s = context;
    s->stopped = s->comm->world == 1 && wants_to_stop(s);
    return s->stopped;
}

/* Loss and gradients of this rank's micro-batches; left early, what there is of them is nothing. */
static void add_micro_batches(struct pass *s, struct train_step *report)
{
    struct micro_batches_step step = {
        .reader = s->reader,
        .token_weight = s->loss_scale.scale / (float)s->targets_per_step,
        .number = (uint64_t)report->step,
        .leaves = leaves,
        .context = s,
    };
    micro_batches_run(&s->micro_batches, &step);
    report->input_seconds = step.input_seconds;
}

/* Every tensor rank of the last stage has the loss of its data rank: the first one tells it. */
static void keep_one_loss(struct pass *s)
{
    if (s->groups.place.tensor > 0)
        s->device->operations->zero(s->device, s->model->loss_sum, sizeof *s->model->loss_sum);
}

/* All ranks stop behind the same step when any of them wants to: one that went on would wait for
 * the others for ever. Their votes travel with the loss. */
static int add_up_ranks(struct pass *s, struct train_step *report, struct err *err)
{
    const struct device_operations *o = s->device->operations;
    double *loss_sum = s->model->loss_sum, wish = wants_to_stop(s), sums[2];
    keep_one_loss(s);
    o->upload(s->device, loss_sum + 1, &wish, sizeof wish);
    if (s->comm->operations->all_reduce(s->comm, loss_sum, 2, COMM_FP64, err) < 0 ||
        optimizer_gradient_norm(&s->optimizer, s->loss_scale.scale, &report->grad_norm, err) < 0 ||
        s->comm->operations->join(s->comm, err) < 0 ||
        o->download(s->device, sums, loss_sum, sizeof sums, err) < 0)
        return -1;
    report->loss = sums[0] / (double)s->targets_per_step;
    s->stopped = sums[1] > 0;
    return 0;
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
    if (optimizer_step(&s->optimizer, report->grad_norm, report->lr, scale, err) < 0)
        return err_prefix(err, "step %d", report->step);
    return 0;
}

static int step_compute(struct pass *s, struct train_step *report, struct err *err)
{
    if (micro_batches_status(&s->micro_batches, err) < 0 || zero_after(&s->zero, err) < 0 ||
        add_up_ranks(s, report, err) < 0)
        return err_prefix(err, "step %d", report->step);
    if (step_update(s, report, err) < 0)
        return -1;
    if (s->device->operations->synchronize(s->device, err) < 0)
        return err_prefix(err, "step %d", report->step);
    return 0;
}

/* *taken: it was not left. */
static int step_take(struct pass *s, int step, bool *taken, struct err *err)
{
    struct train_step report = {
        .step = step, .lr = schedule_lr(&s->schedule, step), .tokens = s->tokens_per_step};
    add_micro_batches(s, &report);
    *taken = !s->stopped;
    if (!*taken)
        return 0;
    if (step_compute(s, &report, err) < 0)
        return -1;
    double now = clock_seconds();
    report.seconds = now - s->since;
    report.ended = s->since = now;
    if (s->observer->stepped && s->observer->stepped(s->observer->context, &report) != 0)
        s->wish = true;
    if (s->comm->world == 1)
        s->stopped = s->wish;
    return 0;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void report_start(struct pass *s)
{
    struct train_start start = {
        .device = s->device->name,
        .parameters = model_elements(s->model),
        .weight_bytes = zero_weight_bytes(&s->zero),
        .gradient_bytes = zero_gradient_bytes(&s->zero),
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
        s->wish = s->observer->started(s->observer->context, &start) != 0;
}

static int report_end(struct pass *s, int steps, struct err *err)
{
    char sha256[HASH_HEX_SIZE];
    struct transfer *transfer = weights_are_whole(&s->zero) ? NULL : &s->files.transfer;
    if (zero_settle(&s->zero, err) < 0 || weights_sha256(&s->optimizer, transfer, sha256, err) < 0)
        return -1;
    if (s->observer->ended)
        s->observer->ended(s->observer->context,
                           &(struct train_end){.steps = steps, .weights_sha256 = sha256});
    return 0;
}

/* Before the first step; loss_sum is free. */
static int agree_to_begin(struct pass *s, struct err *err)
{
    const struct device_operations *o = s->device->operations;
    double votes = s->wish;
    o->upload(s->device, s->model->loss_sum, &votes, sizeof votes);
    if (s->comm->operations->all_reduce(s->comm, s->model->loss_sum, 1, COMM_FP64, err) < 0 ||
        s->comm->operations->join(s->comm, err) < 0 ||
        o->download(s->device, &votes, s->model->loss_sum, sizeof votes, err) < 0)
        return -1;
    s->stopped = votes > 0;
    return 0;
}

/* Files of the step that was taken last. */
static int keep_files(struct pass *s, struct err *err)
{
    const struct checkpoint_state state = {.step = (uint64_t)s->step, .loss_scale = s->loss_scale};
    bool last = s->stopped || s->step == s->t->steps;
    double began = clock_seconds();
    int rc = train_files_stepped(&s->files, &state, last, s->observer, err);
    s->since += clock_seconds() - began;
    return rc;
}

static int pass_train(struct pass *s, struct err *err)
{
    bool taken;
    report_start(s);
    if (agree_to_begin(s, err) < 0)
        return -1;
    s->since = clock_seconds();
    while (!s->stopped && s->step < s->t->steps) {
        if (step_take(s, s->step + 1, &taken, err) < 0)
            return -1;
        s->step += taken;
        if (keep_files(s, err) < 0)
            return -1;
    }
    reached(s, "steps");
    if (train_files_end(&s->files, err) < 0 || report_end(s, s->step, err) < 0)
        return -1;
    reached(s, "hash of the weights");
    return 0;
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
    if (rc < 0 && observer->failed)
        observer->failed(observer->context, err);
    if (rc < 0)
        groups_abandon(&s.groups);
    pass_close(&s);
    reached(&s, "closing");
    return rc;
}
