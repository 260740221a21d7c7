/*
 * serve_watch: notice that something below some folders changed.
 *
 * All files are looked at (names, sizes, times) so seldom that it takes a fiftieth of a processor
 * at most, at least WATCH_MS apart. That needs nothing of the system that could run out, and sees
 * folders that come later, and those of other machines. What editors leave beside a file (".x.swp",
 * "x~", "4913") and our own temporary files do not count.
 */
#pragma once

#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>

#define WATCH_MS 200
#define WATCH_SHARE 50 /* of the time that one look takes, until the next */

struct serve_watch {
    const char *const *roots;
    size_t n;
    long long next; /* clock_ms of the next look */
    char seen[HASH_HEX_SIZE];
};

/* Is it another sight than the last time? False while the time for a look has not come. */
bool serve_watch_changed(struct serve_watch *w, long long now);

/* Is this the name of a file that counts? */
bool serve_watch_counts(const char *name);
