/*
 * Cambricon's cnmon:
 *
 *   | CNMON v5.10.22                       Driver v5.10.22 |
 *   | 0     /   MLU370-X8    v1.1.6 |         0000:13:00.0 | 0%                  0 |
 *   |  0%   28C        107 W/ 250 W |     0 MiB/ 20638 MiB | FULL          Default |
 *
 * and in samples `31C 75 W/ 1024 MiB/ 81920 35%`: temperature, power, -, used, -, there,
 * utilisation. An older monitor has the fan in the last place and the utilisations, one a line,
 * behind all cards.
 */
#include "base/cards/card_tool.h"

const struct card_tool card_tool_cnmon = {
    .vendor = "cambricon",
    .files = {"cambricon_monitor.log"},
    .argv = {"cnmon"},
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {"| CNMON * Driver {driver} |", "| {#} {-} {model:w} {-} |*:*:*|*",
              "| {#} {-} {-} {firmware} |*:*:*|*", "|*W |*MiB/ {memory} MiB |*",
              "|*W | {used} MiB/*", "| {-} {celsius}C *W |*MiB/*"},
    .cards = {"{celsius}C {watts} W/ {used} MiB/ {memory} {busy}%",
              "{celsius}C {watts} W/ {used} MiB/ {memory}*"},
    .more = {"{busy}%"},
};
