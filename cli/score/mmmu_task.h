/*
 * mmmu_task: ask the model of a case that sees, and report its score.
 */
#pragma once

#include "cli/score/score_task.h"
#include "trainer/score/mmmu.h"

/* As score_task_run() does it. */
int mmmu_task_run(struct cli *cli, const struct score_task *task, const struct mmmu_way *way);
