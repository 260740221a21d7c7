/*
 * store_check: is an archive of submissions what its log says? Reads everything, changes nothing.
 *
 * Objects are hashed in pieces, on all cores: memory goes with the length of the log and the number
 * of objects, time with the bytes of the archive. What is found is in the report; the names of the
 * kinds are for programs.
 */
#pragma once

#include "base/project/project.h"
#include "base/store/checkpoint.h"
#include "base/store/store.h"

enum store_finding_kind {
    STORE_LOG,        /* a line that is not what it should be, or a head that does not fit */
    STORE_TORN,       /* the last line was never finished */
    STORE_MISSING,    /* an object that the log names is not there */
    STORE_ALTERED,    /* its bytes have another SHA-256 */
    STORE_UNLOGGED,   /* an object that the log does not name */
    STORE_FOREIGN,    /* a file that is none of the archive's */
    STORE_LEFT,       /* left by a writer that was stopped; the next one clears it away */
    STORE_ENTRY,      /* an entry about what was never added, or one run of two signers */
    STORE_CHECKPOINT, /* a checkpoint that does not fit, or is not signed by somebody who may */
    STORE_RECORD,     /* a record that names a submission which is not in the archive */
    STORE_CLOCK,      /* the last entry is later than it is now */
    STORE_STATE,      /* a record and the log do not agree about what is withdrawn */
    STORE_SITE,       /* a published file, or the list of them, is not that of the checkpoint */
    STORE_FINDING_KINDS
};

const char *store_finding_name(enum store_finding_kind kind); /* "log" "torn" … */

struct store_finding {
    enum store_finding_kind kind;
    const char *file;
    int line; /* 0: the whole file */
    const char *message;
};

struct store_report {
    struct arena *arena;
    const char *root; /* of the archive, as commands name it */
    long long now;    /* seconds since 1970, by this machine's clock */
    struct store_finding *findings;
    size_t n;
    size_t objects;           /* that the log names and that are there */
    unsigned long long bytes; /* of them */
    size_t files;             /* of a site, that its list names */
    const char *machine;      /* why it is not known whether all is well: a disk that cannot be
                               * read; NULL */
    const char *checkpoint; /* what the archive's checkpoint says, and who signed it; NULL: none */
};

/* One finding more; the file is copied. */
void store_report_add(struct store_report *r, enum store_finding_kind kind, const char *file,
                      int line, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* It is not known whether all is well; the first reason counts. */
void store_report_machine(struct store_report *r, const char *why);

/* The log as it was read, with what was found in it: faults of it, none of the machine. */
void store_check_log(struct store_report *r, const struct store_log *log, const char *path,
                     const struct diags *faults);

/* Every file of the archive, and what its entries say. One that was opened still
 * (base/store/store.h) can be written to again as soon as all are listed. */
void store_check_files(struct store_report *r, struct store *s);

/* The archive's own checkpoint, where it has one; while two are exchanged nothing is said of it.
 * `wanted`: there must be one, when the signers say whose. */
void store_check_own_checkpoint(struct store_report *r, const struct store *s,
                                const struct signers *signers, bool wanted);

/* A checkpoint of this log, or of an earlier state of it. `signers` NULL: nobody is asked for. */
void store_check_checkpoint(struct store_report *r, const char *path, const struct store_log *log,
                            const struct signers *signers);

/* What the records name, and what they say is withdrawn. */
void store_check_records(struct store_report *r, const struct store *s, const struct project *p);
