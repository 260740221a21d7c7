/* The lock of a folder, and what it notes for the next run. */
#include "base/files/lock.h"
#include "base/files/file.h"
#include "renderer/output/steps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int outdir_inode_of(const char *path, unsigned long long *inode, struct err *err)
{
    struct stat st;
    int there = file_look(path, &st, err);
    *inode = there > 0 ? (unsigned long long)st.st_ino : 0;
    return there < 0 ? -1 : 0;
}

int outdir_tree_of(const struct outdir *od, const char *path, unsigned long long *inode,
                   struct err *err)
{
    struct stat st, beside, live;
    int there = file_look(path, &st, err);
    *inode = 0;
    if (there <= 0)
        return there;
    if (fstat(od->beside_fd, &beside) < 0)
        return err_errno(err, ERR_IO, "%s: cannot look at its folder", od->path);
    int has_live = file_look(od->path, &live, err);
    if (has_live < 0)
        return -1;
    bool own = st.st_uid == geteuid() || (has_live && st.st_uid == live.st_uid);
    if (S_ISDIR(st.st_mode) && own && st.st_dev == beside.st_dev)
        *inode = (unsigned long long)st.st_ino;
    return 0;
}

/* The lock file also notes the inode of the tree that is being built, which tells the next run
 * whether a tree that a killed one left behind is that one or the old one. */
int outdir_take_lock(struct outdir *od, struct err *err)
{
    for (;;) {
        struct stat mine, there;
        od->lock_fd = open(od->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (od->lock_fd < 0)
            return err_errno(err, ERR_IO, "%s: cannot create", od->lock_path);
        if (lock_wait(od->lock_fd, LOCK_EX, od->lock_path, "writing this folder", err) < 0) {
            close(od->lock_fd);
            od->lock_fd = -1;
            return err_prefix(err, "%s", od->shown);
        }
        int named = fstat(od->lock_fd, &mine) < 0 ? -1 : file_look(od->lock_path, &there, err);
        bool is_there = named > 0 && mine.st_ino == there.st_ino;
        if (is_there && file_is_own(&mine))
            return 0;
        close(od->lock_fd); /* its last holder removed it before we had it */
        od->lock_fd = -1;
        if (named < 0) /* which would be asked for ever */
            return err_set(err, ERR_IO, "%s: cannot be read", od->lock_path);
        /* Another name of it is somebody's file, which we would write into; and what another user's
         * notes is not to be believed. */
        if (is_there)
            return err_set(err, ERR_USAGE,
                           "%s: fpreport did not write this file and does not "
                           "replace it",
                           od->lock_path);
    }
}

unsigned long long outdir_noted(const struct outdir *od)
{
    char text[32] = "";
    ssize_t n = pread(od->lock_fd, text, sizeof text - 1, 0);
    return n > 0 ? strtoull(text, NULL, 10) : 0;
}

/* A tree that nobody could know again is not noted, and so not filled. */
int outdir_note_tree(struct outdir *od, const char *tree, struct err *err)
{
    char text[32];
    struct stat st;
    if (lstat(tree, &st) < 0)
        return err_errno(err, ERR_IO, "%s", tree);
    int n = snprintf(text, sizeof text, "%llu\n", (unsigned long long)st.st_ino);
    if (ftruncate(od->lock_fd, 0) < 0 || pwrite(od->lock_fd, text, (size_t)n, 0) != n)
        return err_errno(err, ERR_IO, "%s: cannot write", od->lock_path);
    return 0;
}
