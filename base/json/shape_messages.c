/* shape_messages: how two records differ, in both languages (base/sentence.h). */
#include "base/sentence.h"

#include <stddef.h>

/* clang-format off */
const struct words shape_messages[] = {
    {.en = "%s is not %s",
     .zh = "值为 {1:said}，另一记录的值为 {2:said}"},
    {.en = "%lld is not %lld",
     .zh = "值为 {1}，另一记录的值为 {2}"},
    {.en = "%g is not %g",
     .zh = "值为 {1}，另一记录的值为 {2}"},
    {.en = "absent",
     .zh = "记录中缺失"},
    {.en = "%zu cells, not %zu",
     .zh = "单元格数为 {1}，另一记录为 {2}"},
    {.en = "only one of the two compared cells has the form as_published",
     .zh = "两个被比较的单元格中只有一个是 as_published 形式"},
    {.en = "%zu entries, not %zu",
     .zh = "项数为 {1}，另一记录为 {2}"},
    {.en = "differs",
     .zh = "两个记录的值不同"},
    {.en = "only one of the two compared records has this key",
     .zh = "两个被比较的记录中只有一个含有该字段"},
    {NULL, NULL},
};
