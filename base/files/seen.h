/*
 * seen: what files and folders were when they were looked at, to tell later whether they still are.
 *
 *     struct seen_list list = {0};
 *     long long now = seen_clock();
 *     seen_tree(&list, "records", &arena);           // before any of it is read
 *     if (!seen_is_settled(&list, now)) …            // nothing can be promised
 *     …                                              // later, perhaps in another process
 *     if (seen_changed(&list) == 0) …                // everything is as it was
 *
 * A file is the same while device, inode, mode, size, mtime and ctime are: whoever writes to it,
 * replaces it or sets its times leaves another ctime. A folder is the same while its names are.
 * That holds only for what was left alone for a tick of the clock before it was looked at: a file
 * that is written to twice within one tick has the same times after both ("racily clean", as git
 * calls it). seen_is_settled says whether all was older; where it was not, wait or do without.
 * File systems that count in seconds need two of them.
 */
#pragma once

#include "base/arena.h"
#include "base/pack.h"

struct seen {
    uint64_t device, inode, mode, size; /* mode 0: nothing was there; folders have no size */
    uint64_t modified, changed;         /* nanoseconds since 1970 */
};

struct seen_file {
    const char *path;
    bool follow; /* it is what a link leads to that counts */
    struct seen seen;
};

struct seen_list {
    const char *root; /* of seen_below: the folder that paths are in; NULL: they are as they are */
    struct seen_file *files;
    size_t n;
    bool unsure; /* something cannot be watched: a folder that cannot be read or is a link, or
                    what is more than DIR_WALK_ENTRIES_MAX (base/files/dir.h) */
};

/* Now, on the clock that files get their times from. */
uint64_t seen_clock(void);

/* Wait until everything that was written before the call is settled. */
void seen_wait(void);

/* One path, which need not exist; a link counts as what it leads to. */
void seen_path(struct seen_list *list, const char *path, struct arena *arena);

/* A folder and all that is below it. Links to files are followed. */
void seen_tree(struct seen_list *list, const char *root, struct arena *arena);

/* The same with paths below `root`, which itself is "": the list is also good for another folder
 * that the same was moved to. The caller sets the root of one that was unpacked. */
void seen_below(struct seen_list *list, const char *root, struct arena *arena);

/* One of its names, noted when it is there; its mode, or 0. */
uint64_t seen_inside(struct seen_list *list, const char *path, struct arena *arena);

/* Folders of the list as they are below another root. True: they are what they were, but for the
 * ctime of the root, which moving it changes. */
bool seen_moved(const struct seen_list *list, const char *root, struct seen_list *out,
                struct arena *arena);

/* Is everything older than `now`, a time taken before the list was made? */
bool seen_is_settled(const struct seen_list *list, uint64_t now);

/* How many entries are something else now; looked at on all cores. */
size_t seen_changed(const struct seen_list *list);

void seen_pack(const struct seen_list *list, struct buf *out);
void seen_unpack(struct seen_list *list, struct arena *arena, struct unpack *u);
