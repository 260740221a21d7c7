/* A file of tensors: the header, and an element at either end of each tensor. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include "trainer/tensors/safetensors.h"

static void read_ends(const struct safetensors *f, const struct safetensors_tensor *t)
{
    struct err err = ERR_INIT;
    float value;
    size_t n = t->bytes / safetensors_element_bytes(t->type);
    if (n == 0)
        return;
    if (safetensors_read(f, t, 0, 1, &value, &err) < 0 ||
        safetensors_read(f, t, n - 1, 1, &value, &err) < 0)
        __builtin_trap(); /* a header that was admitted says where the bytes are */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct safetensors f;
    struct err err = ERR_INIT;
    char path[FUZZ_PATH_SIZE];
    int fd = fuzz_file(data, size, path);
    if (fd < 0)
        return 0;
    if (safetensors_open(&f, path, &err) == 0) {
        for (size_t i = 0; i < f.n; i++)
            read_ends(&f, &f.tensors[i]);
        safetensors_close(&f);
    }
    close(fd);
    return 0;
}
