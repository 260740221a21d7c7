/* Iluvatar's ixsmi prints nvidia-smi's table. */
#include "base/cards/card_tool.h"
#include "base/cards/smi_lines.h"

const struct card_tool card_tool_ixsmi = {
    .vendor = "iluvatar",
    .files = {"iluvatar_monitor.log"},
    .argv = {"ixsmi"},
    .picks = SMI_PICKS,
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {SMI_FACTS, "*CUDA Version: {runtime} *"},
    .cards = {SMI_PICKED, SMI_PICKED_UNPOWERED},
    .paired = true,
};
