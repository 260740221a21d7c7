/*
 * worker_stream: what a worker (worker.h) says, as records of a kind, a length and bytes.
 *
 * They come in the order of their kinds; only places repeat. The head is sent from within the
 * sandbox, before anything is looked at: who sent one has entered it. It begins with the seconds of
 * the processor that the worker has. RECORD_REFUSED stands alone.
 *
 * Who reads a stream believes nothing of it: what is taken apart lies within it.
 */
#pragma once

#include "base/process/worker.h"

#include <stdint.h>

enum record_kind {
    RECORD_HEAD,
    RECORD_AT,
    RECORD_ANSWER,
    RECORD_END,
    RECORD_REFUSED, /* why the sandbox could not be entered */
};

struct record_head {
    uint32_t kind, len;
};

/* Bytes of all records of a worker that may answer so much. */
size_t stream_max(size_t answer_max);

/* The first record, as far as it has come; {NULL, 0} when it is of another kind. */
struct bytes stream_first(const struct buf *stream, enum record_kind kind);

/* Seconds of the processor that it has; 0: it has not entered the sandbox. */
uint32_t stream_cpu_seconds(const struct buf *stream);

/* All records, in order, into head, place and answer; false: it is not such a stream. */
bool stream_split(const struct buf *stream, struct worker_end *end);
