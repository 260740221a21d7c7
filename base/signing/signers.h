/*
 * signers: whose keys count, from an allowed_signers file (ssh-keygen(1), ALLOWED SIGNERS).
 *
 *     # principals   options                                                      key
 *     acme           namespaces="fpreport-submission-v1",valid-before="20271231"  ssh-ed25519 AAAA…
 *
 * Principals are the ids of vendors, or patterns of them (* ? !, with commas). Times are UTC, with
 * or without a Z behind them; ssh-keygen takes those without for local time. Lines with
 * keys that cannot sign here (sshsig.h) are kept, say so in a warning and admit nobody, and so do
 * lines with cert-authority, because no certificate is ever accepted. A line that is malformed is
 * an error: ssh-keygen passes it over, which would leave out a signer in silence.
 *
 * A revocation file is a list of public keys, one a line, as OpenSSH's RevokedKeys takes it; its
 * binary form (KRL) is refused.
 */
#pragma once

#include "base/diag.h"
#include "base/signing/sshsig.h"

#define SIGNERS_BYTES_MAX ((size_t)1 << 20)
#define SIGNERS_MAX 10000
/* Below the folder of the records. */
#define SIGNERS_FILE "signers/allowed_signers"
#define SIGNERS_REVOKED_FILE "signers/revoked_keys"

struct signer {
    const char *principals; /* as written */
    const char *namespaces; /* patterns; NULL: any */
    struct sshkey key;
    bool authority;          /* cert-authority: admits nobody */
    long long after, before; /* seconds since 1970, both included; 0: not limited */
    int line;
    struct bytes text; /* as it was read, without a comment behind the key */
};

struct signers {
    const char *file; /* NULL: there are none, and nobody's signature counts for anything */
    struct signer *items;
    size_t n;
    struct sshkey *revoked;
    size_t n_revoked;
    const char *principal; /* whose signature it must be where no result says; NULL: anybody's */
    long long at;          /* when keys must have been valid; 0: when the archive got it */
    long long otherwise;   /* when no archive has it; 0: when the run ended, as it says */
    bool required;         /* by the one who asks: what is not signed fails */
    /* Of the records' own files without fault; data NULL: there is none. */
    struct bytes whole;         /* signers_text() */
    struct bytes revoked_whole; /* signers_revoked_text() */
};

/* The lines without comments, which often name people and machines. */
struct bytes signers_text(const struct signers *s, struct arena *arena);
/* The revoked keys, a line each, without their comments. */
struct bytes signers_revoked_text(const struct signers *s, struct arena *arena);

/* -1: at least one diagnostic of severity error. */
int signers_read(const char *file, struct bytes text, struct arena *arena, struct signers *out,
                 struct diags *diags);
int signers_read_revoked(const char *file, struct bytes text, struct arena *arena,
                         struct signers *out, struct diags *diags);

/* The same from files. */
int signers_load(const char *path, struct arena *arena, struct signers *out, struct diags *diags);
int signers_load_revoked(const char *path, struct arena *arena, struct signers *out,
                         struct diags *diags);

/* What is asked of the signers. */
struct signers_question {
    const struct sshkey *key;
    const char *principal; /* whose key it must be; NULL: anybody's */
    const char *namespace;
    long long at;
};

/* The line that admits the key; NULL, and *why a clause: "is not that of …". */
const struct signer *signers_find(const struct signers *s, const struct signers_question *q,
                                  struct arena *arena, const char **why);

/* The first of a signer's principals that is no exception ("!name"). */
const char *signer_name(const struct signer *s, struct arena *arena);

/* "YYYYMMDD" or "YYYYMMDDHHMM[SS]", with or without a Z, in seconds since 1970; false: it is none.
 */
bool signers_time(const char *text, long long *out);
