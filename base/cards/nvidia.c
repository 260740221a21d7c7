/* NVIDIA's cards are asked through NVML (trainer/cards/nvml.h); where it is not there, through
 * nvidia-smi. Beside it fpreport's own monitor of clocks: `1980MHz 3201MHz power+thermal`, the last
 * what keeps the clocks down. */
#include "base/cards/card_tool.h"
#include "base/cards/smi_lines.h"

const struct card_tool card_tool_nvidia_smi = {
    .vendor = "nvidia",
    .files = {"nvidia_monitor.log"},
    .argv = {"nvidia-smi"},
    .picks = SMI_PICKS,
    .begins = FACT_ACCELERATOR_MODEL,
    .facts = {SMI_FACTS, "*CUDA Version: {runtime} *"},
    .cards = {SMI_PICKED, SMI_PICKED_UNPOWERED},
};

const struct card_tool card_tool_nvidia_clocks = {
    .vendor = "nvidia",
    .files = {"nvidia_clock_monitor.log"},
    .cards = {"{sm_mhz}MHz {memory_mhz}MHz {-}", "{sm_mhz}MHz {-} {-}", "{-} {memory_mhz}MHz {-}"},
};
