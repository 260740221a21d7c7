/*
 * Moore Threads' mthreads-gmi:
 *
 *      mthreads-gmi:2.2.0           Driver Version:3.0.0
 *   0    MTT S4000            |00000000:08:00.0    |0%    0MiB(49152MiB)
 *
 * and in samples `45C 109.51W 1MiB 32768MiB 0%`.
 */
#include "base/cards/card_tool.h"
#include "base/cards/smi_lines.h"

const struct card_tool card_tool_mthreads_gmi = {
    .vendor = "mthreads",
    .files = {"mthreads_monitor.log"},
    .argv = {"mthreads-gmi", "-q"},
    .ask = {"mthreads-gmi"},
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {"*Driver Version:{driver}", "{#} {model} |*:*:*|*", "{#} *|*:*:*|*({memory}MiB)*",
              "{#} *|*:*:*|*% {used}MiB(*", "*|*x(*|{celsius}C *"},
    .cards = {SMI_PICKED, SMI_PICKED_UNPOWERED},
};
