/* file_messages: names of files, what is wrong with them, and what the system says of them, in
 * both languages (base/sentence.h). */
#include "base/sentence.h"

#include <stddef.h>

/* clang-format off */
const struct words file_messages[] = {
    {.en = "%s: %s",
     .zh = "{1}：{2:said}"},
    {.en = "is empty",
     .zh = "为空"},
    {.en = "is longer than 240 bytes",
     .zh = "超过 240 字节"},
    {.en = "begins with '/'",
     .zh = "以“/”开头"},
    {.en = "has an empty component",
     .zh = "路径中有空的一级"},
    {.en = "has a component that begins with '.' or '-'",
     .zh = "路径中有一级以“.”或“-”开头"},
    {.en = "has a byte other than letters, digits and . _ + : -",
     .zh = "含有字母、数字和 . _ + : - 以外的字节"},
    {.en = "ends with '/'",
     .zh = "以“/”结尾"},
    {.en = "is nested more than 12 levels deep",
     .zh = "嵌套超过 12 层"},
    {.en = "not a regular file",
     .zh = "不是普通文件"},
    {.en = "found a link, expected a regular file inside %s",
     .zh = "是链接，应为位于 {1} 之内的普通文件"},
    {.en = "expected a path below %s",
     .zh = "应为 {1} 之下的路径"},
    {.en = "found %lld bytes, expected at most %zu",
     .zh = "文件有 {1} 字节，上限为 {2} 字节"},
    {.en = "cannot open: %s",
     .zh = "无法打开：{1:said}"},
    {.en = "No such file or directory",
     .zh = "文件或目录不存在"},
    {.en = "Permission denied",
     .zh = "没有权限"},
    {.en = "Is a directory",
     .zh = "是目录"},
    {.en = "Input/output error",
     .zh = "输入输出错误"},
    {NULL, NULL},
};
