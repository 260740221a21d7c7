/*
 * build_evidence: the submissions and curves that verdicts are about, as files of the site.
 *
 * Each once, however many results name it, read from where the verification read it
 * (base/store/store.h), never through a link (base/files/beneath.h), one at a time in memory.
 */
#pragma once

#include "cli/build/build.h"

/* The bytes of a submission or a curve, in the arena. `sha256`: of what was judged; ERR_INPUT where
 * the bytes are others now. NULL: not known. `found` is what they are. */
int build_evidence_read(const struct build *b, const char *path, const char *sha256,
                        struct arena *arena, struct bytes *out, char found[HASH_HEX_SIZE],
                        struct err *err);

/* The same as it is published: without what is withheld. */
int build_evidence_published(struct build *b, const char *path, const char *sha256,
                             struct arena *arena, struct bytes *out, struct err *err);

/* Emit those that could be read. ERR_INPUT when one has changed since it was judged. */
int build_evidence(struct build *b, struct err *err);
