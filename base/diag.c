#include "base/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

const char *severity_name(enum severity s)
{
    static const char *const names[] = {
        [SEVERITY_NOTICE] = "notice",
        [SEVERITY_WARNING] = "warning",
        [SEVERITY_ERROR] = "error",
    };
    return names[s];
}

void diags_init(struct diags *d, struct arena *arena)
{
    *d = (struct diags){.arena = arena};
}

void diags_add(struct diags *d, enum severity severity, const char *file, int line, int col,
               const char *fmt, ...)
{
    d->errors += severity == SEVERITY_ERROR;
    if (d->n == DIAGS_MAX) {
        d->dropped++;
        return;
    }
    struct err message;
    va_list ap;
    va_start(ap, fmt);
    err_vset(&message, ERR_INPUT, fmt, ap);
    va_end(ap);
    struct diag *item = ARENA_PUSH(d->arena, d->items, d->n);
    *item = (struct diag){severity, arena_strdup(d->arena, file), line, col,
                          arena_strdup(d->arena, message.text)};
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
    size_t n = strlen(file);
    d->machine += err->kind == ERR_IO;
    /* A name that did not fit into the message was cut there. */
    bool named = strncmp(err->text, file, n) == 0 && strncmp(err->text + n, ": ", 2) == 0;
    diags_add(d, SEVERITY_ERROR, file, line, col, "%s", named ? err->text + n + 2 : err->text);
}
