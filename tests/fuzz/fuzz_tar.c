/* The tar inside a submission, in a zstd frame of blocks that are not compressed, so that changes
 * reach the reader behind it. What is taken as canonical is serialised to the same bytes, and no
 * name in it leaves its folder. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_frame.h"

#include "base/sealed/archive.h"

#include <stdlib.h>
#include <string.h>

struct expected {
    const uint8_t *data;
    size_t left;
};

static int compare(void *to, const void *data, size_t len, struct err *err)
{
    struct expected *e = to;
    (void)err;
    if (len > e->left || memcmp(e->data, data, len) != 0)
        abort();
    e->data += len;
    e->left -= len;
    return 0;
}

static void check_name(const char *name)
{
    if (*name == '/' || *name == '.' || *name == '-' || strstr(name, "..") == name ||
        strstr(name, "/.") || strstr(name, "/-") || strstr(name, "//") || strchr(name, '\\') ||
        strchr(name, '\n') || strlen(name) > 240)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct archive_contents contents;
    struct err err = ERR_INIT;
    struct buf packed;
    buf_init(&packed, BUF_DEFAULT_MAX);
    fuzz_frame(&packed, data, size);
    if (archive_unpack((struct bytes){packed.data, packed.len}, "a.tar.zst", ARCHIVE_TOTAL_MAX,
                       &arena, &contents, &err) == 0) {
        struct expected e = {data, size};
        for (size_t i = 0; i < contents.n; i++)
            check_name(contents.members[i].name);
        if (contents.canonical &&
            (tar_serialise(contents.members, contents.n, compare, &e, &err) < 0 || e.left))
            abort();
    }
    buf_release(&packed);
    arena_release(&arena);
    return 0;
}
