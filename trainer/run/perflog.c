#include "trainer/run/perflog.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/json/json.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 65536

int perflog_open(struct perflog *log, const char *path, int rank, struct err *err)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", path);
    *log = (struct perflog){.fd = fd, .path = path, .rank = rank};
    buf_init(&log->line, LINE_MAX_BYTES);
    return 0;
}

int perflog_close(struct perflog *log, struct err *err)
{
    int rc = 0;
    if (fsync(log->fd) < 0)
        rc = err_errno(err, ERR_IO, "%s: cannot sync", log->path);
    if (close(log->fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s: cannot close", log->path);
    log->fd = -1;
    buf_release(&log->line);
    return rc;
}

/* Python's names for what JSON cannot say. */
static void put_event_number(struct json_writer *w, const char *key, bool is_single, double value)
{
    char text[40];
    if (isnan(value))
        snprintf(text, sizeof text, "NaN");
    else if (isinf(value))
        snprintf(text, sizeof text, value > 0 ? "Infinity" : "-Infinity");
    else if (is_single)
        snprintf(text, sizeof text, "%.9g", value);
    else
        json_number_format(text, value);
    json_number_text(w, key, text);
}

static void single(struct json_writer *w, const char *key, float value)
{
    put_event_number(w, key, true, value);
}

static void real(struct json_writer *w, const char *key, double value)
{
    put_event_number(w, key, false, value);
}

static void begin(struct perflog *log, struct json_writer *w, const char *event)
{
    buf_clear(&log->line);
    buf_str(&log->line, "[PerfLog] ");
    json_writer_init(w, &log->line);
    json_begin_object_flat(w, NULL);
    json_string(w, "event", event);
}

static double unix_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Unix time of a moment by clock_seconds(). Both clocks are read at one moment, or again: a process
 * may have to wait between two readings. */
static double unix_time_of(double moment)
{
    double before, between, after;
    int tries = 20;
    do {
        before = unix_seconds();
        between = clock_seconds();
        after = unix_seconds();
    } while (after - before > 1e-4 && --tries > 0);
    return (before + after) / 2 - (between - moment);
}

/* The event happened at this Unix time. */
static int end_at(struct perflog *log, struct json_writer *w, struct perflog_place at,
                  double seconds, struct err *err)
{
    json_begin_object_flat(w, "metadata");
    json_string(w, "file", at.file);
    json_integer(w, "lineno", at.line);
    json_integer(w, "time_ms", (long long)(seconds * 1000));
    json_integer(w, "rank", log->rank);
    json_end_object(w);
    json_end_object(w);
    json_finish(w);
    if (buf_check(&log->line, log->path, err) < 0)
        return -1;
    return file_write_all(log->fd, log->line.data, log->line.len, log->path, err);
}

/* It happens now. */
static int end_event(struct perflog *log, struct json_writer *w, struct perflog_place at,
                     struct err *err)
{
    return end_at(log, w, at, unix_seconds(), err);
}

int perflog_event(struct perflog *log, struct perflog_place at, const char *event, struct err *err)
{
    struct json_writer w;
    begin(log, &w, event);
    return end_event(log, &w, at, err);
}

int perflog_head(struct perflog *log, struct perflog_place at, const struct perflog_head *head,
                 struct err *err)
{
    struct json_writer w;
    begin(log, &w, "INIT_START");
    json_begin_object_flat(&w, "value");
    json_string_if(&w, "precision", head->precision);
    json_string_if(&w, "device", head->device);
    json_string_if(&w, "libraries", head->libraries);
    json_string_if(&w, "recompute", head->recompute);
    json_integer(&w, "ranks", head->ranks);
    json_integer(&w, "zero", head->zero);
    json_integer(&w, "sequence_length", head->sequence_length);
    json_integer(&w, "micro_batch", head->micro_batch);
    json_integer(&w, "gradient_accumulation", head->gradient_accumulation);
    if (head->checkpoint_every)
        json_integer(&w, "checkpoint_every", head->checkpoint_every);
    json_integer(&w, "seed", (long long)head->seed);
    json_string_if(&w, "challenge", head->challenge);
    json_end_object(&w);
    return end_event(log, &w, at, err);
}

int perflog_begun(struct perflog *log, struct perflog_place at, const struct perflog_begin *b,
                  struct err *err)
{
    struct json_writer w;
    if (!b->resumed_step && !b->initial_sha256 && !b->attention)
        return perflog_event(log, at, "INIT_END", err);
    begin(log, &w, "INIT_END");
    json_begin_object_flat(&w, "value");
    if (b->resumed_step)
        json_integer(&w, "resumed_step", b->resumed_step);
    json_string_if(&w, "resumed_weights_sha256", b->resumed_sha256);
    json_string_if(&w, "initial_weights_sha256", b->initial_sha256);
    json_string_if(&w, "attention", b->attention);
    json_end_object(&w);
    return end_event(log, &w, at, err);
}

int perflog_saved(struct perflog *log, struct perflog_place at, const struct perflog_saved *saved,
                  struct err *err)
{
    struct json_writer w;
    begin(log, &w, "CHECKPOINT_SAVED");
    json_begin_object_flat(&w, "value");
    json_integer(&w, "global_steps", saved->step);
    json_integer(&w, "bytes", saved->bytes);
    real(&w, "seconds", saved->seconds);
    json_end_object(&w);
    return end_event(log, &w, at, err);
}

int perflog_step_zero(struct perflog *log, struct perflog_place at, double loss, struct err *err)
{
    struct json_writer w;
    begin(log, &w, "STEP_ZERO");
    json_begin_object_flat(&w, "value");
    real(&w, "loss", loss);
    json_integer(&w, "global_steps", 0);
    json_end_object(&w);
    return end_event(log, &w, at, err);
}

int perflog_step(struct perflog *log, struct perflog_place at, const struct perflog_step *step,
                 struct err *err)
{
    struct json_writer w;
    begin(log, &w, "STEP_END");
    json_begin_object_flat(&w, "value");
    single(&w, "loss", step->loss);
    single(&w, "grad_norm", step->grad_norm);
    real(&w, "learning_rate", step->learning_rate);
    json_integer(&w, "global_steps", step->step);
    json_integer(&w, "num_trained_samples", step->samples);
    real(&w, "tokens/s", step->tokens_per_second);
    real(&w, "step_time_s", step->seconds);
    json_integer(&w, "tokens", step->tokens);
    if (step->sees) {
        json_integer(&w, "real_tokens", step->real_tokens);
        json_integer(&w, "targets", step->targets);
        json_integer(&w, "pictures", step->pictures);
        json_integer(&w, "attention_pairs", step->attention_pairs);
    }
    real(&w, "input_wait_s", step->input_seconds);
    real(&w, "loss_scale", step->loss_scale);
    json_bool(&w, "skipped", step->skipped);
    json_string_if(&w, "precision", step->precision);
    json_end_object(&w);
    return end_at(log, &w, at, unix_time_of(step->ended), err);
}

int perflog_finished(struct perflog *log, struct perflog_place at,
                     const struct perflog_finish *finish, struct err *err)
{
    struct json_writer w;
    begin(log, &w, "FINISHED");
    json_begin_object_flat(&w, "value");
    real(&w, "e2e_time", finish->seconds);
    real(&w, "training_tokens_per_second", finish->tokens_per_second);
    json_bool(&w, "converged", finish->converged);
    single(&w, "final_loss", finish->final_loss);
    json_integer(&w, "global_steps", finish->steps);
    json_integer(&w, "num_trained_samples", finish->samples);
    real(&w, "pure_training_computing_time", finish->train_seconds);
    real(&w, "init_time", finish->init_seconds);
    json_string_if(&w, "weights_sha256", finish->weights_sha256);
    json_end_object(&w);
    return end_event(log, &w, at, err);
}

static void summary_line(struct buf *line, const char *name, double value)
{
    char text[40];
    json_number_format(text, value);
    buf_printf(line, "%s:  %s\n", name, text);
}

int perflog_summary(struct perflog *log, double tokens_per_second, double per_card, double mfu,
                    struct err *err)
{
    buf_clear(&log->line);
    summary_line(&log->line, "System tokens per second", tokens_per_second);
    summary_line(&log->line, "Tokens/p/s", per_card);
    if (!isnan(mfu))
        summary_line(&log->line, "MFU", mfu);
    return file_write_all(log->fd, log->line.data, log->line.len, log->path, err);
}
