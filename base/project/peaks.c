#include "base/project/peaks.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Peaks that a precision may use, best first; `fast`: the other half of a mix. */
static const struct precision {
    const char *name; /* text_fold form, up to the first comma */
    const char *peaks[2], *fast;
} precisions[] = {
    {"fp32", {"tf32", "fp32"}, NULL},      {"tf32", {"tf32", NULL}, NULL},
    {"amp", {"bf16", "fp16"}, NULL},       {"bf16", {"bf16", "fp16"}, NULL},
    {"fp16", {"fp16", "bf16"}, NULL},      {"fp8", {"fp8", NULL}, NULL},
    {"bf16+fp8", {"bf16", "fp16"}, "fp8"},
};

static double rated(const struct accelerator *card, const char *precision)
{
    for (size_t i = 0; precision && i < card->n_peaks; i++)
        if (strcmp(card->peaks[i].precision, precision) == 0)
            return card->peaks[i].tflops * 1e12;
    return NAN;
}

static const struct precision *find_peak(const char *text, struct arena *arena)
{
    const char *folded = text ? text_fold(arena, text) : "";
    size_t n = strcspn(folded, ",");
    for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++)
        if (strlen(precisions[i].name) == n && strncmp(folded, precisions[i].name, n) == 0)
            return &precisions[i];
    return NULL;
}

bool peaks_knows(const char *precision, struct arena *arena)
{
    return find_peak(precision, arena) != NULL;
}

bool peaks_find(const struct accelerator *card, const char *precision, struct arena *arena,
                struct peaks *out)
{
    const struct precision *p = find_peak(precision, arena);
    *out = (struct peaks){.peak = NAN, .low = NAN};
    for (size_t i = 0; p && i < 2 && isnan(out->peak); i++) {
        out->peak = rated(card, p->peaks[i]);
        out->name = arena_printf(arena, "%s %s", card->name, p->peaks[i] ? p->peaks[i] : "");
    }
    out->low = p ? rated(card, p->fast) : NAN;
    return !isnan(out->peak) && !(p->fast && isnan(out->low));
}
