/*
 * Hygon's DCUs, hy-smi:
 *
 *   DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%      Mode
 *   0       49.0C    118.0W     auto     800.0W     0%         0%        Normal
 *
 * Older ones have a fan and no mode: PwrCap is then the sixth word. No model, no memory in MiB.
 *
 * rocm-smi -a: "Driver version: 5.6.19", and for each card "GPU[0]  : Card series:  …", fact by
 * fact. AMD's cards, whose tool it is, are no DCUs.
 */
#include "base/cards/card_tool.h"

const struct card_tool card_tool_hy_smi = {
    .vendor = "dcu",
    .files = {"dcu_monitor.log"},
    .argv = {"hy-smi"},
    .begins = FACT_ACCELERATOR_COUNT,
    .facts = {"{card} {-} {-} {-} {-} {-} *%*", "{#} {celsius}C {-}W *%*",
              "{#} {celsius}c {-}W *%*", "{#} {-} {-} {-} {power_limit}W *",
              "{#} {-} {-} {-} {-} {power_limit}W *"},
    .cards = {"{card} {celsius}c {watts}W {-} {-} {-} {used_share}% {busy}%",
              "{card} {celsius}C {watts}W {-} {-} {used_share}% {busy}% {-}",
              "{card} {celsius}C {watts}W {-} {-} {used_share}% {busy}%",
              "{card} {celsius}c {watts}W {-} {-} {-} {used_share} {busy}%"},
    .dump = true,
};

const struct card_tool card_tool_rocm_smi = {
    .vendor = "dcu",
    .files = {"dcu_monitor.log"},
    .argv = {"rocm-smi"},
    .ask = {"rocm-smi", "-a"},
    .by_number = true,
    .not_of = "Advanced Micro Devices",
    .facts = {"Driver version: {driver}", "*[{card}] : VBIOS version: {firmware}",
              "*[{card}] : Card series: {model}", "*[{card}] : Card Series: {model}",
              "*[{card}] : Serial Number: {serial}", "*[{card}] : Unique ID: {uuid}"},
};
