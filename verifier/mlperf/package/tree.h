/*
 * tree: what lies where in a package of results (MLPERF.md 4).
 *
 *   ORG/systems/SYSTEM.json                      the description of a system
 *   ORG/results/SYSTEM/BENCHMARK/result_*.txt    one log a run; also scaling.json,
 *                                                package_checker_params, power/
 *   ORG/results/SYSTEM/BENCHMARK/power/result_X/{node_N,sw_N}.txt
 *
 * Folders are listed and nothing is opened here. A link is no file and no folder. Files are named
 * by their places in one list, which is then read as a whole (read.h).
 */
#pragma once

#include "base/sealed/tar.h"
#include "verifier/mlperf/package/read.h"

#define MLPERF_NO_FILE SIZE_MAX
#define MLPERF_LOGS_MAX 10000

/* power/result_X of one log. */
struct mlperf_power_folder {
    bool there;
    const char *shown;
    size_t *nodes, n_nodes;       /* files node_N.txt */
    size_t *switches, n_switches; /* files sw_N.txt */
    bool badly_named; /* a file beginning with node or sw has a number beyond 0 … n-1, or none */
    size_t n_named_node, n_named_switch; /* files that begin so */
};

struct mlperf_directory {
    const char *id;    /* "GigaComputing/G893/llama2_70b_lora" */
    const char *shown; /* its path, as findings name it */
    const char *system, *name;
    bool skipped;         /* no benchmark of the round: it was not listed */
    size_t *logs, n_logs; /* by name */
    size_t scaling, bypass;
    const char *scaling_shown; /* where it is, or would be */
    size_t system_bypass;      /* package_checker_params of the system's folder */
    size_t description;        /* systems/SYSTEM.json */
    const char *description_shown;
    bool has_power;
    struct mlperf_power_folder *power; /* of each log, where has_power */
    const char *unknown;               /* names of other files, joined; NULL: none */
};

struct mlperf_package {
    const char *name;                     /* of its folder */
    const char *shown;                    /* its path */
    size_t *descriptions, n_descriptions; /* systems/SYSTEM.json, by name */
    size_t bypass;
    struct mlperf_directory *directories; /* by system and benchmark */
    size_t n_directories;
};

struct mlperf_tree {
    struct mlperf_file *files;
    size_t n_files;
    struct mlperf_package *packages;
    size_t n_packages;
    size_t *loose, n_loose; /* logs that were named by themselves */
};

enum mlperf_input {
    MLPERF_NO_INPUT, /* nothing of MLPerf Training */
    MLPERF_LOG,
    MLPERF_DIRECTORY, /* ORG/results/SYSTEM/BENCHMARK */
    MLPERF_PACKAGE,
    MLPERF_ROUND,  /* a folder of packages */
    MLPERF_SEALED, /* an archive of sealed logs: mlperf_tree_add_archive() */
    MLPERF_RECORD, /* a record of a system (base/records/mlperf_record.h) */
};

/* By content: is this path any of these? An archive is asked for its names elsewhere (archived.h).
 */
enum mlperf_input mlperf_input_of(const char *path);

/* What a log calls its benchmark, by the first MiB of its bytes; NULL: it does not say. */
const char *mlperf_benchmark_named(const char *path, struct arena *arena);

/* Adds what lies at `path`; -1 where a folder cannot be listed, or holds more than it may. */
int mlperf_tree_add(struct mlperf_tree *tree, enum mlperf_input kind, const char *path,
                    const struct mlperf_ruleset *rules, struct arena *arena, struct err *err);

/* The same of a package in memory, as an archive has it: members by the bytes of their names
 * (base/sealed/tar.h), whose bytes are the files' (`given`). */
int mlperf_tree_add_members(struct mlperf_tree *tree, const char *package,
                            const struct tar_member *members, size_t n,
                            const struct mlperf_ruleset *rules, struct arena *arena,
                            struct err *err);

/* The same of an archive that was listed, as the package `organisation`; NULL: what its path calls
 * it, ORG/SYSTEM/BENCHMARK.tar.zst, else the submitter of its system, when that is known. */
int mlperf_tree_add_archive(struct mlperf_tree *tree, const char *organisation,
                            const struct mlperf_archive *archive,
                            const struct mlperf_ruleset *rules, struct arena *arena,
                            struct err *err);
