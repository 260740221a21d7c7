/*
 * store_note: what the lock of an archive says besides who holds it.
 *
 *   ""                  nothing
 *   <SHA-256>           an object is on its way in
 *   "begun\n"           there was no log when the lock was made
 *   "begun\n<SHA-256>"  the same, and the first object is on its way
 *
 * So what a first writer leaves that was stopped is known from an archive that lost its log. A note
 * that a power failure left half written says nothing, but STORE_NOTE_BEGUN is never lost by it.
 */
#pragma once

#include "base/err.h"
#include "base/signing/hash.h"

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
