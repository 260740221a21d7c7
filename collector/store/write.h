/*
 * store_write: the one writer of an archive of submissions (base/store/store.h).
 *
 *     struct store s;
 *     if (store_lock(&s, "archive", &arena, &diags, err) < 0) …
 *     if (store_put(&s, packed, hex, err) == 0 && store_append(&s, &entry, err) == 0) …
 *     store_close(&s);
 */
#pragma once

#include "base/arena.h"
#include "base/store/store.h"

/* To write: made where there is none. Waits for another writer (base/files/lock.h); ERR_IO when
 * that takes too long, ERR_INPUT when the log is not whole (each fault is in `diags`), its last
 * line was never finished, or the archive's checkpoint says that lines are missing or others. */
int store_lock(struct store *s, const char *root, struct arena *arena, struct diags *diags,
               struct err *err);

struct store_repaired {
    size_t cut;      /* bytes of a last line that was never finished */
    size_t cleared;  /* what a writer left that was stopped: files, and a head that was behind */
    bool checkpoint; /* one that was on its way was put in place */
    size_t head; /* lines of a log that had lost its head, which was written anew; 0: it had it */
    long long vouched; /* how many of them a signed checkpoint has; -1: there is none */
};

/* What the next writer would do, cut off a last line that was never finished, and write a head that
 * is lost (store_log.h), unless the archive's checkpoint says that lines are missing or others:
 * then nothing is done. Everything else about the log must be in order. */
int store_repair(const char *root, struct store_repaired *out, struct arena *arena,
                 struct diags *diags, struct err *err);

/* Have these bytes, whose SHA-256 is `sha256`, as an object; not when store_append() would refuse
 * an entry that names it. Locked. */
int store_put(struct store *s, struct bytes packed, const char *sha256, struct err *err);

/*
 * Append this entry, whose n, prev, time and clock are set here. Its time is now, or that of the
 * last entry where the clock is less than STORE_CLOCK_SLACK behind it. A clock that cannot be right
 * beside the last entry is ERR_USAGE; with trust_clock it counts, and an entry which is behind says
 * both. One of before there was this program is never believed. Its texts must live as long as the
 * store. What was found in the index is found anew afterwards. Locked.
 */
int store_append(struct store *s, struct store_entry *e, struct err *err);

/* A submission that was judged is kept (collector/store/write.h). */

/* Have the file that was judged for this entry as an object, and the entry in the log; *there: both
 * were before. ERR_CHECK: the run is in the archive as somebody else's. Locked. */
int store_add(struct store *s, const char *path, struct store_entry *e, bool *there,
              struct err *err);

/* The time of an entry, and when the machine's clock is not believed.
 *
 * What a clock says once stays in the log for good, and decides which keys counted: so one that
 * cannot be right beside the last entry needs somebody who says that it is (store.h: trust_clock).
 */

/* An entry of one machine may come a little before that of another whose clock is ahead. */
#define STORE_CLOCK_SLACK 300 /* seconds */

/* Longer between two entries is a clock that is ahead, until somebody says that it is right. */
#define STORE_CLOCK_GAP (400LL * 86400)
