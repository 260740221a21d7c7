/*
 * checkpoint: a signed word about an archive's log and the site made from it: on this day the log
 * had n lines, the last of which has this SHA-256, and the published site was these files.
 *
 *     checkpoint.json       one line of canonical JSON
 *     checkpoint.json.sig   its signature, as ssh-keygen makes it, for SSHSIG_CHECKPOINT
 *
 * The two are exchanged by way of checkpoint.next, which has both one behind the other: killed at
 * any moment, the pair is the old or the new one, or the next writer of the archive makes it the
 * new one.
 *
 * Who keeps one can show later that the log was only appended to: line n still has that SHA-256.
 * `root` is the SHA-256 of the lines "<sha256>  <path>\n" of all published files, sorted by path,
 * but for the two of the checkpoint itself.
 */
#pragma once

#include "base/signing/signers.h"
#include "base/store/store_log.h"

#define CHECKPOINT_NAME "checkpoint.json"
#define CHECKPOINT_SIGNATURE "checkpoint.json.sig"
#define CHECKPOINT_NEXT "checkpoint.next"
#define CHECKPOINT_BYTES_MAX 4096
/* In a published site: the folder of the two, and the lines of all its other files. */
#define CHECKPOINT_IN_SITE "archive/"
#define CHECKPOINT_SITE_LOG CHECKPOINT_IN_SITE STORE_LOG_NAME
#define CHECKPOINT_SITE_LIST "MANIFEST.sha256"
/* Where that would be longer than one file of a site may be, these have its lines, and it has the
 * lines of these. */
#define CHECKPOINT_SITE_PART "MANIFEST-%04zu.sha256"
bool checkpoint_is_site_part(const char *path);

struct checkpoint {
    int line;
    long long n;                    /* lines of the log; 0 of an empty one */
    const char *head, *root, *date; /* root NULL: of the log alone */
};

extern const struct shape checkpoint_shape;

void checkpoint_text(const struct checkpoint *c, struct buf *out);

/* -1 with a diagnostic: not there, or not in the one form; `machine` of the diagnostics is counted
 * when it cannot be read. *text: its bytes. */
int checkpoint_read(const char *path, struct arena *arena, struct checkpoint *out,
                    struct bytes *text, struct diags *diags);

/* Who signed it: the file <path>.sig beside it, for these bytes, by a key that counts at its date.
 * A clause about the checkpoint (in the arena); *good: it is signed by somebody who may.
 * `signers` NULL: only whether the signature holds is asked. NULL and ERR_IO when the system does
 * not give the signature: then nothing is known. */
const char *checkpoint_signed(const char *path, const struct checkpoint *c, struct bytes text,
                              const struct signers *signers, struct arena *arena, bool *good,
                              struct err *err);

/* Have these two in the folder of an archive, durably. The caller holds its lock (store.h). */
int checkpoint_keep(const char *folder, const char *text, const char *signature,
                    struct arena *arena, struct err *err);

/* Put the two in place that somebody was about to keep when he was stopped; *was: there were two.
 * What is no checkpoint with its signature is removed. */
int checkpoint_finish(const char *folder, struct arena *arena, bool *was, struct err *err);

/* What the checkpoint in this folder, which somebody signed, has against its log: that lines are
 * missing, or are others; *why NULL: nothing. Whose signature it is, and its date, are not asked.
 * `log` has no faults but that of its head. *n: its lines; -1: none is there that is signed. -1 and
 * ERR_IO: it cannot be asked. */
int checkpoint_objection(const char *folder, const struct store_log *log, struct arena *arena,
                         long long *n, const char **why, struct err *err);

/* Is it one about this log, or an earlier state of it? NULL, or what is wrong. `log` has no faults.
 */
const char *checkpoint_problem(const struct checkpoint *c, const struct store_log *log,
                               struct arena *arena);
