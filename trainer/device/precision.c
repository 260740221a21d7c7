#include "trainer/device/precision.h"

#include <string.h>

static const struct precision precisions[] = {
    {.name = "fp32", .number = NUMBER_FP32, .on_cpu = true},
    {.name = "tf32", .number = NUMBER_FP32, .tf32 = true},
    {.name = "bf16", .number = NUMBER_BF16},
    {.name = "fp16", .number = NUMBER_FP16, .scales_loss = true},
};

const struct precision *precision_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof precisions / sizeof *precisions; i++)
        if (strcmp(precisions[i].name, name) == 0)
            return &precisions[i];
    return NULL;
}
