/* Memory for libgit2, which forgets objects and reads what is not there when it gets none. */
#include "base/git/repo_git.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *get_counted(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return memory_grow(NULL, size);
}

static void *grow_array(void *old, size_t n, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (size && n > SIZE_MAX / size)
        memory_end("libgit2, ", SIZE_MAX);
    return memory_grow(old, n * size);
}

static void *grow_counted(void *old, size_t size, const char *file, int line)
{
    return grow_array(old, 1, size, file, line);
}

static void *get_array(size_t n, size_t size, const char *file, int line)
{
    return grow_array(NULL, n, size, file, line);
}

static void *get_zeroed(size_t n, size_t size, const char *file, int line)
{
    return memset(get_array(n, size, file, line), 0, n * size);
}

/* Exactly n bytes of it. */
static char *copy_part(const char *text, size_t n, const char *file, int line)
{
    if (n == SIZE_MAX)
        memory_end("libgit2, ", n);
    char *copy = get_counted(n + 1, file, line);
    copy[n] = '\0';
    return memcpy(copy, text, n);
}

static char *copy_up_to(const char *text, size_t n, const char *file, int line)
{
    return copy_part(text, strnlen(text, n), file, line);
}

static char *copy_counted(const char *text, const char *file, int line)
{
    return copy_part(text, strlen(text), file, line);
}

int repo_git_gave(int rc)
{
    if (rc < 0 && errno == ENOMEM)
        memory_end("libgit2, ", sizeof(void *));
    return rc;
}

void repo_git_memory(void)
{
    git_allocator memory = {
        .gmalloc = get_counted,
        .gcalloc = get_zeroed,
        .gstrdup = copy_counted,
        .gstrndup = copy_up_to,
        .gsubstrdup = copy_part,
        .grealloc = grow_counted,
        .greallocarray = grow_array,
        .gmallocarray = get_array,
        .gfree = free,
    };
    git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &memory);
}
