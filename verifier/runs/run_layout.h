/*
 * run_layout: where a file stands in FlagPerf's tree of results, told by its path alone.
 *
 *   […/]<case key>/round<K>/<host>_noderank<N>/<file>
 *
 * The case key is model:framework:hardware:nnodes:nproc:repeat, as in
 * `bert:pytorch_1.8:A100:1:8:1`; files are called by framework:
 *
 *   rank<R>.out.log                          R is the global rank, nproc * node rank + local rank
 *   rank0.log.txt                            of a whole node, on every node
 *   megatron.log.txt, flagscale.log.txt, …   of a whole node
 *   outputs_<model>/logs/host_<n>_<ip>.output   of a whole node
 *   noderank<N>.out.log                         of a whole node (TensorFlow)
 *
 * Other launchers have no rounds:
 *
 *   noderank<N>.log.txt, flagperf.log.txt       in a container: nodes, and what the launcher prints
 *   <case>/<host>_noderank<N>/benchmark.log.txt, toolkit.log.txt, operation.log.txt
 *                                               benchmarks of chips and of operators
 */
#pragma once

#include "base/arena.h"

#define RUN_NONE (-1)
#define RUN_NUMBER_MAX 65535 /* of rounds, nodes, ranks */

struct case_key {
    const char *text;                         /* as the folder is called */
    bool whole;                               /* it has the six parts; else only the text is set */
    const char *model, *framework, *hardware; /* the framework without its version */
    long nnodes, nproc, repeat;
};

/* What cannot be told is RUN_NONE, or NULL. */
struct run_place {
    const char *kase, *host;
    long round, node;
    long rank;     /* global; of a log of one process */
    bool node_log; /* of all processes of its node */
    bool bench;    /* of a benchmark of chips or operators: figures, no steps */
};

void run_place_of(const char *path, struct arena *arena, struct run_place *out);

void case_key_parse(const char *text, struct arena *arena, struct case_key *out);

/* Was such a run made on the processor, whatever cards its machine has? */
bool case_key_on_processor(const struct case_key *key);

/* Does every process of this framework write a log of its own? */
bool run_logs_every_rank(const char *framework);

/* Is this the name of a log that a training writes? Monitors, launchers and system information
 * are none. */
bool run_is_training_log(const char *path);

/* The scripts that write PerfLog lie in …/<model>/<framework>/run_pretraining.py; false: not this
 * one, which may be NULL. */
bool run_script_case(const char *script, struct arena *arena, const char **model,
                     const char **framework);

/* Which of the numbers 0 to n-1 (nodes, ranks) a round has files of.
 *
 * What a folder is called says how many there may be, up to RUN_NUMBER_MAX, and a submission may
 * have a folder for each of its files: so nothing here has a place for each number, and all is done
 * in the time that the files take. */

/* A file that has a number. */
struct run_number {
    long number;
    size_t file; /* which one, in their order */
    const char *host;
};

struct run_numbers {
    struct run_number *items;
    size_t n;
};

/* By number, those of one in the order of their files. */
void run_numbers_sort(struct run_numbers *all);

/* The first file with this number, of sorted ones; NULL: none has it. */
const struct run_number *run_numbers_first(const struct run_numbers *all, long number);

/* "0-3, 7" of the numbers below n that no file has, of sorted ones; NULL when all are there. */
const char *run_numbers_missing(const struct run_numbers *all, size_t n, struct arena *arena);
