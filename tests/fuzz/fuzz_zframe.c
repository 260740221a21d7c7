/* The frame around a submission: what is taken ends where the file does, but for its seal. */
#include "tests/fuzz/fuzz.h"

#include "base/sealed/archive.h"
#include "base/sealed/zframe.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct zframe z;
    struct err err = ERR_INIT;
    if (zframe_check(data, size, ARCHIVE_WINDOW_MAX, "a.tar.zst", &z, &err) == 0 &&
        (z.len > size || (z.sha256 && z.len + 40 != size) || (!z.sha256 && z.len != size)))
        abort();
    return 0;
}
