/* SHA256SUMS of a submission whose one file is known: it is whole with the one line that sha256sum
 * writes, and with no other. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_frame.h"

#include "base/sealed/submission.h"

#include <stdlib.h>
#include <string.h>

/* printf x | sha256sum */
#define LINE "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a.log\n"

static int add(void *to, const void *data, size_t len, struct err *err)
{
    (void)err;
    buf_add(to, data, len);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct err err = ERR_INIT;
    struct submission s;
    struct buf tar, packed;
    struct tar_member members[] = {{SUBMISSION_MANIFEST, {(const char *)data, size}},
                                   {"a.log", {"x", 1}}};
    const bool right = size == sizeof LINE - 1 && memcmp(data, LINE, size) == 0;
    diags_init(&diags, &arena);
    buf_init(&tar, BUF_DEFAULT_MAX);
    buf_init(&packed, BUF_DEFAULT_MAX);
    if (tar_serialise(members, 2, add, &tar, &err) == 0) {
        fuzz_frame(&packed, (const uint8_t *)tar.data, tar.len);
        const struct bytes whole = {packed.data, packed.len};
        if ((submission_open_bytes(whole, "a.tar.zst", &arena, &s, &diags) == 0 && s.intact) !=
            right)
            abort();
    }
    buf_release(&tar);
    buf_release(&packed);
    arena_release(&arena);
    return 0;
}
