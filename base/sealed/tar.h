/*
 * tar: the one tar form that we write, and the names that may stand in it.
 *
 * Canonical ustar (POSIX.1-1988): regular files only, sorted by the bytes of their names, mode
 * 0644, owner 0, time 0, no owner names, no pax or GNU records, two zero blocks at the end and
 * nothing after. The same members always give the same bytes, those which GNU tar before 1.35 gives
 * (later ones leave the numbers of devices empty, which are zeros here) for
 *
 *     LC_ALL=C; find . -type f | sed 's#^\./##' | sort |
 *     tar --format=ustar --no-recursion -T - --mtime=@0 --owner=0 --group=0 --numeric-owner \
 *         --mode=0644 -b1 -cf -
 *
 * so that anybody can re-pack a submission with standard tools and compare. Nothing is ever
 * written to disk under a member's name by us; the rule for names is for the people who unpack.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>

struct tar_member {
    const char *name; /* path inside the archive, '/' between components */
    struct bytes bytes;
};

/*
 * Check all names: foreign_name_problem() of each (base/foreign.h), unique when upper and lower
 * case are taken as the same, and no file where another member needs a folder. `what` stands in
 * front of the message.
 */
int tar_check_names(const struct tar_member *members, size_t n, const char *what, struct err *err);

/*
 * What is wrong with the headers of the entry at `at` of a tar as somebody packed it, or NULL:
 * those that stand in front of it, which have a longer name or more to say of it, and its own.
 * libarchive passes over kinds that it does not know, ends a name at a NUL, and chooses where two
 * headers contradict each other.
 */
const char *tar_headers_problem(struct bytes tar, size_t at);

/* What stands between the last entry of such a tar and its end, or NULL: a header that libarchive
 * passes over there is a file to others. */
const char *tar_end_problem(struct bytes tar);

/* Sort by the bytes of the names. */
void tar_sort(struct tar_member *members, size_t n);

/*
 * Hand the archive to `sink`, piece by piece. Members must be sorted and their names checked. A
 * sink that returns non-zero ends it, and that value is returned. A name that does not fit into
 * ustar's two fields (100 bytes behind a '/', 155 before it) ends it with -1 and a message.
 */
typedef int tar_sink(void *to, const void *data, size_t len, struct err *err);
int tar_serialise(const struct tar_member *members, size_t n, tar_sink *sink, void *to,
                  struct err *err);
