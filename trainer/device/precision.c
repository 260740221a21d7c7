#include "trainer/device/precision.h"

#include "base/text.h"

#include <string.h>

static const struct precision precisions[] = {
    {.name = "fp32", .number = NUMBER_FP32, .on_cpu = true},
    {.name = "tf32", .number = NUMBER_FP32, .tf32 = true},
    {.name = "bf16", .number = NUMBER_BF16},
    {.name = "fp16", .number = NUMBER_FP16, .scales_loss = true},
};

const struct precision *precision_find(const char *name)
{
    return name ? text_find(precisions, sizeof precisions / sizeof *precisions, sizeof *precisions,
                            name)
                : NULL;
}
