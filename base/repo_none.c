/* repo.h where there is no libgit2, as on a compute node: nothing is known, and it says why. The
 * Makefile links it into fptrain in place of repo.c. */
#include "base/repo.h"

bool repo_describe(const char *path, struct arena *arena, struct repo_info *info)
{
    (void)path, (void)arena;
    *info = (struct repo_info){.reason = "this program is built without libgit2"};
    return false;
}

const char *repo_library_version(struct arena *arena)
{
    (void)arena;
    return "none";
}
