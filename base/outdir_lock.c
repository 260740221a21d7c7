/* The lock of a folder, and what it notes for the next run. */
#include "base/file.h"
#include "base/lock.h"
#include "base/outdir_steps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned long long outdir_inode_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

unsigned long long outdir_tree_of(const struct outdir *od, const char *path)
{
    struct stat st, beside, live;
    if (lstat(path, &st) < 0 || fstat(od->beside_fd, &beside) < 0)
        return 0;
    bool own = st.st_uid == geteuid() || (lstat(od->path, &live) == 0 && st.st_uid == live.st_uid);
    return S_ISDIR(st.st_mode) && own && st.st_dev == beside.st_dev ? (unsigned long long)st.st_ino
                                                                    : 0;
}

/* The lock file also notes the inode of the tree that is being built, which tells the next run
 * whether a tree that a killed one left behind is that one or the old one. */
int outdir_take_lock(struct outdir *od, struct err *err)
{
    for (;;) {
        struct stat mine;
        od->lock_fd = open(od->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (od->lock_fd < 0)
            return err_errno(err, ERR_IO, "%s: cannot create", od->lock_path);
        if (lock_wait(od->lock_fd, LOCK_EX, od->lock_path, "writing this folder", err) < 0) {
            close(od->lock_fd);
            od->lock_fd = -1;
            return err_prefix(err, "%s", od->shown);
        }
        int named = fstat(od->lock_fd, &mine) < 0 ? -1 : file_is_there(od->lock_path, err);
        bool is_there = named > 0 && mine.st_ino == outdir_inode_of(od->lock_path);
        if (is_there && file_is_own(&mine))
            return 0;
        close(od->lock_fd); /* its last holder removed it before we had it */
        od->lock_fd = -1;
        if (named < 0) /* which would be asked for ever */
            return err_set(err, ERR_IO, "%s: cannot be looked at", od->lock_path);
        /* Another name of it is somebody's file, which we would write into; and what another user's
         * notes is not to be believed. */
        if (is_there)
            return err_set(err, ERR_USAGE, "%s: is not ours, and in the way", od->lock_path);
    }
}

unsigned long long outdir_noted(const struct outdir *od)
{
    char text[32] = "";
    ssize_t n = pread(od->lock_fd, text, sizeof text - 1, 0);
    return n > 0 ? strtoull(text, NULL, 10) : 0;
}

/* The second tree that is being made beside the first; 0: none is. */
unsigned long long outdir_noted_twin(const struct outdir *od)
{
    char text[64] = "", *rest;
    ssize_t n = pread(od->lock_fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return 0;
    strtoull(text, &rest, 10);
    return strtoull(rest, NULL, 10);
}

/* A tree that nobody could know again is not noted, and so not filled. */
static int put_inode(const char *tree, char *text, size_t room, struct err *err)
{
    struct stat st;
    if (lstat(tree, &st) < 0)
        return err_errno(err, ERR_IO, "%s", tree);
    return snprintf(text, room, "%llu\n", (unsigned long long)st.st_ino);
}

int outdir_note_trees(struct outdir *od, const char *tree, const char *twin, struct err *err)
{
    char text[64];
    int n = put_inode(tree, text, sizeof text, err), more = 0;
    if (n > 0 && twin)
        more = put_inode(twin, text + n, sizeof text - (size_t)n, err);
    if (n < 0 || more < 0)
        return -1;
    n += more;
    if (ftruncate(od->lock_fd, 0) < 0 || pwrite(od->lock_fd, text, (size_t)n, 0) != n)
        return err_errno(err, ERR_IO, "%s: cannot write", od->lock_path);
    return 0;
}
