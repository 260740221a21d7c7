#include "base/repo_past.h"

#include "base/repo_inside.h"

#include <stdlib.h>
#include <string.h>

struct repo_past {
    git_repository *repo;
    git_commit *at;
};

static bool open_past(struct repo_past *p, const char *path, const char *branch, const char *remote)
{
    struct arena scratch = ARENA_INIT;
    git_oid tip = {{0}};
    bool fetched;
    if (REPO_GIT(git_repository_open_ext(&p->repo, path, 0, NULL)) < 0)
        return false;
    const char *ref = arena_printf(&scratch, "refs/heads/%s", branch);
    REPO_GIT(git_reference_name_to_id(&tip, p->repo, ref));
    git_oid base = repo_base_of(p->repo, &tip, branch, remote, &fetched);
    arena_release(&scratch);
    return !git_oid_is_zero(&base) && REPO_GIT(git_commit_lookup(&p->at, p->repo, &base)) == 0;
}

struct repo_past *repo_past_open(const char *path, const char *branch, const char *remote)
{
    if (!repo_git_start(REPO_LOOK))
        return NULL;
    struct repo_past *p = memory_alloc(sizeof *p);
    *p = (struct repo_past){0};
    if (open_past(p, path, branch, remote))
        return p;
    repo_past_close(p);
    return NULL;
}

void repo_past_close(struct repo_past *p)
{
    if (!p)
        return;
    git_commit_free(p->at);
    git_repository_free(p->repo);
    free(p);
    /* Whoever publishes in this process goes on with the settings for that. */
    if (git_libgit2_shutdown() > 0 && repo_git_start(REPO_WRITE))
        git_libgit2_shutdown();
}

const char *repo_past_commit(const struct repo_past *p, char id[REPO_ID_SIZE])
{
    return git_oid_tostr(id, REPO_ID_SIZE, git_commit_id(p->at));
}

bool repo_past_step(struct repo_past *p)
{
    git_commit *parent = NULL;
    if (REPO_GIT(git_commit_parent(&parent, p->at, 0)) < 0)
        return false;
    git_commit_free(p->at);
    p->at = parent;
    return true;
}

bool repo_past_find(const struct repo_past *p, const char *file, char id[REPO_ID_SIZE])
{
    git_tree *tree = NULL;
    git_tree_entry *entry = NULL;
    bool found = REPO_GIT(git_commit_tree(&tree, p->at)) == 0 &&
                 REPO_GIT(git_tree_entry_bypath(&entry, tree, file)) == 0 &&
                 git_tree_entry_type(entry) == GIT_OBJECT_BLOB;
    if (found)
        git_oid_tostr(id, REPO_ID_SIZE, git_tree_entry_id(entry));
    git_tree_entry_free(entry);
    git_tree_free(tree);
    return found;
}

int repo_past_read(const struct repo_past *p, const char *id, size_t max, struct arena *arena,
                   struct bytes *out, struct err *err)
{
    return repo_read_blob(p->repo, id, max, arena, out, err);
}
