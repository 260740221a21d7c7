/*
 * DeepSpeed cases. The script's own line, and the library's timer (older ones say SamplesPerSec):
 *
 *   Step 10/3050, Loss: 5.140625
 *   [2024-07-17 19:53:24,981] [INFO] [timer.py:258:stop] epoch=0/micro_step=4500/
 *   global_step=4500, RunningAvgSamplesPerSec=16.12, CurrSamplesPerSec=16.80,
 *   MemAllocated=22.81GB, MaxMemAllocated=60.97GB
 *
 * Every node's first rank prints its own step line; the curve keeps one per step. Samples per
 * second are those of all cards together.
 */
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"
#include "verifier/logs/log_say.h"

static bool read_step_line(struct log_reader *r, struct span s)
{
    double step, of, loss;
    struct span rest = span_from(s, sizeof "Step " - 1);
    size_t n = span_number(rest, &step);
    rest = span_from(rest, n);
    if (!n || !span_starts(rest, "/"))
        return false;
    rest = span_from(rest, 1);
    n = span_number(rest, &of);
    rest = span_from(rest, n);
    if (!n || (!span_starts(rest, ", Loss") && !span_after(rest, "Loss", &rest)))
        return false;
    rest = span_starts(rest, ", Loss") ? span_from(rest, sizeof ", Loss" - 1) : rest;
    rest = span_trim(rest); /* "Loss: 5.1" and, in older scripts, "Loss : 6.98" */
    if (!span_starts(rest, ":"))
        return false;
    rest = span_from(rest, 1);
    if (!span_number(rest, &loss)) {
        if (!log_says_no_number(rest))
            return false;
        loss = NAN;
    }
    struct log_point p = log_point_at(r, step);
    log_set(&p, offsetof(struct log_point, loss), loss);
    log_add_point(r, &p);
    log_tail_goal(r, NAN, of);
    return true;
}

static const char *const timers[] = {"RunningAvgSamplesPerSec", "CurrSamplesPerSec",
                                     "SamplesPerSec"};

static bool read_timer(struct log_reader *r, struct span s)
{
    bool known = false;
    for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++) {
        struct span rest;
        double value;
        /* "SamplesPerSec" also ends the other two names. */
        if ((i == 2 && known) || !span_after(s, timers[i], &rest) || !span_starts(rest, "="))
            continue;
        if (!span_number(span_from(rest, 1), &value))
            continue;
        log_add_value(r, span_of(timers[i]), value);
        known = true;
    }
    struct span held;
    double gib;
    if (known && span_after(s, "MaxMemAllocated=", &held) && span_number(held, &gib))
        log_add_value(r, SPAN("MaxMemAllocated (GB)"), gib);
    return known;
}

static bool read_deepspeed_line(struct log_reader *r, struct span s)
{
    if (span_starts(s, "Step "))
        return read_step_line(r, s);
    if (span_starts(s, "Train Step "))
        return read_step_line(r, span_from(s, sizeof "Train " - 1));
    return span_find(s, "SamplesPerSec=") < s.n && read_timer(r, s);
}

const struct log_format log_format_deepspeed = {
    .name = "deepspeed",
    .reads = "FlagPerf's DeepSpeed cases, DeepSpeed's throughput timer",
    .sample = "Step 10/3050, Loss: 5.140625",
    .steps = true,
    .read = read_deepspeed_line,
};
