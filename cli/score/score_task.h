/*
 * score_task: ask the model of a case, and report its score.
 */
#pragma once

#include "base/project/project.h"
#include "cli/cli.h"
#include "trainer/machine/machine.h"
#include "trainer/score/mmlu.h"

struct score_task {
    const struct mmlu_way *way; /* NULL: another's */
    const struct case_record *record;
    const struct model *model;
    const struct machine_kind *machine;
    int ordinal;                   /* of the GPU; negative: the first */
    const char *weights;           /* a model of Hugging Face's */
    const char *adapters;          /* a folder of peft's; NULL: none */
    const char *tokenizer;         /* tokenizer.model */
    const char *questions;         /* the folder of MMLU or MMMU */
    const char *projector, *tower; /* of a model that sees; NULL: its weights have them */
};

/* Writes the report to cli->out, as --format says; an exit code. Progress goes to stderr if it is a
 * terminal. */
int score_task_run(struct cli *cli, const struct score_task *task);
