/* TensorBoard's event files: bytes as they are, and as the contents of a record whose checksums are
 * right; read in pieces they give the same lines. */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/event_record.h"

#include "verifier/logs/event_file.h"

#include <stdlib.h>
#include <string.h>

static void append_line(void *context, struct span line, int record)
{
    struct buf *lines = context;
    buf_add(lines, line.p, line.n);
    buf_printf(lines, " %d\n", record);
}

static void read_events(const struct buf *file, size_t piece, struct buf *lines)
{
    struct event_file e;
    buf_init(lines, BUF_DEFAULT_MAX);
    event_file_open(&e, append_line, lines);
    for (size_t at = 0; at < file->len; at += piece)
        event_file_feed(&e, file->data + at, file->len - at < piece ? file->len - at : piece);
    event_file_close(&e);
}

static void compare_pieces(const struct buf *file)
{
    struct buf whole, pieces;
    read_events(file, file->len + 1, &whole);
    read_events(file, 5, &pieces);
    if (whole.len != pieces.len || (whole.len && memcmp(whole.data, pieces.data, whole.len) != 0))
        abort();
    buf_release(&whole);
    buf_release(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf file;
    buf_init(&file, BUF_DEFAULT_MAX);
    buf_add(&file, (const char *)data, size);
    compare_pieces(&file);
    buf_clear(&file);
    event_record(&file, (const char *)data, size);
    event_record(&file, (const char *)data, size / 2);
    compare_pieces(&file);
    buf_release(&file);
    return 0;
}
