/*
 * names: the keys of records that somebody asks for, numbered.
 *
 * Most records of a log are of keys that no rule names (tracked_stats), and are looked at only for
 * being records. Keys that begin with a prefix (hyperparameters: opt_) get a number when a log
 * first has them, in the table of that log.
 */
#pragma once

#include "base/arena.h"
#include "base/lines/span.h"

#include <stdint.h>

#define MLLOG_NAME_NONE UINT32_MAX
#define MLLOG_NAMES_MAX 20000

struct mllog_names {
    const char **texts; /* by number */
    struct span *spans; /* the same */
    size_t n_spans;
    size_t n;
    uint32_t *slots; /* number + 1; 0: free */
    size_t n_slots;  /* a power of two; 0 while empty */
    const char **prefixes;
    size_t n_prefixes;
};

/* The number of this name, which is new or known. NONE beyond MLLOG_NAMES_MAX. */
uint32_t mllog_names_add(struct mllog_names *names, struct span text, struct arena *arena);

uint32_t mllog_names_find(const struct mllog_names *names, struct span text);

bool mllog_names_has_prefix(const struct mllog_names *names, struct span text);
