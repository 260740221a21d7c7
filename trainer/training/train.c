/*
 * One pass over the plan of train.h: check the settings, open everything in order of dependence,
 * then step. `struct pass` is what is open; pass_close undoes any part of it.
 */
#include "trainer/training/train.h"

#include "base/arena.h"
#include "base/calendar.h"
#include "trainer/device/device.h"
#include "trainer/device/precision.h"
#include "trainer/model/model.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/optimizer/weights.h"
#include "trainer/ranks/groups.h"
#include "trainer/training/batches.h"
#include "trainer/training/llava_files.h"
#include "trainer/training/micro_batches.h"
#include "trainer/training/train_files.h"
#include "trainer/training/train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of lengths on a device that chooses kernels by shapes: few of them come up. */
#define LENGTHS_ROUND 32

struct pass {
    const struct training *t;
    const struct train_observer *observer;
    struct schedule schedule;
    struct loss_scale loss_scale;
    struct comm *comm;     /* borrowed */
    struct groups groups;  /* of it */
    struct device *device; /* comm's */
    struct batches batches;
    struct model *model;
    struct tower *tower; /* NULL: it sees no pictures */
    struct zero zero;
    struct optimizer optimizer;
    struct train_files files;
    struct micro_batches micro_batches;
    int step;                 /* the last one taken */
    struct batch_counts even; /* of a step whose sequences have their full length */
    double since;             /* when the time of the step that is taken began */
    bool wish;                /* this rank's observer wants to stop */
    bool stopped;             /* all ranks do */
};

static void reached(const struct pass *s, const char *what)
{
    if (s->observer->reached)
        s->observer->reached(s->observer->context, what);
}

/* ---- opening and closing ------------------------------------------------------------------- */

static void pass_close(struct pass *s)
{
    batches_close(&s->batches);
    micro_batches_release(&s->micro_batches);
    train_files_close(&s->files);
    if (s->optimizer.zero)
        optimizer_release(&s->optimizer);
    if (s->zero.model)
        zero_release(&s->zero);
    tower_free(s->tower);
    model_free(s->model);
    groups_close(&s->groups);
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
    if (micro_batches_init(&s->micro_batches, s->model, &s->zero, &s->groups,
                           t->gradient_accumulation, t->means_of_ranks, err) < 0)
        return -1;
    if (t->tower.layers > 0 && tower_new(&s->tower, &t->tower, t->micro_batch, s->device, err) < 0)
        return -1;
    s->model->tower = s->tower;
    reached(s, "memory of the model");
    return optimizer_init(&s->optimizer, &s->zero, &adamw, err);
}

static int train_tower_begin(struct pass *s, struct err *err)
{
    const struct training *t = s->t;
    return t->initial_tower ? llava_tower_load(&s->files.transfer, s->tower, t->initial_tower, err)
                            : tower_draw(s->tower, (float)t->init_std, t->seed, err);
}

/* First weights, or those of a checkpoint with all that belongs to them. */
static int state_open(struct pass *s, struct err *err)
{
    struct checkpoint_state state = {.loss_scale = s->loss_scale};
    const struct checkpoint_context context = {.sequences_per_step = s->even.sequences,
                                               .data_sha256 = s->batches.sha256};
    if (train_files_open(&s->files, s->t, &s->optimizer, &context, err) < 0 ||
        train_files_begin(&s->files, &state, err) < 0)
        return -1;
    s->loss_scale = state.loss_scale;
    s->step = (int)state.step;
    if (s->tower && train_tower_begin(s, err) < 0)
        return -1;
    reached(s, "first weights");
    return 0;
}

static int pass_open(struct pass *s, struct err *err)
{
    const struct training *t = s->t;
    const int round = s->device->number == NUMBER_FP32 ? 1 : LENGTHS_ROUND;
    s->schedule = training_schedule(t);
    bool moves = precision_find(t->precision)->scales_loss;
    s->loss_scale = (struct loss_scale){.moves = moves, .scale = moves ? LOSS_SCALE_START : 1};
    if (batches_open(&s->batches, t, round, err) < 0 || model_open(s, err) < 0)
        return -1;
    s->even = batches_even_step(t, s->groups.plan.data);
    if (state_open(s, err) < 0)
        return -1;
    return s->micro_batches.reads
               ? batches_begin(&s->batches, s->groups.place.data, s->groups.plan.data, s->step, err)
               : 0;
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
static void add_micro_batches(struct pass *s, struct micro_batches_step *step,
                              struct train_step *report)
{
    *step = (struct micro_batches_step){
        .batches = &s->batches,
        .loss_scale = s->loss_scale.scale,
        .counts = s->even,
        .number = (uint64_t)report->step,
        .leaves = leaves,
        .context = s,
    };
    micro_batches_run(&s->micro_batches, step);
    report->input_seconds = step->input_seconds;
    report->tokens = step->counts.tokens;
    report->real_tokens = step->counts.real;
    report->attention_pairs = step->counts.pairs;
    report->targets = step->counts.targets;
    report->sequences = step->counts.sequences;
    report->pictures = step->counts.pictures;
}

/* All ranks stop behind the same step when any of them wants to: one that went on would wait for
 * the others for ever. Their votes travel with the loss. */
static int add_up_ranks(struct pass *s, struct train_step *report, struct err *err)
{
    const struct device_operations *o = s->device->operations;
    double *loss_sum = s->model->loss_sum, wish = wants_to_stop(s), sums[2];
    /* Every tensor rank of the last stage has the loss of its data rank: the first one tells it. */
    if (s->groups.place.tensor > 0)
        s->device->operations->zero(s->device, s->model->loss_sum, sizeof *s->model->loss_sum);
    o->upload(s->device, loss_sum + 1, &wish, sizeof wish);
    if (s->comm->operations->all_reduce(s->comm, loss_sum, 2, COMM_FP64, err) < 0 ||
        optimizer_gradient_norm(&s->optimizer, s->loss_scale.scale, &report->grad_norm, err) < 0 ||
        s->comm->operations->join(s->comm, err) < 0 ||
        o->download(s->device, sums, loss_sum, sizeof sums, err) < 0)
        return -1;
    report->loss = sums[0] / (double)report->targets;
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

/* *taken: it was not left. */
static int step_take(struct pass *s, int step, bool *taken, struct err *err)
{
    struct micro_batches_step passes;
    struct train_step report = {.step = step, .lr = schedule_lr(&s->schedule, step)};
    add_micro_batches(s, &passes, &report);
    *taken = !s->stopped;
    if (!*taken)
        return 0;
    if (micro_batches_status(&s->micro_batches, err) < 0 || zero_after(&s->zero, err) < 0 ||
        micro_batches_loss(&s->micro_batches, &passes, err) < 0 ||
        add_up_ranks(s, &report, err) < 0)
        return err_prefix(err, "step %d", report.step);
    if (step_update(s, &report, err) < 0)
        return -1;
    if (s->device->operations->synchronize(s->device, err) < 0)
        return err_prefix(err, "step %d", report.step);
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
        .data_sha256 = s->batches.sha256,
        .data_tokens = s->batches.tokens,
        .data_samples = s->batches.samples,
        .unigram_entropy_nats = s->batches.unigram_entropy_nats,
        .tokens_per_step = s->even.tokens,
        .sequences_per_step = s->even.sequences,
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
