/*
 * err: one error travelling up.
 *
 * A function that can fail takes `struct err *err` last and returns 0, or -1 after it has
 * written a complete, printable message here: what was found, what was expected, and where
 * (`path: …` or `file:line:col: …`). On success the struct is untouched. Only cli/ prints it.
 * More than one finding about one input goes to a `struct diags` (diag.h) instead.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* What went wrong, named by the exit code that cli turns it into (cli/cli.h). */
enum err_kind {
    ERR_NONE = 0,
    ERR_CHECK = 1,   /* the work was done, and its outcome is bad: a training that diverged */
    ERR_USAGE = 2,   /* the command line or the configuration is wrong */
    ERR_INPUT = 3,   /* an input cannot be read or is malformed */
    ERR_IO = 4,      /* the system refused: disk, memory limit, process, internal */
    ERR_UNKNOWN = 5, /* whether it was done cannot be told: look before doing it again */
};

#define ERR_TEXT_MAX 2048

#define ERR_VALUES_MAX 8

struct err {
    enum err_kind kind;
    /* What it was made of, for err_keep(). `format` NULL: not noted. */
    const char *format;
    bool of_system; /* behind it stands ": %s", strerror() */
    size_t front;   /* bytes of what was put in front of it */
    size_t n_values;
    struct err_value {
        size_t at, len; /* in `text` */
    } values[ERR_VALUES_MAX];
    char text[ERR_TEXT_MAX]; /* NUL-terminated; longer messages are cut and end in "…" */
};

#define ERR_INIT ((struct err){.kind = ERR_NONE})

/* Record a message; always returns -1 so that callers can `return err_set(…)`. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int err_vset(struct err *err, enum err_kind kind, const char *fmt, va_list ap);

/* Does this errno say that the machine is at fault (no more descriptors, a disk that cannot be
 * read, a file server that forgot a file, no right to read it, links in a circle), and nothing
 * about what was asked for? */
bool err_is_of_machine(int code);

/* Of these, the ones that say that whoever asks has no right to it, for those to whom that is an
 * answer. */
bool err_is_of_rights(int code);

/* The same of a line of another program, which has no other way to say it: it ends in
 * ": <strerror() of it>". */
bool err_text_is_of_machine(const char *text);

/* As err_set, with ": <strerror(errno)>" appended. ERR_INPUT becomes ERR_IO where errno says that
 * the machine is at fault and not the input: no more descriptors, a disk or file that cannot be
 * read. */
int err_errno(struct err *err, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The message as a text of the arena, with what it was made of (base/sentence.h), and without the
 * name of `file` at its beginning; NULL: as it is. */
const char *err_keep(const struct err *err, const char *file, struct arena *arena);

/* Put "<text>: " in front of the message that is there; always returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
