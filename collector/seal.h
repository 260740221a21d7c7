/*
 * seal: a run directory packed into a submission.
 *
 * Takes every regular file below the run directory (trainer/rundir.h tells the layout) but its
 * folder of checkpoints, which are gigabytes that no check reads, adds SHA256SUMS over all of them
 * and writes one deterministic `.tar.zst` (base/archive.h): the same run gives the same bytes.
 * Nothing in the run directory is changed.
 *
 * Refused, all reasons at once: a run whose run.json does not say "complete", names that may not
 * stand in an archive, links and special files, a SHA256SUMS that is there already, files of
 * more than ARCHIVE_MEMBER_MAX or SUBMISSION_TOTAL_MAX together. Opening a submission again is
 * base/submission.h.
 */
#ifndef COLLECTOR_SEAL_H
#define COLLECTOR_SEAL_H

#include "base/submission.h"

/*
 * Seal `run_dir` into `out_path`, atomically, and open the result again: `out` is what a reader
 * of the file will see, and it is intact. -1: nothing was written; ERR_INPUT when the run cannot
 * be sealed, for the reasons in `diags`, else what writing the file gave.
 */
int seal_run(const char *run_dir, const char *out_path, struct arena *arena, struct submission *out,
             struct diags *diags, struct err *err);

/* What sealing leaves out of the run: the number of checkpoints and their bytes; 0: nothing. */
struct seal_left {
    size_t checkpoints, bytes;
};
struct seal_left seal_left_out(const char *run_dir, struct arena *arena);

/* The same without a file: the bytes are appended to `packed`. */
int seal_pack(const char *run_dir, struct buf *packed, struct arena *arena, struct diags *diags);

#endif
