/*
 * rundir: the directory that a run leaves behind, in FlagPerf's layout.
 *
 *     <parent>/run<YYYYmmddHHMMSS>/
 *         run.json                      what ran, when, and how it ended (below)
 *         case.json                     the exact bytes of the case file that was run
 *         checkpoints/                  trainer/training/train_files.h; only where they were asked
 * for <case key>/round1/<host>_noderank0/ rank0.out.log             output of the command
 * (rank0.out.seen: when its lines came), or the native trainer's PerfLog cpu_monitor.log …
 * monitor.h sys_info.log              labelled blocks, as FlagPerf's vendor monitors write
 * fingerprint.json          base/records/facts.h env/nvidia-smi-q.txt …
 * trainer/fingerprint/env_files.h, where the vendors' tools are
 *
 * rank0.out.seen beside the log of a command says when its lines came (base/records/seen.h).
 *
 * run.json, schema "fpreport.run/1": case, key, state ("running" "complete" "failed"),
 * exit_status and signal (null until the end, or when there is none), started and finished (UTC,
 * seconds), command (array, null for the native trainer), host, fpreport (version), reason (why
 * it failed, or null), resumed (the run, its case and the step of the checkpoint that it goes on
 * from, or null), initial_weights (the folder's name, or null), parallel (the plan that it was
 * trained under, "TP2PP2DP2", where that is not the case's), accelerator (of a command's run: the
 * id of its card, where whoever started it said so), layout (of a command's run: how many ranks it
 * has and by which plan, as options, launchers, log and monitors say it: base/records/layout.h;
 * when it ends, all of them), challenge (round, nonce, vendor, key and seed of the one that the run
 * answers, or null), files (at the end: path and SHA-256 of every other file of the run but
 * checkpoints, so that one that is edited later is found; null when there are too many). It says
 * "running" before anything runs and is replaced atomically at the end, so that a run that was
 * killed is never taken for a good one.
 *
 * run.json.reserved is the place of that end from the start, so that a full disk leaves how the run
 * ended. Its lock (flock) is held by every process that may write the end. When nobody holds it and
 * run.json says "running", the run ended without a word.
 *
 * All times are UTC. Two runs that begin in the same second get different names: the later one
 * takes the next second that is free; the true time is in run.json.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/records/challenge.h"
#include "base/records/facts.h"
#include "base/records/layout.h"

enum run_state { RUN_RUNNING, RUN_COMPLETE, RUN_FAILED };

#define RUN_SCHEMA "fpreport.run/1"
#define RUN_LOG_NAME "rank0.out.log"

/* What a run goes on from. */
struct run_origin {
    const char *run;     /* name of its directory; NULL: the checkpoint lies in none */
    const char *case_id; /* of that run; NULL */
    long long step;
};

struct rundir_options {
    const char *parent;                /* "result" */
    const char *case_id;               /* written to run.json */
    const char *case_key;              /* folder name: [A-Za-z0-9._+:-]; NULL: the id */
    struct bytes case_bytes;           /* the case file as it was read */
    const char *const *command;        /* NULL-terminated argv; NULL: native */
    const char *host;                  /* NULL: this machine's name */
    const struct run_origin *resumed;  /* NULL: it begins */
    const char *initial_weights;       /* name of what was given; NULL: nothing */
    const char *parallel;              /* plan, where it is another than the case's; NULL */
    const char *accelerator;           /* id of a command's card, as it is said; NULL */
    const struct layout *layout;       /* of a command's run; NULL: the native trainer's */
    const struct challenge *challenge; /* whose seed it has; NULL: the case's */
};

struct rundir {
    struct arena *arena; /* borrowed; all strings live in it */
    struct rundir_options options;
    const char *root;    /* …/run20260101000000 */
    const char *node;    /* …/<host>_noderank0 */
    const char *log;     /* …/rank0.out.log */
    const char *host;    /* with what is not allowed in names replaced by '-' */
    const char *started; /* 2026-01-01T00:00:00Z */
    int place;           /* of run.json.reserved, locked; -1: there is none */
};

/* Make the folders, case.json and a run.json that says "running". `options` and what it points
 * to must live as long as the rundir. */
int rundir_create(struct rundir *r, const struct rundir_options *options, struct arena *arena,
                  struct err *err);

/* fingerprint.json and sys_info.log from the facts. */
int rundir_write_facts(struct rundir *r, const struct facts *facts, struct err *err);

/* What was measured joins the fingerprint.json of this node's folder, which is there. */
int rundir_add_measured(const char *node, const struct measured *measured, struct arena *arena,
                        struct err *err);

/* How it ended. `signal` 0: none; `reason` NULL: nothing to say. */
struct run_end {
    enum run_state state; /* RUN_COMPLETE or RUN_FAILED */
    int exit_status, signal;
    const char *reason;
};
int rundir_finish(struct rundir *r, const struct run_end *end, struct err *err);
