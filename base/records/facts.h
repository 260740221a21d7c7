/*
 * facts: the environment fingerprint of a run, as two ordered lists of facts.
 *
 * Each fact has a value, or the reason why it is not known; never neither. Which facts there
 * are, in what order and of what class, is one const table (fact_kinds). Stable facts say what the
 * machine and its software are, and nothing about who owns them: running twice gives the same.
 * Unstable ones (temperatures, free memory, times) and identities (serial numbers, UUIDs, hardware
 * addresses, names, only ever as salted hashes: trainer/cards/salt.h) stand beside them. Collecting
 * them is the trainer's business (trainer/fingerprint/fingerprint.h); here they are written, read
 * and compared.
 *
 * On disk: fingerprint.json
 *     {"schema": "fpreport.fingerprint/1", "sha256": "…",
 *      "facts": [{"key": "os", "value": "Debian GNU/Linux 12 (bookworm)"},
 *                {"key": "accelerator_model", "unknown": "no accelerator: …"}, …],
 *      "salt": "1f0c…", "unstable": [{"key": "uptime", "value": "86400"}, …]}
 * and "measured" where the machine's rates were measured (measured.h). Documents of before have
 * neither "sha256" nor "salt" nor "unstable". Facts that this version does not know are kept when
 * reading, after a look at their form; in "facts" they count as stable.
 *
 * The digest is the SHA-256 of one line "key=value" for each known fact of "facts" but those of
 * the class FACT_OF_RUN, sorted by their bytes, each ended by a newline. Reasons are not in it.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/records/measured.h"
#include "base/sentence.h"

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
    FACT_ACCELERATOR_FIRMWARE,
    FACT_ACCELERATOR_PCIE,
    FACT_ACCELERATOR_NVLINK,
    FACT_ACCELERATOR_TOPOLOGY,
    FACT_ACCELERATOR_NUMA,
    FACT_ACCELERATOR_ECC,
    FACT_ACCELERATOR_MIG,
    FACT_ACCELERATOR_POWER_LIMIT,
    FACT_ACCELERATOR_CLOCK_LIMITS,
    FACT_ACCELERATOR_PERSISTENCE,
    FACT_ACCELERATOR_COMPUTE_MODE,
    FACT_NETWORK,
    FACT_INFINIBAND,
    FACT_CONTAINER,
    FACT_CONTAINER_IMAGE,
    FACT_CGROUP,
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
    FACT_TAKEN,
    FACT_UPTIME,
    FACT_MEMORY_FREE,
    FACT_HOST,
    FACT_MACHINE_ID,
    FACT_MACHINE_SERIAL,
    FACT_NETWORK_ADDRESS,
    FACT_INFINIBAND_GUID,
    FACT_ACCELERATOR_SERIAL,
    FACT_ACCELERATOR_UUID,
    FACT_ACCELERATOR_TEMPERATURE,
    FACT_ACCELERATOR_POWER,
    FACT_ACCELERATOR_MEMORY_USED,
    FACT_ACCELERATOR_CLOCKS,
    FACT_ACCELERATOR_PCIE_NOW,
    FACT_ACCELERATOR_ECC_ERRORS,
    FACT_ACCELERATOR_REMAPPED_ROWS,
    FACT_KINDS
};

enum fact_class {
    FACT_STABLE, /* in "facts", and in the digest */
    FACT_OF_RUN, /* in "facts": what was run, not what it was run on */
    FACT_MOMENT, /* in "unstable": another time, another value */
    FACT_NAMES,  /* in "unstable": which machine or card it is; salted hashes, joined by ", " */
};

struct fact_kind {
    const char *key;   /* in the file: [a-z0-9_] */
    const char *label; /* for people */
    const char *unit;  /* of the value, NULL: none */
    enum fact_class class;
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
    struct fact *unstable;
    size_t n_unstable;
    const char *salt;         /* that identities were hashed with, by its id; NULL: none */
    const char *sha256;       /* the digest that the document states; NULL: it states none */
    struct measured measured; /* here, when it was asked for */
};

#define FACTS_MAX 200                          /* of each list */
#define FACT_VALUE_MAX 4000                    /* bytes of what a file or a driver said */
#define FACT_TEXT_MAX (3 * FACT_VALUE_MAX + 3) /* when it is text: three for each that is none */
#define FACTS_TRIED 4                          /* fingerprints of a run, until one can be read */
#define FACTS_SCHEMA "fpreport.fingerprint/1"

/* Label and unit of a fact; for a key that this version does not know, the key itself. */
struct fact_kind fact_kind_of(const char *key);

/* What a reason was made of, for other languages (base/sentence.h). A document has reasons as
 * texts, of programs of before, too: one is taken for the row whose format it has (fact_reasons.c).
 * NULL: for none of them. */
const struct sentence *fact_reason(const char *unknown, struct arena *arena);

/* Is it one of "unstable"? Of what this version does not know, nothing is. */
bool fact_is_unstable(enum fact_class class);

/* In either list; NULL when there is no such fact. */
const struct fact *facts_get(const struct facts *f, const char *key);

/* Its value, or NULL when it is not known or not there. */
const char *facts_value(const struct facts *f, enum fact_id id);

/* The SHA-256, in hex, of sorted lines "<key>=<value>": of all that is known but what is of one run
 * only. */
const char *facts_digest(const struct facts *f, struct arena *arena);

/* Append the JSON document; its digest is computed. */
void facts_write(const struct facts *f, struct buf *out);

/* Read it; `file` is its name in messages. -1: at least one diagnostic of severity error, and
 * nothing of it is kept. */
int facts_read(const char *file, struct bytes text, struct arena *arena, struct facts *out,
               struct diags *diags);

/* A fact that is different in two fingerprints, or known in only one of them. */
struct fact_change {
    const char *key;
    const struct fact *a, *b; /* NULL: this fingerprint has no such fact */
};

/* Differences of the facts that are not unstable, in the order of `a`, then what only `b` has.
 * Reasons are not compared: two facts that are both unknown are the same. Measured rates are not
 * compared either. */
void facts_diff(const struct facts *a, const struct facts *b, struct arena *arena,
                struct fact_change **out, size_t *n);

/* Identities of one kind in two fingerprints, and how many are in both. False when that cannot be
 * said: not known in one of them, or hashed with another salt. */
struct facts_shared {
    size_t a, b, both;
};
bool facts_share(const struct facts *a, const struct facts *b, enum fact_id id, struct arena *arena,
                 struct facts_shared *out);
