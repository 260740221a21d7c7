/*
 * store_log: the log of an archive of submissions: what was put there, withdrawn, or is published
 * only in part, one entry a line, each bound to the one before it.
 *
 *   log.jsonl   an entry a line, as canonical JSON; `prev` is the SHA-256 of the line before, with
 *               its newline ("0" * 64 in the first), so that `sed -n 6p log.jsonl | sha256sum`
 *               gives the `prev` of line 7
 *   head        "<n> <SHA-256 of line n>\n", written after the line: it tells a line that was
 *               never finished (it stands behind line n) from one that somebody changed, and an end
 *               that was cut off; only a checkpoint can say that of a log that lost its head
 *
 * Only ever appended to. Who can write both files can make another history; who has an older
 * checkpoint (checkpoint.h) can show that.
 *
 * Reading goes on after a fault and reports every line that is not what it should be.
 */
#pragma once

#include "base/diag.h"
#include "base/json/shape.h"
#include "base/signing/hash.h"

#define STORE_LOG_NAME "log.jsonl"
#define STORE_HEAD_NAME "head"
#define STORE_LOG_MAX ((size_t)256 << 20)
#define STORE_LINE_MAX ((size_t)1 << 20)
#define STORE_ENTRIES_MAX 200000
#define STORE_REASON_MAX 2000 /* bytes, in each language */
#define STORE_NO_LINE "0000000000000000000000000000000000000000000000000000000000000000"
#define STORE_TIME_SIZE (sizeof "YYYY-MM-DDTHH:MM:SSZ")

#define STORE_ADDED "added"
#define STORE_WITHDRAWN "withdrawn"
#define STORE_REDACTION "redaction"

#define STORE_FULL "full"         /* all of it is published */
#define STORE_REDACTED "redacted" /* some members are withheld */
#define STORE_HASHES "hashes"     /* only manifest, statement and signature are published */

struct store_entry {
    int line;
    long long n; /* from 1 */
    const char *prev, *time, *kind;
    const char *clock;        /* when it was, as somebody said, where that is behind `time`; NULL */
    const char *submission;   /* SHA-256 of its SHA256SUMS: what it is, however it is compressed */
    const char *object;       /* SHA-256 of the .tar.zst that came; redaction: of the one that is
                               * published in its place */
    const char *of;           /* withdrawn, redaction: the one object that came which it is about;
                               * NULL: all of the submission's */
    const char *signer, *key; /* added, when a signature holds: a principal, "SHA256:…" */
    const char *rules, *verdict; /* added: rule set, and SHA-256 of the verdict's JSON */
    const char *by;              /* withdrawn, redaction: who decided */
    const char *publish;         /* redaction: STORE_FULL … */
    const char **withheld;       /* of STORE_REDACTED: members */
    size_t n_withheld;
    struct words reason; /* withdrawn; redaction unless STORE_FULL */
};

extern const struct shape store_entry_shape;

struct store_log {
    struct store_entry *entries; /* those that could be read, in order */
    size_t n, lines;
    char head[HASH_HEX_SIZE]; /* SHA-256 of the last whole line; STORE_NO_LINE */
    size_t size;              /* bytes of whole lines */
    size_t torn;              /* bytes behind them: a line that was never finished */
    long long head_n;         /* of the file `head`; 0: there is none */
    bool head_lost;           /* it is not there, or is that of a shorter log; that is a fault, and
                               * the only one: store_log_write_head() makes it good */
};

/*
 * The log in this folder; without one it is empty. -1 when a line is not what it should be, with a
 * diagnostic for each: then nothing may be appended. A torn end is no fault here.
 */
int store_log_read(const char *folder, struct arena *arena, struct store_log *out,
                   struct diags *diags);

/* The same of a file by itself, as a site has it: nothing tells a torn line from a changed one, so
 * that it is a fault. */
int store_log_read_file(const char *path, struct arena *arena, struct store_log *out,
                        struct diags *diags);

/* The same of its bytes; `path` is its name in messages. */
int store_log_read_bytes(const char *path, struct bytes text, struct arena *arena,
                         struct store_log *out, struct diags *diags);

/* The entry as a line, with its newline. */
void store_entry_line(const struct store_entry *e, struct buf *out);

/* Append the entry as line e->n and write the head, durably. The log is put back when that fails.
 * ERR_USAGE when store_log_read() would not take it: a time that is none, a text that no JSON
 * holds. The caller holds the lock (store.h). */
int store_log_append(const char *folder, struct store_log *log, const struct store_entry *e,
                     struct err *err);

/* Write the head anew: it is one line behind after a writer was killed. */
int store_log_write_head(const char *folder, const struct store_log *log, struct err *err);

/* Cut the torn line off. */
int store_log_cut(const char *folder, const struct store_log *log, struct err *err);

/* What one submission came to, or one of the files that it came as: the same run may come again,
 * with another statement and signature. */
struct store_item {
    const char *submission;
    const char *object;                  /* the one file; NULL: all of them */
    const struct store_entry *added;     /* the first; that of the file */
    const struct store_entry *withdrawn; /* the first that is about all of it; and about the file */
    const struct store_entry *redaction; /* the last; of a file the last that is about it or about
                                          * all, where one is about it */
    const struct store_entry *redaction_of_all; /* the last that is about all of it */
};

struct store_object {
    const char *sha256;
    const struct store_entry *entry; /* that names it */
    struct store_item item;          /* of a file that came */
};

struct store_index {
    struct store_item *items; /* sorted by submission */
    size_t n_items;
    struct store_object *objects; /* sorted by SHA-256 */
    size_t n_objects;
};

void store_index_make(const struct store_log *log, struct arena *arena, struct store_index *out);

/* What became of this file of a submission, as it came; NULL: none. */
const struct store_item *store_submission_of(const struct store_index *x, const char *sha256);

/* The entry by which nothing of the submission stands any more: all of it was withdrawn, or each of
 * its files was; NULL: something does, or it never came. */
const struct store_entry *store_withdrawal_of(const struct store_index *x, const char *submission);

/* Another file of the submission that `e` added, which came before it, was not withdrawn and was
 * signed by somebody else; NULL: none. */
const struct store_entry *store_rival(const struct store_log *log, const struct store_index *x,
                                      const struct store_entry *e);

/* By the whole SHA-256; NULL. An object may also be what is published of a submission. */
const struct store_item *store_item_of(const struct store_index *x, const char *submission);
const struct store_object *store_object_of(const struct store_index *x, const char *sha256);

/* When it was written, as far as anybody knows: its clock, else its time. */
const char *store_entry_day(const struct store_entry *e);

/* Seconds since 1970 as "YYYY-MM-DDTHH:MM:SSZ" (back: calendar_time). */
void store_time_write(long long at, char text[STORE_TIME_SIZE]);
