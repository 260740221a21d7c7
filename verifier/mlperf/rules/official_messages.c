/* official_messages: what message.c says, in both languages (base/sentence.h). */
#include "verifier/mlperf/rules/evaluate.h"

/* clang-format off */
const struct words mlperf_official_messages[] = {
    {.en = "%s%s (%s)",
     .zh = "{1:said}{2:said}（{3}）"},
    {.en = "%s: found '%s', a value that the rules do not define",
     .zh = "日志中 {1} 的值为“{2}”，规则没有定义这个值"},
    {.en = "%s: does not hold: %s",
     .zh = "日志的 {1} 不满足规则的条件：{2}"},
    {.en = "%s: found %zu records, expected at least %zu",
     .zh = "日志中有 {2} 条 {1} 记录，至少应有 {3} 条"},
    {.en = "%s: found no record, expected exactly one",
     .zh = "日志中没有 {1} 记录，应恰有一条"},
    {.en = "%s: found %zu records with different values, expected exactly one",
     .zh = "日志中有 {2} 条取值不同的 {1} 记录，应恰有一条"},
    {.en = "%s: no record satisfies %s",
     .zh = "日志中没有一条 {1} 记录满足 {2:said}"},
    {.en = "%s: found %s, which cannot be compared: %s",
     .zh = "日志中 {1} 的值为 {2}，无法与规则的条件比较：{3}"},
    {.en = "the log has none of %s, expected one of these records",
     .zh = "日志中没有 {1} 中的任何一种记录，应有其中之一"},
    {.en = "%s and %zu more",
     .zh = "{1} 等，另有 {2} 条"},
    {.en = "; lines %s",
     .zh = "；行号：{1:said}"},
    {.en = "%s and %s",
     .zh = "{1:said} 和 {2}"},
    {NULL, NULL},
};
/* clang-format on */
