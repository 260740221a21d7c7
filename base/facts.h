/*
 * facts: the environment fingerprint of a run, as an ordered list of facts.
 *
 * Each fact has a value, or the reason why it is not known; never neither. Which facts there
 * are, and in what order, is one const table (fact_kinds). Only stable facts that say nothing
 * about who owns the machine: no host name, address, UUID or serial number. Collecting them is
 * the trainer's business (trainer/fingerprint.h); here they are written, read and compared.
 *
 * On disk: fingerprint.json
 *     {"schema": "fpreport.fingerprint/1",
 *      "facts": [{"key": "os", "value": "Debian GNU/Linux 12 (bookworm)"},
 *                {"key": "accelerator_model", "unknown": "no accelerator: …"}, …]}
 * and "measured" beside "facts" where the machine's rates were measured (measured.h). Facts that
 * this version does not know are kept when reading, after a look at their form.
 */
#ifndef BASE_FACTS_H
#define BASE_FACTS_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/measured.h"

#include <stddef.h>

enum fact_id {
    FACT_OS,
    FACT_KERNEL,
    FACT_ARCHITECTURE,
    FACT_MACHINE,
    FACT_CPU_MODEL,
    FACT_CPU_SOCKETS,
    FACT_CPU_CORES,
    FACT_CPU_THREADS,
    FACT_MEMORY,
    FACT_ACCELERATOR_VENDOR,
    FACT_ACCELERATOR_MODEL,
    FACT_ACCELERATOR_COUNT,
    FACT_ACCELERATOR_MEMORY,
    FACT_ACCELERATOR_DRIVER,
    FACT_ACCELERATOR_RUNTIME,
    FACT_NETWORK,
    FACT_INFINIBAND,
    FACT_CONTAINER,
    FACT_CONTAINER_IMAGE,
    FACT_FRAMEWORK_COMMIT,
    FACT_FRAMEWORK_TREE,
    FACT_FRAMEWORK_ORIGIN,
    FACT_LIBC,
    FACT_BLAS,
    FACT_ZSTD,
    FACT_LIBARCHIVE,
    FACT_LIBGIT2,
    FACT_FPREPORT,
    FACT_CASE_SHA256,
    FACT_DATA_SHA256,
    FACT_KINDS
};

struct fact_kind {
    const char *key;   /* in the file: [a-z0-9_] */
    const char *label; /* for people */
    const char *unit;  /* of the value, NULL: none */
};

extern const struct fact_kind fact_kinds[FACT_KINDS];

struct fact {
    const char *key;
    const char *value;   /* NULL: not known, and then */
    const char *unknown; /* the reason; else NULL */
};

struct facts {
    struct fact *items;
    size_t n;
    struct measured measured; /* here, when it was asked for */
};

#define FACTS_MAX 200
#define FACTS_SCHEMA "fpreport.fingerprint/1"

/* Label and unit of a fact; for a key that this version does not know, the key itself. */
struct fact_kind fact_kind_of(const char *key);

/* NULL when there is no such fact. */
const struct fact *facts_get(const struct facts *f, const char *key);

/* Its value, or NULL when it is not known or not there. */
const char *facts_value(const struct facts *f, enum fact_id id);

/* Append the JSON document. */
void facts_write(const struct facts *f, struct buf *out);

/* Read it; `file` is its name in messages. -1: at least one diagnostic of severity error. */
int facts_read(const char *file, struct bytes text, struct arena *arena, struct facts *out,
               struct diags *diags);

/* A fact that is different in two fingerprints, or known in only one of them. */
struct fact_change {
    const char *key;
    const struct fact *a, *b; /* NULL: this fingerprint has no such fact */
};

/* Differences in the order of `a`, then what only `b` has. Reasons are not compared: two facts
 * that are both unknown are the same. Measured rates are not compared either. */
void facts_diff(const struct facts *a, const struct facts *b, struct arena *arena,
                struct fact_change **out, size_t *n);

#endif
