/* rcp_messages: how a batch size was matched, in both languages (base/sentence.h). */
#include "verifier/mlperf/score/rcp.h"

/* clang-format off */
const struct words rcp_messages[] = {
    {.en = "found",
     .zh = "有相同批大小的参考点"},
    {.en = "interpolated",
     .zh = "在参考点之间插值"},
    {.en = "smaller",
     .zh = "采用批大小最小的参考点"},
    {.en = "missing",
     .zh = "缺少参考点"},
    {.en = "not converged",
     .zh = "未收敛"},
    {.en = "no batch size",
     .zh = "没有统一的批大小"},
    {.en = "too few runs",
     .zh = "运行次数太少"},
    {NULL, NULL},
};
/* clang-format on */
