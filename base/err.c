#include "base/err.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static const int of_machine[] = {EIO, EINTR, EAGAIN, ENOMEM, ENFILE, EMFILE, ENOSPC, EDQUOT};
#define N_OF_MACHINE (sizeof of_machine / sizeof *of_machine)

bool err_is_of_machine(int code)
{
    for (size_t i = 0; i < N_OF_MACHINE; i++)
        if (code == of_machine[i])
            return true;
    return false;
}

bool err_text_is_of_machine(const char *text)
{
    for (size_t i = 0; i < N_OF_MACHINE; i++) {
        const char *why = strerror(of_machine[i]);
        size_t len = strlen(text), n = strlen(why);
        if (len >= n && strcmp(text + len - n, why) == 0)
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
