#include "cli/train_native.h"

#include "trainer/perflog.h"
#include "trainer/train.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* What the trainer's callbacks share: they log, count and show what they are told. */
struct watch {
    struct cli *cli;
    const struct case_record *record;
    struct native_outcome *outcome;
    struct perflog log;
    struct err *err;
    bool failed;
    int signals; /* signalfd of what ends a run early */
    double began, init_seconds, train_seconds;
    double counted_seconds; /* of the steps behind the warm-up */
    size_t counted_tokens;
    long long samples;
    double shown; /* when progress was last shown */
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int settled(struct watch *s, int rc)
{
    s->failed = s->failed || rc < 0;
    return s->failed;
}

static int on_start(void *context, const struct train_start *start)
{
    struct watch *s = context;
    s->init_seconds = now_seconds() - s->began;
    s->outcome->unigram_entropy_nats = start->unigram_entropy_nats;
    s->outcome->data_sha256 = arena_strdup(&s->cli->arena, start->data_sha256);
    size_t bytes = start->weight_bytes + start->gradient_bytes + start->optimizer_bytes +
                   start->activation_bytes;
    cli_detail(s->cli, "%zu parameters, %zu tokens per step, data %.12s…, %.1f MiB",
               start->parameters, start->tokens_per_step, start->data_sha256,
               (double)bytes / 1048576);
    int rc = perflog_event(&s->log, PERFLOG_HERE, "INIT_END", s->err);
    if (rc == 0)
        rc = perflog_event(&s->log, PERFLOG_HERE, "TRAIN_START", s->err);
    return settled(s, rc);
}

/* Ten times a second is as fast as anybody reads; a line that has served is wiped out. */
static void show_progress(struct watch *s, const struct train_step *step)
{
    double now = now_seconds(), left = (double)(s->record->steps - step->step);
    double seconds_left = s->train_seconds / step->step * left;
    if (!s->cli->progress || now - s->shown < 0.1)
        return;
    s->shown = now;
    fprintf(stderr, "\rstep %d/%lld  loss %.4f  %.0f tokens/s  %d:%02d left \033[K", step->step,
            s->record->steps, step->loss, (double)step->tokens / step->seconds,
            (int)(seconds_left / 60), (int)fmod(seconds_left, 60));
}

static void wipe_progress(const struct watch *s)
{
    if (s->cli->progress)
        fputs("\r\033[K", stderr);
}

/* The first signal that asks us to stop; 0: none yet. All are taken, since one that stayed would
 * end us before run.json says how the run ended. */
static int pending_signal(const struct watch *s)
{
    struct signalfd_siginfo info;
    int first = 0;
    while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
        first = first ? first : (int)info.ssi_signo;
    return first;
}

static long long warmup_of(const struct case_record *c)
{
    return c->report ? c->report->warmup_steps : 0;
}

static int on_step(void *context, const struct train_step *step)
{
    struct watch *s = context;
    s->train_seconds += step->seconds;
    s->samples += s->record->micro_batch * s->record->gradient_accumulation;
    if (step->step > warmup_of(s->record)) {
        s->counted_seconds += step->seconds;
        s->counted_tokens += step->tokens;
    }
    s->outcome->steps = step->step;
    s->outcome->final_loss = step->loss;
    show_progress(s, step);
    const struct perflog_step line = {.step = step->step,
                                      .loss = (float)step->loss,
                                      .grad_norm = (float)step->grad_norm,
                                      .learning_rate = step->lr,
                                      .samples = s->samples,
                                      .tokens_per_second = (double)step->tokens / step->seconds,
                                      .seconds = step->seconds};
    if (settled(s, perflog_step(&s->log, PERFLOG_HERE, &line, s->err)))
        return 1;
    s->outcome->signal = pending_signal(s);
    return s->outcome->signal != 0;
}

static void on_end(void *context, const struct train_end *end)
{
    struct watch *s = context;
    s->outcome->weights_sha256 = arena_strdup(&s->cli->arena, end->weights_sha256);
    s->outcome->complete = end->steps == s->record->steps;
}

static int write_end(struct watch *s)
{
    struct native_outcome *o = s->outcome;
    size_t tokens = s->counted_tokens;
    long long counted = o->steps - warmup_of(s->record);
    o->tokens_per_second = s->counted_seconds > 0 ? (double)tokens / s->counted_seconds : 0;
    o->step_seconds = counted > 0 ? s->counted_seconds / (double)counted : 0;
    const struct perflog_finish finish = {.seconds = now_seconds() - s->began,
                                          .init_seconds = s->init_seconds,
                                          .train_seconds = s->train_seconds,
                                          .final_loss = (float)o->final_loss,
                                          .converged = o->complete,
                                          .steps = o->steps,
                                          .samples = s->samples,
                                          .tokens_per_second = o->tokens_per_second,
                                          .weights_sha256 = o->weights_sha256};
    if (perflog_event(&s->log, PERFLOG_HERE, "TRAIN_END", s->err) < 0 ||
        perflog_finished(&s->log, PERFLOG_HERE, &finish, s->err) < 0)
        return -1;
    /* One rank is one card here, and no peak is known for a processor: no MFU line. */
    return perflog_summary(&s->log, o->tokens_per_second, o->tokens_per_second, NAN, s->err);
}

static double or_default(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* What no int holds is out of every range that training_check knows. */
static int whole(long long value)
{
    return value > INT_MAX ? INT_MAX : (int)value;
}

static void set_optimizer(struct training *t, const struct case_optimizer *o)
{
    t->warmup_steps = whole(o->warmup_steps);
    t->lr = or_default(o->learning_rate, t->lr);
    t->min_lr = or_default(o->min_learning_rate, t->lr / 10);
    t->weight_decay = or_default(o->weight_decay, t->weight_decay);
    t->beta1 = or_default(o->beta1, t->beta1);
    t->beta2 = or_default(o->beta2, t->beta2);
    t->eps = or_default(o->epsilon, t->eps);
    t->clip_norm = or_default(o->clip_norm, t->clip_norm);
    t->init_std = or_default(o->init_std, t->init_std);
}

static void set_data(struct training *t, const struct case_record *c, struct arena *arena)
{
    const char *slash = strrchr(c->file, '/');
    t->data_kind = c->data->kind;
    t->data_sha256 = c->data->sha256;
    if (c->data->path)
        t->data_path =
            path_join(arena, slash ? arena_strndup(arena, c->file, (size_t)(slash - c->file)) : "",
                      c->data->path);
}

/* What the case leaves open gets the usual values of Llama pretraining. */
static struct training training_of(const struct case_record *c, const struct model_shape *s,
                                   struct arena *arena)
{
    struct training t = {.vocab = whole(s->vocabulary),
                         .layers = whole(s->layers),
                         .heads = whole(s->heads),
                         .kv_heads = whole(s->kv_heads ? s->kv_heads : s->heads),
                         .hidden = whole(s->hidden),
                         .ffn = whole(s->ffn),
                         .tied = s->tied_embeddings,
                         .rope_theta = 10000,
                         .norm_eps = 1e-5,
                         .init_std = 0.02,
                         .sequence_length = whole(c->sequence_length),
                         .micro_batch = whole(c->micro_batch ? c->micro_batch : 1),
                         .gradient_accumulation =
                             whole(c->gradient_accumulation ? c->gradient_accumulation : 1),
                         .steps = whole(c->steps),
                         .lr = 3e-4,
                         .min_lr = 3e-5,
                         .weight_decay = 0.1,
                         .beta1 = 0.9,
                         .beta2 = 0.95,
                         .eps = 1e-8,
                         .clip_norm = 1,
                         .seed = (uint64_t)c->seed,
                         .precision = c->precision ? c->precision : "fp32"};
    if (c->optimizer)
        set_optimizer(&t, c->optimizer);
    set_data(&t, c, arena);
    return t;
}

/* SIGINT, SIGTERM and SIGHUP become readable instead of deadly, so that the run can end at a
 * step and say so. One that we were told to ignore, as by nohup, stays ignored. */
static int open_signals(sigset_t *before, struct err *err)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct sigaction action;
        if (sigaction(stops[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&ours, stops[i]);
    }
    sigprocmask(SIG_BLOCK, &ours, before);
    int fd = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd >= 0 ? fd : err_errno(err, ERR_IO, "signalfd");
}

static void close_signals(const struct watch *s, const sigset_t *before)
{
    if (s->signals >= 0) {
        pending_signal(s); /* one that came too late to stop anything */
        close(s->signals);
    }
    sigprocmask(SIG_SETMASK, before, NULL);
}

static int train_logged(struct watch *s, const struct training *t)
{
    const struct train_observer observer = {
        .context = s, .started = on_start, .stepped = on_step, .ended = on_end};
    int rc = perflog_event(&s->log, PERFLOG_HERE, "INIT_START", s->err);
    if (rc == 0)
        rc = train_on_cpu(t, &observer, s->err);
    wipe_progress(s);
    if (rc == 0 && !s->failed)
        rc = write_end(s);
    return s->failed ? -1 : rc;
}

int native_check(struct cli *cli, const struct case_record *c, const struct model *model,
                 struct err *err)
{
    const struct case_parallel *p = c->parallel;
    if (!c->data || !c->sequence_length || !c->steps)
        return err_set(err, ERR_INPUT,
                       "%s: found a native case without data, sequence_length or steps, expected "
                       "all three",
                       c->file);
    bool generated = strcmp(c->data->kind, "generated") == 0;
    if (strcmp(c->data->kind, "external") == 0 || (!generated && !c->data->path))
        return err_set(err, ERR_INPUT,
                       "%s:%d: found %s data%s, expected generated data, or npy or megatron with "
                       "its path",
                       c->file, c->data->line, c->data->kind, c->data->path ? "" : " without path");
    if (p && (p->tensor > 1 || p->pipeline > 1 || p->data > 1))
        return err_set(err, ERR_INPUT,
                       "%s:%d: found a parallel plan of several ranks, expected none: the native "
                       "trainer runs one",
                       c->file, p->line);
    if (!model->shape)
        return err_set(err, ERR_INPUT,
                       "model %s: found no shape in its record, expected one to train natively",
                       model->id);
    const struct training t = training_of(c, model->shape, &cli->arena);
    if (training_check_cpu(&t, err) == 0)
        return 0;
    err->kind = ERR_INPUT; /* the fault lies in the file, not on the command line */
    return err_prefix(err, "%s", c->file);
}

int native_run(struct cli *cli, const struct case_record *c, const struct model *model,
               struct rundir *run, struct native_outcome *outcome, struct err *err)
{
    sigset_t before;
    struct err close_err = ERR_INIT;
    struct watch s = {
        .cli = cli, .record = c, .outcome = outcome, .err = err, .began = now_seconds()};
    *outcome = (struct native_outcome){.final_loss = NAN};
    if (perflog_open(&s.log, run->log, 0, err) < 0)
        return -1;
    s.signals = open_signals(&before, err);
    const struct training t = training_of(c, model->shape, &cli->arena);
    int rc = s.signals < 0 ? -1 : train_logged(&s, &t);
    close_signals(&s, &before);
    if (perflog_close(&s.log, &close_err) < 0 && rc == 0) {
        *err = close_err;
        rc = -1;
    }
    return rc;
}
