#include "cli/archive/held_before.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/text.h"
#include "renderer/publish/past.h"

#include <string.h>

#define DEFAULT_BRANCH "gh-pages"
#define PACKED ".tar.zst"

struct held {
    size_t commits;
    char newest[REPO_ID_SIZE];
};

void held_before_tell(struct cli *cli, const char *const *files, size_t n)
{
    const char *branch = cli->opt.branch ? cli->opt.branch : DEFAULT_BRANCH;
    struct held *held = arena_array(&cli->arena, n, sizeof *held);
    struct err err = ERR_INIT;
    size_t named = 0;
    struct repo_past *past = repo_past_open(".", branch, "origin");
    for (bool more = past && n; more; more = repo_past_step(past)) {
        char id[REPO_ID_SIZE];
        for (size_t i = 0; i < n; i++)
            if (repo_past_find(past, files[i], id) && held[i].commits++ == 0)
                repo_past_commit(past, held[i].newest);
    }
    if (past && repo_past_trouble(past, &err) < 0)
        cli_warn(cli, "%s; fpreport cannot know whether it contains withheld files", err.text);
    repo_past_close(past);
    for (size_t i = 0; i < n; i++) {
        if (!held[i].commits)
            continue;
        cli_note(cli, "%s is still in %s of %s, the newest of them %.12s", files[i],
                 text_count(&cli->arena, held[i].commits, "commit", "commits"), branch,
                 held[i].newest);
        named++;
    }
    if (named)
        cli_note(cli,
                 "a later commit does not remove these files: rewrite %s (git filter-repo "
                 "--invert-paths --path FILE), push it with --force, and ask everybody who has a "
                 "clone or a copy",
                 branch);
}

/* "evidence/acme/run.tar.zst", and the two names that a redacted one of it has. */
static void add_names(struct cli *cli, const char *archive, const char ***files, size_t *n)
{
    static const char *const kinds[] = {"", "." STORE_REDACTED, "." STORE_HASHES};
    size_t stem = strlen(archive) - (text_ends(archive, PACKED) ? strlen(PACKED) : 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        *(const char **)ARENA_PUSH(&cli->arena, *files, *n) =
            arena_printf(&cli->arena, "%.*s%s" PACKED, (int)stem, archive, kinds[i]);
}

static bool rests_on(const struct store *s, const struct evidence *e, const struct store_item *item)
{
    const struct store_item *of = store_submission_of(&s->index, e->sha256);
    return (of && strcmp(of->submission, item->submission) == 0) ||
           (e->run && strcmp(e->run, item->submission) == 0);
}

void held_before_tell_submission(struct cli *cli, const struct store *s,
                                 const struct store_item *item)
{
    struct project *p = arena_alloc(&cli->arena, sizeof *p);
    struct diags unsaid =
        DIAGS_INIT(&cli->arena); /* what cannot be read is no part of this decision */
    const char **files = NULL;
    size_t n = 0;
    project_load(cli_records(cli), p, &cli->arena, &unsaid);
    if (item->added)
        cli_note(cli,
                 "%s still contains the complete submission, for everybody who can read the "
                 "archive",
                 store_object_path(s->root, item->added->object, &cli->arena));
    for (size_t i = 0; i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++) {
            const struct evidence *e = &p->results[i].evidence[k];
            if (!rests_on(s, e, item))
                continue;
            const char *path = path_join(&cli->arena, p->root, e->archive);
            if (file_exists(path))
                cli_note(cli,
                         "%s still contains the complete submission; so do the commits with this "
                         "file",
                         path);
            add_names(cli, e->archive, &files, &n);
        }
    held_before_tell(cli, files, n);
}
