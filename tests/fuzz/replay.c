/*
 * replay FILE…: each file, named <reader>-<what>, once through its reader (fuzz_<reader>.c), in one
 * program and with any compiler. Prints each name before its turn, so that the last one is the one
 * that broke something, and at the end how many there were.
 *
 * READERS is made from the names of the sources (Makefile): X(cell) X(curve) …
 */
#include "tests/fuzz/fuzz.h"

#include "base/files/file.h"

#include <stdio.h>
#include <string.h>

#define X(name) int fuzz_##name(const uint8_t *data, size_t size);
READERS
#undef X

#define X(name) {#name, fuzz_##name},
static const struct {
    const char *name;
    int (*read)(const uint8_t *data, size_t size);
} readers[] = {READERS};
#undef X

static int replay(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes bytes;
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const size_t n = strcspn(base, "-");
    int rc = -1;
    puts(base);
    fflush(stdout);
    if (file_read(path, 1 << 20, &arena, &bytes, &err) < 0)
        puts(err.text);
    else
        for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
            if (strlen(readers[i].name) == n && strncmp(readers[i].name, base, n) == 0)
                rc = readers[i].read((const uint8_t *)bytes.data, bytes.len);
    arena_release(&arena);
    return rc;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (replay(argv[i]) != 0) {
            puts("no reader takes it");
            return 1;
        }
    printf("%d files\n", argc - 1);
    return 0;
}
