/*
 * outdir_known: a folder and its spare tree, as they were when outdir was done with them.
 *
 *     struct outdir_known known = {0};
 *     if (outdir_note(&od, &stats, &known, arena))          // after outdir_finish, with the lock
 *         outdir_known_pack(&known, &out);
 *     …                                                      // later, perhaps in another process
 *     outdir_known_unpack(&known, od.path, arena, &u);
 *     look = outdir_known_look(&known);                      // others look while this goes on
 *     if (outdir_known_holds(look, arena)) od.known = &known;     // before outdir_begin
 *
 * The spare tree is the one before, kept as `<dir>.fpreport-previous` after the exchange. With it a
 * change costs what changed: what differs between both trees, as it was noted or by their lists,
 * and what is new are brought into it, then it is exchanged. It is worth that only while it is
 * known to be what its list says. So a tree is kept when nobody else has anything in it, when
 * nothing in it had changed since it was noted (that it would be put back), and when no name had
 * come into any of its folders until it was exchanged. It is used when neither tree changed since.
 * Otherwise it is cleared away, and what others put there is handed over, as with every old tree.
 *
 * Both trees are one file where they hold the same: who writes into a file of the spare tree writes
 * into the site, and that is seen. Removing the spare tree changes the ctime of all these files:
 * the site is then looked at anew. The folder is readable by its owner alone.
 */
#ifndef RENDERER_OUTPUT_KNOWN_H
#define RENDERER_OUTPUT_KNOWN_H

#include "base/files/seen.h"
#include "renderer/output/outdir.h"

struct outdir_known {
    struct seen_list tree;  /* all that is in the folder */
    struct seen_list spare; /* folders of the spare tree, and its list; n 0: there is none */
    size_t n_foreign;       /* entries of others in the folder */
    /* Files that the two trees do not have alike; not `listed`: their lists have to be compared. */
    struct outdir_differ {
        bool listed;
        const char **paths;
        size_t n;
    } differ;
};

/* How both are now. False: it is not known, and nothing may be concluded from it. */
bool outdir_note(struct outdir *od, const struct outdir_stats *stats, struct outdir_known *known,
                 struct arena *arena);

/* Is the folder as it was? The spare tree is looked at by outdir_begin. */
struct seen_look *outdir_known_look(const struct outdir_known *known);
bool outdir_known_holds(struct seen_look *look, struct arena *arena);

void outdir_known_pack(const struct outdir_known *known, struct buf *out);
void outdir_known_unpack(struct outdir_known *known, const char *path, struct arena *arena,
                         struct unpack *u);

#endif
