/* shape_messages: how two records differ, in both languages (base/words.h). */
#include "base/words.h"

#include <stddef.h>

/* clang-format off */
const struct words shape_messages[] = {
    {.en = "%s is not %s",
     .zh = "{1:said} 不是 {2:said}"},
    {.en = "%lld is not %lld",
     .zh = "{1} 不是 {2}"},
    {.en = "%g is not %g",
     .zh = "{1} 不是 {2}"},
    {.en = "absent",
     .zh = "缺失"},
    {.en = "%zu cells, not %zu",
     .zh = "{1} 个单元格，不是 {2} 个"},
    {.en = "only one is as_published",
     .zh = "只有一方为 as_published"},
    {.en = "%zu entries, not %zu",
     .zh = "{1} 项，不是 {2} 项"},
    {.en = "differs",
     .zh = "不同"},
    {.en = "only one of the two has this field",
     .zh = "只有一方含有该项"},
    {NULL, NULL},
};
