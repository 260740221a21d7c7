#include "base/git/git2_library.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <errno.h>

#define LIBRARY "libgit2.so." LIBGIT2_SOVERSION

bool git2_open(void)
{
    if (git2_function("git_libgit2_init"))
        return true;
    errno = 0;
    bool open = dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL) != NULL;
    if (!open && errno == ENOMEM)
        memory_end("libgit2, ", sizeof(void *));
    return open;
}

void *git2_function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}
