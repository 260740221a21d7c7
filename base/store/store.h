/*
 * store: an archive of submissions, kept for good and found by what it holds.
 *
 *   objects/sha256/<2 hex>/<64 hex>   submissions as they came, named by the SHA-256 of their bytes
 *   log.jsonl, head                   what was done with them, and where that stands (store_log.h)
 *   checkpoint.json, checkpoint.json.sig   the last signed word about the log (checkpoint.h);
 *                                          checkpoint.next while they are exchanged
 *   lock                              flock()ed by the one writer, and shared by whoever reads log
 *                                     and head; notes the object that is on its way in, until its
 *                                     entry is in the log
 *   incoming/                         an object while it is written
 *
 * An object is written aside, synced and moved into place, then its entry is appended to the log:
 * what the log names is there. Killed at any moment, the log is the old or the new one; the next
 * writer clears away what was on its way. A line of the log that a power failure left half written
 * stays until store_repair().
 *
 * Here it is read; collector/store/write.h writes.
 */
#pragma once

#include "base/err.h"
#include "base/files/held.h"
#include "base/signing/hash.h"
#include "base/store/store_log.h"

#define STORE_DEFAULT "archive"
#define STORE_OBJECTS "objects/sha256"
#define STORE_INCOMING "incoming"

struct store {
    const char *root;
    const struct held_files *held; /* evidence in memory, of a bundle, which has the log, too, and
                                    * no folder; NULL */
    struct arena *arena;
    int lock_fd;      /* -1: it is not held */
    bool trust_clock; /* somebody says that the clock is right where the log says otherwise */
    long long now;    /* the time of day, in seconds since 1970; 0: what the machine's clock says */
    struct store_log log;
    struct store_index index; /* of the log; made anew by who appends */
    struct arena of_index;
};

/* 0: this folder has an archive, or what is left of one. -1: ERR_INPUT when, and only when, it has
 * none. */
int store_expect(const char *root, struct arena *arena, struct err *err);

/* To read; where store_expect() finds one. Faults of the log are
 * in `diags`; what can be read of it is there. Waits for a writer (base/files/lock.h). */
int store_open(struct store *s, const char *root, struct arena *arena, struct diags *diags,
               struct err *err);

/* The same, and nobody writes from then on until store_let_write() or store_close(). */
int store_open_still(struct store *s, const char *root, struct arena *arena, struct diags *diags,
                     struct err *err);
void store_let_write(struct store *s);

/* 1: no more is there than what the first writer leaves that is stopped before its entry is in the
 * log, so that nothing was ever in this archive. One that lost its log has other objects, or a lock
 * without a note. 0: something else is there, or nothing. */
int store_is_begun(const char *root, struct err *err);

/* Had a writer noted this object as on its way, and died? */
bool store_is_noted(const char *root, const char *sha256);

/* How somebody does that: "fpreport archive repair --archive my/archive". */
const char *store_repair_command(const char *root, struct arena *arena);

void store_close(struct store *s);

/* For whoever writes (collector/store/write.h): read the log of this folder into `s`; -1 when it is
 * not whole, with diagnostics. And wait for the lock, which is open (LOCK_SH, LOCK_EX). */
int store_read_log(struct store *s, const char *root, struct arena *arena, struct diags *diags);
int store_wait_for_lock(struct store *s, int kind, const char *path, struct err *err);

/* Path of an object. */
const char *store_object_path(const char *root, const char *sha256, struct arena *arena);

/* Where the bytes are that a record names: `path` below `folder`, with no link on the way
 * (base/files/beneath.h). */
struct store_place {
    const char *folder, *path;
    const struct held_files *held; /* it is there in memory, or nowhere; NULL: on the disk */
};

/* In memory, where evidence is; else below the records, when anything is there; else the object of
 * that SHA-256 (NULL: not known) in the archive of submissions (NULL: there is none), when it has
 * one. */
struct store_place store_place_of(const struct store *s, const char *records, const char *archive,
                                  const char *sha256, struct arena *arena);

/* What the log knows of a submission: by the whole id of it or of its object, or the beginning of
 * one (8 digits at least); by that of an object, what it knows of that file. NULL and a message:
 * unknown, or more than one. */
const struct store_item *store_find(const struct store *s, const char *id, struct err *err);

/* What the lock of an archive says besides who holds it.
 *
 *   ""                  nothing
 *   <SHA-256>           an object is on its way in
 *   "begun\n"           there was no log when the lock was made
 *   "begun\n<SHA-256>"  the same, and the first object is on its way
 *
 * So what a first writer leaves that was stopped is known from an archive that lost its log. A note
 * that a power failure left half written says nothing, but STORE_NOTE_BEGUN is never lost by it. */

#define STORE_LOCK "lock"
#define STORE_NOTE_BEGUN "begun\n"

struct store_note {
    bool begun;                 /* there was no log when the lock was made */
    char object[HASH_HEX_SIZE]; /* on its way; "": none */
};

/* Of the lock that is open; `root` is the archive's folder, for messages. */
int store_note_read(int fd, const char *root, struct store_note *out, struct err *err);
/* Of the archive in this folder; one that cannot be read says nothing. */
struct store_note store_note_of(const char *root);

/* To the lock that is open. What there is of `object` comes to the disk before this returns. */
int store_note_write(int fd, const char *root, const struct store_note *note, struct err *err);
