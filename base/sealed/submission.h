/*
 * submission: a sealed run, opened again: the archive's files and the manifest that binds them.
 *
 * The manifest is the member SHA256SUMS, lines of "<64 hex>  <path>\n" sorted by path, one for
 * every file but four, so that `sha256sum --strict -c SHA256SUMS` checks it too. The identity
 * of a submission is the SHA-256 of its manifest: it stays the same when the archive is
 * compressed again.
 *
 * The four are the manifest itself, the statement about it (statement.h), the statement's
 * signature (base/signing/sshsig.h), and what is withheld. Older submissions have no statement, and
 * nobody is bound to sign: whether there is a signature, and whose, is not asked here.
 *
 * A redacted submission is one that somebody publishes without some of its files. They are declared
 * by the member WITHHELD, which has their lines of SHA256SUMS, so that what is there can be checked
 * and what is not is known by its SHA-256. It is never intact: nothing is recomputed from it.
 *
 * Opening reports every fault it finds, each naming its file, and does not stop at the first.
 */
#pragma once

#include "base/diag.h"
#include "base/json/json.h"
#include "base/sealed/archive.h"

#include <stdbool.h>

#define SUBMISSION_MANIFEST "SHA256SUMS"
#define SUBMISSION_STATEMENT "statement.json"
#define SUBMISSION_SIGNATURE "statement.json.sig"
#define SUBMISSION_WITHHELD "WITHHELD"
/* The folder of a run directory that is no part of its submission: gigabytes that no check reads.
 */
#define SUBMISSION_CHECKPOINTS "checkpoints"
#define SUBMISSION_RUN_PLACE "run.json.reserved" /* of a run that goes on: rundir.h */
#define SUBMISSION_DISK_FULL "disk full"         /* "failure" of a run.json */
/* All files of one submission; less than an archive could hold, because it is all in memory. */
#define SUBMISSION_TOTAL_MAX ((size_t)256 << 20)

struct submission_sum {
    const char *sha256, *path;
};

struct submission {
    const char *path;         /* as the user named it */
    struct tar_member *files; /* all, sorted by name, the manifest among them */
    size_t n;
    struct submission_sum *sums; /* the manifest's lines */
    size_t n_sums;
    char archive_sha256[HASH_HEX_SIZE]; /* of the .tar.zst */
    char id[HASH_HEX_SIZE];             /* of SHA256SUMS; "" when there is none */
    bool canonical;                     /* in the one form that we write (archive.h) */
    bool intact;                        /* that, no fault was found, and nothing is withheld */
    size_t n_withheld; /* files that are declared to be left out, when that is the only fault */
};

/*
 * Read and check. -1 when the archive cannot be read at all (the reason is in `diags`); 0 when
 * its files are there, and then `intact` says whether they are what the manifest promises.
 */
int submission_open(const char *path, struct arena *arena, struct submission *out,
                    struct diags *diags);

/* The same for bytes at hand. */
int submission_open_bytes(struct bytes packed, const char *path, struct arena *arena,
                          struct submission *out, struct diags *diags);

/* Contents of a file by its exact name, or NULL. */
const struct bytes *submission_file(const struct submission *s, const char *name);

/* The manifest's line for a file, or NULL. */
const struct submission_sum *submission_sum(const struct submission *s, const char *path);

/* Is this one of the four files that the manifest does not name? */
bool submission_is_outside(const char *name);

/* Append the manifest for these members (sorted by name; the four are left out). */
void submission_manifest(const struct tar_member *members, size_t n, struct buf *out);

/* Append the archive of an intact submission without the files that `is_withheld` says, and with
 * their declaration. ERR_USAGE when it says none. */
int submission_redact(const struct submission *s, bool (*is_withheld)(void *self, const char *path),
                      void *self, struct arena *arena, struct buf *out, struct err *err);

/* Did this run.json's run fail because nothing more could be written? Its logs may be whole. */
bool submission_ended_on_full_disk(const struct json *run);
