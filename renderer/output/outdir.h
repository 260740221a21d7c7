/*
 * outdir: a folder that is replaced as a whole, or not at all.
 *
 *     struct outdir od;
 *     struct outdir_stats stats;
 *     if (outdir_lock(&od, "site", err) < 0)
 *         return -1;
 *     int rc = outdir_begin(&od, err);
 *     if (rc == 0)
 *         rc = outdir_add(&od, "zh/index.html", page.data, page.len, err);       // …
 *     if (rc == 0)
 *         rc = outdir_finish(&od, &stats, diags, err);
 *     if (rc < 0)
 *         outdir_abandon(&od);
 *     outdir_close(&od);
 *
 * Promises, also when the process is killed between any two system calls:
 *  - who looks at the folder sees the old tree or the new one, whole; the next run succeeds;
 *  - a file that we did not write is never changed or removed: it, links and `.git` included,
 *    keeps its inode. So does one that we wrote and somebody changed since (with a warning),
 *    unless we write that path now;
 *  - an unchanged file keeps its inode and times; if nothing changed at all, nothing is touched;
 *  - the tree depends only on what was added.
 *
 * How: the new tree is built beside the old one as `<dir>.fpreport-new`, with hard links to all
 * that stays; it is synced, changes places with the old tree in one renameat2(), and the old
 * tree is cleared away name by name, handing over what others put into it meanwhile. Where hard
 * links or the exchange are not supported (other file systems, a mount point), every file is
 * replaced by itself, still old or new, never half.
 *
 * With `with_spare` a folder without files of others has a second tree of hard links beside it, the
 * spare tree `<dir>.fpreport-previous`, readable by its owner alone: the staging tree of the next
 * build, so that a change costs what changed. A new folder gets one at once, another one when it is
 * known: the old tree, brought up to date after the exchange. So both trees always have the same
 * files, and who writes into one of the spare tree writes into the site, which is seen.
 *
 * What we wrote is listed with its SHA-256 in
 * `<dir>/.fpreport-build`, and in parts of it beside it where that is long; a folder with content
 * but without that list is refused.
 * `<dir>.fpreport-lock` keeps a second builder out and is gone after a regular end.
 *
 * What a power failure may leave is told by the lock's note, the inode of a tree, and by the list
 * in that tree. So nothing is put into a tree before its note is on the disk; the list of a tree
 * that goes is removed when no other name of it can come back, and the note is changed or removed
 * when that tree cannot.
 *
 * A process that has its working folder in the old tree (a server started inside it) does not
 * follow the exchange. Removed folders: those that held only our files and are empty now.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/files/seen.h"

#include <stdbool.h>
#include <stddef.h>

#define OUTDIR_LIST_NAME ".fpreport-build"
#define OUTDIR_PATH_MAX 1024
#define OUTDIR_FILE_MAX ((size_t)1 << 30)

struct outdir_file;
struct outdir_list;

/* A folder as it was when outdir was done with it. Of one that is known to be what its list says no
 * file need be read. */
struct outdir_known {
    struct seen_list tree;  /* all that is in the folder */
    struct seen_list spare; /* the folders of the spare tree; n 0: there is none */
    size_t n_foreign;       /* entries of others in it */
};

struct outdir {
    struct arena arena;
    const char *shown;       /* as the caller named it, for messages */
    const char *path;        /* absolute, links resolved */
    const char *staging;     /* <path>.fpreport-new */
    const char *spare;       /* <path>.fpreport-previous */
    const char *lock_path;   /* <path>.fpreport-lock */
    int lock_fd;             /* -1: closed */
    int beside_fd;           /* the folder that all of these lie in; -1: closed */
    struct outdir_list *old; /* what the folder's list says that we wrote */
    struct outdir_list *now; /* what was added */
    bool *kept;              /* by place in `old`: stays as it is; NULL: none was kept */
    const char **names;      /* hash table of the added paths, case folded */
    size_t names_size, n_names;
    const char *made; /* the folder that was made last, with '/'; NULL: none that is there */
    /* The caller vouches, before outdir_begin, that nothing in the folder changed since; NULL. */
    const struct outdir_known *known;
    bool by_file;     /* replace file by file; may be set after lock */
    size_t list_part; /* bytes of a part of the list (renderer/output/list.h); likewise */
    bool with_spare;  /* keep a spare tree, for who will note the folder; likewise */
    bool has_spare;   /* there was one when it began: it is the staging tree */
    bool spared;      /* there is one now */
    bool fresh;       /* nothing lay there when it began, so nothing is in the way */
    bool claimed;     /* a power failure cannot make us forget whose the staging tree is */
    /* Called before every system call that changes anything; for fault injection. */
    void (*step)(void *self);
    void *self;
};

struct outdir_stats {
    size_t written, unchanged, removed; /* of our files */
    size_t kept_foreign;                /* files, links … of others in the folder */
};

/*
 * Keep others out; nothing but the lock is touched. `path` need not exist, its parent must. ERR_IO
 * when somebody else is building all the time (base/files/lock.h). On failure nothing is left open;
 * else outdir_close in any case.
 */
int outdir_lock(struct outdir *od, const char *path, struct err *err);

/* Clear up after a run that was killed, read the list, make the new tree's folder. ERR_USAGE when
 * the folder holds something and no list. */
int outdir_begin(struct outdir *od, struct err *err);

/*
 * One file of the new tree. `rel` has '/' between its parts; refused are absolute paths, empty
 * parts, "." and "..", ".git", control characters, invalid UTF-8, backslashes, a path added
 * before (ignoring ASCII case), and a path where somebody else's file with other bytes lies.
 * The bytes are not needed afterwards.
 */
int outdir_add(struct outdir *od, const char *rel, const void *data, size_t len, struct err *err);

/* The old file belongs to the new tree, too, with the bytes that it has: the caller vouches that
 * they are those of the list. False, and nothing done, when the list has no such file. */
bool outdir_keep(struct outdir *od, const char *rel);

/* Put the new tree in place. Warnings (files kept because somebody changed them) go to `diags`,
 * which may be NULL. */
int outdir_finish(struct outdir *od, struct outdir_stats *stats, struct diags *diags,
                  struct err *err);

/* How the folder is now, after outdir_finish and with the lock. False: it is not known, and nothing
 * may be concluded from it. */
bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena);

/* Give up, also after a failure; the folder stays as it is. */
void outdir_abandon(struct outdir *od);

/* Open the lock, which is gone then but for a tree that the next run has to clear away. */
void outdir_close(struct outdir *od);
