/*
 * What the case scripts print at the end, one `name: value` per line (two blanks when Python's
 * print was given two arguments):
 *
 *   System tokens per second:  29589.6
 *   avg_iter_time(s): 0.25
 *   Tokens/p/s:  3698.7
 *   MFU:  0.5690307692307693          (a ratio)
 *   MMMU : 0.359
 *
 * A line counts only when the name begins it and the number ends it. Behind a heading of
 * llava.c a value is also kept under "<heading>: <name>". The LoRA case prints its tokens per
 * step as "System tokens per second", with the seconds of a step in the next line: behind such a
 * pair it is also kept as "tokens per step".
 */
#include "verifier/logs/log_format.h"

#include <stdio.h>

#define KEY_MAX 80 /* longer than any heading and name of the tables */

static const struct log_name names[] = {
    LOG_NAME("System tokens per second"),
    LOG_NAME("Tokens/p/s"),
    LOG_NAME("Throughput(token per chip per second)"),
    LOG_NAME("MFU"),
    LOG_NAME("Theory TFLOPS"),
    LOG_NAME("Tokens/TFLOPS"),
    LOG_NAME("MMMU"),
    LOG_NAME("avg_iter_time(s)"),
    LOG_NAME("Actual computing power"),
};

static bool starts(struct span s, struct log_name name)
{
    return s.n > name.n && s.p[0] == name.text[0] && memcmp(s.p, name.text, name.n) == 0;
}

/* ":  29589.6" and nothing behind it. */
static bool read_summary_value(struct span rest, double *value)
{
    rest = span_trim(rest);
    if (!span_starts(rest, ":"))
        return false;
    rest = span_trim(span_from(rest, 1));
    return rest.n && span_number(rest, value) == rest.n;
}

static bool read_summary_line(struct log_reader *r, struct span s)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double value;
        if (!starts(s, names[i]) || !read_summary_value(span_from(s, names[i].n), &value))
            continue;
        const char *name = names[i].text;
        log_add_value(r, span_of(name), value);
        if (r->heading) {
            char key[KEY_MAX];
            snprintf(key, sizeof key, "%s: %s", r->heading, name);
            log_add_value(r, span_of(key), value);
        }
        const struct log_value *tokens = log_get(r->log, "System tokens per second");
        if (strcmp(name, "avg_iter_time(s)") == 0 && tokens && tokens->line == r->line - 1)
            log_add_value(r, SPAN("tokens per step"), tokens->value);
        return true;
    }
    return false;
}

const struct log_format log_format_summary = {
    .name = "summary",
    .reads = "the final figures of FlagPerf's cases",
    .sample = "Tokens/p/s:  3698.7",
    .first = "STMAa",
    .read = read_summary_line,
};
