/* A zip or tar.gz that somebody handed in, and where it is neither, the tar in one. What is sealed
 * of it opens whole. */
#include "tests/fuzz/fuzz.h"

#include "collector/submission/received.h"

#include <stdlib.h>

static void open_sealed(struct bytes packed, struct arena *arena)
{
    struct submission submission;
    struct diags diags;
    diags_init(&diags, arena);
    if (submission_open_bytes(packed, "a.tar.zst", arena, &submission, &diags) < 0 ||
        !submission.intact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct received in = {.bytes = {(const char *)data, size}, .path = "a.zip", .sha256 = "0"};
    struct received_run run;
    struct archive_contents contents;
    struct err err = ERR_INIT;
    struct diags diags;
    struct buf packed;
    diags_init(&diags, &arena);
    buf_init(&packed, BUF_DEFAULT_MAX);
    in.form = received_by_content(in.bytes);
    if (!in.form)
        archive_untar(in.bytes, in.path, SUBMISSION_TOTAL_MAX, &arena, &contents, &err);
    else if (received_seal(&in, &arena, &packed, &run, &diags) == 0 && !run.sealed)
        open_sealed((struct bytes){packed.data, packed.len}, &arena);
    buf_release(&packed);
    arena_release(&arena);
    return 0;
}
