#include "cli/choices.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(int rank, struct arena *arena)
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
        rc = file_write(path_join(&arena, folder, name_of(r, &arena)), text,
                        strnlen(text, CHOICES_MAX), err);
    }
    arena_release(&arena);
    return rc;
}

/* all[world * CHOICES_MAX]: each rank's text and zeros behind it, by way of the devices. */
static int gather(struct machine *m, const char *own, char *all, struct err *err)
{
    const struct device_operations *o = m->device->operations;
    const struct comm_operations *comm = m->comm->operations;
    size_t bytes = CHOICES_MAX * (size_t)m->ranks.world;
    void *memory;
    if (o->alloc(m->device, &memory, bytes, err) < 0)
        return -1;
    char *mine = (char *)memory + (size_t)m->ranks.rank * CHOICES_MAX;
    o->upload(m->device, mine, own, CHOICES_MAX);
    int rc = comm->all_gather(m->comm, memory, mine, CHOICES_MAX, COMM_BYTE, err);
    if (rc == 0)
        rc = comm->join(m->comm, err);
    if (rc == 0)
        rc = o->download(m->device, all, memory, bytes, err);
    o->release(m->device, memory);
    return rc;
}

int choices_keep(struct machine *m, const char *folder, struct err *err)
{
    struct buf text;
    char *own = memory_alloc(CHOICES_MAX);
    char *all = memory_alloc(CHOICES_MAX * (size_t)m->ranks.world);
    buf_init(&text, CHOICES_MAX);
    m->kind->choices(m->device, &text);
    int rc = buf_check(&text, "choices of algorithms", err);
    if (rc == 0) {
        memcpy(own, text.data, text.len);
        rc = gather(m, own, all, err);
    }
    if (rc == 0 && m->ranks.rank == 0 && folder)
        rc = write_all(all, m->ranks.world, folder, err);
    buf_release(&text);
    free(own);
    free(all);
    return rc;
}

/* The first file of this name below the run; NULL. */
static const char *find(const char *run, const char *name, struct arena *arena, struct err *err)
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
    const char *path = find(run, name_of(rank, arena), arena, err);
    if (!path && !err->kind)
        path = find(run, name_of(0, arena), arena, err);
    if (!path && !err->kind)
        err_set(err, ERR_INPUT, "--repeat %s: found no %s below it, expected a run of a GPU", run,
                name_of(0, arena));
    if (!path || file_read(path, CHOICES_MAX, arena, &bytes, err) < 0)
        return -1;
    *text = arena_strndup(arena, (const char *)bytes.data, bytes.len);
    return 0;
}

bool choices_are_in(const char *folder, struct arena *arena)
{
    return file_exists(path_join(arena, folder, name_of(0, arena)));
}
