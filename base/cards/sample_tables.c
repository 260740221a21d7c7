/* Tables that tools print of themselves, as people pipe them into a file; without a name that says
 * whose they are. What a tool's own row (table.c) describes is not here again: where its lines say
 * which card they are of, the row itself is in the list. */
#include "base/cards/card_tool.h"

extern const struct card_tool card_tool_mx_smi, card_tool_efsmi, card_tool_hy_smi;

/*
 * nvidia-smi, and ixsmi, xpu-smi and hl-smi, which print its table:
 *
 *   |   0  A100-SXM-80GB       On   | 00000000:10:00.0 Off |                    0 |
 *   | N/A   61C    P0   175W / 400W |  33717MiB / 81252MiB |     84%      Default |
 *   | 30%   30C    P0    N/A /  N/A |      0MiB /  1999MiB |     N/A      Default |
 */
static const struct card_tool smi_table = {
    .vendor = "nvidia",
    .cards = {"|* {celsius}C *{watts}W /*| {used}MiB / {memory}MiB | {busy}%*",
              "|* {celsius}C *| {used}MiB / {memory}MiB | {busy}%*",
              "|* {celsius}C *{watts}W /*| {used}MiB / {memory}MiB | N/A *",
              "|* {celsius}C *| {used}MiB / {memory}MiB | N/A *"},
    .more = {"| {card} {-} *| *:*:*|*"},
    .dump = true,
};

/*
 * rocm-smi of ROCm 5, 6 and 7; of 3, some of which did not know the memory; of 1 and 2, whose last
 * columns are other settings (SCLK OD, MCLK OD) or the limit of the power:
 *
 *   0    40.0c           38.0W   300Mhz  1200Mhz  0%   auto  300.0W    0%   0%
 *   0       2     0x74a1,   28851  48.0°C      135.0W    NPS1, SPX, 0        124Mhz  900Mhz  0% …
 *   1    25.0c  10.0W   852Mhz  167Mhz  14.9%  auto  170.0W  N/A    0%
 *   0   35c     73.68W   1411Mhz  300Mhz   0.0%     auto      0%         0%
 */
static const struct card_tool rocm_table = {
    .vendor = "dcu",
    .cards = {"{card} *{celsius}°C {watts}W *hz *hz {-} {-} {-} {used_share}% {busy}%",
              "{card} {celsius}c {watts}W *hz *hz {-} {-} {-} {used_share}% {busy}%",
              "{card} *{celsius}°C N/A *hz *hz {-} {-} {-} {used_share}% {busy}%",
              "{card} {celsius}c {watts}W *hz *hz {-} {-} {-} N/A {busy}%",
              "{card} {celsius}c {watts}W *hz *hz {-} {-} {-} {-}"},
    .dump = true,
};

/*
 * Ascend's npu-smi, whose cards are numbered by the chip where it is said (Phy-ID, Device), else by
 * the NPU:
 *
 *   | 0     Ascend910           | OK            | 178.5       36                0    / 0         |
 *   | 0     0                   | 0000:9D:00.0  | 0           0    / 0          3416 / 65536     |
 */
static const struct card_tool npu_table = {
    .vendor = "ascend",
    .cards = {"| {#} {card} |*:*:*| {busy} {-} / {-} {used} / {memory} |",
              "| {#} {card} |*:*:*| {busy} {used} / {memory} |",
              "| {#} |*:*:*| {busy} {-} / {-} {used} / {memory} |",
              "| {#} |*:*:*| {busy} {used} / {memory} |"},
    .more = {"| {card} {-} | {-} | {watts} {celsius} {-} / {-} |"},
    .dump = true,
};

/*
 * Cambricon's cnmon:
 *
 *   | 0     /   MLU370-X8    v1.1.6 |         0000:13:00.0 | 0%                  0 |
 *   |  0%   28C        107 W/ 250 W |     0 MiB/ 20638 MiB | FULL          Default |
 */
static const struct card_tool cnmon_table = {
    .vendor = "cambricon",
    .cards = {"| {-} {celsius}C {watts} W/* W | {used} MiB/ {memory} MiB |*"},
    .more = {"| {card} {-} {-} {-} |*:*:*| {busy}% *"},
    .dump = true,
};

/*
 * Moore Threads' mthreads-gmi, whose power stands behind its memory:
 *
 *   0    MTT S4000            |00000000:08:00.0    |0%    0MiB(49152MiB)
 */
static const struct card_tool gmi_table = {
    .vendor = "mthreads",
    .cards = {"{card} *|*:*:*| {busy}% {used}MiB({memory}MiB)*"},
    .dump = true,
};

const struct card_tool *const card_tables[] = {
    &smi_table,        &rocm_table,      &cnmon_table,      &gmi_table, &npu_table,
    &card_tool_mx_smi, &card_tool_efsmi, &card_tool_hy_smi, NULL};
