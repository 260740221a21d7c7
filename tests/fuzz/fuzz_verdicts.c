/* A document of verdicts, compared with itself (nothing changed) and with an empty one. */
#include "tests/fuzz/fuzz.h"

#include "verifier/verdicts/diff.h"

#include <stdlib.h>

static void compare(const struct verdict_doc *a, const struct verdict_doc *b, struct arena *arena,
                    struct verdict_diff *d)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    verdict_diff_make(a, b, arena, d);
    verdict_diff_text(d, true, &out);
    verdict_diff_json(d, &out);
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct verdict_doc doc;
    struct verdict_doc none = {.file = "none", .tool = "", .rules = ""};
    struct verdict_diff d;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    diags_init(&diags, &arena);
    if (verdict_doc_read("v.json", (struct bytes){text, size}, &arena, &doc, &diags) == 0) {
        compare(&doc, &doc, &arena, &d);
        if (d.n_runs)
            abort();
        compare(&doc, &none, &arena, &d);
        compare(&none, &doc, &arena, &d);
    } else if (!diags.errors) {
        abort();
    }
    arena_release(&arena);
    return 0;
}
