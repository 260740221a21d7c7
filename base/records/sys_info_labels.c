#include "base/records/sys_info_labels.h"

const struct sys_info_label sys_info_labels[SYS_INFO_LABELS] = {
    {"OS version:", FACT_OS},
    {"OS Kernel version:", FACT_KERNEL},
    {"Hardware Model:", FACT_MACHINE},
    {"Accelerator Model:", FACT_ACCELERATOR_MODEL},
    {"Accelerator Driver version:", FACT_ACCELERATOR_DRIVER},
    {"Docker version:", FACT_CONTAINER},
};
