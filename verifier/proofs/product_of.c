#include "verifier/proofs/product_of.h"

#include "base/text.h"

#include <string.h>

const struct measure *product_of(const struct measured *m, const char *precision,
                                 struct arena *arena)
{
    static const struct {
        const char *name;
        enum measure_id id;
    } rows[] = {
        {"fp32", MEASURE_GEMM_FP32}, {"tf32", MEASURE_GEMM_TF32}, {"bf16", MEASURE_GEMM_BF16},
        {"amp", MEASURE_GEMM_BF16},  {"fp16", MEASURE_GEMM_FP16},
    };
    const char *folded = text_fold(arena, precision);
    size_t n = strcspn(folded, ",");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].name) == n && strncmp(rows[i].name, folded, n) == 0)
            return measured_find(m, rows[i].id);
    return NULL;
}
