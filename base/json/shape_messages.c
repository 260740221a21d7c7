/* shape_messages: how two records differ, in both languages (base/sentence.h). */
#include "base/sentence.h"

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
    {.en = "only one of the two compared cells has the form as_published",
     .zh = "两个被比较的单元格中只有一个是 as_published 形式"},
    {.en = "%zu entries, not %zu",
     .zh = "{1} 项，不是 {2} 项"},
    {.en = "differs",
     .zh = "不同"},
    {.en = "only one of the two compared records has this key",
     .zh = "两个被比较的记录中只有一个含有该字段"},
    {NULL, NULL},
};
