#include "cli/archive/fsck_next.h"

#include "base/files/file.h"
#include "base/store/checkpoint.h"
#include "renderer/output/outdir.h"

#include <string.h>

#define PARENTS_MOST 8
#define COPY_OF_OBJECT                                                                            \
    "`archive repair` cannot bring it back: `fpreport archive add` of the same .tar.zst (from a " \
    "backup, or a published site, below evidence/) does; one that was made by a redaction is "    \
    "made again by `fpreport archive redact` with the same files and the same reason"

static const struct {
    const char *ours, *published;
} steps[] = {
    [STORE_LOG] = {"where no repair is named above, put log.jsonl back from a backup, or from the "
                   "published site, which has it below archive/; `fpreport archive repair` then "
                   "writes head",
                   "fetch it again; if it stays so, tell who publishes it"},
    [STORE_MISSING] = {COPY_OF_OBJECT, NULL},
    [STORE_ALTERED] = {COPY_OF_OBJECT, NULL},
    [STORE_UNLOGGED] = {"where no writer left it: if the log is an older copy, put the newer one "
                        "back; else `fpreport archive add` of that file enters it, or move it out "
                        "of the archive",
                        NULL},
    [STORE_FOREIGN] = {"move it out of the archive", NULL},
    [STORE_ENTRY] = {"no line is ever taken out of the log: put it back from a backup if it was "
                     "not written so here, else `fpreport archive withdraw` what should not count",
                     NULL},
    [STORE_CHECKPOINT] =
        {"if lines are missing or others, put log.jsonl back from a backup or the published site; "
         "if it is the signature, `fpreport publish --sign KEY` with the operator's key makes a "
         "new one",
         "fetch it again, and the operator's line of allowed_signers from the operator; if it "
         "stays so, tell who publishes it, and keep both"},
    [STORE_RECORD] = {"`fpreport archive add` of the submission that the record names, or correct "
                      "\"sha256\" in the record",
                      NULL},
    [STORE_CLOCK] = {"set the clock of this machine; where it is right, the next entry needs "
                     "--trust-clock",
                     NULL},
    [STORE_SITE] = {NULL, "get it again: `git clone -b gh-pages REPOSITORY DIR`; if it stays so, "
                          "it is what is published: tell who does, or `fpreport publish` it anew"},
    [STORE_FINDING_KINDS] = {NULL, NULL},
};

const char *fsck_next(enum store_finding_kind kind, bool ours)
{
    return ours ? steps[kind].ours : steps[kind].published;
}

/* "site" of "site/en/", "." of "en", ".." of "."; NULL: there is none. */
static const char *parent_of_folder(const char *folder, struct arena *arena)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    size_t name = n;
    while (name && folder[name - 1] != '/')
        name--;
    const char *last = arena_strndup(arena, folder + name, n - name);
    if (!*last)
        return NULL;
    if (strcmp(last, ".") == 0)
        return name ? parent_of_folder(arena_strndup(arena, folder, name), arena) : "..";
    if (strcmp(last, "..") == 0)
        return path_join(arena, folder, "..");
    return name > 1 ? arena_strndup(arena, folder, name - 1) : name ? "/" : ".";
}

static const char *in_site(const char *folder, struct arena *arena)
{
    const char *site = folder;
    for (int i = 0; i < PARENTS_MOST && (site = parent_of_folder(site, arena)); i++) {
        if (file_exists(path_join(arena, site, CHECKPOINT_SITE_LIST)))
            return arena_printf(arena,
                                "%s: found a folder of a published site, expected the whole: "
                                "`fpreport fsck %s`",
                                folder, site);
        if (file_exists(path_join(arena, site, OUTDIR_LIST_NAME)))
            return arena_printf(arena,
                                "%s: found a folder of %s, which `fpreport build` wrote, expected "
                                "a site that was published: `git clone -b gh-pages REPOSITORY DIR` "
                                "gets it",
                                folder, site);
    }
    return NULL;
}

const char *fsck_elsewhere(const char *folder, struct arena *arena)
{
    const char *inside = path_join(arena, folder, STORE_DEFAULT);
    if (!file_is_dir(folder) || file_exists(path_join(arena, folder, "objects")))
        return NULL;
    const char *why = in_site(folder, arena);
    if (why || file_exists(path_join(arena, folder, STORE_LOG_NAME)))
        return why;
    if (file_exists(path_join(arena, inside, STORE_LOG_NAME)))
        return arena_printf(arena,
                            "%s: found a folder with an archive in it, expected the archive: "
                            "`fpreport fsck %s`, with --records for its records",
                            folder, inside);
    if (!file_exists(path_join(arena, folder, ".git")))
        return NULL;
    return arena_printf(arena,
                        "%s: found a clone without an archive and without a published site, which "
                        "is on a branch of its own: `git clone -b gh-pages REPOSITORY DIR`, then "
                        "`fpreport fsck DIR`",
                        folder);
}
