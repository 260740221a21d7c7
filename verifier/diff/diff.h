/*
 * diff: a run beside its reference: the alignment rule, statistics, notices; as text and JSON.
 *
 * The verdict is the rule's alone (verifier/curves/align.h). Statistics
 * (verifier/curves/curve_stats.h) and notices are reported beside it and change nothing. A notice
 * says what was seen and where, how often honest runs show the same, on how many of them that was
 * measured, and never what it means:
 *
 *   not_finite   a loss of the run, or of the reference, is NaN or infinite
 *   skipped      steps that a log says were skipped
 *   zero         the reference is 0 at a step: left out of the mean
 *   steps        steps that only one side has, that repeat with another loss, or that fall
 *   plan         the parallel plans are not the same
 *   identical    DIFF_IDENTICAL and more equal losses, one after another, on machines whose
 *                fingerprints differ, or are not known; not where they say the same device
 *   times        DIFF_TIMES and more steps, one after another, took the same time, to the last of
 *                four digits and more
 *   spikes       the run's loss jumps up more often than the reference's
 * (verifier/curves/curve_stats.h) repeated     three and more equal neighbouring losses in the run
 *   order        first differences do not go together although the same data order is claimed
 *   copy         they do although another data order is claimed
 *   shifted      they do at another lag than 0
 *   smooth       the run follows a mean over reports of the reference DIFF_SMOOTH times closer than
 *                the reference does
 *   scaled       one factor, or one distance, from the reference at all steps
 *   noise        from DIFF_NOISE_REPORTS reports on: the deviation from a reference of the same
 *                data order is white noise of one size from the first step to the last
 *                (verifier/curves/curve_copy.h)
 *   clock        time stamps fall, or the steps take longer than the time between their stamps
 *   reading      a line that could not be read, or a log that is cut; in JSON only, at a terminal
 *                it is said where the file is read
 *
 * `identical` and `repeated` look at losses with at least six significant digits that no 16-bit
 * float holds; `order`, `copy` and `shifted` need DIFF_ORDER_PAIRS single steps. Over a few hundred
 * steps two honest runs of the same data order differ by white noise, too: of the pairs in
 * ../shared/corpus/curves more than half of some stretches of 200 reports do, and none of 2000.
 * tests/cli/verify/copies.sh measures what is found and what is cried.
 */
#pragma once

#include "base/arena.h"
#include "verifier/curves/curve_copy.h"
#include "verifier/curves/curve_stats.h"
#include "verifier/diff/side.h"

#define DIFF_IDENTICAL 5
#define DIFF_TIMES 5 /* equal times of steps, one after another */
#define DIFF_REPEATED 3
#define DIFF_READING "reading"
#define DIFF_ORDER_PAIRS 200
#define DIFF_ORDER_CORRELATION 0.5
#define DIFF_SHIFT_CORRELATION 0.95
#define DIFF_SMOOTH 10
#define DIFF_SMOOTH_REPORTS 100
#define DIFF_SCALED 20 /* the factor's distance from 1 in spreads of it */
#define DIFF_NOISE_REPORTS 2000
#define DIFF_NOISE_LAG1 0.1 /* largest, of either sign; the others: largest */
#define DIFF_NOISE_KURTOSIS 3.3
#define DIFF_NOISE_BLOCKS 1.5
#define DIFF_NOISE_GROWTH 1.12
#define DIFF_NOISE_CORRELATION 0.9

/* What is claimed about the data order of both; UNKNOWN: what their cases say, if they do. */
enum diff_order { DIFF_ORDER_UNKNOWN, DIFF_ORDER_SAME, DIFF_ORDER_OTHER };

struct diff_notice {
    const char *kind, *message;
    const char *false_alarms;  /* rate among honest runs, how measured; NULL: a plain fact */
    double from_step, to_step; /* NaN: not about certain steps */
    const char *file;          /* where to look; NULL */
    int line;                  /* 0: not known */
};

struct diff {
    const struct diff_side *run, *reference; /* borrowed */
    struct align_rule rule;
    enum diff_order order;
    struct alignment alignment;
    size_t not_finite; /* losses of both that are NaN or infinite, at any step */
    struct curve_stats stats;
    struct curve_copy copy;
    struct diff_notice *notices;
    size_t n_notices;
    size_t comparisons; /* kinds with a false-alarm rate whose conditions held */
};

void diff_make(const struct diff_side *run, const struct diff_side *reference,
               struct align_rule rule, enum diff_order order, struct arena *arena,
               struct diff *out);

/* notices.c: what is odd about the two, which is said beside the outcome. */
void diff_look(struct diff *d, struct arena *arena);

/* For a terminal of 80 columns. */
void diff_text(const struct diff *d, struct buf *out);

/* One document, schema fpreport.diff/1. Figures that do not exist are null; `aligned` is null
 * when there is no common step. */
void diff_json(const struct diff *d, struct buf *out);
