/*
 * library: a shared library that is opened when it is first used, because it and those that it
 * brings along take longer to load than most commands run. Each has its own header above this one,
 * with a line for every function that is called (base/git/repo_git.h,
 * base/sealed/archive_library.h).
 */
#pragma once

#include "base/arena.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

/* What a worker reads submissions with. The sandbox lets nothing be opened, so that this is done
 * before (base/process/sandbox.h). */
#define LIBRARY_ARCHIVE "libarchive.so.13"

/* Of an open library; its soname promises that they are all there. */
static inline void *library_function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Opens the library that has this function, where it is not open; it stays so. False: it is not
 * installed. */
static inline bool library_open(const char *soname, const char *function)
{
    if (library_function(function))
        return true;
    errno = 0;
    bool open = dlopen(soname, RTLD_LAZY | RTLD_GLOBAL) != NULL;
    if (!open && errno == ENOMEM)
        memory_end("a library, ", sizeof(void *));
    return open;
}
