/*
 * submission: a sealed run, opened again: the archive's files and the manifest that binds them.
 *
 * The manifest is the member SHA256SUMS, lines of "<64 hex>  <path>\n" sorted by path, one for
 * every file but three, so that `sha256sum --strict -c SHA256SUMS` checks it too. The identity
 * of a submission is the SHA-256 of its manifest: it stays the same when the archive is
 * compressed again.
 *
 * The three are the manifest itself, the statement about it (statement.h) and the statement's
 * signature (sshsig.h). Older submissions have no statement, and nobody is bound to sign: whether
 * there is a signature, and whose, is not asked here.
 *
 * Opening reports every fault it finds, each naming its file, and does not stop at the first.
 */
#ifndef BASE_SUBMISSION_H
#define BASE_SUBMISSION_H

#include "base/archive.h"
#include "base/diag.h"

#include <stdbool.h>

#define SUBMISSION_MANIFEST "SHA256SUMS"
#define SUBMISSION_STATEMENT "statement.json"
#define SUBMISSION_SIGNATURE "statement.json.sig"
/* The folder of a run directory that is no part of its submission: gigabytes that no check reads.
 */
#define SUBMISSION_CHECKPOINTS "checkpoints"
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
    bool intact;                        /* that, and no fault was found */
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

/* Is this one of the three files that the manifest does not name? */
bool submission_is_outside(const char *name);

/* Append the manifest for these members (sorted by name; the three are left out). */
void submission_manifest(const struct tar_member *members, size_t n, struct buf *out);

#endif
