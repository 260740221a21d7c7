/*
 * machine: a made-up machine for tests: a folder with /proc, /sys and /etc below it, a fake NVML
 * and fake vendor tools.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct machine {
    struct arena arena;
    struct err err;
    char root[64];
};

static inline int machine_make(struct machine *m)
{
    *m = (struct machine){.arena = ARENA_INIT};
    strcpy(m->root, "/tmp/fpreport-machine-XXXXXX");
    return mkdtemp(m->root) ? 0 : -1;
}

static inline void machine_remove(struct machine *m)
{
    file_remove_tree(m->root, &m->err);
    arena_release(&m->arena);
}

/* As cmocka's set-up and tear-down. */
static inline int machine_set_up(void **state)
{
    *state = calloc(1, sizeof(struct machine));
    return *state ? machine_make(*state) : -1;
}

static inline int machine_tear_down(void **state)
{
    machine_remove(*state);
    free(*state);
    return 0;
}

/* A test with such a machine. */
#define ON_MACHINE(test) cmocka_unit_test_setup_teardown(test, machine_set_up, machine_tear_down)

static inline const char *machine_path(struct machine *m, const char *path)
{
    return arena_printf(&m->arena, "%s/%s", m->root, path);
}

static inline void machine_file(struct machine *m, const char *path, const char *text)
{
    if (file_write(machine_path(m, path), text, strlen(text), &m->err) < 0)
        fail_msg("%s", m->err.text);
}

/* An executable shell script `name` in <root>/bin. */
static inline void machine_tool(struct machine *m, const char *name, const char *script)
{
    const char *path = arena_printf(&m->arena, "bin/%s", name);
    machine_file(m, path, arena_printf(&m->arena, "#!/bin/sh\n%s\n", script));
    const char *command = arena_printf(&m->arena, "chmod +x %s/%s", m->root, path);
    assert_int_equal(system(command), 0);
}

/* The fake library; init: what nvmlInit_v2 returns. */
static inline const char *machine_nvml(struct machine *m, int init, int cards)
{
    const char *path = arena_printf(&m->arena, "%s/libfake-%d-%d.so", m->root, init, cards);
    const char *command = arena_printf(&m->arena,
                                       "cc -shared -fPIC -DFAKE_INIT=%d -DFAKE_CARDS=%d -o %s "
                                       "tests/unit/fake_nvml.c",
                                       init, cards, path);
    assert_int_equal(system(command), 0);
    return path;
}
