#include "base/diag.h"

#include "base/sentence.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

const char *severity_name(enum severity s)
{
    static const char *const names[] = {
        [SEVERITY_NOTICE] = "notice", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};
    return names[s];
}

void diags_init(struct diags *d, struct arena *arena)
{
    *d = (struct diags)DIAGS_INIT(arena);
}

static void push(struct diags *d, enum severity severity, const char *file, int line, int col,
                 const char *message)
{
    d->errors += severity == SEVERITY_ERROR;
    if (d->n == DIAGS_MAX)
        d->dropped++;
    else
        *(struct diag *)ARENA_PUSH(d->arena, d->items, d->n) =
            (struct diag){severity, arena_strdup(d->arena, file), line, col, message};
}

void diags_vadd(struct diags *d, enum severity severity, const char *file, int line, int col,
                const char *fmt, va_list ap)
{
    bool room = d->n < DIAGS_MAX;
    push(d, severity, file, line, col, room ? sentence_say_cut(d->arena, fmt, ap) : NULL);
}

void diags_add(struct diags *d, enum severity severity, const char *file, int line, int col,
               const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(d, severity, file, line, col, fmt, ap);
    va_end(ap);
}

void diags_append(struct diags *d, const struct diags *more)
{
    d->errors += more->errors;
    d->machine += more->machine;
    d->dropped += more->dropped;
    for (size_t i = 0; i < more->n; i++)
        if (d->n == DIAGS_MAX)
            d->dropped++;
        else
            *(struct diag *)ARENA_PUSH(d->arena, d->items, d->n) = more->items[i];
}

void diags_add_err(struct diags *d, const char *file, int line, int col, const struct err *err)
{
    bool room = d->n < DIAGS_MAX;
    d->machine += err->kind == ERR_IO;
    push(d, SEVERITY_ERROR, file, line, col, room ? err_keep(err, file, d->arena) : NULL);
}
