/* LLaVA's samples: what is admitted names a file below its folder, and its texts are together no
 * longer than the file. */
#include "tests/fuzz/fuzz.h"

#include "trainer/conversations/conversation.h"

#include <string.h>

/* What samples have had so far. */
struct counted {
    size_t samples, bytes;
};

static int count_sample(void *context, const struct conversation *c, struct err *err)
{
    struct counted *counted = context;
    (void)err;
    counted->samples++;
    for (size_t i = 0; i < c->n; i++)
        counted->bytes += strlen(c->turns[i].from) + strlen(c->turns[i].value);
    if (c->image && !conversation_is_name_below(c->image))
        __builtin_trap();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct counted counted = {0, 0};
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct err err = ERR_INIT;
    diags_init(&diags, &arena);
    int rc = conversations_parse("samples.json", (struct bytes){(const char *)data, size},
                                 count_sample, &counted, &diags, &err);
    if (counted.bytes > size || counted.samples > size)
        __builtin_trap();
    if (rc < 0 && err.kind == ERR_NONE && diags.n == 0)
        __builtin_trap();
    arena_release(&arena);
    return 0;
}
