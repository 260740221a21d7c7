/*
 * fingerprint: look at this machine and write down the facts (base/records/facts.h).
 *
 * Each kind of fact has one reader, all in one const table; what a reader cannot find out, it
 * says why. The stable ones, and so the digest, are the same when it runs twice on one machine.
 */
#pragma once

#include "base/records/facts.h"
#include "trainer/cards/accelerator.h"

struct fingerprint_options {
    const char *root;               /* where /proc, /sys and /etc are; NULL: "/" */
    const char *library;            /* of NVML; NULL: NVML_LIBRARY */
    const char *salt;               /* file of the salt; NULL: salt_path() */
    struct declared_tools declared; /* card tools of records; {0}: none */
    const char *framework;          /* folder in the trainer's repository; NULL: the current one */
    const char *blas;               /* name and version; NULL: see no_blas */
    const char *no_blas;            /* why there is none; NULL: the native trainer is not used */
    const char *case_sha256;        /* NULL: no case */
    const char *data_sha256;        /* NULL: not known to us */
};

/* All FACT_KINDS facts in their order. */
void fingerprint_collect(const struct fingerprint_options *options, struct arena *arena,
                         struct facts *out);
