#include "base/err.h"

#include "base/sentence.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_ERRNO 4095 /* of any system call of Linux */

static void note_values(struct err *err, const char *fmt, const struct sentence *made)
{
    const char *s = fmt;
    size_t at = 0;
    if (made->n_values > ERR_VALUES_MAX)
        return;
    for (size_t i = 0; i < made->n_values; i++) {
        /* Between two values stand the words of the format, in which "%%" is one sign. */
        for (; *s && (*s != '%' || s[1] == '%'); at++)
            s += 1 + (*s == '%');
        err->values[i] = (struct err_value){at, strlen(made->values[i].text)};
        at += err->values[i].len;
        s += strcspn(s, "sdiuxXeEfgGc");
        s += *s != '\0';
    }
    err->format = fmt;
    err->n_values = made->n_values;
}

int err_vset(struct err *err, enum err_kind kind, const char *fmt, va_list ap)
{
    struct arena scratch = ARENA_INIT;
    struct sentence made = {.format = fmt};
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(err->text, sizeof err->text, fmt, again);
    va_end(again);
    err->kind = kind;
    err->format = NULL;
    err->of_system = false;
    err->front = 0;
    if (n >= (int)sizeof err->text) { /* it must not end inside a UTF-8 sequence */
        size_t at = ERR_TEXT_MAX - 4;
        while (at > 0 && ((unsigned char)err->text[at] & 0xC0) == 0x80)
            at--;
        memcpy(err->text + at, "…", 4);
    } else if (sentence_values(&made, fmt, ap, &scratch))
        note_values(err, fmt, &made);
    arena_release(&scratch);
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

/* The reason stays, however long what stands in front of it is. */
#define FRONT_MAX (ERR_TEXT_MAX / 2 - 1)

static size_t cut_front(struct err *err)
{
    size_t n = strlen(err->text);
    if (n <= FRONT_MAX)
        return n;
    err->text[FRONT_MAX] = '\0';
    err->format = NULL;
    return FRONT_MAX;
}

int err_errno(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    int saved = errno;
    va_list ap;
    va_start(ap, fmt);
    err_vset(err, kind, fmt, ap);
    va_end(ap);
    if ((kind == ERR_INPUT || kind == ERR_USAGE) && err_is_of_machine(saved))
        err->kind = ERR_IO;
    size_t at = cut_front(err) + strlen(": ");
    snprintf(err->text + at - strlen(": "), sizeof err->text - FRONT_MAX, ": %s", strerror(saved));
    err->of_system = true;
    if (err->n_values < ERR_VALUES_MAX)
        err->values[err->n_values++] = (struct err_value){at, strlen(err->text + at)};
    else
        err->format = NULL;
    return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    char front[FRONT_MAX + 1];
    struct err rest = *err;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(front, sizeof front, fmt, ap);
    va_end(ap);
    err_set(err, rest.kind, "%s: %s", front, rest.text);
    bool whole = err->format != NULL;
    memcpy(rest.text, err->text, sizeof rest.text);
    *err = rest;
    err->front += strlen(front) + strlen(": ");
    err->format = whole ? err->format : NULL;
    return -1;
}

/* ---- as texts ---------------------------------------------------------------------------- */

/* What stands behind the front; `skip`: without its first value and the colon behind it. */
static struct sentence made_of(const struct err *err, bool skip, struct arena *arena)
{
    const char *text = err->text + err->front;
    size_t cut = skip ? err->values[0].len + strlen(": ") : 0;
    struct sentence made = {.text = arena_strdup(arena, text + cut),
                            .format = err->format + (skip ? strlen("%s: ") : 0)};
    if (err->of_system)
        made.format = arena_printf(arena, "%s: %%s", made.format);
    for (size_t i = skip; i < err->n_values; i++)
        *(struct sentence *)ARENA_PUSH(arena, made.values, made.n_values) = (struct sentence){
            .text = arena_strndup(arena, text + err->values[i].at, err->values[i].len)};
    return made;
}

const char *err_keep(const struct err *err, const char *file, struct arena *arena)
{
    size_t n = file ? strlen(file) : 0;
    bool named = n && strncmp(err->text, file, n) == 0 && strncmp(err->text + n, ": ", 2) == 0;
    size_t from = named ? n + strlen(": ") : 0;
    bool skip = named && !err->front && err->format && strncmp(err->format, "%s: ", 4) == 0 &&
                err->values[0].len == n;
    if (!err->format || (named && err->front < from && !skip))
        return arena_strdup(arena, err->text + from);
    struct sentence inner = made_of(err, skip, arena);
    if (from >= err->front)
        return sentence_note(arena, &inner);
    struct sentence *values = arena_array(arena, 2, sizeof *values);
    values[0].text = arena_strndup(arena, err->text + from, err->front - from - strlen(": "));
    values[1] = inner;
    const struct sentence whole = {
        .text = arena_strdup(arena, err->text + from), .format = "%s: %s", values, 2};
    return sentence_note(arena, &whole);
}
