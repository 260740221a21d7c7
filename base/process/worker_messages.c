/* worker_messages: why a worker gave no answer, in both languages (base/words.h). */
#include "base/words.h"

#include <stddef.h>

/* clang-format off */
const struct words worker_messages[] = {
    {.en = "the process that reads it ended by SIG%s, with %ld MiB in use of %zu MiB or more that it may have",
     .zh = "读取它的进程因 SIG{1} 结束，当时使用 {2} MiB 内存，可用 {3} MiB 以上"},
    {.en = "to read it takes more memory than %zu MiB",
     .zh = "读取它所需的内存超过 {1} MiB"},
    {.en = "what was found in it takes more than %zu MiB",
     .zh = "其中所读出的内容超过 {1} MiB"},
    {.en = "to read it takes more time of the processor than there is for it",
     .zh = "读取它所需的处理器时间超过上限"},
    {.en = "the process that reads it cannot be heard: %s",
     .zh = "无法听到读取它的进程：{1}"},
    {.en = "the process that reads it stood still for %d s",
     .zh = "读取它的进程停滞了 {1} 秒"},
    {.en = "the process that reads it took longer than %d s",
     .zh = "读取它的进程用时超过 {1} 秒"},
    {.en = "what is noted before it is read takes more than 64 KiB",
     .zh = "读取之前的记录超过 64 KiB"},
    {.en = "the process that reads it answered what it should not",
     .zh = "读取它的进程给出了不应有的应答"},
    {.en = "the process that reads it answered what cannot be",
     .zh = "读取它的进程给出了不可能的应答"},
    {.en = "the process that reads it ended with %d",
     .zh = "读取它的进程以 {1} 结束"},
    {.en = "the process that reads it was ended by signal %d",
     .zh = "读取它的进程被信号 {1} 终止"},
    {.en = "there was no memory for the process that reads it",
     .zh = "没有内存可供读取它的进程使用"},
    {.en = "no process to read it in: %s",
     .zh = "没有可用于读取它的进程：{1}"},
    {NULL, NULL},
};
