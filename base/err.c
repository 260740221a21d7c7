#include "base/err.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_ERRNO 4095 /* of any system call of Linux */

/* A cut message must not end inside a UTF-8 sequence. */
static void end_in_ellipsis(char *text)
{
    size_t at = ERR_TEXT_MAX - 4;
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    memcpy(text + at, "…", 4);
}

int err_vset(struct err *err, enum err_kind kind, const char *fmt, va_list ap)
{
    err->kind = kind;
    int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
    if (n >= (int)sizeof err->text)
        end_in_ellipsis(err->text);
    return -1;
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    err_vset(err, kind, fmt, ap);
    va_end(ap);
    return -1;
}

/* All else that a system has to say, and what others will have, is its own trouble; a descriptor or
 * an address that is none (EBADF, EFAULT) is this program's. Rights and links that lead in circles
 * are of whoever set this machine up: they say nothing about what the file holds. */
bool err_is_of_machine(int code)
{
    static const int of_input[] = {
        0,      ENOENT,    ENOTDIR,   ENAMETOOLONG, EXDEV,   EROFS, /* the way there */
        EISDIR, EEXIST,    ENOTEMPTY, EBUSY,        ETXTBSY, EMLINK, ENXIO,
        ENODEV, ESPIPE,    ENOTTY,    EOPNOTSUPP,   ENOEXEC,         /* its kind, or who has it */
        EFBIG,  EOVERFLOW, E2BIG,     EINVAL,       EILSEQ,  ERANGE, /* what it holds */
    };
    for (size_t i = 0; i < sizeof of_input / sizeof *of_input; i++)
        if (code == of_input[i])
            return false;
    return true;
}

/* ": <words>" at the end. */
static bool ends_in(const char *text, const char *words)
{
    size_t len = strlen(text), n = strlen(words);
    return len >= n + 2 && strcmp(text + len - n, words) == 0 &&
           memcmp(text + len - n - 2, ": ", 2) == 0;
}

bool err_is_of_rights(int code)
{
    return code == EACCES || code == EPERM;
}

bool err_text_is_of_machine(const char *text)
{
    for (int code = 1; code <= MAX_ERRNO; code++) {
        const char *words = strerrordesc_np(code); /* takes no memory for codes without words */
        if (words && err_is_of_machine(code) && ends_in(text, words))
            return true;
    }
    return false;
}

int err_errno(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    int saved = errno;
    char what[ERR_TEXT_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if ((kind == ERR_INPUT || kind == ERR_USAGE) && err_is_of_machine(saved))
        kind = ERR_IO;
    return err_set(err, kind, "%s: %s", what, strerror(saved));
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    char front[ERR_TEXT_MAX / 2], rest[ERR_TEXT_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(front, sizeof front, fmt, ap);
    va_end(ap);
    memcpy(rest, err->text, sizeof rest);
    return err_set(err, err->kind, "%s: %s", front, rest);
}
