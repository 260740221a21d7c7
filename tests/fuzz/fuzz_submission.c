/* A sealed submission's bytes: container, names, manifest. */
#include "tests/fuzz/fuzz.h"

#include "base/sealed/submission.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct submission submission;
    struct bytes packed = {(const char *)data, size};
    diags_init(&diags, &arena);
    submission_open_bytes(packed, "a.tar.zst", &arena, &submission, &diags);
    arena_release(&arena);
    return 0;
}
