/*
 * build_withheld: what must not be published of a submission, whatever file it comes in.
 *
 * The archive's log withholds files of a submission. The same run may come as another file: it was
 * compressed again, signed by somebody else, has another file changed or added. So not the SHA-256
 * of the .tar.zst decides, but
 *
 *  - the identity of the run (base/sealed/submission.h): its last decision in the log holds for
 * every file that it comes as, and
 *  - the SHA-256 of each file in it: one that is withheld of any run is withheld of all, unless the
 *    log has a later decision about the run at hand. An empty file says nothing, and a case is
 *    published as a record: of hashes only, these two are the same in others' runs.
 *
 * Which files those are by their sums is in no line of the log, but in the manifests of the
 * redacted archives that it names; they are read in workers (base/process/worker.h).
 */
#pragma once

#include "base/arena.h"
#include "base/store/store.h"

struct withheld_sum {
    const char *sha256;           /* of a file */
    const struct store_entry *by; /* the decision; of several the last */
};

struct withheld {
    const struct store *store;            /* NULL: there is none, and nothing is withheld */
    bool any;                             /* decisions that withhold something */
    const struct store_entry **decisions; /* these, each once, in the order of their files */
    size_t n_decisions;
    struct withheld_sum *sums; /* sorted */
    size_t n;
};

/* The decisions that withhold something; in the arena. The sums are not known yet. */
void withheld_begin(struct withheld *w, const struct store *store, struct arena *arena);

/* Opens the archives that they name. ERR_INPUT when one cannot be read: then nobody knows what is
 * withheld. In the arena. */
int withheld_open(struct withheld *w, struct arena *arena, struct err *err);

/* The last decision of the log about this file of a submission (SHA-256), else about its run (NULL:
 * not known); NULL: there is none. It may be one to publish everything. */
const struct store_entry *withheld_decision(const struct withheld *w, const char *sha256,
                                            const char *run);

/* The decision by which a file of a submission that `own` is about (NULL: nothing is) is not
 * published; NULL: it is. `sha256` NULL: not known. */
const struct store_entry *withheld_by(const struct withheld *w, const struct store_entry *own,
                                      const char *name, const char *sha256);

/* Of an archive that is made here: a worker says it in one answer (WORKER_ANSWER_MAX), with what it
 * is and its length in front. What would be larger is not handed out, as what cannot be taken out
 * is not; it is one of almost the size that the .tar.zst of a submission may have
 * (ARCHIVE_PACKED_MAX). */
#define WITHHELD_PART_MAX (((size_t)256 << 20) - 64)

/* Does the log withhold something of this file (SHA-256), or all of it? */
bool withheld_some(const struct withheld *w, const char *sha256);

/* What is published in place of a submission. */
struct withheld_part {
    bool all; /* nothing is withheld: it is published as it is */
    struct bytes
        bytes; /* else; data NULL: what is withheld cannot be taken out, or nobody can look */
    char sha256[HASH_HEX_SIZE];
};

/* Of this submission, whose SHA-256 is given; `path` is for messages. An archive that the log made
 * of this file is taken, any other is made here, with the same signature: of the same bytes and
 * decisions the same. In the arena. ERR_IO: this machine failed. */
int withheld_part(const struct withheld *w, const char *path, struct bytes packed,
                  const char *sha256, struct arena *arena, struct withheld_part *out,
                  struct err *err);
