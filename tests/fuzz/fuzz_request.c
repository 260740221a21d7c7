/* What a browser sends, and a page on its way to one. */
#include "tests/fuzz/fuzz.h"

#include "base/arena.h"
#include "cli/serve/files.h"
#include "cli/serve/request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct serve_request r;
    struct buf out;
    int status = serve_request_parse((const char *)data, size, &r);
    if (status == 200 && (r.path[0] == '/' || strstr(r.path, "/../") || strstr(r.path, "//") ||
                          strncmp(r.path, "../", 3) == 0 || strchr(r.raw, '\n')))
        abort();
    const char *html = arena_strndup(&arena, (const char *)data, size);
    buf_init(&out, SERVE_PAGE_MAX);
    serve_page_with_script(html, strlen(html), "1", &out);
    if (!strstr(out.data, "reload.js"))
        abort();
    buf_release(&out);
    arena_release(&arena);
    return 0;
}
