/*
 * Counts what figures are read from: linked in front of the program with -Wl,--wrap (Makefile), it
 * takes every call of the readers of numbers (base/figures/figure.h) that another file makes, notes
 * the text, and calls the reader. Processes that the program forks note theirs in the same memory.
 * At the end FIGURES_COUNTED, a file, has one text a line, as often as it was read. For
 * tests/cli/build/figures.sh.
 */
#include "base/figures/figure.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TEXT_MAX 63 /* bytes that are noted of a text */
#define NOTED_MAX 1000000

static struct noted {
    atomic_size_t n;
    char texts[NOTED_MAX][TEXT_MAX + 1];
} * noted;

__attribute__((constructor)) static void share(void)
{
    noted = mmap(NULL, sizeof *noted, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (noted == MAP_FAILED)
        abort();
}

static void note(const char *text)
{
    size_t i = atomic_fetch_add(&noted->n, 1);
    if (i >= NOTED_MAX)
        abort(); /* a count that is too low would look like a good one */
    snprintf(noted->texts[i], sizeof noted->texts[i], "%s", text ? text : "");
}

void __real_figure_parse(const char *text, struct arena *arena, struct figure *out);
void __wrap_figure_parse(const char *text, struct arena *arena, struct figure *out);
void __wrap_figure_parse(const char *text, struct arena *arena, struct figure *out)
{
    note(text);
    __real_figure_parse(text, arena, out);
}

const struct figure *__real_figure_read(const char *text, struct arena *arena);
const struct figure *__wrap_figure_read(const char *text, struct arena *arena);
const struct figure *__wrap_figure_read(const char *text, struct arena *arena)
{
    note(text);
    return __real_figure_read(text, arena);
}

size_t __real_figure_scan_number(const char *s, double *value, int *decimals);
size_t __wrap_figure_scan_number(const char *s, double *value, int *decimals);
size_t __wrap_figure_scan_number(const char *s, double *value, int *decimals)
{
    note(s);
    return __real_figure_scan_number(s, value, decimals);
}

__attribute__((destructor)) static void write_down(void)
{
    const char *path = getenv("FIGURES_COUNTED");
    FILE *to = path ? fopen(path, "w") : NULL;
    for (size_t i = 0; to && i < noted->n; i++)
        fprintf(to, "%.*s\n", (int)strcspn(noted->texts[i], "\n"), noted->texts[i]);
    if (to && fclose(to) != 0)
        abort();
}
