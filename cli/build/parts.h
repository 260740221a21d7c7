/*
 * build_parts: what is handed out in place of each submission, found once, and made again when it
 * is written, so that no more than one is in memory at a time.
 *
 * What was found is cached (cache.h): which files are withheld by their sums, and of each
 * submission that was asked for what is handed out. An archive that was made here also has to be in
 * the site that stands. Then nobody opens any of them.
 *
 *     if (build_parts_open(b, &err) < 0) …                         // sets b->withheld
 *     if (build_parts_find(b, path, sha256, &part, &err) < 0) …
 *     build_parts_store(b);                                        // for the next build
 */
#pragma once

#include "base/arena.h"
#include "base/files/spool.h"
#include "base/lookup.h"
#include "collector/store/withheld.h"

struct build;

struct build_part {
    const char *asked;  /* "<SHA-256, or nothing> <path>" */
    const char *path;   /* as the record names it */
    const char *whole;  /* SHA-256 of what lies there; NULL: it cannot be read, or is not what was
                           asked for */
    const char *sha256; /* of what is handed out; NULL: nothing is */
    bool all;           /* that is the submission as it is */
    const char *other;  /* `sha256` of what is not; NULL */
    const char *from;   /* where it lies in the site that stands; NULL: not asked */
    const char *to;     /* where it lies in the site that is built; NULL: nowhere */
    size_t at, len;     /* in the spool; len 0: it is not there */
};

struct build_parts {
    struct build_part *items; /* of this build */
    size_t n;
    struct lookup by_asked, by_other;
    bool opened; /* what the log withholds is known */
    struct spool spool;
};
#define BUILD_PARTS_INIT    \
    {                       \
        .spool = SPOOL_INIT \
    }

/* What the log withholds, in b->withheld. ERR_INPUT as withheld_open(). */
int build_parts_open(struct build *b, struct err *err);

/* What is handed out in place of this file, whose SHA-256 is given (NULL: whatever it is).
 * ERR_INPUT where it cannot be read, or is another. The caller sets `to`. Good until the next is
 * found. */
int build_parts_find(struct build *b, const char *path, const char *sha256, struct build_part **out,
                     struct err *err);

/* The archive with this sum that is handed out in place of a submission, in the arena; 1: there is
 * none. ERR_INPUT where it has become another. */
int build_parts_read(struct build *b, const char *sha256, struct arena *arena, struct bytes *out,
                     struct err *err);

/* When all of the site is written. */
void build_parts_store(const struct build *b);
