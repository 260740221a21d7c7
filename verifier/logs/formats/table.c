/* The formats of logs, in the order in which a line is offered to them
 * (verifier/logs/log_format.h). A format is one file, which exports `const struct log_format
 * log_format_NAME`, and one line here: docs/CONTRIBUTING.md. What is read by a pattern alone is a
 * row of pattern_rows.c. */
#include "verifier/logs/log_format.h"

#define FORMATS(X)    \
    X(perflog)        \
    X(megatron)       \
    X(deepspeed)      \
    X(curve)          \
    X(huggingface)    \
    X(llama_recipes)  \
    X(llava)          \
    X(paddle)         \
    X(blocks)         \
    X(epochs)         \
    X(train_metrics)  \
    X(gold)           \
    X(modded_nanogpt) \
    X(summary)        \
    X(result)         \
    X(target)         \
    X(trainer_state)  \
    X(mllog)          \
    X(words)          \
    X(patterns)

#define DECLARED(name) extern const struct log_format log_format_##name;
#define LISTED(name) &log_format_##name,

FORMATS(DECLARED)

const struct log_format *const log_formats[] = {FORMATS(LISTED) NULL};

_Static_assert(sizeof log_formats / sizeof *log_formats <= LOG_FORMATS_MAX + 1,
               "more formats than LOG_FORMATS_MAX");
