/*
 * OLMo's console: a line with the step, and below it a line for each metric.
 *
 *   [2024-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=2/739328]
 *       train/CrossEntropyLoss=10.73
 *       throughput/device/tokens_per_second=45,538
 *       System/Peak GPU Memory (MB)=43,309
 *
 * A step is added with its loss. What is behind it says more about the step, and is kept as values:
 * rates are those of one device, of which the log does not say how many there are.
 */
#include "base/lines/pattern.h"
#include "verifier/logs/log_add.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_tail.h"

#include <math.h>
#include <stddef.h>

enum olmo_field { OLMO_STEP, OLMO_STEPS, OLMO_LOSS, OLMO_RATE, OLMO_MEMORY, OLMO_FIELDS };

static const struct pattern_name names[OLMO_FIELDS] = {
    {"step", PATTERN_NUMBER}, {"steps", PATTERN_NUMBER},  {"loss", PATTERN_NUMBER},
    {"rate", PATTERN_NUMBER}, {"memory", PATTERN_NUMBER},
};
static const struct pattern_names fields = {names, OLMO_FIELDS};

static const char *const lines[] = {
    "*[olmo.train:* [step={step}/{steps}]",
    "train/CrossEntropyLoss={loss:,}",
    "throughput/device/tokens_per_second={rate:,}",
    "System/Peak GPU Memory (MB)={memory:,}",
};

struct olmo_log {
    struct pattern_set *lines;
    double step, steps; /* whose metrics follow; NaN: none */
};

static void begin_olmo(struct log_reader *r)
{
    struct olmo_log *at = r->of_format;
    at->step = NAN;
}

static void add_step(struct log_reader *r, const struct olmo_log *at, double loss)
{
    struct log_point p = log_point_at(r, at->step);
    log_set(&p, offsetof(struct log_point, loss), loss);
    log_add_point(r, &p);
    log_tail_goal(r, NAN, at->steps);
}

/* Metrics count only below a step, so that no other program's line of such a name does. */
static bool read_olmo_line(struct log_reader *r, struct span s)
{
    struct olmo_log *at = r->of_format;
    struct pattern_found f;
    struct err err = ERR_INIT;
    if (isnan(at->step) && span_find(s, "[olmo.train:") == s.n)
        return false;
    if (!at->lines && pattern_set_new(lines, sizeof lines / sizeof *lines, &fields, r->arena,
                                      &at->lines, &err) < 0)
        return false;
    if (pattern_set_match(at->lines, s, 0, &f) == PATTERN_NONE)
        return false;
    if (f.has & 1u << OLMO_STEP) {
        at->step = pattern_number(&f, OLMO_STEP);
        at->steps = pattern_number(&f, OLMO_STEPS);
    } else if (f.has & 1u << OLMO_LOSS) {
        add_step(r, at, pattern_number(&f, OLMO_LOSS));
    } else if (f.has & 1u << OLMO_RATE) {
        log_add_value(r, SPAN("throughput/device/tokens_per_second"),
                      pattern_number(&f, OLMO_RATE));
    } else {
        log_add_value(r, SPAN("System/Peak GPU Memory (MB)"), pattern_number(&f, OLMO_MEMORY));
    }
    return true;
}

const struct log_format log_format_olmo = {
    .name = "olmo",
    .reads = "OLMo's console",
    .sample = "[2024-04-17 09:42:38] INFO     [olmo.train:816, rank=0] [step=2/739328]\n"
              "    train/CrossEntropyLoss=10.73",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct olmo_log),
    .begin = begin_olmo,
    .read = read_olmo_line,
};
