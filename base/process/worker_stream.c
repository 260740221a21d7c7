#include "base/process/worker_stream.h"

#include <string.h>

#define PLACES_MAX 4096 /* that one worker may name */

static const struct {
    uint32_t max;
    bool once;
} records[] = {
    [RECORD_HEAD] = {sizeof(uint32_t) + WORKER_HEAD_MAX, true},
    [RECORD_AT] = {sizeof(uint64_t), false},
    [RECORD_ANSWER] = {WORKER_ANSWER_MAX, true},
    [RECORD_END] = {0, true},
};

size_t stream_max(size_t answer_max)
{
    return WORKER_HEAD_MAX + answer_max + PLACES_MAX * (sizeof(struct record_head) + 8) +
           9 * sizeof(struct record_head);
}

struct bytes stream_first(const struct buf *stream, enum record_kind kind)
{
    struct record_head head;
    size_t left = stream->len < sizeof head ? 0 : stream->len - sizeof head;
    if (stream->len < sizeof head)
        return (struct bytes){NULL, 0};
    memcpy(&head, stream->data, sizeof head);
    if (head.kind != (uint32_t)kind)
        return (struct bytes){NULL, 0};
    return (struct bytes){stream->data + sizeof head, head.len < left ? head.len : left};
}

uint32_t stream_cpu_seconds(const struct buf *stream)
{
    uint32_t seconds = 0;
    struct bytes head = stream_first(stream, RECORD_HEAD);
    if (head.len >= sizeof seconds)
        memcpy(&seconds, head.data, sizeof seconds);
    return seconds;
}

bool stream_split(const struct buf *stream, struct worker_end *end)
{
    uint32_t last = RECORD_HEAD;
    bool ended = false, began = false;
    size_t at = 0, places = 0;
    while (at < stream->len && !ended) {
        struct record_head head;
        if (stream->len - at < sizeof head)
            return false;
        memcpy(&head, stream->data + at, sizeof head);
        at += sizeof head;
        if (head.kind >= RECORD_REFUSED || head.kind < last ||
            (!began && head.kind != RECORD_HEAD) ||
            (began && head.kind == last && records[last].once) ||
            head.len > records[head.kind].max || head.len > stream->len - at)
            return false;
        const struct bytes body = {stream->data + at, head.len};
        uint64_t place = 0;
        if (head.kind == RECORD_HEAD && body.len < sizeof(uint32_t))
            return false;
        if (head.kind == RECORD_HEAD)
            end->head = (struct bytes){body.data + sizeof(uint32_t), body.len - sizeof(uint32_t)};
        if (head.kind == RECORD_ANSWER)
            end->answer = body;
        if (head.kind == RECORD_AT) {
            if (head.len != sizeof place || ++places > PLACES_MAX)
                return false;
            memcpy(&place, body.data, sizeof place);
            end->place = (size_t)place;
        }
        ended = head.kind == RECORD_END;
        began = true;
        last = head.kind;
        at += head.len;
    }
    return ended && at == stream->len && end->answer.data;
}

const char *worker_why(const struct worker_end *end)
{
    return end->outcome == WORKER_ANSWERED ? "the worker process returned an impossible value"
                                           : end->why;
}

int worker_fault(const struct worker_end *end, const char *path, struct err *err)
{
    return err_set(err, end->outcome == WORKER_MACHINE ? ERR_IO : ERR_INPUT, "%s: %s", path,
                   worker_why(end));
}
