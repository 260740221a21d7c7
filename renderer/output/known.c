#include "renderer/output/known.h"

#include "renderer/output/list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_outdir_own_file(const struct outdir *od, const struct seen_file *f)
{
    if (S_ISDIR(f->seen.mode))
        return *f->path == '\0' || outdir_list_has_below(od->now, f->path);
    return outdir_list_find(od->now, f->path) || strcmp(f->path, OUTDIR_LIST_NAME) == 0;
}

static bool only_ours(const struct outdir *od, const struct seen_list *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        if (!is_outdir_own_file(od, &tree->files[i]))
            return false;
    return true;
}

/* Where nothing of others was found, nothing of theirs may have come since. */
bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena)
{
    if (od->known && !od->claimed) { /* nothing was done to it */
        *known = *od->known;
        return true;
    }
    *known = (struct outdir_known){.n_foreign = stats->kept_foreign};
    seen_wait();
    uint64_t clock = seen_clock();
    seen_below(&known->tree, od->path, arena);
    return seen_is_settled(&known->tree, clock) &&
           (known->n_foreign > 0 || only_ours(od, &known->tree));
}

struct seen_look *outdir_known_look(const struct outdir_known *known)
{
    return seen_begin(&known->tree);
}

bool outdir_known_holds(struct seen_look *look, struct arena *arena)
{
    size_t n;
    seen_end(look, arena, &n);
    return n == 0;
}

void outdir_known_pack(const struct outdir_known *known, struct buf *out)
{
    seen_pack(&known->tree, out);
    pack_number(out, known->n_foreign);
}

void outdir_known_unpack(struct outdir_known *known, const char *path, struct arena *arena,
                         struct unpack *u)
{
    seen_unpack(&known->tree, arena, u);
    known->n_foreign = (size_t)unpack_number(u);
    known->tree.root = arena_strdup(arena, path);
}
