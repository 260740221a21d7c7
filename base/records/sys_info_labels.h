/*
 * sys_info_labels: blocks of FlagPerf's sys_info.log, as trainers write and rules read them: the
 * line in front of each of these facts.
 */
#pragma once

#include "base/records/facts.h"

#define SYS_INFO_LABELS 6
struct sys_info_label {
    const char *text;
    enum fact_id fact;
};
extern const struct sys_info_label sys_info_labels[SYS_INFO_LABELS];
