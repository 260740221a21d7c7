#include "renderer/publish/past.h"

#include "renderer/publish/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct repo_past {
    struct arena arena; /* of what it was opened with */
    const char *path, *branch, *remote;
    git_repository *repo;
    git_commit *at;
    git_oid id;         /* of `at` */
    int why;            /* errno right behind the last call that failed; 0: it did not fail */
    struct err trouble; /* the first that the machine refused */
};

/* As REPO_GIT. What frees and closes behind a call has an errno of its own. */
#define ASK(past, call) ask_past(past, REPO_GIT(call))

static int ask_past(struct repo_past *p, int rc)
{
    p->why = rc < 0 ? errno : 0;
    return rc;
}

/* ---- what git is asked, once ---------------------------------------------------------------- */

static int find_newest(struct repo_past *p)
{
    git_oid tip = {{0}};
    bool fetched;
    const char *ref = arena_printf(&p->arena, "refs/heads/%s", p->branch);
    int rc = ASK(p, git_repository_open_ext(&p->repo, p->path, 0, NULL));
    if (rc == 0)
        rc = ASK(p, git_reference_name_to_id(&tip, p->repo, ref));
    if (p->repo && (rc == 0 || rc == GIT_ENOTFOUND)) {
        errno = 0;
        p->id = repo_base_of(p->repo, &tip, p->branch, p->remote, &fetched);
        ask_past(p, git_oid_is_zero(&p->id) ? GIT_ENOTFOUND : 0);
    }
    if (!p->repo || git_oid_is_zero(&p->id))
        return rc < 0 ? rc : GIT_ENOTFOUND;
    return ASK(p, git_commit_lookup(&p->at, p->repo, &p->id));
}

/* A commit without parents, or at which a shallow clone ends, has none. */
static int find_parent(struct repo_past *p)
{
    git_commit *parent = NULL;
    int rc = ASK(p, git_commit_parent(&parent, p->at, 0));
    if (rc == 0) {
        git_commit_free(p->at);
        p->at = parent;
        p->id = *git_commit_id(parent);
    }
    return rc;
}

static int find_past_file(struct repo_past *p, const char *file, char id[REPO_ID_SIZE])
{
    git_tree *tree = NULL;
    git_tree_entry *entry = NULL;
    int rc = ASK(p, git_commit_tree(&tree, p->at));
    if (rc == 0)
        rc = ASK(p, git_tree_entry_bypath(&entry, tree, file));
    if (rc == 0 && git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
        rc = GIT_ENOTFOUND; /* and p->why is 0 */
    if (rc == 0)
        git_oid_tostr(id, REPO_ID_SIZE, git_tree_entry_id(entry));
    git_tree_entry_free(entry);
    git_tree_free(tree);
    return rc;
}

/* ---- and once more -------------------------------------------------------------------------- */

static void release_past(struct repo_past *p)
{
    git_commit_free(p->at);
    git_repository_free(p->repo);
    p->at = NULL;
    p->repo = NULL;
}

/* Where libgit2 cannot open a pack it says that what lies in it is not there. So all that is not
 * there is asked for once more, of a repository that was opened anew. */
static bool open_anew(struct repo_past *p)
{
    release_past(p);
    return ASK(p, git_repository_open_ext(&p->repo, p->path, 0, NULL)) == 0 &&
           ASK(p, git_commit_lookup(&p->at, p->repo, &p->id)) == 0;
}

/* What came of the second time. */
static bool is_good(struct repo_past *p, int rc, const char *what)
{
    bool lost = rc < 0 && !err_is_of_machine(p->why) && repo_is_at_a_loss();
    if (rc < 0 && (lost || err_is_of_machine(p->why)) && !p->trouble.kind) {
        errno = lost ? EIO : p->why;
        err_errno(&p->trouble, ERR_IO, "%s: %s", p->branch, what);
    }
    return rc == 0;
}

struct repo_past *repo_past_open(const char *path, const char *branch, const char *remote)
{
    if (!repo_git_start(REPO_LOOK))
        return NULL;
    struct repo_past *p = memory_alloc(sizeof *p);
    *p = (struct repo_past){.arena = ARENA_INIT, .trouble = ERR_INIT};
    p->path = arena_strdup(&p->arena, path);
    p->branch = arena_strdup(&p->arena, branch);
    p->remote = arena_strdup(&p->arena, remote);
    if (find_newest(p) == 0)
        return p;
    release_past(p);
    p->id = (git_oid){{0}};
    if (is_good(p, find_newest(p), "cannot be opened") || p->trouble.kind)
        return p;
    repo_past_close(p);
    return NULL;
}

void repo_past_close(struct repo_past *p)
{
    if (!p)
        return;
    release_past(p);
    arena_release(&p->arena);
    free(p);
    /* Whoever publishes in this process goes on with the settings for that. */
    if (git_libgit2_shutdown() > 0 && repo_git_start(REPO_WRITE))
        git_libgit2_shutdown();
}

int repo_past_trouble(const struct repo_past *p, struct err *err)
{
    if (!p->trouble.kind)
        return 0;
    *err = p->trouble;
    return -1;
}

const char *repo_past_commit(const struct repo_past *p, char id[REPO_ID_SIZE])
{
    return git_oid_tostr(id, REPO_ID_SIZE, &p->id);
}

bool repo_past_step(struct repo_past *p)
{
    if (!p->at || git_commit_parentcount(p->at) == 0)
        return false;
    if (find_parent(p) == 0)
        return true;
    return is_good(p, open_anew(p) ? find_parent(p) : -1, "history cannot be read");
}

bool repo_past_find(struct repo_past *p, const char *file, char id[REPO_ID_SIZE])
{
    if (!p->at)
        return false;
    int rc = find_past_file(p, file, id);
    const git_error *why = git_error_last();
    if (rc == 0)
        return true;
    if (rc == GIT_ENOTFOUND && why && why->klass == GIT_ERROR_TREE) /* the folder was read */
        return false;
    return is_good(p, open_anew(p) ? find_past_file(p, file, id) : -1, file);
}

int repo_past_read(struct repo_past *p, const char *id, size_t max, struct arena *arena,
                   struct bytes *out, struct err *err)
{
    struct err first = ERR_INIT;
    if (p->at && repo_read_blob(p->repo, id, max, arena, out, &first) == 0)
        return 0;
    if (open_anew(p) && ask_past(p, repo_read_blob(p->repo, id, max, arena, out, err)) == 0)
        return 0;
    is_good(p, -1, "a file cannot be read");
    return err->kind ? -1 : err_set(err, ERR_INPUT, "%s", first.text);
}
