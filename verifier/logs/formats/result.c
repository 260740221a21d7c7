/*
 * What the benchmarks of chips and operators print at their end, each line behind a mark:
 *
 *   [FlagPerf Result]Rank 0's computation-BF16=259.2TFLOPS
 *   [FlagPerf Result]FLOPS utilization: cputime=1.25%, kerneltime=3.5%
 *   [FlagPerf Result]cputime=7413.27 us, throughput=134.89 op/s, equals to 0.07 TFLOPS
 *   [FlagPerf Result]First time latency: no warmup=123.4 us, warmup=5.6 us
 *
 * Each number is kept under the words of its line: what stands in front of a colon, or else the
 * first name of the line; then its own name; then its unit in brackets, as
 * "cputime throughput (op/s)".
 */
#include "verifier/logs/log_format.h"

#include <stdio.h>

#define KEY_MAX 160

/* "computation-BF16=259.2TFLOPS", or "equals to 0.07 TFLOPS": the name ends where the number
 * begins. */
static bool split_item(struct span item, struct span *name, double *value, struct span *unit)
{
    static const struct span equals = {"equals to ", 10};
    struct span rest = item;
    if (span_starts(item, equals.p)) {
        *name = span_trim((struct span){item.p, equals.n});
        rest = span_from(item, equals.n);
    } else {
        *name = span_trim(span_cut(&rest, '='));
    }
    size_t n = span_number(rest, value);
    *unit = span_trim(span_from(rest, n));
    return n > 0 && name->n > 0 && name->n < KEY_MAX / 4 && unit->n < KEY_MAX / 8;
}

static bool read_result_line(struct log_reader *r, struct span s)
{
    static const char mark[] = "[FlagPerf Result]";
    if (!span_starts(s, mark))
        return false;
    s = span_from(s, sizeof mark - 1);
    struct span about = {s.p, 0}, rest = s;
    size_t colon = span_find(s, ": "), equals = span_find(s, "=");
    if (colon < equals && colon < KEY_MAX / 2) {
        about = (struct span){s.p, colon};
        rest = span_from(s, colon + 1);
    }
    while (rest.n) {
        struct span item = span_trim(span_cut(&rest, ',')), name, unit;
        double value;
        if (!split_item(item, &name, &value, &unit))
            continue;
        char key[KEY_MAX];
        bool same = about.n == name.n && memcmp(about.p, name.p, name.n) == 0;
        snprintf(key, sizeof key, "%.*s%s%.*s%s%.*s%s", same ? 0 : (int)about.n, about.p,
                 about.n && !same ? " " : "", (int)name.n, name.p, unit.n ? " (" : "", (int)unit.n,
                 unit.p, unit.n ? ")" : "");
        log_add_value(r, span_of(key), value);
        about = about.n ? about : name;
    }
    return true;
}

const struct log_format log_format_result = {
    .name = "result",
    .reads = "FlagPerf's benchmarks of chips and operators",
    .sample = "[FlagPerf Result]Rank 0's computation-BF16=259.2TFLOPS",
    .first = "[",
    .marks = LOG_MARK_BRACKET,
    .read = read_result_line,
};
