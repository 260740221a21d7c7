/* A result record; one that loads is saved, and loads again as the same bytes. */
#include "tests/fuzz/fuzz.h"

#include "base/json/json.h"
#include "base/records/result.h"

#include <stdlib.h>
#include <string.h>

static bool load(struct bytes text, struct arena *arena, struct buf *out)
{
    struct diags diags;
    struct json *json;
    struct result *result = arena_alloc(arena, sizeof *result);
    diags_init(&diags, arena);
    if (json_parse("r.json", text, arena, &json, &diags) < 0 ||
        shape_load(&result_shape, json, "r.json", result, arena, &diags) < 0)
        return false;
    shape_save_text(&result_shape, result, out);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct buf once, twice;
    buf_init(&once, BUF_DEFAULT_MAX);
    buf_init(&twice, BUF_DEFAULT_MAX);
    const char *text = arena_strndup(&arena, (const char *)data, size);
    if (load((struct bytes){text, size}, &arena, &once) && !once.overflow &&
        (!load((struct bytes){once.data, once.len}, &arena, &twice) || once.len != twice.len ||
         memcmp(once.data, twice.data, once.len) != 0))
        abort();
    buf_release(&once);
    buf_release(&twice);
    arena_release(&arena);
    return 0;
}
