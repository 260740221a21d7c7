/* A published page, imported, and saved as a record. */
#include "tests/fuzz/fuzz.h"

#include "collector/page/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct result result;
    struct buf text;
    diags_init(&diags, &arena);
    buf_init(&text, BUF_DEFAULT_MAX);
    if (import_page((const char *)data, size, "page.md", "acme", "case", &arena, &result, &diags) ==
        0)
        shape_save_text(&result_shape, &result, &text);
    buf_release(&text);
    arena_release(&arena);
    return 0;
}
