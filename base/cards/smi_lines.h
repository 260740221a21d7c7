/*
 * smi_lines: nvidia-smi's table, which the tools of several vendors print, too.
 *
 *   | GPU  Name   Persistence-M | Bus-Id    Disp.A | … |
 *   |   0  NVIDIA H200      On  | 00000000:00:06.0 Off | … |
 *   | N/A   33C    P0     78W / 700W | 0MiB / 143771MiB | 0%  Default |
 *
 * Of it FlagPerf's monitors keep five fields of each line with "Default": `31C 57W 15MiB 40536MiB
 * 0%`; some cards do not tell their power.
 */
#pragma once

#define SMI_FACTS                                                                           \
    "*Driver Version: {driver} *", "| {#} {model} *| *:*:*|*", "|*C *|*MiB / {memory}MiB*", \
        "|*C *| {used}MiB /*", "|* {celsius}C *|*MiB /*"

#define SMI_PICKS       \
    {                   \
        3, 5, 9, 11, 13 \
    }
#define SMI_PICKED "{celsius}C {watts}W {used}MiB {memory}MiB {busy}%"
#define SMI_PICKED_UNPOWERED "{celsius}C {-} {used}MiB {memory}MiB {busy}%"
