/* The stream of records that a worker sends: what is taken apart lies within it. */
#include "tests/fuzz/fuzz.h"

#include "base/process/worker_stream.h"

#include <stdlib.h>

static bool is_within(struct bytes part, const struct buf *stream)
{
    return !part.data || (part.data >= stream->data && part.len <= stream->len &&
                          part.data + part.len <= stream->data + stream->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct worker_end end = {.place = WORKER_NOWHERE};
    struct buf stream;
    buf_init(&stream, stream_max(WORKER_ANSWER_MAX));
    buf_add(&stream, (const char *)data, size);
    bool whole = stream_split(&stream, &end);
    if (!is_within(end.head, &stream) || !is_within(end.answer, &stream) ||
        (whole && !end.answer.data))
        abort();
    buf_release(&stream);
    return 0;
}
