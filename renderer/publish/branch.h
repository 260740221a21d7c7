/*
 * repo_branch: a branch of the project's repository whose commits are a published site: what is
 * there, one more commit, and sending it to a remote.
 *
 *     struct repo_branch *b;
 *     if (repo_branch_open(".", "gh-pages", "origin", &b, err) < 0) …
 *     repo_branch_hold(b, err);                                // nobody else publishes
 *     repo_branch_list(b, &arena, &entries, &n, err);          // what is published
 *     repo_branch_commit(b, &commit, id, err);                 // one commit, exactly these files
 *     repo_branch_push(b, "origin", err);
 *     repo_branch_close(b);
 *
 * Work tree, index and HEAD are never looked at or touched; no hook or filter is run. A commit is
 * made in this order: all new objects in one pack, written aside and fsynced, then moved to
 * objects/pack; everything that the commit holds read back through a fresh handle (hashes are
 * checked) and compared with the files; the reference moved by compare-and-swap; asked once more.
 * Killed at any moment, the branch is what it was or what it is to be, and the next commit
 * succeeds (lock.h).
 *
 * Errors: ERR_USAGE for what the user must decide or set up, ERR_INPUT for files that are not as
 * listed, ERR_CHECK for a push that the remote refused, ERR_IO when nothing was changed,
 * ERR_UNKNOWN when the branch may have moved, or has and may be lost in a power failure.
 *
 * The user's configuration (user.name, user.email, safe.directory) is read as git reads it.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define REPO_ID_LEN 40
#define REPO_ID_SIZE (REPO_ID_LEN + 1)
#define REPO_BLOB_MAX ((size_t)1 << 30)
#define REPO_FILES_MAX 2000000

struct repo_branch;

struct repo_branch_info {
    const char *name;       /* "gh-pages" */
    const char *git_folder; /* where objects and branches are, also of a linked work tree */
    const char *tip;        /* the branch's commit; NULL: there is no such branch */
    /* What a new commit builds upon: the tip, or what was last fetched of the remote's branch
     * where that is further, or where there is no tip. NULL: nothing, the history begins. */
    const char *base;
    const char *base_name; /* "gh-pages" or "origin/gh-pages" */
    const char *message;   /* of base; NULL without */
};

/* `remote` is the name of one, or anything else. Refused with what to do: no repository, not ours,
 * not a name for a branch, or for one beside those that there are, a branch that some work tree has
 * checked out. */
int repo_branch_open(const char *path, const char *branch, const char *remote,
                     struct repo_branch **out, struct err *err);
const struct repo_branch_info *repo_branch_info(const struct repo_branch *b);
void repo_branch_close(struct repo_branch *b); /* NULL is fine */

/* Nobody else publishes in this repository from now on until the commit was made or the branch is
 * closed (lock.h): waits for who does, clears up after one that died, and reads anew where the
 * branch is. Where nothing can be written, nobody publishes, and the commit says so. Who does not
 * hold it when it commits does so for the commit, and is refused where the branch moved since it
 * was opened. */
int repo_branch_hold(struct repo_branch *b, struct err *err);
void repo_branch_let_go(struct repo_branch *b); /* also when it is not held */

struct repo_entry {
    const char *path;
    char id[REPO_ID_SIZE]; /* of its bytes (repo_blob_id) */
    bool plain;            /* a regular file that is not executable */
};

/* All files of base, sorted by strcmp; none without a base. */
int repo_branch_list(struct repo_branch *b, struct arena *arena, struct repo_entry **out, size_t *n,
                     struct err *err);
int repo_branch_read(struct repo_branch *b, const struct repo_entry *entry, struct arena *arena,
                     struct bytes *out, struct err *err);

/* git's name for a file with these bytes. */
int repo_blob_id(const void *data, size_t len, char id[REPO_ID_SIZE], struct err *err);

struct repo_file {
    const char *path;   /* in the site */
    const char *sha256; /* of its bytes */
    const char *text;   /* these bytes; NULL: those of <root>/<path> */
};

struct repo_commit {
    const char *root;
    const struct repo_file *files; /* sorted by strcmp of their paths */
    size_t n;
    const char *message;
    long long time; /* Unix seconds; -1: now */
};

/* Name and address that a commit would bear; ERR_USAGE with what to do when there are none. */
int repo_branch_author(struct repo_branch *b, struct arena *arena, const char **out,
                       struct err *err);

/* id: of the new commit, also with ERR_UNKNOWN. */
int repo_branch_commit(struct repo_branch *b, const struct repo_commit *c, char id[REPO_ID_SIZE],
                       struct err *err);

/*
 * Is the remote where a push would be a fast-forward? `remote` is a configured remote's name, a
 * URL or a folder. *at: the remote's commit of this branch, NULL while it has none. Nothing is
 * sent.
 */
int repo_branch_ask(struct repo_branch *b, const char *remote, struct arena *arena, const char **at,
                    struct err *err);

/* `remote` as it may be printed: a URL without its name and password. */
const char *repo_remote_shown(const char *remote, struct arena *arena);

/* Send the branch's commit `id`. ERR_CHECK: refused there, ERR_IO: not arrived, ERR_UNKNOWN: the
 * answer was lost and the remote cannot be asked. */
int repo_branch_push(struct repo_branch *b, const char *remote, const char *id, struct err *err);
