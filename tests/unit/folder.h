/* A folder of a test's own: made before it, removed with everything in it afterwards. The struct
 * begins with the path, so that a test's `*state` can be read as that, too. */
#pragma once

#include "tests/unit/unit.h"

#include "base/arena.h"
#include "base/files/file.h"

#include <stdlib.h>
#include <string.h>

struct folder {
    char path[64];
    struct arena arena; /* for what the test makes of it */
};

static inline int folder_make(struct folder *f)
{
    arena_init(&f->arena);
    strcpy(f->path, "/tmp/fpreport-test-XXXXXX");
    return mkdtemp(f->path) ? 0 : -1;
}

static inline int folder_remove(struct folder *f)
{
    struct err err = ERR_INIT;
    int rc = file_remove_tree(f->path, &err);
    arena_release(&f->arena);
    return rc;
}

/* As cmocka's set-up and tear-down. */
static inline int folder_set_up(void **state)
{
    *state = calloc(1, sizeof(struct folder));
    return *state ? folder_make(*state) : -1;
}

static inline int folder_tear_down(void **state)
{
    int rc = folder_remove(*state);
    free(*state);
    return rc;
}

/* A test with such a folder. */
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)

static inline const char *in_folder(void **state, const char *name)
{
    struct folder *f = *state;
    return path_join(&f->arena, f->path, name);
}

/* Commands of a shell: a repository of one commit. */
#define NEW_REPO                                                                                  \
    "git init -q -b trunk . && git config user.name t && git config user.email t@example.org && " \
    "echo one >a && git add a && git commit -q -m one"
