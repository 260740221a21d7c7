/* A tokenizer: a model that is admitted gives ids of its own pieces, for any text. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include "trainer/tokens/tokenizer.h"

static void encode_itself(const struct tokenizer *t, const uint8_t *data, size_t size)
{
    struct token_list ids = {0};
    struct err err = ERR_INIT;
    tokenizer_encode(t, (const char *)data, size, &ids, &err);
    for (size_t i = 0; i < ids.n; i++)
        if (ids.ids[i] < 0 || (size_t)ids.ids[i] >= t->n)
            __builtin_trap();
    token_list_release(&ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tokenizer t;
    struct err err = ERR_INIT;
    char path[FUZZ_PATH_SIZE];
    int fd = fuzz_file(data, size, path);
    if (fd < 0)
        return 0;
    if (tokenizer_load(&t, path, &err) == 0) {
        encode_itself(&t, data, size);
        tokenizer_release(&t);
    }
    close(fd);
    return 0;
}
