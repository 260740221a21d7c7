#include "renderer/publish/heads.h"

#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#include <string.h>

#define HEAD_MAX 4096
#define SYMBOLIC "ref: "

struct heads {
    struct arena *arena;
    const char *common; /* what all work trees share */
    const char **refs;
    size_t n;
};

/* A line of git's; NULL where there is no such file. */
static int read_head_line(struct heads *h, const char *path, const char **line, struct err *err)
{
    struct bytes text;
    int rc = beneath_read_if_there(h->common, path, HEAD_MAX, h->arena, &text, err);
    *line = rc == 0 ? text_trim_n(h->arena, text.data, text.len) : NULL;
    return rc < 0 ? -1 : 0;
}

static int add_local_head(struct heads *h, const char *path, struct err *err)
{
    const char *line;
    if (read_head_line(h, path, &line, err) < 0)
        return -1;
    if (line && text_starts(line, SYMBOLIC))
        *(const char **)ARENA_PUSH(h->arena, h->refs, h->n) =
            text_trim(h->arena, line + strlen(SYMBOLIC));
    return 0;
}

/* worktrees/<name>/gitdir names the file .git in the work tree. */
static int add_linked(struct heads *h, const char *name, struct err *err)
{
    const char *folder = path_join(h->arena, "worktrees", name), *file;
    if (read_head_line(h, path_join(h->arena, folder, "gitdir"), &file, err) < 0)
        return -1;
    return file && file_exists(file) ? add_local_head(h, path_join(h->arena, folder, "HEAD"), err)
                                     : 0;
}

/* Of a linked work tree, libgit2 says that it is not bare. */
static bool is_bare(git_repository *repo)
{
    git_config *config = NULL;
    int bare = git_repository_is_bare(repo);
    if (git_repository_is_worktree(repo) && git_repository_config_snapshot(&config, repo) == 0)
        git_config_get_bool(&bare, config, "core.bare");
    git_config_free(config);
    return bare;
}

int repo_heads(git_repository *repo, struct arena *arena, const char ***refs, size_t *n,
               struct err *err)
{
    struct heads h = {.arena = arena, .common = git_repository_commondir(repo)};
    struct dir_entry *linked;
    size_t n_linked = 0;
    const char *folder = path_join(arena, h.common, "worktrees");
    if (!is_bare(repo) && add_local_head(&h, "HEAD", err) < 0)
        return -1;
    if (file_exists(folder) && dir_list(folder, arena, &linked, &n_linked, err) < 0)
        return -1;
    for (size_t i = 0; i < n_linked; i++)
        if (linked[i].is_dir && add_linked(&h, linked[i].name, err) < 0)
            return -1;
    *refs = h.refs;
    *n = h.n;
    return 0;
}
