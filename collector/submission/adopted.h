/*
 * adopted: a run that fpreport did not start, as the files that `fpreport train` would have left.
 *
 * Logs and monitors are taken as they are, into the folder of one round; case.json is the case that
 * they are said to be of. run.json says "adopted": true, that nobody saw when it began and ended
 * (null), and what whoever hands it in says of it: ranks, nodes, cards and plan ("layout"), and the
 * card ("accelerator", an id). Without a fingerprint one is made in which no fact is known. The
 * same files and words give the same bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/records/layout.h"
#include "base/sealed/tar.h"

struct adopted_file {
    const char *name; /* in the folder of the round: no '/' */
    struct bytes bytes;
};

struct adopted_run {
    const char *case_id;
    struct bytes case_bytes;
    const struct layout *layout;
    const char *accelerator;  /* id; NULL: not said */
    struct bytes fingerprint; /* the file; data NULL: there is none */
    const struct adopted_file *files;
    size_t n_files;
};

/* "adopted" and eight digits of the SHA-256 of its files. */
const char *adopted_name(const struct adopted_run *run, struct arena *arena);

/* What is sealed, in `arena` or borrowed. ERR_USAGE: two files of one name; ERR_INPUT: a
 * name that may not stand in an archive. */
int adopted_members(const struct adopted_run *run, struct arena *arena, struct tar_member **out,
                    size_t *n, struct err *err);
