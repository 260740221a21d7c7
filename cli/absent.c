/* What base/git/repo.h and base/sealed/archive.h say of themselves where there is no libgit2 and no
 * libarchive, as on a compute node. The Makefile links it into fptrain in place of base/git/repo.c
 * and archive.c. */
#include "base/git/repo.h"
#include "base/sealed/archive.h"

bool repo_describe(const char *path, struct arena *arena, struct repo_info *info)
{
    (void)path, (void)arena;
    *info = (struct repo_info){.reason = "this program is built without libgit2"};
    return false;
}

const char *repo_library_version(struct arena *arena)
{
    (void)arena;
    return NULL;
}

const char *archive_library_version(void)
{
    return NULL;
}

const char *archive_zstd_library_version(void)
{
    return NULL;
}
