/*
 * Records of MLPerf logs, read as a training log (verifier/mlperf/log/mllog.h has the form).
 *
 *   :::MLLOG {"time_ms": 1634114598660, "key": "train_loss", "value": 0.44, "metadata":
 * {"step_num": 10}}
 *   :::MLLOG {"time_ms": 1634114599000, "key": "eval_accuracy", "value": 0.93, "metadata":
 * {"samples_count": 1536}}
 *
 * The curve is that of the evaluations, over the samples or epochs that their metadata counts; of a
 * log without evaluations that of its training losses, over steps. A record that is no JSON object,
 * or longer than RECORD_MAX, gives no point.
 */
#include "verifier/logs/log_format.h"
#include "verifier/mlperf/log/json_walk.h"
#include "verifier/mlperf/log/value.h"

#define TOKEN ":::MLLOG "
#define TOKEN_N (sizeof TOKEN - 1)
#define RECORD_MAX 4096
#define LOSSES_MAX (1 << 16)

struct mllog_log {
    struct log_point *losses; /* while there is no evaluation */
    size_t n_losses;
    bool evaluated;
};

/* What stands behind the last mark of the segment; n 0: there is none. */
static struct span behind_mark(struct span s)
{
    struct span found = {"", 0};
    const char *at, *end = s.p + s.n;
    for (at = s.p; (at = memmem(at, (size_t)(end - at), TOKEN, TOKEN_N)) != NULL; at += TOKEN_N)
        found = (struct span){at + TOKEN_N, (size_t)(end - at) - TOKEN_N};
    return found;
}

static double number_of_member(struct span object, const char *name)
{
    struct mllog_value v = mllog_member(object, name);
    double x;
    return mllog_read_number(&v, &x) ? x : NAN;
}

/* How far the training is, by the first of these that is there. */
static double progress_of_metadata(struct span metadata)
{
    static const char *const names[] = {"samples_count", "step_num", "step", "epoch_num",
                                        "first_epoch_num"};
    double at = NAN;
    for (size_t i = 0; i < sizeof names / sizeof *names && isnan(at); i++)
        at = number_of_member(metadata, names[i]);
    return at;
}

static void take_mllog_point(struct log_reader *r, struct span record, bool evaluation)
{
    struct mllog_log *at = r->of_format;
    struct span metadata = mllog_member(record, "metadata").json;
    struct log_point p = log_point_at(r, progress_of_metadata(metadata));
    double value = number_of_member(record, "value");
    if (!isfinite(p.step) || isnan(value))
        return;
    log_set(&p, offsetof(struct log_point, loss), value);
    p.clock_ms = number_of_member(record, "time_ms");
    if (evaluation) {
        p.samples = number_of_member(metadata, "samples_count");
        log_add_point(r, &p);
        at->evaluated = true;
    } else if (at->n_losses < LOSSES_MAX)
        *(struct log_point *)ARENA_PUSH(r->arena, at->losses, at->n_losses) = p;
}

static bool read_mllog_record(struct log_reader *r, struct span s)
{
    char text[RECORD_MAX + 1];
    struct span json = span_trim(behind_mark(s));
    if (!json.n)
        return false;
    if (json.n > RECORD_MAX)
        return true;
    memcpy(text, json.p, json.n);
    text[json.n] = '\0';
    const char *end =
        *text == '{' ? json_walk_value(text, text + json.n, JSON_WALK_DEPTH_MAX) : NULL;
    if (!end || *end)
        return true;
    struct span record = {text, json.n};
    struct mllog_value key = mllog_member(record, "key");
    if (key.kind != MLLOG_TEXT)
        return true;
    if (mllog_text_is(key.json, "eval_accuracy"))
        take_mllog_point(r, record, true);
    else if (mllog_text_is(key.json, "train_loss"))
        take_mllog_point(r, record, false);
    else if (mllog_text_is(key.json, "global_batch_size"))
        log_add_value(r, SPAN("global_batch_size"), number_of_member(record, "value"));
    return true;
}

static void end_mllog(struct log_reader *r)
{
    const struct mllog_log *at = r->of_format;
    for (size_t i = 0; i < at->n_losses && !at->evaluated; i++) {
        log_add_point(r, &at->losses[i]);
        r->log->format = "mllog";
    }
}

const struct log_format log_format_mllog = {
    .name = "mllog",
    .reads = "records of MLPerf logs",
    .sample = ":::MLLOG {\"time_ms\": 1634114598660, \"key\": \"eval_accuracy\", \"value\": 0.93, "
              "\"metadata\": {\"samples_count\": 1536}}",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct mllog_log),
    .read = read_mllog_record,
    .end = end_mllog,
};
