/*
 * Kunlunxin's xpu-smi prints nvidia-smi's table, with a third line for the L3; the older xpu_smi
 *
 *   Driver Version: 4.0
 *   |     0 | 0000:53:00.0 | R300  | 02K… | /dev/xpu0  |  N |  0 % | 0 / 63 MB | 0 / 32768 MB | …
 */
#include "base/cards/card_tool.h"
#include "base/cards/smi_lines.h"

const struct card_tool card_tool_xpu_smi = {
    .vendor = "kunlunxin",
    .files = {"kunlunxin_monitor.log"},
    .argv = {"xpu-smi", "-m"},
    .ask = {"xpu-smi"},
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {SMI_FACTS, "*XPU-RT Version: {runtime} *"},
    .cards = {SMI_PICKED, SMI_PICKED_UNPOWERED},
};

const struct card_tool card_tool_old_xpu_smi = {
    .vendor = "kunlunxin",
    .files = {"kunlunxin_monitor.log"},
    .argv = {"xpu_smi"},
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {"Driver Version: {driver}", "Runtime Version: {runtime}",
              "| {#} | *:*:* | {model} |*| /dev/*", "| {#} | *:*:* | * | {serial} | /dev/*",
              "| {#} |*| /dev/*%*| {-} / {-} MB | {-} / {memory} MB |*",
              "| {#} |*| /dev/*%*| {-} / {-} MB | {used} / *"},
};
