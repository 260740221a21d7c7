#include "cli/train/train_native.h"

#include "base/calendar.h"
#include "cli/stops.h"
#include "cli/train/choices.h"
#include "cli/train/native_settings.h"
#include "cli/train/stop_watch.h"
#include "trainer/machine/memory_plan.h"
#include "trainer/machine/probe.h"
#include "trainer/run/perflog.h"
#include "trainer/run/rundir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* What the trainer's callbacks share: they log, count and show what they are told. */
struct watch {
    struct cli *cli;
    const struct case_record *record;
    const struct native_place *place;
    struct native_outcome *outcome;
    const struct training *training;
    struct machine *machine; /* while it trains */
    struct choices choices;  /* of its algorithms */
    struct perflog log;      /* of the rank that has one */
    struct err *err;
    bool failed;
    int signals;             /* signalfd of what ends a run early */
    struct stop_watch early; /* before the first step */
    double began, init_seconds, train_seconds;
    double counted_seconds; /* of the steps behind the warm-up */
    size_t counted_tokens;
    long long samples;
    const char *precision;
    double nominal_parameters;
    int resumed;  /* step behind which this run goes on */
    double shown; /* when progress was last shown */
};

static int settled(struct watch *s, int rc)
{
    s->failed = s->failed || rc < 0;
    return s->failed;
}

static bool logs(const struct watch *s)
{
    return s->place->log != NULL;
}

static int log_head(struct watch *s, const struct training *t)
{
    if (!logs(s))
        return 0;
    struct buf libraries = BUF_INIT(BUF_DEFAULT_MAX);
    int rc = s->place->machine->libraries(&libraries, s->err);
    const struct perflog_head head = {.precision = t->precision,
                                      .device = s->place->machine->name,
                                      .libraries = libraries.data,
                                      .recompute = recompute_name(t->recompute),
                                      .ranks = s->place->ranks.world,
                                      .zero = t->zero,
                                      .sequence_length = t->sequence_length,
                                      .micro_batch = t->micro_batch,
                                      .gradient_accumulation = t->gradient_accumulation,
                                      .checkpoint_every = t->checkpoint_every,
                                      .seed = t->seed,
                                      .challenge = s->place->challenge};
    if (rc == 0)
        rc = perflog_head(&s->log, PERFLOG_HERE, &head, s->err);
    buf_release(&libraries);
    return rc;
}

static void wipe_progress(const struct watch *s)
{
    if (s->cli->progress && logs(s))
        fputs("\r\033[K", stderr);
}

/* What the device has to say that is no failure. */
static void pass_remarks(const struct watch *s)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    if (!s->machine->kind->remarks)
        return;
    s->machine->kind->remarks(s->machine->device, &text);
    for (char *line = text.data, *end; logs(s) && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        wipe_progress(s);
        cli_warn(s->cli, "%s", line);
    }
    buf_release(&text);
}

static const char *attention_text(const struct watch *s)
{
    const struct machine_kind *kind = s->machine->kind;
    const struct attention_shape shape = training_attention_shape(s->training);
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    if (!kind->attention)
        return NULL;
    kind->attention(s->machine->device, &shape, &text);
    return buf_text(&text, &s->cli->arena);
}

static int log_begin(struct watch *s, const struct train_start *start)
{
    const struct perflog_begin begin = {start->resumed, start->resumed_sha256,
                                        start->initial_sha256, attention_text(s)};
    if (!logs(s))
        return 0;
    training_files_room(s->cli, s->place->files, start->parameters);
    if (start->resumed)
        cli_note(s->cli, "continues after step %d of %lld", start->resumed, s->record->steps);
    if (begin.attention)
        cli_detail(s->cli, "attention by %s", begin.attention);
    if (start->initial_sha256)
        cli_detail(s->cli, "first weights %s", start->initial_sha256);
    return perflog_begun(&s->log, PERFLOG_HERE, &begin, s->err);
}

static int on_start(void *context, const struct train_start *start)
{
    struct watch *s = context;
    s->init_seconds = clock_seconds() - s->began;
    s->resumed = start->resumed;
    s->samples = (long long)start->sequences_per_step * start->resumed;
    s->outcome->unigram_entropy_nats = start->unigram_entropy_nats;
    s->outcome->data_sha256 = arena_strdup(&s->cli->arena, start->data_sha256);
    size_t bytes = start->weight_bytes + start->gradient_bytes + start->optimizer_bytes +
                   start->activation_bytes;
    if (logs(s))
        cli_detail(s->cli, "%s: %zu parameters, %zu tokens per step, data %.12s…, %.1f MiB",
                   start->device, start->parameters, start->tokens_per_step, start->data_sha256,
                   (double)bytes / 1048576);
    int rc = log_begin(s, start);
    if (rc == 0 && logs(s))
        rc = perflog_event(&s->log, PERFLOG_HERE, "TRAIN_START", s->err);
    return settled(s, rc);
}

/* Ten times a second is as fast as anybody reads; a line that has served is wiped out. */
static void show_progress(struct watch *s, const struct train_step *step)
{
    double now = clock_seconds(), left = (double)(s->record->steps - step->step);
    double seconds_left = s->train_seconds / (step->step - s->resumed) * left;
    if (!s->cli->progress || !logs(s) || now - s->shown < 0.1)
        return;
    s->shown = now;
    fprintf(stderr, "\rstep %d/%lld  loss %.4f  %.0f tokens/s  %d:%02d left \033[K", step->step,
            s->record->steps, step->loss, (double)step->tokens / step->seconds,
            (int)(seconds_left / 60), (int)fmod(seconds_left, 60));
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

/* The last step that throughput leaves out: a run that goes on warms up again. */
static long long warmup_of(const struct watch *s)
{
    return s->resumed + (s->record->report ? s->record->report->warmup_steps : 0);
}

static int log_step(struct watch *s, const struct train_step *step)
{
    const struct perflog_step line = {.precision = s->precision,
                                      .step = step->step,
                                      .loss = (float)step->loss,
                                      .grad_norm = (float)step->grad_norm,
                                      .learning_rate = step->lr,
                                      .samples = s->samples,
                                      .tokens_per_second = (double)step->tokens / step->seconds,
                                      .seconds = step->seconds,
                                      .ended = step->ended,
                                      .tokens = (long long)step->tokens,
                                      .sees = s->training->tower.layers > 0,
                                      .real_tokens = (long long)step->real_tokens,
                                      .targets = (long long)step->targets,
                                      .pictures = (long long)step->pictures,
                                      .attention_pairs = (long long)step->attention_pairs,
                                      .input_seconds = step->input_seconds,
                                      .loss_scale = step->loss_scale,
                                      .skipped = step->skipped};
    if (!logs(s))
        return 0;
    /* What a challenge is checked by, with all digits. */
    if (step->step == 1 && perflog_step_zero(&s->log, PERFLOG_HERE, step->loss, s->err) < 0)
        return -1;
    return perflog_step(&s->log, PERFLOG_HERE, &line, s->err);
}

/* Within a step. */
static int on_asked(void *context)
{
    struct watch *s = context;
    if (s->early.wake < 0 && !s->outcome->signal)
        s->outcome->signal = pending_signal(s);
    return s->outcome->signal != 0;
}

static int on_step(void *context, const struct train_step *step)
{
    struct watch *s = context;
    stop_watch_end(&s->early);
    s->train_seconds += step->seconds;
    s->samples += (long long)step->sequences;
    if (step->step > warmup_of(s)) {
        s->counted_seconds += step->seconds;
        s->counted_tokens += step->tokens;
    }
    s->outcome->steps = step->step;
    s->outcome->final_loss = step->loss;
    pass_remarks(s);
    show_progress(s, step);
    return settled(s, log_step(s, step)) ? 1 : on_asked(s);
}

/* Before anything is closed: a device may hang, and the others would never hear why. Who started us
 * may ask us to end when they do; that is no reason of ours. */
static void on_failed(void *context, const struct err *err)
{
    struct watch *s = context;
    stop_watch_end(&s->early);
    machine_fail(s->machine, err->text);
}

static int on_saving(void *context, const char *folder, struct err *err)
{
    struct watch *s = context;
    return choices_keep(&s->choices, folder, err);
}

static void on_saved(void *context, const struct train_saved *saved)
{
    struct watch *s = context;
    const struct perflog_saved line = {saved->step, (long long)saved->bytes, saved->seconds};
    s->outcome->checkpoint = saved->step;
    if (!logs(s))
        return;
    wipe_progress(s);
    cli_detail(s->cli, "%s: %.1f MiB in %.2f s", saved->path, (double)saved->bytes / 1048576,
               saved->seconds);
    settled(s, perflog_saved(&s->log, PERFLOG_HERE, &line, s->err));
}

static void on_end(void *context, const struct train_end *end)
{
    struct watch *s = context;
    s->outcome->weights_sha256 = arena_strdup(&s->cli->arena, end->weights_sha256);
    s->outcome->complete = end->steps == s->record->steps;
}

/* Where a start or an end takes long. */
static void on_reached(void *context, const char *what)
{
    struct watch *s = context;
    if (!logs(s))
        return;
    wipe_progress(s);
    cli_detail(s->cli, "%.1f s: %s", clock_seconds() - s->began, what);
}

static int write_end(struct watch *s)
{
    struct native_outcome *o = s->outcome;
    size_t tokens = s->counted_tokens;
    long long counted = o->steps - warmup_of(s);
    o->tokens_per_second = s->counted_seconds > 0 ? (double)tokens / s->counted_seconds : 0;
    o->step_seconds = counted > 0 ? s->counted_seconds / (double)counted : 0;
    const struct perflog_finish finish = {.seconds = clock_seconds() - s->began,
                                          .init_seconds = s->init_seconds,
                                          .train_seconds = s->train_seconds,
                                          .final_loss = (float)o->final_loss,
                                          .converged = o->complete,
                                          .steps = o->steps,
                                          .samples = s->samples,
                                          .tokens_per_second = o->tokens_per_second,
                                          .weights_sha256 = o->weights_sha256};
    if (!logs(s))
        return 0;
    if (perflog_event(&s->log, PERFLOG_HERE, "TRAIN_END", s->err) < 0 ||
        perflog_finished(&s->log, PERFLOG_HERE, &finish, s->err) < 0)
        return -1;
    /* One rank is one card here. */
    double per_card = o->tokens_per_second / s->place->ranks.world;
    o->mfu =
        native_mfu(s->cli, s->record, s->nominal_parameters, s->machine->device->name, per_card);
    return perflog_summary(&s->log, o->tokens_per_second, per_card, o->mfu, s->err);
}

/* Tell what will be taken, or refuse what does not fit. */
static int plan_memory(struct watch *s, const struct training *t, struct machine *m)
{
    struct memory_plan plan;
    char text[256];
    size_t left;
    if (memory_plan_make(&plan, t, m->ranks.rank, m->ranks.world, m->device, s->err) < 0 ||
        memory_plan_check(&plan, m->device, &left, s->err) < 0)
        return -1;
    memory_plan_text(&plan, text, sizeof text);
    if (logs(s))
        cli_note(s->cli, "memory%s: %s; %.1f GiB are free", m->ranks.world > 1 ? " of a rank" : "",
                 text, (double)left / (1 << 30));
    return 0;
}

/* By all ranks together; the one that has the run directory writes it down. */
static int measure_before_training(struct watch *s, struct machine *m)
{
    struct measured measured;
    struct arena *arena = &s->cli->arena;
    if (!s->place->measure)
        return 0;
    if (logs(s))
        cli_detail(s->cli, "measuring %s", m->device->name);
    if (probe_machine(m, NULL, arena, &measured, s->err) < 0)
        return -1;
    for (size_t i = 0; logs(s) && i < measured.n; i++)
        cli_detail(s->cli, "%s: %s", measure_name(&measured.items[i], arena),
                   measure_text(&measured.items[i], arena));
    return logs(s) ? rundir_add_measured(s->place->node, &measured, arena, s->err) : 0;
}

static int train_on(struct watch *s, const struct training *t, struct machine *m)
{
    const struct train_observer observer = {.context = s,
                                            .started = on_start,
                                            .asked = on_asked,
                                            .stepped = on_step,
                                            .failed = on_failed,
                                            .ended = on_end,
                                            .saving = on_saving,
                                            .saved = on_saved,
                                            .reached = on_reached};
    s->machine = m;
    int rc = measure_before_training(s, m) < 0 || plan_memory(s, t, m) < 0 ? -1 : 0;
    pass_remarks(s);
    if (rc == 0)
        rc = choices_open(&s->choices, m, s->err);
    if (rc == 0)
        rc = train_native(t, m->comm, &observer, s->err);
    if (rc == 0)
        rc = choices_keep(&s->choices, s->failed ? NULL : s->place->node, s->err);
    choices_close(&s->choices);
    wipe_progress(s);
    return s->failed ? -1 : rc;
}

/* Algorithms of an earlier run: those that --repeat names, else those of the checkpoint, without
 * which a training that goes on may round otherwise than one that was not stopped. */
static int find_choices(struct watch *s, const struct training *t, const char **choices)
{
    const struct native_place *at = s->place;
    const char *from = at->repeat ? at->repeat : t->resume;
    if (!from || !at->machine->choices)
        return 0;
    if (!at->repeat && !choices_are_in(from, &s->cli->arena)) {
        cli_warn(s->cli,
                 "rank %d: %s does not name the algorithms that were used, so the last digits of "
                 "the losses may differ from an uninterrupted run",
                 at->ranks.rank, from);
        return 0;
    }
    return choices_read(from, at->ranks.rank, &s->cli->arena, choices, s->err);
}

static int train_logged(struct watch *s, const struct training *t)
{
    const struct native_place *at = s->place;
    struct machine_wish wish = {.precision = precision_find(t->precision),
                                .ordinal = at->ordinal,
                                .lost = at->lost,
                                .context = at->context};
    struct machine m;
    if (log_head(s, t) < 0 || find_choices(s, t, &wish.choices) < 0) {
        machine_decline(&at->ranks, s->err->text);
        return -1;
    }
    if (machine_open(&m, at->machine, &at->ranks, &wish, s->err) < 0)
        return -1;
    int rc = train_on(s, t, &m);
    if (rc == 0)
        rc = write_end(s);
    machine_close(&m, rc < 0 ? s->err->text : NULL);
    return rc;
}

static int watch_log(struct watch *s, const struct training *t)
{
    struct err close_err = ERR_INIT;
    if (!logs(s))
        return train_logged(s, t);
    if (perflog_open(&s->log, s->place->log, 0, s->err) < 0) {
        machine_decline(&s->place->ranks, s->err->text);
        return -1;
    }
    int rc = train_logged(s, t);
    if (perflog_close(&s->log, &close_err) < 0 && rc == 0) {
        *s->err = close_err;
        rc = -1;
    }
    return rc;
}

int native_run(struct cli *cli, const struct case_record *c, const struct model *model,
               const struct native_place *place, struct native_outcome *outcome, struct err *err)
{
    sigset_t before;
    const struct native_files *f = place->files;
    struct training t = native_settings(c, model->shape, &cli->arena);
    t.initial_weights = f->initial_weights;
    t.initial_sha256 = f->initial_sha256;
    t.resume = f->resume;
    t.each_looked = f->each_looked;
    t.checkpoint_dir = f->checkpoint_dir;
    t.checkpoint_every = f->checkpoint_every;
    t.checkpoint_keep = f->checkpoint_keep;
    struct watch s = {.cli = cli,
                      .record = c,
                      .training = &t,
                      .precision = t.precision,
                      .nominal_parameters = model->nominal_parameters,
                      .place = place,
                      .outcome = outcome,
                      .err = err,
                      .began = clock_seconds()};
    *outcome = (struct native_outcome){.final_loss = NAN, .mfu = NAN};
    const sigset_t ours = stops_block(&before);
    s.signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    s.early = (struct stop_watch){
        .signals = s.signals, .wake = -1, .stopped = place->stopped, .context = place->context};
    int rc = s.signals < 0 ? err_errno(err, ERR_IO, "signalfd") : stop_watch_begin(&s.early, err);
    if (rc == 0)
        rc = watch_log(&s, &t);
    stop_watch_end(&s.early);
    if (s.signals >= 0) {
        pending_signal(&s); /* one that came too late to stop anything */
        close(s.signals);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}
