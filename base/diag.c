#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_MAX 1024

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
    char text[MESSAGE_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct diag *item = ARENA_PUSH(d->arena, d->items, d->n);
    *item = (struct diag){severity, arena_strdup(d->arena, file), line, col,
                          arena_strdup(d->arena, text)};
}
