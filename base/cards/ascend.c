/*
 * Ascend's npu-smi:
 *
 *   | npu-smi 25.2.0                   Version: 25.2.0 |
 *   | 0     910B4-1      | OK            | 91.3        33           0    / 0     |
 *   | 0                  | 0000:01:00.0  | 0           0    / 0     3197 / 65536 |
 *
 * Older ones have one memory in the second line, newer cards two, of which the second is the
 * card's. The second chip of a card tells no power of its own: "-".
 */
#include "base/cards/card_tool.h"

const struct card_tool card_tool_npu_smi = {
    .vendor = "ascend",
    .files = {"ascend_monitor.log"},
    .argv = {"npu-smi", "info"},
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {"| npu-smi * Version: {driver} |", "| {#} {model:w} | {-} | {-} {-} {-} / {-} |",
              "|*|*:*:*| {-} {#} / {#} {used} / {memory} |", "|*|*:*:*| {-} {used} / {memory} |",
              "| {#} {-} | {-} | {-} {celsius} {-} / {-} |"},
    .cards = {"|*|*:*:*| {busy} {-} / {-} {used} / {memory} |",
              "|*|*:*:*| {busy} {used} / {memory} |"},
    .more = {"|*|*| {watts} {celsius} {-} / {-} |"},
    .dump = true,
};
