/* Every kind of record: the first byte says which. One that loads is saved, and loads again as the
 * same bytes; packed and unpacked it is the same, too. */
#include "tests/fuzz/fuzz.h"

#include "base/json/shape_pack.h"
#include "base/pack.h"
#include "base/project/project.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 4096 /* bytes of the largest struct of a record */

static size_t count_shapes(void)
{
    size_t n = 0;
    while (project_shapes[n])
        n++;
    return n;
}

static void *load(const struct shape *shape, struct bytes text, struct arena *arena)
{
    struct diags diags;
    struct json *json;
    void *value = arena_alloc(arena, VALUE_MAX);
    diags_init(&diags, arena);
    bool good = json_parse("r.json", text, arena, &json, &diags) == 0 &&
                shape_load(shape, json, "r.json", value, arena, &diags) == 0;
    if (!good && !diags.errors)
        abort();
    return good ? value : NULL;
}

static void check_packed(const struct shape *shape, const void *value, struct arena *arena)
{
    struct buf out;
    void *again = arena_alloc(arena, VALUE_MAX);
    buf_init(&out, BUF_DEFAULT_MAX);
    shape_pack(shape, value, &out);
    struct unpack u = {.at = out.data, .end = out.data + out.len};
    shape_unpack(shape, again, arena, &u);
    if (!unpack_end(&u) || shape_diff(shape, value, again, arena))
        abort();
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct buf once, twice;
    if (size == 0)
        return 0;
    const struct shape *shape = project_shapes[data[0] % count_shapes()];
    const char *text = arena_strndup(&arena, (const char *)data + 1, size - 1);
    buf_init(&once, BUF_DEFAULT_MAX);
    buf_init(&twice, BUF_DEFAULT_MAX);
    const void *value = load(shape, (struct bytes){text, size - 1}, &arena);
    if (value) {
        shape_save_text(shape, value, &once);
        const void *again = load(shape, (struct bytes){once.data, once.len}, &arena);
        if (!again)
            abort();
        shape_save_text(shape, again, &twice);
        if (once.len != twice.len || memcmp(once.data, twice.data, once.len) != 0)
            abort();
        check_packed(shape, value, &arena);
    }
    buf_release(&once);
    buf_release(&twice);
    arena_release(&arena);
    return 0;
}
