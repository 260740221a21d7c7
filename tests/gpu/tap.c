#include "tests/gpu/tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void tap_tell(struct tap *t, bool ok, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%sok %d - ", ok ? "" : "not ", ++t->told);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    t->failed += !ok;
}

void tap_stop(const struct err *err)
{
    printf("Bail out! %s\n", err->text);
    exit(1);
}

void tap_must(int rc, const struct err *err)
{
    if (rc != 0)
        tap_stop(err);
}

int tap_end(const struct tap *t)
{
    if (t->told > 0)
        printf("1..%d\n", t->told);
    return t->failed != 0;
}
