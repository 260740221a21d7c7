/*
 * outdir_known: a folder, as it was when outdir was done with it.
 *
 *     struct outdir_known known = {0};
 *     if (outdir_note(&od, &stats, &known, arena))          // after outdir_finish, with the lock
 *         outdir_known_pack(&known, &out);
 *     …                                                      // later, perhaps in another process
 *     outdir_known_unpack(&known, od.path, arena, &u);
 *     look = outdir_known_look(&known);                      // others look while this goes on
 *     if (outdir_known_holds(look, arena)) od.known = &known;     // before outdir_begin
 *
 * Of a folder that is known to be what its list says no file need be read.
 */
#ifndef RENDERER_OUTPUT_KNOWN_H
#define RENDERER_OUTPUT_KNOWN_H

#include "base/files/seen.h"
#include "renderer/output/outdir.h"

struct outdir_known {
    struct seen_list tree; /* all that is in the folder */
    size_t n_foreign;      /* entries of others in it */
};

/* How it is now. False: it is not known, and nothing may be concluded from it. */
bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena);

/* Is the folder as it was? */
struct seen_look *outdir_known_look(const struct outdir_known *known);
bool outdir_known_holds(struct seen_look *look, struct arena *arena);

void outdir_known_pack(const struct outdir_known *known, struct buf *out);
void outdir_known_unpack(struct outdir_known *known, const char *path, struct arena *arena,
                         struct unpack *u);

#endif
