/* Two folders of templates, one's own before those that are shipped, for the tests of what is read
 * from them. */
#pragma once

#include "tests/unit/folder.h"

#include "renderer/templates/templates.h"

struct room {
    struct folder folder;
    struct templates templates;
    struct err err;
};

static inline const char *in_room(struct room *r, const char *path)
{
    return path_join(&r->folder.arena, r->folder.path, path);
}

static inline int room_open(void **state)
{
    struct room *r = calloc(1, sizeof *r);
    *state = r;
    if (!r || folder_make(&r->folder) < 0)
        return -1;
    templates_init(&r->templates, &r->folder.arena);
    templates_add_folder(&r->templates, in_room(r, "own"));
    templates_add_folder(&r->templates, in_room(r, "shipped"));
    return 0;
}

static inline int room_close(void **state)
{
    struct room *r = *state;
    int rc = folder_remove(&r->folder);
    free(r);
    return rc;
}

static inline void put(struct room *r, const char *path, const char *text)
{
    if (file_write(in_room(r, path), text, strlen(text), &r->err) < 0)
        fail_msg("%s", r->err.text);
}
