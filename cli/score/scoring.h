/*
 * scoring: what every way to ask the model of a case has in common: the case's settings, its
 * tokenizer, the machine, and progress.
 */
#pragma once

#include "cli/score/score_task.h"
#include "trainer/score/score.h"

struct scoring {
    struct cli *cli;
    const struct score_task *task;
    struct training settings;
    struct tokenizer tokenizer;
    size_t questions; /* to be asked */
    double shown;     /* when progress was last shown */
};

/* Settings and tokenizer. */
int scoring_begin(struct scoring *s, struct cli *cli, const struct score_task *task,
                  struct err *err);
void scoring_end(struct scoring *s);

/* Opens the machine, has `ask` ask there, and closes it. */
typedef int scoring_asker(void *context, struct device *device, struct err *err);
int scoring_on_machine(struct scoring *s, scoring_asker *ask, void *context, struct err *err);

/* Whom a score tells how many answers there are; the line goes with scoring_clear_line(). */
struct score_observer scoring_observer(struct scoring *s);
void scoring_clear_line(const struct scoring *s);
