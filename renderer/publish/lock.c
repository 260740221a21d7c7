#include "renderer/publish/lock.h"

#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

#define COMMIT_LEN 40
#define NOTE_MAX 1024 /* commit, blank, reference */
#define EMPTY_AFTER_MS 60000
#define EMPTY_SECONDS 2

/* Does the file begin as this commit's line, which git writes, and go on with zeros, if at all? */
static bool is_of_commit(const char *path, const char *commit)
{
    char line[COMMIT_LEN + 2], text[COMMIT_LEN + 2];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text), i = 0;
    close(fd);
    snprintf(line, sizeof line, "%.*s\n", COMMIT_LEN, commit);
    while (i < n && text[i] == line[i])
        i++;
    while (i < n && text[i] == '\0')
        i++;
    return n > 0 && n <= COMMIT_LEN + 1 && i == n;
}

static long long ms_of(struct timespec t)
{
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Was it made right after the note, and does nobody write to it? 1, 0, or -1. */
static int stays_empty(const char *path, int note_fd, struct err *err)
{
    struct stat note, was, now;
    if (fstat(note_fd, &note) < 0)
        return err_errno(err, ERR_IO, "%s: cannot read its notes", path);
    int there = file_look(path, &was, err);
    if (there <= 0 || !S_ISREG(was.st_mode) || was.st_size)
        return there < 0 ? -1 : 0;
    long long after = ms_of(was.st_mtim) - ms_of(note.st_mtim);
    if (after < 0 || after > EMPTY_AFTER_MS)
        return 0;
    nanosleep(&(struct timespec){.tv_sec = EMPTY_SECONDS}, NULL);
    there = file_look(path, &now, err);
    if (there <= 0)
        return there;
    return now.st_ino == was.st_ino && now.st_size == 0 && ms_of(now.st_ctim) == ms_of(was.st_ctim);
}

/* The note goes when the lock is gone for good. */
static int clear_reference(const struct repo_lock *l, const char *note, struct err *err)
{
    const char *ref = note + COMMIT_LEN + 1;
    const char *lock = arena_printf(l->arena, "%s/%s.lock", l->git_folder, ref);
    if (strncmp(ref, "refs/", 5) != 0 || strstr(ref, ".."))
        return 0;
    int ours = is_of_commit(lock, note) ? 1 : stays_empty(lock, l->fd, err);
    if (ours <= 0)
        return ours;
    if (unlink(lock) < 0)
        return err_errno(err, ERR_IO, "%s: cannot remove what a dead publisher left", lock);
    return file_sync_folder_of(lock, err);
}

static bool is_our_keep(const char *path)
{
    char text[sizeof REPO_KEEP_TEXT];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
    if (fd >= 0)
        close(fd);
    return n == (ssize_t)strlen(REPO_KEEP_TEXT) && memcmp(text, REPO_KEEP_TEXT, (size_t)n) == 0;
}

/* Also those of one that died: what it wrote may be in the commit that was made now. Where one
 * cannot be removed its pack only stays as it is, until the next one comes here. */
static void drop_keeps(const struct repo_lock *l)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n = 0;
    const char *folder = path_join(l->arena, l->git_folder, REPO_PACKS);
    if (dir_list(folder, l->arena, &entries, &n, &ignored) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(l->arena, folder, entries[i].name);
        if (text_ends(entries[i].name, ".keep") && is_our_keep(path))
            unlink(path);
    }
}

/* What a publisher left that died: its own files, and the lock of the reference it was moving. */
static int clear_up_publisher(const struct repo_lock *l, struct err *err)
{
    char note[NOTE_MAX + 1] = "";
    if (file_remove_tree(l->staging, err) < 0)
        return -1;
    if (pread(l->fd, note, NOTE_MAX, 0) > COMMIT_LEN + 1 && note[COMMIT_LEN] == ' ' &&
        clear_reference(l, note, err) < 0)
        return -1;
    if (ftruncate(l->fd, 0) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", l->path);
    return 0;
}

int repo_lock_take(struct repo_lock *l, const char *git_folder, struct arena *arena,
                   struct err *err)
{
    *l =
        (struct repo_lock){.fd = -1, .arena = arena, .git_folder = arena_strdup(arena, git_folder)};
    l->folder = path_join(arena, git_folder, "fpreport");
    l->path = path_join(arena, l->folder, "lock");
    l->staging = path_join(arena, l->folder, "pack");
    struct stat st;
    int there = file_mkdirs(l->folder, err) < 0 ? -1 : file_look(l->folder, &st, err);
    if (there < 0)
        return -1;
    if (there && S_ISLNK(st.st_mode)) /* what lies there is not ours to clear */
        return err_set(err, ERR_INPUT, "%s: found a link, expected a folder", l->folder);
    l->fd = open(l->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (l->fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", l->path);
    if (lock_wait(l->fd, LOCK_EX, l->path, "publishing in this repository", err) == 0 &&
        clear_up_publisher(l, err) == 0)
        return 0;
    close(l->fd);
    l->fd = -1;
    return -1;
}

int repo_lock_note(struct repo_lock *l, const char *commit, const char *ref, struct err *err)
{
    char note[NOTE_MAX];
    int n = snprintf(note, sizeof note, "%.*s %s", COMMIT_LEN, commit, ref);
    if (n >= (int)sizeof note)
        return err_set(err, ERR_USAGE, "%.100s…: the name of the branch is too long", ref);
    l->moved = path_join(l->arena, l->git_folder, ref);
    if (pwrite(l->fd, note, (size_t)n, 0) != n || fsync(l->fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", l->path);
    return file_sync_folder_of(l->path, err); /* the note is no use without its name */
}

/* libgit2 gives a new reference its name by link() and does not ask whether its lock went then. Of
 * one that is there and does not say whose it is, the next publisher may tell by the note. */
static int drop_lock(const struct repo_lock *l)
{
    char note[NOTE_MAX + 1] = "";
    struct err ignored = ERR_INIT;
    const char *lock = arena_printf(l->arena, "%s.lock", l->moved);
    if (pread(l->fd, note, NOTE_MAX, 0) > COMMIT_LEN + 1 && is_of_commit(lock, note))
        return unlink(lock);
    return file_is_there(lock, &ignored) == 0 ? 0 : -1;
}

void repo_lock_release(struct repo_lock *l)
{
    if (l->fd < 0)
        return;
    /* The note goes when the reference's lock is gone for good. One that stays names a commit whose
     * lock the next one does not find. */
    struct err ignored = ERR_INIT;
    drop_keeps(l);
    int rc = l->moved ? drop_lock(l) : 0;
    if (rc == 0 && l->moved)
        rc = file_sync_folder_of(l->moved, &ignored);
    if (rc == 0)
        rc = ftruncate(l->fd, 0);
    (void)rc;
    close(l->fd);
    l->fd = -1;
}
