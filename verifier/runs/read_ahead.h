/*
 * read_ahead: the files that a verification will look at, read whole before anything in them is.
 *
 * In a worker (base/process/worker.h) nothing can be opened any more once untrusted bytes are
 * looked at. So what the records and the command line name is read first, by our own code, into
 * memory, and found here by its path. Nothing that stands in a file names another file to read.
 */
#pragma once

#include "base/process/worker.h"
#include "base/sealed/archive.h"
#include "base/signing/hash.h"
#include "base/store/store.h"

/* The packed files of one result together. */
#define READ_AHEAD_TOTAL_MAX ((size_t)1 << 30)

struct read_ahead_file {
    const char *path; /* that it is found by, as the records name it */
    struct bytes bytes;
    char sha256[HASH_HEX_SIZE]; /* "" when it could not be read */
    enum err_kind fault;
    bool missing; /* there is no such file */
    /* A clause: it could not be read, or is not to be (base/sentence.h); NULL. */
    const char *why;
};

struct read_ahead {
    struct read_ahead_file *files;
    size_t n, total;
    struct worker *worker; /* is told which file is looked at; NULL */
};

/* Read what is there, once, as the file `path`; what goes wrong is kept, too. A place without a
 * folder is a path that somebody gave us, and may be a link. */
void read_ahead_add(struct read_ahead *k, const char *path, struct store_place there,
                    struct arena *arena);

/* Do not read it, for this reason (a clause about it). */
void read_ahead_refuse(struct read_ahead *k, const char *path, enum err_kind kind, const char *why,
                       struct arena *arena);

/* The file; one that was not read ahead is a fault of ours, and said so in *why. */
const struct read_ahead_file *read_ahead_find(const struct read_ahead *k, const char *path,
                                              struct arena *arena);

/* The fault of a file as an error about it; -1. */
int read_ahead_fault(const struct read_ahead_file *f, struct err *err);
