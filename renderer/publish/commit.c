/* One commit: objects, one pack, read back, the reference moved. */
#include "renderer/publish/inside.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/signing/hash.h"
#include "renderer/publish/files.h"
#include "renderer/publish/lock.h"

#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

/* Before our backends the others are asked: what they have is not written again. */
#define OUR_PRIORITY 1000

/* An object of the commit that the repository does not hold yet. */
struct made {
    git_oid id;
    const char *path; /* objects of like paths are packed as differences; "": none */
};

struct writing {
    struct repo_branch *b;
    const struct repo_commit *c;
    struct arena arena;
    git_repository *repo;    /* a handle of its own, whose object database owns the next two */
    git_odb_backend *memory; /* new trees and the commit */
    struct repo_files
        *files;     /* new blobs: files of the site, which are read when they are packed */
    git_odb *there; /* what the repository holds, without ours */
    struct made *made;
    size_t n_made;
    git_oid commit;
};

/* ---- objects --------------------------------------------------------------------------- */

static int add_backends(struct writing *w, git_odb *odb)
{
    int rc = git_mempack_new(&w->memory);
    if (rc == 0 && (rc = git_odb_add_backend(odb, w->memory, OUR_PRIORITY)) < 0)
        w->memory->free(w->memory);
    if (rc < 0)
        return rc;
    w->files = repo_files_new(w->c->root);
    git_odb_backend *files = repo_files_backend(w->files);
    if ((rc = git_odb_add_backend(odb, files, OUR_PRIORITY)) < 0)
        files->free(files);
    return rc;
}

static int open_for_writing(struct writing *w, struct err *err)
{
    git_odb *odb = NULL;
    int rc = git_repository_open(&w->repo, w->b->info.git_folder);
    if (rc == 0)
        rc = git_repository_odb(&odb, w->repo);
    if (rc == 0)
        rc = add_backends(w, odb);
    if (rc == 0)
        rc = git_repository_odb(&w->there, w->b->repo);
    git_odb_free(odb);
    if (rc < 0)
        return repo_git_err(err, ERR_IO, "%s: cannot be written to", w->b->info.git_folder);
    return 0;
}

static void note_written(struct writing *w, const git_oid *id, const char *path)
{
    if (!git_odb_exists(w->there, id))
        *(struct made *)ARENA_PUSH(&w->arena, w->made, w->n_made) = (struct made){*id, path};
}

static int check_written_bytes(const char *path, const void *data, size_t len, const char *sha256,
                               struct err *err)
{
    char hex[HASH_HEX_SIZE];
    hash_sha256(data, len, hex);
    if (strcmp(hex, sha256) != 0)
        return err_set(err, ERR_INPUT, "%s: is not as it was built; build again", path);
    return 0;
}

static int write_blob(struct writing *w, const struct repo_file *f, git_oid *id, struct err *err)
{
    struct arena scratch = ARENA_INIT;
    const char *path = path_join(&scratch, w->c->root, f->path);
    struct bytes bytes = {f->text, f->text ? strlen(f->text) : 0};
    int rc = f->text ? 0 : file_read(path, REPO_BLOB_MAX, &scratch, &bytes, err);
    if (rc == 0)
        rc = check_written_bytes(path, bytes.data, bytes.len, f->sha256, err);
    if (rc == 0 && git_odb_hash(id, bytes.data, bytes.len, GIT_OBJECT_BLOB) < 0)
        rc = repo_git_err(err, ERR_IO, "%s: cannot be made an object", path);
    if (rc == 0) {
        repo_files_add(w->files, id, f->path, f->text, bytes.len);
        note_written(w, id, f->path);
    }
    arena_release(&scratch);
    return rc;
}

static int write_tree(struct writing *w, size_t from, size_t to, size_t skip, git_oid *id,
                      struct err *err);

/* libgit2 refuses a name, and what was made for it a moment ago where that is not found again: a
 * loose object that could not be opened looks so, which is looked at here. It is asked twice. */
static int insert(struct writing *w, git_treebuilder *tree, const char *name, const git_oid *id,
                  git_filemode_t mode, bool *lost)
{
    git_odb *odb = NULL;
    if (git_treebuilder_insert(NULL, tree, name, id, mode) == 0)
        return 0;
    *lost = git_repository_odb(&odb, w->repo) < 0 || !git_odb_exists(odb, id);
    git_odb_free(odb);
    return git_treebuilder_insert(NULL, tree, name, id, mode);
}

/* The entry that begins at files[*i], whose path is looked at behind `skip` bytes; *i moves on. */
static int write_entry(struct writing *w, git_treebuilder *tree, size_t *i, size_t to, size_t skip,
                       struct err *err)
{
    const struct repo_file *f = &w->c->files[*i];
    const char *rest = f->path + skip;
    size_t len = strcspn(rest, "/"), end = *i + 1;
    bool folder = rest[len] == '/';
    const char *name = arena_strndup(&w->arena, rest, len);
    git_oid id;
    while (folder && end < to && strncmp(w->c->files[end].path + skip, rest, len + 1) == 0)
        end++;
    int rc = folder ? write_tree(w, *i, end, skip + len + 1, &id, err) : write_blob(w, f, &id, err);
    bool lost = false;
    if (rc == 0 &&
        insert(w, tree, name, &id, folder ? GIT_FILEMODE_TREE : GIT_FILEMODE_BLOB, &lost) < 0)
        rc = repo_git_err(err, lost ? ERR_IO : ERR_INPUT, "%s: git cannot hold this path", f->path);
    *i = end;
    return rc;
}

static int write_tree(struct writing *w, size_t from, size_t to, size_t skip, git_oid *id,
                      struct err *err)
{
    git_treebuilder *tree = NULL;
    int rc = 0;
    if (git_treebuilder_new(&tree, w->repo, NULL) < 0)
        return repo_git_err(err, ERR_IO, "a tree cannot be made");
    for (size_t i = from; rc == 0 && i < to;)
        rc = write_entry(w, tree, &i, to, skip, err);
    if (rc == 0 && git_treebuilder_write(id, tree) < 0)
        rc = repo_git_err(err, ERR_IO, "a tree cannot be written");
    if (rc == 0)
        note_written(w, id, "");
    git_treebuilder_free(tree);
    return rc;
}

/* A configuration that could not be looked at names nobody, and is not looked at again by the same
 * handle. */
static int ask_author(git_repository *repo, git_signature **out)
{
    git_repository *fresh = NULL;
    int rc = git_signature_default(out, repo);
    if (rc != GIT_ENOTFOUND)
        return rc;
    rc = git_repository_open(&fresh, git_repository_path(repo));
    if (rc == 0)
        rc = git_signature_default(out, fresh);
    git_repository_free(fresh);
    return rc;
}

/* libgit2 takes a configuration that it has no right to for an empty one. */
static int check_config(git_repository *repo, struct err *err)
{
    struct arena arena = ARENA_INIT;
    const char *path = path_join(&arena, git_repository_commondir(repo), "config");
    int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
    if (fd < 0 && err_is_of_machine(errno))
        rc = err_errno(err, ERR_IO, "%s", path);
    if (fd >= 0)
        close(fd);
    arena_release(&arena);
    return rc;
}

static int author_of(git_repository *repo, git_signature **out, struct err *err)
{
    int rc = ask_author(repo, out);
    if (rc == GIT_ENOTFOUND && check_config(repo, err) < 0)
        return -1;
    if (rc == GIT_ENOTFOUND && !repo_is_at_a_loss())
        return err_set(err, ERR_USAGE,
                       "the commit needs an author; `git config user.name \"Your Name\"` and "
                       "`git config user.email you@example.org` set one");
    return rc == 0 ? 0 : repo_git_err(err, ERR_INPUT, "git's configuration cannot be read");
}

int repo_branch_author(struct repo_branch *b, struct arena *arena, const char **out,
                       struct err *err)
{
    git_signature *author;
    if (author_of(b->repo, &author, err) < 0)
        return -1;
    *out = arena_printf(arena, "%s <%s>", author->name, author->email);
    git_signature_free(author);
    return 0;
}

static int create_commit(struct writing *w, const git_tree *tree, const git_signature *author,
                         struct err *err)
{
    git_commit *parent = NULL;
    bool has_parent = !git_oid_is_zero(&w->b->base);
    int rc = has_parent ? git_commit_lookup(&parent, w->repo, &w->b->base) : 0;
    if (rc == 0)
        rc = git_commit_create(&w->commit, w->repo, NULL, author, author, NULL, w->c->message, tree,
                               has_parent, (const git_commit **)&parent);
    git_commit_free(parent);
    if (rc < 0)
        return repo_git_err(err, ERR_IO, "the commit cannot be made");
    note_written(w, &w->commit, "");
    return 0;
}

static int write_commit(struct writing *w, const git_oid *tree_id, struct err *err)
{
    git_tree *tree = NULL;
    git_signature *author = NULL;
    if (author_of(w->repo, &author, err) < 0)
        return -1;
    if (w->c->time >= 0) {
        author->when.time = w->c->time;
        author->when.offset = 0;
        author->when.sign = '+';
    }
    int rc = git_tree_lookup(&tree, w->repo, tree_id);
    rc = rc < 0 ? repo_git_err(err, ERR_IO, "the tree cannot be read")
                : create_commit(w, tree, author, err);
    git_tree_free(tree);
    git_signature_free(author);
    return rc;
}

/* ---- the pack -------------------------------------------------------------------------- */

/* `git repack -ad` and `git gc --prune=now` remove the packs of which they found nothing to be
 * reachable, but for those that have a .keep beside them, as git's own have until their reference
 * is moved. */
static int add_keep(struct writing *w, const char *staging, struct err *err)
{
    struct dir_entry *entries;
    size_t n;
    if (dir_list(staging, &w->arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i].name, *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".pack") != 0)
            continue;
        const char *keep = arena_printf(&w->arena, "%.*s.keep", (int)(dot - name), name);
        if (file_write(path_join(&w->arena, staging, keep), REPO_KEEP_TEXT, strlen(REPO_KEEP_TEXT),
                       err) < 0)
            return -1;
    }
    return 0;
}

/* Who sees an .idx looks for its .pack, which must be there before. */
static int move_pack(struct writing *w, struct err *err)
{
    static const char *const suffixes[] = {".keep", ".pack", ".idx"};
    struct dir_entry *entries;
    size_t n;
    const char *folder = path_join(&w->arena, w->b->info.git_folder, REPO_PACKS);
    if (file_mkdirs(folder, err) < 0 || add_keep(w, w->b->lock.staging, err) < 0 ||
        dir_list(w->b->lock.staging, &w->arena, &entries, &n, err) < 0)
        return -1;
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++)
        for (size_t i = 0; i < n; i++) {
            const char *dot = strrchr(entries[i].name, '.');
            const char *from = path_join(&w->arena, w->b->lock.staging, entries[i].name);
            const char *to = path_join(&w->arena, folder, entries[i].name);
            if (dot && strcmp(dot, suffixes[s]) == 0 && rename(from, to) < 0)
                return err_errno(err, ERR_IO, "%s: cannot be moved to", to);
        }
    return file_sync_folder_of(path_join(&w->arena, folder, "x"), err);
}

static int pack_new(struct writing *w, git_packbuilder *pack, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < w->n_made; i++)
        rc = git_packbuilder_insert(pack, &w->made[i].id, w->made[i].path);
    if (rc == 0)
        rc = git_packbuilder_write(pack, w->b->lock.staging, 0, NULL, NULL);
    if (rc < 0)
        return repo_git_err(err, ERR_IO, "%s: the objects cannot be written", w->b->lock.staging);
    return 0;
}

static int write_pack(struct writing *w, struct err *err)
{
    git_packbuilder *pack = NULL;
    if (file_mkdirs(w->b->lock.staging, err) < 0)
        return -1;
    if (git_packbuilder_new(&pack, w->repo) < 0)
        return repo_git_err(err, ERR_IO, "a pack cannot be made");
    int rc = pack_new(w, pack, err);
    git_packbuilder_free(pack);
    if (rc == 0)
        rc = move_pack(w, err);
    return rc == 0 ? file_remove_tree(w->b->lock.staging, err) : -1;
}

/* ---- what was written, as others will read it ------------------------------------------ */

static int check_entry(git_odb *odb, const struct repo_entry *e, const struct repo_file *f,
                       struct err *err)
{
    git_oid id;
    git_odb_object *object = NULL;
    if (strcmp(e->path, f->path) != 0 || !e->plain)
        return err_set(err, ERR_IO, "%s: differs in the commit", f->path);
    if (git_oid_fromstr(&id, e->id) < 0 || git_odb_read(&object, odb, &id) < 0)
        return repo_git_err(err, ERR_IO, "%s: cannot be read back from the repository", f->path);
    int rc = check_written_bytes(f->path, git_odb_object_data(object), git_odb_object_size(object),
                                 f->sha256, err);
    git_odb_object_free(object);
    return rc;
}

static int read_back(struct writing *w, git_repository *fresh, struct err *err)
{
    struct repo_entry *entries;
    size_t n;
    git_odb *odb = NULL;
    if (repo_list_commit(fresh, &w->commit, &w->arena, &entries, &n, err) < 0) {
        err->kind = ERR_IO;
        return -1;
    }
    if (n != w->c->n)
        return err_set(err, ERR_IO, "the commit holds %zu files, expected %zu", n, w->c->n);
    if (git_repository_odb(&odb, fresh) < 0)
        return repo_git_err(err, ERR_IO, "the objects cannot be read back");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = check_entry(odb, &entries[i], &w->c->files[i], err);
    git_odb_free(odb);
    return rc;
}

/* ---- the reference --------------------------------------------------------------------- */

/* Where the branch is after all, through a handle that has cached nothing. */
static int ask_branch_again(struct writing *w, git_oid *now)
{
    git_repository *fresh = NULL;
    int rc = git_repository_open(&fresh, w->b->info.git_folder);
    if (rc == 0)
        rc = git_reference_name_to_id(now, fresh, w->b->ref);
    if (rc == GIT_ENOTFOUND) {
        *now = (git_oid){{0}};
        rc = 0;
    }
    git_repository_free(fresh);
    return rc;
}

static int explain_move(struct writing *w, int rc, struct err *err)
{
    git_oid now;
    const char *name = w->b->name, *id = repo_hex(&w->arena, &w->commit);
    const char *why = arena_strdup(&w->arena, repo_git_message());
    if (ask_branch_again(w, &now) < 0)
        return err_set(err, ERR_UNKNOWN, "%s may have moved to %s (%s), but cannot be read now",
                       name, id, why);
    if (git_oid_equal(&now, &w->commit) && (rc == GIT_EMODIFIED || rc == GIT_EEXISTS))
        return 0; /* another publisher made the very same commit */
    if (git_oid_equal(&now, &w->commit))
        return err_set(err, ERR_UNKNOWN,
                       "%s has moved to %s, but the disk did not confirm it (%s): a power failure "
                       "now could undo it; publishing again is safe",
                       name, id, why);
    if (!git_oid_equal(&now, &w->b->tip))
        return err_set(err, ERR_IO,
                       "%s was moved to %.12s by somebody else meanwhile; publish again to see "
                       "what that changes",
                       name, repo_hex(&w->arena, &now) ? repo_hex(&w->arena, &now) : "nothing");
    if (rc == GIT_ELOCKED)
        return err_set(err, ERR_IO,
                       "%s%s.lock: another git is moving the branch; when none is running, remove "
                       "this file",
                       w->b->info.git_folder, w->b->ref);
    return err_set(err, ERR_IO, "%s cannot be moved: %s", name, why);
}

static int move_branch(struct writing *w, git_repository *fresh, struct err *err)
{
    git_reference *ref = NULL;
    bool is_new = git_oid_is_zero(&w->b->tip);
    if (repo_lock_note(&w->b->lock, repo_hex(&w->arena, &w->commit), w->b->ref, err) < 0)
        return -1;
    int rc = git_reference_create_matching(&ref, fresh, w->b->ref, &w->commit, !is_new,
                                           is_new ? NULL : &w->b->tip, "fpreport publish");
    git_reference_free(ref);
    return rc < 0 ? explain_move(w, rc, err) : 0;
}

static int check_and_move(struct writing *w, struct err *err)
{
    git_repository *fresh = NULL;
    if (git_repository_open(&fresh, w->b->info.git_folder) < 0)
        return repo_git_err(err, ERR_IO, "%s: cannot be opened again", w->b->info.git_folder);
    int rc = read_back(w, fresh, err);
    if (rc == 0)
        rc = move_branch(w, fresh, err);
    git_repository_free(fresh);
    return rc;
}

static int commit_files(struct writing *w, struct err *err)
{
    if (w->b->lock.fd < 0 &&
        repo_lock_take(&w->b->lock, w->b->info.git_folder, &w->b->arena, err) < 0)
        return -1;
    git_oid tree;
    bool failed = open_for_writing(w, err) < 0 || write_tree(w, 0, w->c->n, 0, &tree, err) < 0 ||
                  write_commit(w, &tree, err) < 0 || write_pack(w, err) < 0;
    git_odb_free(w->there);
    git_repository_free(w->repo);
    int rc = failed ? -1 : check_and_move(w, err);
    repo_lock_release(&w->b->lock);
    return rc;
}

int repo_branch_commit(struct repo_branch *b, const struct repo_commit *c, char id[REPO_ID_SIZE],
                       struct err *err)
{
    struct writing w = {.b = b, .c = c};
    if (!repo_git_start(REPO_WRITE)) /* somebody may have looked with other settings since */
        return err_set(err, ERR_IO, "libgit2 cannot be started");
    int rc = commit_files(&w, err);
    git_oid_tostr(id, REPO_ID_SIZE, &w.commit);
    arena_release(&w.arena);
    git_libgit2_shutdown();
    return rc;
}
