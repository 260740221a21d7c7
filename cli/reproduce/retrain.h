/*
 * retrain: the first steps of a challenge's case, trained here with its seed.
 *
 * The case is one that the caller has, and the challenge names its bytes: nothing of a submission
 * is read. It is trained as one rank, which takes the micro-batches of all of them one after the
 * other: every step has the same sequences (train.h), and its loss differs in the order of sums
 * alone. In the case's precision where a machine of this program computes in it, else in fp32.
 *
 * A process of its own trains, and only its losses come back; so its time has a limit, and what a
 * training does to memory and threads is gone with it. What this program cannot compute as it is
 * stated the fptrain beside it trains, where there is one (retrain_gpu.c). Or it was trained
 * elsewhere, as a run of the same challenge (`--against RUN`).
 */
#pragma once

#include "base/project/project.h"
#include "base/records/challenge.h"
#include "cli/cli.h"

#define RETRAIN_STEPS 200
#define RETRAIN_MINUTES 30

struct retrain {
    struct cli *cli;
    struct challenge challenge;
    struct case_record record; /* of one rank, with the challenge's seed */
    const struct model *model;
    const char *stated; /* precision of the case */
    int steps;          /* that are wanted */
    double seconds_max;
    struct retraining out; /* n 0 until it is trained; lives in cli's arena */
};

/* --challenge, --steps, --minutes and --vendor of `verify`, and the case among the records. An exit
 * code, after a message. */
int retrain_read(struct cli *cli, const struct project *p, struct retrain *r);

/* The losses of a run that its caller trained with the same challenge, on a GPU for instance, in
 * place of a training here. ERR_INPUT's exit code, after a message, when it answers another one. */
int retrain_take(struct retrain *r, const char *run_dir);

/* The same by the fptrain that lies beside this program, in the case's precision and with its
 * ranks, in at most r->seconds_max; r->out.n is 0 where there is none or it trained nothing. */
int retrain_by_gpu(struct retrain *r);

/* A training that cannot be made, or ends early, is no failure: r->out.why says so. An exit code,
 * for trouble of our own. */
int retrain_run(struct retrain *r);
