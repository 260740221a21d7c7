#include "base/err.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CODES 134 /* that a system may have words for */

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

/* What can be said of a path, of rights or of what lies there. All else that a system has to say,
 * and what others will have, is its own trouble. */
bool err_is_of_machine(int code)
{
    static const int of_input[] = {
        0,      ENOENT, ENOTDIR, EISDIR, ELOOP,     ENAMETOOLONG, EACCES, EPERM,   EROFS,
        EEXIST, EINVAL, EILSEQ,  EFBIG,  EOVERFLOW, ENXIO,        ENODEV, ESPIPE,  ENOTEMPTY,
        EBUSY,  EXDEV,  ETXTBSY, ERANGE, EDOM,      ENOTTY,       EBADF,  ENOEXEC, E2BIG,
        EPIPE,  ENOSYS, ECHILD,  ESRCH,  EFAULT,    EOPNOTSUPP,   EMLINK, ENOTSOCK};
    for (size_t i = 0; i < sizeof of_input / sizeof *of_input; i++)
        if (code == of_input[i])
            return false;
    return true;
}

bool err_text_is_of_machine(const char *text)
{
    size_t len = strlen(text);
    for (int code = 1; code < CODES; code++) {
        const char *why = strerror(code);
        size_t n = strlen(why);
        if (len >= n && strcmp(text + len - n, why) == 0 && err_is_of_machine(code))
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
    if (kind == ERR_INPUT && err_is_of_machine(saved))
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
