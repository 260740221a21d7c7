/*
 * received: a run that came in another form than ours, a zip or a tar in gzip, sealed as we seal.
 *
 * Both are only ways in. What they hold is held to the rules of a submission (names, regular files,
 * counts, sizes), packed as collect packs a run (seal.h), and what was received is recorded in the
 * member RECEIVED_ORIGIN, which SHA256SUMS binds like every other:
 *
 *     {"schema": "fpreport.imported-from/1", "name": …, "form": "zip", "bytes": …, "sha256": …,
 *      "folder": …}
 *
 * `folder` is there where the whole run lay in one folder: with run.json (or SHA256SUMS) in it and
 * nothing beside it, it is taken off. Nothing else is changed. Of a run that was sealed before and
 * unpacked (it has SHA256SUMS) nothing is changed at all, so that it is the submission that it was,
 * with its signature; then nothing is recorded.
 *
 * A member that is an archive itself is refused: nobody would look into it.
 */
#pragma once

#include "base/sealed/submission.h"

#define RECEIVED_ORIGIN "imported-from.json"

enum received_form { RECEIVED_NONE, RECEIVED_ZIP, RECEIVED_TAR_GZ, RECEIVED_FORMS };

/* What the bytes are by their first ones, and what the file's name says. */
enum received_form received_by_content(struct bytes bytes);
enum received_form received_by_name(const char *path);
const char *received_word(enum received_form form); /* "zip" */

/* The name of the file less the ending of its form. */
const char *received_stem(const char *path, struct arena *arena);

struct received {
    struct bytes bytes;
    const char *path;
    enum received_form form;
    char sha256[HASH_HEX_SIZE]; /* of the bytes */
};

struct received_run {
    const char *folder; /* that was taken off; NULL */
    bool sealed;        /* it was sealed before */
};

/* Append the record of where a run came from. */
void received_origin(const struct received *in, const char *folder, struct arena *arena,
                     struct buf *out);

/* Append the sealed run to `packed`. -1 with the reasons in `diags`. Only for a worker
 * (base/process/worker.h): its input is untrusted. */
int received_seal(const struct received *in, struct arena *arena, struct buf *packed,
                  struct received_run *out, struct diags *diags);
