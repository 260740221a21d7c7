#include "cli/train/choices.h"

#include "base/files/dir.h"
#include "base/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *choice_file_name(int rank, struct arena *arena)
{
    return arena_printf(arena, "rank%d.products.txt", rank);
}

static int write_all(const char *all, int world, const char *folder, struct err *err)
{
    struct arena arena;
    int rc = 0;
    arena_init(&arena);
    for (int r = 0; rc == 0 && r < world; r++) {
        const char *text = all + (size_t)r * CHOICES_MAX;
        rc = file_write(path_join(&arena, folder, choice_file_name(r, &arena)), text,
                        strnlen(text, CHOICES_MAX), err);
    }
    arena_release(&arena);
    return rc;
}

/* ---- the texts of all ranks ----------------------------------------------------------------- */

#define FAILED '\x01' /* begins what is no text, but why there is none */

int choices_open(struct choices *c, struct machine *m, struct err *err)
{
    size_t world = (size_t)m->ranks.world;
    *c = (struct choices){.machine = NULL};
    if (!m->kind->choices)
        return 0;
    if (m->device->operations->alloc(m->device, &c->memory, world * CHOICES_MAX, err) < 0)
        return err_prefix(err, "choices of algorithms");
    c->machine = m;
    c->own = memory_alloc(CHOICES_MAX);
    c->all = memory_alloc(world * CHOICES_MAX);
    return 0;
}

void choices_close(struct choices *c)
{
    if (!c->machine)
        return;
    c->machine->device->operations->release(c->machine->device, c->memory);
    free(c->own);
    free(c->all);
    *c = (struct choices){.machine = NULL};
}

/* own[CHOICES_MAX]: the text and zeros behind it, or why there is none. */
static void put_own(struct choices *c)
{
    struct buf text = BUF_INIT(CHOICES_MAX - 1);
    struct err failed = ERR_INIT;
    c->machine->kind->choices(c->machine->device, &text);
    memset(c->own, 0, CHOICES_MAX);
    if (buf_check(&text, "choices of algorithms", &failed) < 0)
        snprintf(c->own, CHOICES_MAX, "%crank %d: %s", FAILED, c->machine->ranks.rank, failed.text);
    else if (text.len > 0)
        memcpy(c->own, text.data, text.len);
    buf_release(&text);
}

/* By way of the devices. */
static int gather_choices(struct choices *c, struct err *err)
{
    struct machine *m = c->machine;
    const struct device_operations *o = m->device->operations;
    const struct comm_operations *comm = m->comm->operations;
    char *mine = (char *)c->memory + (size_t)m->ranks.rank * CHOICES_MAX;
    o->upload(m->device, mine, c->own, CHOICES_MAX);
    if (comm->all_gather(m->comm, c->memory, mine, CHOICES_MAX, COMM_BYTE, err) < 0 ||
        comm->join(m->comm, err) < 0)
        return -1;
    return o->download(m->device, c->all, c->memory, CHOICES_MAX * (size_t)m->ranks.world, err);
}

int choices_keep(struct choices *c, const char *folder, struct err *err)
{
    struct machine *m = c->machine;
    if (!m)
        return 0;
    put_own(c);
    if (gather_choices(c, err) < 0)
        return -1;
    for (int r = 0; r < m->ranks.world; r++) {
        const char *text = c->all + (size_t)r * CHOICES_MAX;
        if (*text == FAILED)
            return err_set(err, ERR_IO, "%s", text + 1);
    }
    return m->ranks.rank == 0 && folder ? write_all(c->all, m->ranks.world, folder, err) : 0;
}

/* ---- of an earlier run ---------------------------------------------------------------------- */

/* The first file of this name below the run; NULL. */
static const char *find_choice_file(const char *run, const char *name, struct arena *arena,
                                    struct err *err)
{
    const char **files;
    size_t n;
    if (dir_walk(run, arena, &files, &n, err) < 0)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(path_base(files[i]), name) == 0)
            return path_join(arena, run, files[i]);
    return NULL;
}

int choices_read(const char *run, int rank, struct arena *arena, const char **text, struct err *err)
{
    struct bytes bytes;
    const char *path = find_choice_file(run, choice_file_name(rank, arena), arena, err);
    if (!path && !err->kind)
        path = find_choice_file(run, choice_file_name(0, arena), arena, err);
    if (!path && !err->kind)
        err_set(err, ERR_INPUT, "--repeat %s: found no %s below it, expected a run of a GPU", run,
                choice_file_name(0, arena));
    if (!path || file_read(path, CHOICES_MAX, arena, &bytes, err) < 0)
        return -1;
    *text = arena_strndup(arena, (const char *)bytes.data, bytes.len);
    return 0;
}

bool choices_are_in(const char *folder, struct arena *arena)
{
    return file_exists(path_join(arena, folder, choice_file_name(0, arena)));
}
