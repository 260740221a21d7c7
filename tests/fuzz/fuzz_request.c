/* The path that a browser sends, and a page on its way to one. */
#include "tests/fuzz/fuzz.h"

#include "base/arena.h"
#include "cli/serve/files.h"
#include "cli/serve/http.h"
#include "cli/serve/microhttpd_library.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct buf out;
    char path[SERVE_PATH_MAX + 1];
    if (!library_open(LIBRARY_MICROHTTPD, "MHD_run"))
        abort();
    const char *html = arena_strndup(&arena, (const char *)data, size);
    if (serve_path_decode(html, path) == 200 &&
        (path[0] == '/' || strstr(path, "/../") || strstr(path, "//") ||
         strncmp(path, "../", 3) == 0 || strchr(path, '\n')))
        abort();
    buf_init(&out, SERVE_PAGE_MAX);
    serve_page_with_script(html, strlen(html), "1", &out);
    if (!strstr(out.data, "reload.js"))
        abort();
    buf_release(&out);
    arena_release(&arena);
    return 0;
}
