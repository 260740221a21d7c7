/* Addresses of remotes and of links: names and passwords are not shown, and what is let through
 * begins with a scheme that is let through. */
#include "tests/fuzz/fuzz.h"

#include "base/foreign.h"
#include "base/git/repo_git.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    const char *url = arena_strndup(&arena, (const char *)data, size);
    const char *shown = repo_url_shown(url, &arena), *host = strstr(shown, "://");
    if (host) {
        const char *end = strchrnul(host + 3, '/'),
                   *at = memchr(host + 3, '@', (size_t)(end - host - 3));
        if (at)
            abort();
    }
    foreign_url_allowed(url);
    arena_release(&arena);
    return 0;
}
