/*
 * statement: what a submission says of the run inside it, in the words of others.
 *
 * An in-toto Statement v1 whose subject is the manifest (SHA256SUMS, by its SHA-256, and with it
 * every file), with SLSA Provenance v1 as predicate; docs/FIELDS.md maps the fields. One line of
 * JSON. It is this that is signed (base/signing/sshsig.h), so that who signs it signs all files.
 *
 * Everything in it follows from files of the run: case.json, run.json, fingerprint.json. The same
 * files give the same statement, and whoever has them can ask whether a statement says what they
 * say. What the run does not know is left out; nothing is invented.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/json/json.h"
#include "base/sealed/tar.h"

#define STATEMENT_BYTES_MAX ((size_t)1 << 20)

/* Append the statement of these members; `manifest_sha256` is that of their SHA256SUMS. Malformed
 * files are taken for absent ones. */
void statement_write(const struct tar_member *members, size_t n, const char *manifest_sha256,
                     struct buf *out);

/* Is the text a statement about this manifest: one line, which begins as every one that we write?
 * That much a shell can ask, too (templates/site/verify.sh). NULL, or what is wrong. */
const char *statement_problem(struct bytes text, const char *manifest_sha256, struct arena *arena);

/* What the statement says otherwise than the files, as "predicate.runDetails…: found …, expected
 * …"; NULL: nothing. Fields that we would not write are passed over, as in-toto asks, but in
 * externalParameters, which SLSA wants whole. A statement that is not JSON adds its fault to
 * `diags` and gives its message. */
const char *statement_difference(const char *file, struct bytes text,
                                 const struct tar_member *members, size_t n,
                                 const char *manifest_sha256, struct arena *arena,
                                 struct diags *diags);

/* When the run ended, as the statement says, in seconds since 1970; 0: it does not. */
long long statement_finished(struct bytes text, struct arena *arena);
