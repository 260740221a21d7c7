/*
 * What the case scripts print at the end, one `name: value` per line (two blanks when Python's
 * print was given two arguments):
 *
 *   System tokens per second:  29589.6
 *   Tokens/p/s:  3698.7
 *   MFU:  0.5690307692307693          (a ratio)
 *   MMMU : 0.359
 *
 * A line counts only when the name begins it and the number ends it.
 */
#include "verifier/log_formats.h"

static const char *const names[] = {
    "System tokens per second",
    "Tokens/p/s",
    "MFU",
    "Theory TFLOPS",
    "Tokens/TFLOPS",
    "MMMU",
    "avg_iter_time(s)",
    "pretrain time is",
    "finetune time is",
    "tokens_pretrain is",
    "tokens_finetune is",
};

bool log_summary(struct log_reader *r, struct span s)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double value;
        if (!span_starts(s, names[i]))
            continue;
        struct span name = span_of(names[i]), rest = span_trim(span_from(s, name.n));
        if (span_starts(rest, ":"))
            rest = span_trim(span_from(rest, 1));
        size_t n = span_number(rest, &value);
        if (n == 0 || n != rest.n)
            continue;
        log_add_value(r, name, value);
        return true;
    }
    return false;
}
