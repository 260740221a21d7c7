#include "renderer/publish/branch.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/publish/inside.h"
#include "renderer/publish/lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BRANCHES "refs/heads/"

/* ---- opening --------------------------------------------------------------------------- */

/* Refused for its owner? libgit2 1.5.1 says ENOTFOUND then where git has a configuration that
 * names no safe.directory. */
static bool is_owned_by_another(const char *path, int rc)
{
    git_repository *repo = NULL;
    if (rc == GIT_EOWNER)
        return true;
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    bool is = git_repository_open_ext(&repo, path, 0, NULL) == 0;
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
    git_repository_free(repo);
    return is;
}

static int open_branch_repository(struct repo_branch *b, const char *path, struct err *err)
{
    int rc = git_repository_open_ext(&b->repo, path, 0, NULL);
    if (rc == 0)
        return 0;
    if (rc != GIT_ENOTFOUND && rc != GIT_EOWNER)
        return repo_git_err(err, ERR_INPUT, "%s: the git repository cannot be opened", path);
    if (is_owned_by_another(path, rc) && !repo_is_at_a_loss())
        return err_set(err, ERR_USAGE,
                       "%s: the repository belongs to another user; `git config --global --add "
                       "safe.directory FOLDER` trusts it",
                       path);
    if (repo_is_at_a_loss())
        return repo_git_err(err, ERR_IO, "%s: the git repository cannot be opened", path);
    /* A repository that lies here and gives no right to look at it is one all the same. */
    if (file_is_there(path_join(&b->arena, path, ".git/HEAD"), err) < 0)
        return -1;
    return err_set(err, ERR_USAGE,
                   "%s: not in a git repository; `git init` makes one here, -C DIR names another "
                   "folder",
                   path);
}

static int check_branch_name(struct repo_branch *b, struct err *err)
{
    int valid = 0;
    if (git_branch_name_is_valid(&valid, b->name) < 0 || !valid || strcmp(b->name, "HEAD") == 0 ||
        strcmp(b->name, "@") == 0 || text_starts(b->name, "refs/"))
        return err_set(err, ERR_USAGE, "--branch: found '%.200s', expected a name such as gh-pages",
                       b->name);
    return 0;
}

/* A branch is a file, and one below it wants a folder of that name. */
static bool is_below_ref(const char *ref, const char *other)
{
    return text_starts(ref, other) && ref[strlen(other)] == '/';
}

static int refuse_beside(const struct repo_branch *b, const char *other, struct err *err)
{
    return err_set(err, ERR_USAGE,
                   "--branch: found '%.200s', which git cannot have beside '%.200s'; name another",
                   b->name, other + strlen(BRANCHES));
}

/* Also one that HEAD names and that does not exist yet. */
static int check_heads(struct repo_branch *b, struct err *err)
{
    const char **heads = NULL;
    size_t n = 0;
    if (repo_heads(b->repo, &b->arena, &heads, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (strcmp(heads[i], b->ref) == 0)
            return err_set(
                err, ERR_USAGE,
                "%s is checked out, and its files would no longer be those of the branch; "
                "switch to another branch, or publish to one with --branch",
                b->name);
        else if (is_below_ref(heads[i], b->ref) || is_below_ref(b->ref, heads[i]))
            return refuse_beside(b, heads[i], err);
    return 0;
}

/* Can there be such a branch, where there is none? */
static int check_new(struct repo_branch *b, struct err *err)
{
    git_reference_iterator *all = NULL;
    const char *ref = NULL, *other = NULL;
    int rc = git_reference_iterator_glob_new(&all, b->repo, BRANCHES "*");
    while (rc == 0 && !other && (rc = git_reference_next_name(&ref, all)) == 0)
        if (is_below_ref(ref, b->ref) || is_below_ref(b->ref, ref))
            other = arena_strdup(&b->arena, ref);
    git_reference_iterator_free(all);
    if (rc < 0 && rc != GIT_ITEROVER)
        return repo_git_err(err, ERR_INPUT, "the branches cannot be listed");
    return other ? refuse_beside(b, other, err) : 0;
}

/* A file of the branch, which may be missing, or a folder of branches. Behind a link it would be
 * written where that leads, and a pipe would be waited for. */
static int refuse_others(const struct repo_branch *b, const char *path, struct err *err)
{
    const char *folder = git_repository_commondir(b->repo);
    struct stat st = {0};
    int fd = beneath_open(folder, path), why = errno;
    bool other = fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    if (fd >= 0)
        close(fd);
    if (other)
        return err_set(err, ERR_INPUT, "%s%s: found no regular file, expected a file of git",
                       folder, path);
    if (fd < 0 && why == ELOOP)
        return err_set(err, ERR_INPUT, "%s%s: found a link on the way, expected a file of git",
                       folder, path);
    errno = why;
    return fd < 0 && err_is_of_machine(why) ? err_errno(err, ERR_IO, "%s%s", folder, path) : 0;
}

static int read_tip(struct repo_branch *b, struct err *err)
{
    git_reference *ref = NULL;
    const char *history = arena_printf(&b->arena, "logs/%s", b->ref);
    if (refuse_others(b, b->ref, err) < 0 || refuse_others(b, history, err) < 0 ||
        check_heads(b, err) < 0)
        return -1;
    int rc = git_reference_lookup(&ref, b->repo, b->ref);
    if (rc == GIT_ENOTFOUND)
        return check_new(b, err);
    if (rc < 0)
        return repo_git_err(err, ERR_INPUT, "%s: cannot be read", b->ref);
    if (git_reference_type(ref) != GIT_REFERENCE_DIRECT)
        err_set(err, ERR_USAGE, "%s is another name of %s; publish to that with --branch", b->name,
                git_reference_symbolic_target(ref));
    else
        b->tip = *git_reference_target(ref);
    git_reference_free(ref);
    return err->kind ? -1 : 0;
}

git_oid repo_base_of(git_repository *repo, const git_oid *tip, const char *branch,
                     const char *remote, bool *fetched)
{
    struct arena scratch = ARENA_INIT;
    git_oid theirs;
    const char *ref = arena_printf(&scratch, "refs/remotes/%s/%s", remote, branch);
    *fetched = REPO_GIT(git_reference_name_to_id(&theirs, repo, ref)) == 0 &&
               (git_oid_is_zero(tip) || REPO_GIT(git_graph_descendant_of(repo, &theirs, tip)) == 1);
    arena_release(&scratch);
    return *fetched ? theirs : *tip;
}

const char *repo_hex(struct arena *arena, const git_oid *id)
{
    char hex[REPO_ID_SIZE];
    return git_oid_is_zero(id) ? NULL : arena_strdup(arena, git_oid_tostr(hex, sizeof hex, id));
}

/* Where the branch is, now. */
static int read_branch(struct repo_branch *b, struct err *err)
{
    b->tip = (git_oid){{0}};
    if (read_tip(b, err) < 0)
        return -1;
    bool fetched;
    b->base = repo_base_of(b->repo, &b->tip, b->name, b->remote, &fetched);
    b->info.name = b->info.base_name = b->name;
    if (fetched)
        b->info.base_name = arena_printf(&b->arena, "%s/%s", b->remote, b->name);
    git_commit *commit = NULL;
    b->info.tip = repo_hex(&b->arena, &b->tip);
    b->info.base = repo_hex(&b->arena, &b->base);
    if (!b->info.base)
        return 0;
    if (git_commit_lookup(&commit, b->repo, &b->base) < 0)
        return repo_git_err(err, ERR_INPUT, "%s: its commit %s cannot be read", b->info.base_name,
                            b->info.base);
    b->info.message = arena_strdup(&b->arena, git_commit_message(commit));
    git_commit_free(commit);
    return 0;
}

static int open_and_read(struct repo_branch *b, const char *path, struct err *err)
{
    if (open_branch_repository(b, path, err) < 0 || check_branch_name(b, err) < 0)
        return -1;
    b->info.git_folder = arena_strdup(&b->arena, git_repository_commondir(b->repo));
    return read_branch(b, err);
}

int repo_branch_open(const char *path, const char *branch, const char *remote,
                     struct repo_branch **out, struct err *err)
{
    struct repo_branch *b = memory_alloc(sizeof *b);
    *b = (struct repo_branch){.arena = ARENA_INIT, .lock = {.fd = -1}};
    b->name = arena_strdup(&b->arena, branch);
    b->ref = arena_printf(&b->arena, BRANCHES "%s", branch);
    b->remote = arena_strdup(&b->arena, remote);
    b->started = repo_git_start(REPO_WRITE);
    /* What a folder of packs that could not be listed once held is not found through the same
     * handle. */
    struct err first = ERR_INIT;
    int rc = b->started ? open_and_read(b, path, &first)
                        : err_set(err, ERR_IO, "libgit2 cannot be started");
    if (b->started && rc < 0) {
        git_repository_free(b->repo);
        b->repo = NULL;
        rc = open_and_read(b, path, err);
    }
    if (rc < 0)
        repo_branch_close(b);
    else
        *out = b;
    return rc;
}

int repo_branch_hold(struct repo_branch *b, struct err *err)
{
    bool writable = access(b->info.git_folder, W_OK) == 0 || (errno != EROFS && errno != EACCES);
    if (writable && repo_lock_take(&b->lock, b->info.git_folder, &b->arena, err) < 0)
        return -1;
    return read_branch(b, err);
}

void repo_branch_let_go(struct repo_branch *b)
{
    repo_lock_release(&b->lock);
}

const struct repo_branch_info *repo_branch_info(const struct repo_branch *b)
{
    return &b->info;
}

void repo_branch_close(struct repo_branch *b)
{
    if (!b)
        return;
    repo_lock_release(&b->lock);
    git_repository_free(b->repo);
    if (b->started)
        git_libgit2_shutdown();
    arena_release(&b->arena);
    free(b);
}

/* ---- reading --------------------------------------------------------------------------- */

struct listing {
    struct arena *arena;
    struct repo_entry *entries;
    size_t n;
    struct err *err;
};

static int list_entry(const char *root, const git_tree_entry *entry, void *self)
{
    struct listing *l = self;
    if (git_tree_entry_type(entry) == GIT_OBJECT_TREE)
        return 0;
    if (l->n >= REPO_FILES_MAX)
        return err_set(l->err, ERR_INPUT, "the branch holds more than %d files", REPO_FILES_MAX);
    struct repo_entry *e = ARENA_PUSH(l->arena, l->entries, l->n);
    e->path = arena_printf(l->arena, "%s%s", root, git_tree_entry_name(entry));
    e->plain = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB;
    git_oid_tostr(e->id, sizeof e->id, git_tree_entry_id(entry));
    return 0;
}

static int walk_commit(git_repository *repo, const git_oid *id, struct listing *l)
{
    git_commit *commit = NULL;
    git_tree *tree = NULL;
    int rc;
    l->n = 0;
    if ((rc = git_commit_lookup(&commit, repo, id)) == 0 &&
        (rc = git_commit_tree(&tree, commit)) == 0)
        rc = git_tree_walk(tree, GIT_TREEWALK_PRE, list_entry, l);
    git_tree_free(tree);
    git_commit_free(commit);
    return rc;
}

/* An object whose file could not be looked at once is said to be missing: all that is missing is
 * asked for once more, of a handle that was opened anew. */
int repo_list_commit(git_repository *repo, const git_oid *id, struct arena *arena,
                     struct repo_entry **out, size_t *n, struct err *err)
{
    struct listing l = {.arena = arena, .err = err};
    git_repository *anew = NULL;
    int rc = walk_commit(repo, id, &l);
    if (rc == GIT_ENOTFOUND && (rc = git_repository_open(&anew, git_repository_path(repo))) == 0)
        rc = walk_commit(anew, id, &l);
    if (rc < 0 && !err->kind)
        repo_git_err(err, ERR_INPUT, "commit %s: its files cannot be listed", repo_hex(arena, id));
    git_repository_free(anew);
    if (l.n > 1)
        qsort(l.entries, l.n, sizeof *l.entries, text_by_bytes);
    *out = l.entries;
    *n = l.n;
    return rc < 0 ? -1 : 0;
}

int repo_branch_list(struct repo_branch *b, struct arena *arena, struct repo_entry **out, size_t *n,
                     struct err *err)
{
    *out = NULL;
    *n = 0;
    if (git_oid_is_zero(&b->base))
        return 0;
    return repo_list_commit(b->repo, &b->base, arena, out, n, err);
}

int repo_read_blob(git_repository *repo, const char *hex, size_t max, struct arena *arena,
                   struct bytes *out, struct err *err)
{
    git_oid id;
    git_blob *blob = NULL;
    errno = 0;
    if (git_oid_fromstr(&id, hex) < 0 || git_blob_lookup(&blob, repo, &id) < 0) {
        int why = errno;
        repo_git_err(err, ERR_INPUT, "cannot be read");
        errno = why;
        return -1;
    }
    size_t len = (size_t)git_blob_rawsize(blob);
    char *data = NULL;
    if (len > max) {
        err_set(err, ERR_INPUT, "%zu bytes, expected at most %zu", len, max);
    } else {
        data = arena_alloc(arena, len + 1);
        memcpy(data, git_blob_rawcontent(blob), len);
        *out = (struct bytes){data, len};
    }
    git_blob_free(blob);
    errno = 0;
    return data ? 0 : -1;
}

int repo_branch_read(struct repo_branch *b, const struct repo_entry *entry, struct arena *arena,
                     struct bytes *out, struct err *err)
{
    struct err first = ERR_INIT;
    git_repository *anew = NULL;
    if (repo_read_blob(b->repo, entry->id, REPO_BLOB_MAX, arena, out, &first) == 0)
        return 0;
    int rc = git_repository_open(&anew, git_repository_path(b->repo)) < 0
                 ? repo_git_err(err, ERR_INPUT, "cannot be opened again")
                 : repo_read_blob(anew, entry->id, REPO_BLOB_MAX, arena, out, err);
    git_repository_free(anew);
    return rc == 0 ? 0 : err_prefix(err, "%s:%s", b->info.base_name, entry->path);
}

int repo_blob_id(const void *data, size_t len, char id[REPO_ID_SIZE], struct err *err)
{
    git_oid oid;
    if (git_odb_hash(&oid, data, len, GIT_OBJECT_BLOB) < 0)
        return repo_git_err(err, ERR_IO, "%zu bytes cannot be hashed", len);
    git_oid_tostr(id, REPO_ID_SIZE, &oid);
    return 0;
}
