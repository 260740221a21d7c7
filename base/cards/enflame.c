/*
 * Enflame's efsmi, whose table has the memory of a card and not what is used of it:
 *
 *   | EFSMI: 1.7.2.14          Driver Ver: 1.7.2.14                               |
 *   | 0      Enflame L300         | 40.2.8.3          | 00:2d:00.0  Enable        |
 *   | 35     LP1      68W / 300W  | 147456MiB Disable | 0%          A098Q50610048 |
 *
 * Older ones write `39 C` and `105W  300W`, others `34℃`, and N/A for the power. `efsmi -dmon`
 * prints columns (sample_columns.h).
 */
#include "base/cards/card_tool.h"

const struct card_tool card_tool_efsmi = {
    .vendor = "enflame",
    .files = {"enflame_monitor.log"},
    .argv = {"efsmi"},
    .begins = FACT_ACCELERATOR_MODEL,
    .one_firmware = true,
    .facts = {"*Driver Ver: {driver} |", "| {#} {model} | {firmware} | *:*:*|*",
              "| {celsius}* | *MiB *| *%*", "|* | {memory}MiB *| *%*"},
    .cards = {"| {celsius}*{watts}W *| {memory}MiB *| {busy}%*",
              "| {celsius}* N/A *| {memory}MiB *| {busy}%*"},
    .more = {"| {card} *| {-} | *:*:*|*"},
    .dump = true,
};
