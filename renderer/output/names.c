/* The paths of the new tree: each once, those that were added and those that were kept. */
#include "renderer/output/steps.h"

#include <string.h>
#include <strings.h>

static char fold_ascii(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Slot of this name, or of the free place where it would go. */
static const char **name_slot(const struct outdir *od, const char *name)
{
    size_t hash = 1469598103934665603u;
    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)fold_ascii(*p)) * 1099511628211u;
    size_t i = hash & (od->names_size - 1);
    while (od->names[i] && strcasecmp(od->names[i], name) != 0)
        i = (i + 1) & (od->names_size - 1);
    return &od->names[i];
}

int outdir_claim_name(struct outdir *od, const char *rel, struct err *err)
{
    if (od->n_names * 2 >= od->names_size) {
        const char **old = od->names;
        size_t n = od->names_size;
        od->names_size = n ? 2 * n : 256;
        od->names = arena_array(&od->arena, od->names_size, sizeof *od->names);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                *name_slot(od, old[i]) = old[i];
    }
    const char **slot = name_slot(od, rel);
    if (*slot)
        return err_set(err, ERR_INPUT, "%s/%s: is written twice%s%s", od->shown, rel,
                       strcmp(*slot, rel) == 0 ? "" : ", first as ",
                       strcmp(*slot, rel) == 0 ? "" : *slot);
    *slot = arena_strdup(&od->arena, rel);
    od->n_names++;
    return 0;
}

bool outdir_is_claimed(const struct outdir *od, const char *rel)
{
    return od->names_size && *name_slot(od, rel);
}

bool outdir_keep(struct outdir *od, const char *rel)
{
    size_t place = outdir_list_place(od->old, rel);
    if (place == OUTDIR_NOWHERE)
        return false;
    if (!od->kept)
        od->kept = arena_array(&od->arena, od->old->n, sizeof *od->kept);
    od->kept[place] = true;
    return true;
}

/* Names of the tree before were each of their own: only one that it did not have can meet one that
 * is kept, or one that is kept itself. */
static bool may_meet_kept(const struct outdir *od)
{
    for (size_t i = 0; i < od->now->n; i++) {
        const struct outdir_file *was = outdir_list_find(od->old, od->now->files[i].path);
        if (!was || od->kept[was - od->old->files])
            return true;
    }
    return false;
}

/* What was kept joins what was added, by path: both are lists of the new tree. */
int outdir_merge_kept(struct outdir *od, struct err *err)
{
    struct outdir_list added = *od->now;
    size_t i = 0, n_kept = 0;
    for (size_t k = 0; od->kept && k < od->old->n; k++)
        n_kept += od->kept[k];
    if (!n_kept)
        return 0;
    bool claim = may_meet_kept(od);
    *od->now = (struct outdir_list){
        .files = arena_array(&od->arena, added.n + n_kept, sizeof *added.files)};
    for (size_t k = 0; k <= od->old->n; k++) {
        const struct outdir_file *kept = k < od->old->n ? &od->old->files[k] : NULL;
        if (kept && !od->kept[k])
            continue;
        while (i < added.n && (!kept || strcmp(added.files[i].path, kept->path) < 0))
            od->now->files[od->now->n++] = added.files[i++];
        if (kept && claim && outdir_claim_name(od, kept->path, err) < 0)
            return -1;
        if (kept)
            od->now->files[od->now->n++] = *kept;
    }
    return 0;
}
