/*
 * MetaX's mx-smi:
 *
 *   | MX-SMI 2.2.4     Kernel Mode Driver Version: 2.15.9 |
 *   | 0   MetaX C550          | 0000:0f:00.0  | 0%        |
 *   | 29C  53W / 450W         | 858/65536 MiB | Available |
 *
 * or `| 0  MetaX C500 | 0  Off | 0000:0e:00.0 |` for its second line, and in samples of older
 * monitors `35C 55W 914/65536 MiB`.
 */
#include "base/cards/card_tool.h"

const struct card_tool card_tool_mx_smi = {
    .vendor = "metax",
    .files = {"mx-smi_monitor.log", "mx_monitor.log"},
    .argv = {"mx-smi"},
    .begins = FACT_ACCELERATOR_MODEL,
    .one_firmware = true,
    .facts = {"*Kernel Mode Driver Version: {driver} *", "*MACA Version: {runtime} *",
              "*BIOS Version: {firmware} *", "| {#} {model} |*:*:*.*|*", "|*/{memory} MiB *",
              "|*| {used}/* MiB *", "|* {celsius}C *|*MiB *"},
    .cards = {"| {celsius}C {watts}W*| {used}/{memory} MiB*",
              "{celsius}C {watts}W {used}/{memory} MiB*", "*| {used}/{memory} MiB*"},
    .more = {"| {card} {-}*|*:*:*| {busy}%*"},
    .dump = true,
};
