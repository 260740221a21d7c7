/* worker_messages: why a worker gave no answer, in both languages (base/sentence.h). */
#include "base/sentence.h"

#include <stddef.h>

/* clang-format off */
const struct words worker_messages[] = {
    {.en = "the worker process was killed by SIG%s while using %ld MiB of memory; its limit is at "
           "least %zu MiB",
     .zh = "工作进程被信号 SIG{1} 终止，当时使用 {2} MiB 内存（内存上限至少为 {3} MiB）"},
    {.en = "reading this file takes over %zu MiB of memory",
     .zh = "工作进程读取该文件所需的内存超过 {1} MiB"},
    {.en = "the data read from the file exceeds %zu MiB",
     .zh = "工作进程从该文件读出的数据超过 {1} MiB"},
    {.en = "reading the file exceeds the CPU time limit",
     .zh = "工作进程读取该文件的 CPU 时间超过上限"},
    {.en = "cannot read the reply of the worker process: %s",
     .zh = "无法读取工作进程的应答：{1}"},
    {.en = "the worker process made no progress for %d s",
     .zh = "工作进程 {1} 秒没有进展"},
    {.en = "the worker process ran longer than %d s",
     .zh = "工作进程运行超过 {1} 秒"},
    {.en = "the messages of the worker process before it reads the file exceed 64 KiB",
     .zh = "工作进程尚未读取文件，输出的消息就已超过 64 KiB"},
    {.en = "the worker process sent a reply of the wrong form",
     .zh = "工作进程的应答格式不对"},
    {.en = "the worker process returned an impossible value",
     .zh = "工作进程返回了不可能的值"},
    {.en = "the worker process exited with status %d",
     .zh = "工作进程以状态 {1} 退出"},
    {.en = "the worker process was killed by signal %d",
     .zh = "工作进程被信号 {1} 终止"},
    {.en = "not enough memory for the worker process",
     .zh = "内存不足，工作进程无法运行"},
    {.en = "cannot start a worker process: %s",
     .zh = "无法启动工作进程：{1}"},
    {NULL, NULL},
};
