#include "base/repo_lock.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define COMMIT_LEN 40
#define NOTE_MAX 1024 /* commit, blank, reference */

/* Does the file hold the beginning of this commit's line, as git writes it, or nothing yet? */
static bool is_of(const char *path, const char *commit)
{
    char text[COMMIT_LEN + 2];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text);
    close(fd);
    if (n == COMMIT_LEN + 1 && text[COMMIT_LEN] == '\n')
        n--;
    return n >= 0 && n <= COMMIT_LEN && memcmp(text, commit, (size_t)n) == 0;
}

/* What a publisher left that died: its own files, and the lock of the reference it was moving. */
static int clear_up(struct repo_lock *l, const char *git_folder, struct arena *arena,
                    struct err *err)
{
    char note[NOTE_MAX + 1] = "";
    if (file_remove_tree(l->staging, err) < 0)
        return -1;
    if (pread(l->fd, note, NOTE_MAX, 0) > COMMIT_LEN + 1 && note[COMMIT_LEN] == ' ') {
        const char *ref = note + COMMIT_LEN + 1;
        const char *lock = arena_printf(arena, "%s/%s.lock", git_folder, ref);
        if (strncmp(ref, "refs/", 5) == 0 && !strstr(ref, "..") && is_of(lock, note) &&
            unlink(lock) < 0)
            return err_errno(err, ERR_IO, "%s: cannot remove what a dead publisher left", lock);
    }
    if (ftruncate(l->fd, 0) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", l->path);
    return 0;
}

int repo_lock_take(struct repo_lock *l, const char *git_folder, struct arena *arena,
                   struct err *err)
{
    l->folder = path_join(arena, git_folder, "fpreport");
    l->path = path_join(arena, l->folder, "lock");
    l->staging = path_join(arena, l->folder, "pack");
    l->fd = -1;
    if (file_mkdirs(l->folder, err) < 0)
        return -1;
    l->fd = open(l->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (l->fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", l->path);
    if (flock(l->fd, LOCK_EX | LOCK_NB) == 0) {
        if (clear_up(l, git_folder, arena, err) == 0)
            return 0;
        repo_lock_release(l);
        return -1;
    }
    close(l->fd);
    l->fd = -1;
    return err_set(err, ERR_IO, "another fpreport is publishing in this repository (it holds %s)",
                   l->path);
}

int repo_lock_note(struct repo_lock *l, const char *commit, const char *ref, struct err *err)
{
    char note[NOTE_MAX];
    int n = snprintf(note, sizeof note, "%.*s %s", COMMIT_LEN, commit, ref);
    if (n >= (int)sizeof note)
        return err_set(err, ERR_USAGE, "%.100s…: the name of the branch is too long", ref);
    if (pwrite(l->fd, note, (size_t)n, 0) != n || fsync(l->fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot write", l->path);
    return 0;
}

void repo_lock_release(struct repo_lock *l)
{
    if (l->fd < 0)
        return;
    /* What cannot be emptied names a commit whose lock is gone: the next one finds nothing. */
    int ignored = ftruncate(l->fd, 0);
    (void)ignored;
    close(l->fd);
    l->fd = -1;
}
