/*
 * seal: a run directory packed into a submission.
 *
 * Takes every regular file below the run directory (trainer/run/rundir.h tells the layout) but its
 * folder of checkpoints, which are gigabytes that no check reads, adds SHA256SUMS over all of them,
 * the statement about it (base/sealed/statement.h) and, where somebody signs, its signature, and
 * writes one deterministic `.tar.zst` (base/sealed/archive.h): the same run gives the same bytes.
 * Nothing in the run directory is changed.
 *
 * Refused, all reasons at once: a run whose run.json does not say "complete", names that may not
 * stand in an archive, links and special files, a manifest, statement or signature that is there
 * already, files of more than ARCHIVE_MEMBER_MAX or SUBMISSION_TOTAL_MAX together. Opening a
 * submission again is base/sealed/submission.h.
 */
#pragma once

#include "base/sealed/submission.h"

/* Who signs: appends an armoured signature of the statement. It is checked before it is used. */
struct seal_signer {
    int (*sign)(void *self, struct bytes statement, struct buf *armour, struct err *err);
    void *self;
};

/*
 * Seal `run_dir` into `out_path`, atomically, and open the result again: `out` is what a reader
 * of the file will see, and it is intact. -1: nothing was written; ERR_INPUT when the run cannot
 * be sealed, for the reasons in `diags` (ERR_IO when the machine is one of them), else what signing
 * or writing the file gave. `signer` NULL: it stays unsigned. Where something else is there that is
 * not to be replaced: ERR_USAGE.
 */
int seal_run(const char *run_dir, const char *out_path, bool replaces,
             const struct seal_signer *signer, struct arena *arena, struct submission *out,
             struct diags *diags, struct err *err);

/* Its two halves, so that what is sealed can be looked at before there is a file: the bytes, which
 * `packed` gets, opened as those of `out_path`; and the file. */
int seal_open(const char *run_dir, const char *out_path, const struct seal_signer *signer,
              struct buf *packed, struct arena *arena, struct submission *out, struct diags *diags,
              struct err *err);
int seal_write(const char *out_path, bool replaces, const struct buf *packed,
               const struct submission *sealed, struct err *err);

/* What sealing leaves out of the run: the number of checkpoints and their bytes; 0: nothing. */
struct seal_left {
    size_t checkpoints, bytes;
};
struct seal_left seal_left_out(const char *run_dir, struct arena *arena);

/* The same without a file: the bytes are appended to `packed`. -1 with reasons in `diags`, and in
 * `err` (else untouched) when signing gave no signature. */
int seal_pack(const char *run_dir, const struct seal_signer *signer, struct buf *packed,
              struct arena *arena, struct diags *diags, struct err *err);

/* As seal_open, of files at hand instead of those of a folder; `what` stands in front of their
 * names in messages. A run.json must be among them. */
int seal_open_members(const char *what, const struct tar_member *members, size_t n,
                      const char *out_path, const struct seal_signer *signer, struct buf *packed,
                      struct arena *arena, struct submission *out, struct diags *diags,
                      struct err *err);

/* Files at hand that somebody handed in (received.h), sealed in the same way and not signed; `what`
 * stands in front of their names in messages. They need no run.json; one that is there must say
 * "complete". With `sealed` they are packed as they are, manifest and all. -1 with the reasons in
 * `diags`. */
int seal_members(const char *what, const struct tar_member *members, size_t n, bool sealed,
                 struct buf *packed, struct arena *arena, struct diags *diags);
