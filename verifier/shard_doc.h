/*
 * shard_doc: the verdicts about one shard (base/project/shard.h), as a document.
 *
 *   {"schema": "fpreport.verify/1", "tool", "rules", "only",
 *    "shard": {"number", "of", "tool", "rules", "only", "settings", "fail_on", "list", "own"},
 *    "runs": […], "summary": {…},
 *    "across": […],   what other shards are compared with (verifier/across.h), a line a result
 *    "lent": […],     which records of the program were used in place of the project's
 *    "paths": […],    of archives and references, which no two shards may write differently
 *    "ended": {"code", "incomplete", "kept"},
 *    "digest": "…"}   SHA-256 of all bytes in front of this line
 *
 * It is a document of fpreport.verify/1 with more keys, so that whatever reads those reads it; its
 * runs lack what crosses cases. It is written while the verdicts are made, beside its name, and
 * renamed at the end: a process that is killed leaves no document. Reading believes nothing whose
 * digest does not hold.
 */
#pragma once

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/signing/hash.h"
#include "verifier/across.h"

/* A result has 10,000 bytes in it, and 9,000 in what is kept beside it. */
#define SHARD_DOC_MAX ((size_t)1 << 30)
#define SHARD_RESULTS_MAX ((size_t)50000) /* so that both fit */

/* What shards that belong together have in common, but for `number` and `own`. */
struct shard_head {
    int number, of;
    const char *tool, *rules, *only; /* NULL: all rules */
    const char *settings;            /* what else verdicts depend on: options, files they name */
    int fail_on;                     /* of enum severity, or VERDICTS_FAIL_NEVER */
    const char *list, *own;          /* digests (base/project/shard.h) */
};

/* A record of the program's that a result, or the facts of its evidence (`seen`), took. */
struct shard_lent {
    const char *name; /* "accelerator a100" */
    const char *vendor, *case_id;
    size_t place;
    bool seen;
};

struct shard_path {
    const char *path, *file; /* and the record that names it */
};

struct shard_end {
    int code; /* exit code, without what crosses cases */
    bool incomplete;
    const char
        *kept; /* SHA-256 of the verdicts beside it (SHARD_KEPT_SUFFIX); NULL: there are none */
};

/* What is kept for a build, beside the document: the verdicts as bytes (base/json/shape_pack.h),
 * each behind its length, with what crosses cases postponed. */
#define SHARD_KEPT_SUFFIX ".kept"

struct shard_writer {
    struct buf *text;        /* the document, as far as it is not in the file yet */
    struct file_cache *file; /* NULL: it stays in `text` */
    struct json_writer w;
    struct hash hash;
    struct buf across;
    struct json_writer across_w;
    size_t states[STATE_WITHDRAWN + 1];
};

/* `file` was begun by file_cache_begin() without a front. */
void shard_doc_begin(struct shard_writer *s, struct buf *text, struct file_cache *file,
                     const struct shard_head *head);

/* One verdict, from which across_take() took. -1 with err when the file cannot be written. */
int shard_doc_add(struct shard_writer *s, const struct verdict *v, const struct across_result *of,
                  struct err *err);

/* The rest. The caller puts the file in place. */
int shard_doc_end(struct shard_writer *s, const struct shard_lent *lent, size_t n_lent,
                  const struct shard_path *paths, size_t n_paths, const struct shard_end *end,
                  struct err *err);

void shard_doc_release(struct shard_writer *s);

/* The summary of a document, of which `states` has the numbers. */
void shard_doc_summary(struct json_writer *w, const size_t states[STATE_WITHDRAWN + 1]);

/* ---- read back ---- */

struct shard_doc {
    const char *path;
    struct shard_head head;
    struct shard_end end;
    struct bytes text, runs, across, lent, paths; /* arrays in `text` */
};

/* ERR_USAGE when it is no such document, or not whole; ERR_IO. All of it lives in the arena. */
int shard_doc_read(const char *path, struct arena *arena, struct shard_doc *out, struct err *err);

/* Each element, read by its shape. ERR_USAGE. */
int shard_doc_take(const struct shard_doc *d, const struct shape *shape, struct bytes element,
                   void *value, struct arena *arena, struct err *err);

extern const struct shape shard_lent_shape, shard_path_shape;
