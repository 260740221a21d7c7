/*
 * outdir_spare: the tree before, brought up to date and kept again (private to renderer/output/;
 * renderer/output/known.h says when).
 */
#ifndef RENDERER_OUTPUT_SPARE_H
#define RENDERER_OUTPUT_SPARE_H

#include "renderer/output/known.h"
#include "renderer/output/list.h"

struct outdir_left {
    const char **touched; /* files of the new tree that are not those of the spare one, or gone */
    size_t n_touched;
    struct seen_list spare; /* the tree that was kept; n 0: none was */
    struct seen_look *look; /* at the spare tree there was; NULL: none was begun */
    struct seen_list looked_at;
};

/* Begin to look whether the spare tree is as `known` says. */
void outdir_spare_look(struct outdir *od, const struct outdir_known *known);

/* Is there a spare tree, as od->known says? */
bool outdir_spare_holds(struct outdir *od);

/* A spare tree that nobody vouches for: cleared away. */
int outdir_spare_drop(struct outdir *od, struct err *err);

/* In the spare tree, now the staging one: whatever the new file of this path would collide with. */
int outdir_spare_clear_way(struct outdir *od, const char *rel, struct err *err);

/*
 * The second tree of a folder that is new (od->with_spare), made beside the first one: begun before
 * the lock's note of it, and each file added when it is in the first. Where that fails (no links,
 * no room) there is none: od->with_spare is false then, and what there was of it is gone.
 */
int outdir_new_spare_begin(struct outdir *od, struct err *err);

/*
 * Both trees, empty yet and noted on the disk, go to another part of an ext4 file system than the
 * folder that they lie in. Without a journal it keeps the inodes of files that were removed in the
 * last minutes, and looks through all of them that lie there for each file that it makes: where a
 * site was removed before this one, that takes longer than everything else. Other file systems:
 * nothing is done.
 */
int outdir_new_spare_place(struct outdir *od, struct err *err);
int outdir_new_spare_add(struct outdir *od, const char *rel, struct err *err);

/* It as it is now, after `tree`, that of the new folder. */
struct seen_list outdir_new_spare_note(struct outdir *od, const struct seen_list *tree,
                                       struct arena *arena);

/* The staging tree was the spare one, with what was added: all the rest of the new tree. */
int outdir_spare_update(struct outdir *od, struct err *err);

/* The old tree, exchanged out, becomes the spare one; 1 when it may not. */
int outdir_spare_keep(struct outdir *od, struct err *err);

#endif
