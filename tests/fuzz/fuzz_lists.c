/* The two lists of a site's files: MANIFEST.sha256 of a published one, and the build's own. None of
 * what they name is there, and nothing else may be said to be whole. */
#include "tests/fuzz/fuzz.h"

#include "base/files/file.h"
#include "cli/archive/store_check_site.h"
#include "renderer/output/list.h"
#include "renderer/output/outdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_list(const char *folder, const char *name, const uint8_t *data, size_t size,
                       struct arena *arena)
{
    FILE *f = fopen(path_join(arena, folder, name), "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
}

/* Every file that the list names is missing, but for the lists themselves. */
static void check_published(const char *folder, struct arena *arena)
{
    struct store_report r = {.arena = arena, .root = folder};
    store_check_site(&r, folder, NULL);
    if (r.n + 2 < r.files)
        abort();
    for (size_t i = 0; i < r.n; i++)
        if (r.findings[i].kind != STORE_SITE)
            abort();
}

/* The list as it is written again, once it was read: false when it is none. */
static bool read_again(const char *folder, struct buf *text, struct arena *arena)
{
    struct outdir_list list;
    struct err err = ERR_INIT;
    if (outdir_list_load(&list, folder, arena, &err) < 0)
        return false;
    for (size_t i = 0; i < list.n; i++)
        if (outdir_path_fault(list.files[i].path))
            abort();
    outdir_list_sort(&list);
    return outdir_list_write(&list, OUTDIR_LIST_PART, text, NULL, NULL, &err) == 0;
}

/* A list that was read names nothing outside, and is the same when it is written and read. */
static void check_built(const char *folder, struct arena *arena)
{
    struct buf first, second;
    buf_init(&first, BUF_DEFAULT_MAX);
    buf_init(&second, BUF_DEFAULT_MAX);
    if (read_again(folder, &first, arena)) {
        write_list(folder, OUTDIR_LIST_NAME, (const uint8_t *)first.data, first.len, arena);
        if (!read_again(folder, &second, arena) || first.len != second.len ||
            memcmp(first.data, second.data, first.len) != 0)
            abort();
    }
    buf_release(&first);
    buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    char folder[] = "/tmp/fuzz-lists-XXXXXX";
    if (!mkdtemp(folder))
        return 0;
    write_list(folder, CHECKPOINT_SITE_LIST, data, size, &arena);
    check_published(folder, &arena);
    unlink(path_join(&arena, folder, CHECKPOINT_SITE_LIST));
    write_list(folder, OUTDIR_LIST_NAME, data, size, &arena);
    check_built(folder, &arena);
    unlink(path_join(&arena, folder, OUTDIR_LIST_NAME));
    if (rmdir(folder) < 0)
        abort();
    arena_release(&arena);
    return 0;
}
