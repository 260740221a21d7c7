/*
 * log_printed: what Megatron prints of its arguments, of each print of them, and of its reports.
 *
 * log_banner.h keeps the first print of an argument; here a line is asked for one, in its block
 * ("name ....... 8"), in words ("using world size: 8") or as an option ("--seq-length 8").
 */
#pragma once

#include "base/lines/span.h"

enum printed {
    PRINTED_RANKS,
    PRINTED_DATA,
    PRINTED_TENSOR,
    PRINTED_PIPELINE,
    PRINTED_CONTEXT,
    PRINTED_GLOBAL_BATCH,
    PRINTED_MICRO_BATCH,
    PRINTED_LENGTH,
    PRINTED_LAYERS,
    PRINTED_HIDDEN,
    PRINTED_HEADS,
    PRINTED_STEPS,
    PRINTED_DECAY_STEPS,
    PRINTED_RATE,
    PRINTED_VALUES
};

/* Fields of a report. */
enum reported {
    REPORTED_STEP,
    REPORTED_MS,
    REPORTED_SAMPLES,
    REPORTED_BATCH,
    REPORTED_TFLOPS,
    REPORTED_SCALE,
    REPORTED_VALUES
};

/* As it is called in the block. */
const char *log_printed_name(enum printed x);

/* The number above 0 that the line gives this argument; false: it gives none. Lines of DeepSpeed
 * are none: its world is Megatron's data-parallel ranks. */
bool log_printed_argument(struct span line, enum printed x, double *value);

/* The fields of a report of one or more iterations, NaN where it has none; false: it is no report.
 */
bool log_printed_report(struct span line, double v[REPORTED_VALUES]);

/* "mock_data ..... True". */
bool log_says_mock_data(struct span line);

/* "FP8 training enabled (hybrid)": a sentence, no argument, and none that denies it. */
bool log_says_eight_bits(struct span line);
