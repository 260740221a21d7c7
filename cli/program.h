/*
 * program: what tells the programs apart that are made of these commands.
 *
 *   fpreport   everything that needs no GPU                       program_fpreport.c
 *   fptrain    training on GPUs, where there is no libgit2,       program_fptrain.c
 *              libarchive or cmark
 *
 * Each links one file that defines `program`. Commands, options, help and exit codes are the same
 * code for both.
 */
#pragma once

#include "base/records/layout.h"
#include "cli/cli.h"
#include "trainer/machine/machine.h"

struct program {
    const char *name, *summary;
    const char *overview; /* lines that begin the overview of commands */
    const struct command *const *commands;
    const struct machine_kind *const *machines; /* NULL-terminated, the preferred one first */
    /* What the logs and monitors in a run directory say of its ranks, behind what `l` has
     * (base/records/layout.h); NULL: it reads none. */
    void (*layout_of_run)(const char *run, struct layout *l, struct arena *arena);
};

extern const struct program program;

/* The first of its machines that is here and computes in this precision; NULL. */
const struct machine_kind *program_machine(const char *precision);
