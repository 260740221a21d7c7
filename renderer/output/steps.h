/*
 * outdir_steps: the system calls of renderer/output/outdir.c, each behind the fault injection hook,
 * and the walks over its two trees. Messages name the path; paths are absolute.
 */
#pragma once

#include "renderer/output/list.h"
#include "renderer/output/outdir.h"

#include <sys/stat.h>

/* What a call returns when the file system cannot do it at all: replace file by file then. */
#define OUTDIR_UNSUPPORTED 1

/* 0: nothing is there. -1: it cannot be told. */
int outdir_inode_of(const char *path, unsigned long long *inode, struct err *err);

/* The same of what can be a tree of ours: a folder on the disk that the site lies on, which belongs
 * to us or to whom the site does. A note names an inode, and somebody else's tree may have it. */
int outdir_tree_of(const struct outdir *od, const char *path, unsigned long long *inode,
                   struct err *err);

/* Keep other builders out; the lock then says what the last run noted: the tree that it was
 * building. 0: none. */
int outdir_take_lock(struct outdir *od, struct err *err);
unsigned long long outdir_noted(const struct outdir *od);
int outdir_note_tree(struct outdir *od, const char *tree, struct err *err);

/* No other file of the new tree has this path, but for the case of letters. */
int outdir_claim_name(struct outdir *od, const char *rel, struct err *err);
bool outdir_is_claimed(const struct outdir *od, const char *rel);

/* What was kept joins what was added, which is sorted. */
int outdir_merge_kept(struct outdir *od, struct err *err);

/* The folder that the trees lie in. It is opened before anything is written, so that a sync of its
 * disk hears of every error in writing since, also of one that somebody else has heard. */
int outdir_open_beside(struct outdir *od, struct err *err);
int outdir_sync_beside(struct outdir *od, struct err *err);
int outdir_open_folder(const char *folder, struct err *err); /* a descriptor, to sync it; -1 */
int outdir_sync_disk(int fd, const char *shown, struct err *err);

int outdir_mkdir(struct outdir *od, const char *path, mode_t mode, struct err *err);
int outdir_mkdirs_for(struct outdir *od, const char *root, const char *rel, struct err *err);
int outdir_create(struct outdir *od, const char *path, const void *data, size_t len,
                  struct err *err);
int outdir_rename(struct outdir *od, const char *from, const char *to, struct err *err);
int outdir_unlink(struct outdir *od, const char *path, struct err *err); /* missing is no error */
int outdir_rmdir_if_empty(struct outdir *od, const char *path, struct err *err);
/* A file, and of its folders those that are empty then. */
int outdir_remove_name(struct outdir *od, const char *root, const char *rel, struct err *err);
int outdir_remove_tree(struct outdir *od, const char *path, struct err *err);

/* Swap two folders in one step. 0, -1 or OUTDIR_UNSUPPORTED. */
int outdir_exchange(struct outdir *od, const char *a, const char *b, struct err *err);

/* One more name, in the folder `to`, for the file in the folder `from`; a symbolic link is linked
 * itself. Returns as above. */
int outdir_link(struct outdir *od, int from, int to, const char *rel, struct err *err);

/* Mode and owner of a folder that is made again. OUTDIR_UNSUPPORTED for what is not ours to
 * make again: another's folder, one that its owner may not write to. */
int outdir_copy_mode(const char *to, const struct stat *from, struct err *err);

/* Write a list at `path`, and its parts, before it names them, into `folder`. */
int outdir_write_list(struct outdir *od, const struct outdir_list *list, const char *folder,
                      const char *path, struct err *err);

/* The list of the new tree, in the staging tree and in place of what it had. */
int outdir_list_tree(struct outdir *od, struct err *err);

/* Remove from the folder the parts of lists that `list` (NULL: no list) does not have. */
int outdir_drop_parts(struct outdir *od, const char *folder, const struct outdir_list *list,
                      struct err *err);

/* Is the file there a regular one with exactly these bytes? One that cannot be read is not. */
bool outdir_same_bytes(const char *path, const void *data, size_t len);

/* Is this file one that `list` knows, with bytes as they were written? -1: it cannot be told. */
int outdir_is_ours(struct outdir_list *list, const char *root, const char *rel, struct arena *arena,
                   bool *ours, struct err *err);

/*
 * Link into the staging tree everything of the live tree that stays: unchanged files of ours and
 * whatever is not ours. Counts what is foreign, warns of ours that somebody changed. 0, -1 or
 * OUTDIR_UNSUPPORTED.
 */
int outdir_link_tree(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                     struct err *err);

/* Only count and warn, as above. */
int outdir_count_foreign(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                         struct err *err);

/*
 * Clear away a tree that was exchanged out, to `from`. `was` is its list and `now` that of the live
 * tree. Whatever others changed or put there since is handed over to the live tree. The list goes
 * last, when nothing else is there and a power failure can bring nothing back.
 */
int outdir_absorb(struct outdir *od, const char *from, struct outdir_list *was,
                  struct outdir_list *now, struct err *err);

/*
 * The spare tree (outdir.h). It holds when nobody changed anything in its folders, nor in the live
 * tree, whose files its own are. One that does not is cleared away, and what others put into it is
 * handed over.
 */
bool outdir_spare_holds(const struct outdir *od);
int outdir_spare_drop(struct outdir *od, struct err *err);

/* As the staging tree: make room for a new file, and at the end remove what the new tree lacks. */
int outdir_spare_clear_way(struct outdir *od, const char *rel, struct err *err);
int outdir_spare_update(struct outdir *od, struct err *err);

/* The new tree is in place: make the old one, which may be gone, the spare one. False: it may not
 * become that, and is as it was. A tree that cannot be made whole is removed. */
bool outdir_spare_keep(struct outdir *od, bool left);
