/* A file of tokens: NumPy's .npy, and Megatron-LM's index beside a small .bin. A header that is
 * admitted says where the tokens are. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include "trainer/data/data_file.h"

#include <fcntl.h>
#include <stdlib.h>

static volatile int64_t seen;

static void read_ends(const struct token_file *f)
{
    if (f->tokens == 0)
        return;
    seen = f->format->read(f->bytes);
    seen = f->format->read(f->bytes + (f->tokens - 1) * f->format->bytes);
}

static void write_file(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char tokens[64];
    struct token_file f;
    struct err err = ERR_INIT;
    char path[FUZZ_PATH_SIZE], other[FUZZ_PATH_SIZE];
    int fd = fuzz_file(data, size, path);
    if (fd < 0)
        return 0;
    if (npy_open(&f, path, &err) == 0) {
        read_ends(&f);
        token_file_unmap(&f);
    }
    close(fd);
    snprintf(path, sizeof path, "/dev/shm/fuzz-tokens-%d.idx", (int)getpid());
    snprintf(other, sizeof other, "/dev/shm/fuzz-tokens-%d.bin", (int)getpid());
    write_file(path, data, size);
    write_file(other, tokens, sizeof tokens);
    if (megatron_open(&f, path, &err) == 0) {
        read_ends(&f);
        token_file_unmap(&f);
    }
    unlink(path);
    unlink(other);
    return 0;
}
