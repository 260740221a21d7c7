/*
 * run_tree: a whole `result/run<time>/` of FlagPerf, or the files of a sealed submission: which
 * cases, rounds, nodes and ranks are there, what their logs and monitors say, and whether they
 * fit together.
 *
 * Files are found by layout (run_layout.h); a path may name the run, a case, a round or a node in
 * it. Every training log is read (verifier/logs/log.h), also one that stands outside of the layout,
 * and every monitor (monitor.h). What stands in no round is put together as one round without a
 * number (RUN_NONE), when there is no other round. Ranks of a round are merged by their global
 * rank: the curve of a round has, for every step, the loss of the lowest rank that logged it.
 *
 * Findings go to `diags`: ranks and nodes that are missing, twice there, or not in the case; ranks
 * that logged other steps, or other losses, than the first; nodes whose clocks are apart; a log
 * that another case wrote; rounds that are missing. What is wrong inside of one log or monitor
 * stays with it. Losses of data-parallel ranks may differ, where the script does not average them:
 * a notice.
 */
#pragma once

#include "base/err.h"
#include "verifier/logs/log.h"
#include "verifier/runs/monitor.h"
#include "verifier/runs/run_layout.h"

#define RUN_FILES_MAX 20000
#define RUN_MONITOR_MAX ((size_t)32 << 20) /* bytes of one monitor's file on disk */
#define RUN_CLOCK_SLACK_S 2.0              /* nodes further apart than this are a finding */
#define RUN_LOSS_SLACK 1e-3                /* relative; ranks further apart are a finding */

struct run_log {
    const char *name; /* as in the list, or below the path */
    struct run_place place;
    struct log log;
    struct diags faults;
};

struct run_monitor {
    const char *name;
    struct run_place place;
    struct monitor monitor;
    struct diags faults;
};

/* One round of one case. */
struct run_round {
    struct case_key key;
    long round;
    const struct run_log **logs; /* that have steps or a rank, by global rank; borrowed */
    size_t n_logs;
    const struct run_log **all_logs; /* those without either as well, as in the tree */
    size_t n_all_logs;
    const struct run_monitor **monitors;
    size_t n_monitors;
    struct curve curve; /* merged */
    struct monitor_peaks peaks;
    struct diags faults; /* what does not fit within it, and rounds that are missing beside it */
};

struct run_tree {
    struct run_log *logs;
    size_t n_logs;
    struct run_monitor *monitors;
    size_t n_monitors;
    struct run_round *rounds; /* by case, then number */
    size_t n_rounds;
};

/* One file at hand. */
struct run_file {
    const char *name;
    struct bytes bytes;
};

/* `rows` are those of a project (verifier/logs/log.h), NULL: none.
 * -1 when `path` is no folder or cannot be listed. A file that cannot be read is a finding. */
int run_tree_open(const char *path, const struct pattern_row *rows, struct arena *arena,
                  struct diags *diags, struct run_tree *out, struct err *err);

/* One log or monitor on disk. The folders that it lies in tell its case and rank, when they are
 * those of a run; that the others of its round are not there is no finding. */
int run_tree_open_file(const char *path, const struct pattern_row *rows, struct arena *arena,
                       struct diags *diags, struct run_tree *out, struct err *err);

/* Files sorted by name; `prefix` stands before their names in findings, as "run.tar.zst:". */
void run_tree_read(const char *prefix, const struct run_file *files, size_t n, struct arena *arena,
                   struct diags *diags, struct run_tree *out);

/* The log with the most steps; the first one among equals. NULL without logs. */
const struct run_log *run_log_main(const struct run_log *const *logs, size_t n);

/* What the first log says that says it (verifier/logs/log_banner.h); its value is NULL: none does.
 */
const struct log_banner_value *run_logs_banner(const struct run_log *const *logs, size_t n,
                                               enum log_banner banner);

/* The same as a size; 0: none says one. */
long long run_logs_size(const struct run_log *const *logs, size_t n, enum log_banner banner);

/* What is found in runs, in both languages (base/sentence.h). */
extern const struct words run_messages[];
