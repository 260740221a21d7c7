#include "cli/build/previous.h"

#include "cli/build/published.h"
#include "renderer/publish/past.h"

#include <string.h>

#define DEFAULT_BRANCH "gh-pages"
#define DEFAULT_REMOTE "origin"
#define PUBLICATIONS_MAX 256 /* that are read to find one with other states */

const char *build_previous_branch(const struct cli *cli)
{
    return cli->opt.branch ? cli->opt.branch : DEFAULT_BRANCH;
}

const char *build_previous_remote(const struct cli *cli)
{
    return cli->opt.push && *cli->opt.push ? cli->opt.push : DEFAULT_REMOTE;
}

struct repo_past *build_previous_open(const struct cli *cli)
{
    if (cli->opt.previous)
        return NULL;
    return repo_past_open(".", build_previous_branch(cli), build_previous_remote(cli));
}

int build_previous_named(struct build *b)
{
    struct cli *cli = b->cli;
    if (!cli->opt.previous)
        return 0;
    if (site_previous_load(&b->previous, cli->opt.previous, &cli->arena, &cli->diags) < 0)
        return -1;
    b->history = b->previous;
    b->has_previous = b->has_history = true;
    return 0;
}

/* ---- the branch ---------------------------------------------------------------------------- */

static int read_commit(struct build *b, struct repo_past *past, const char *id, struct arena *arena,
                       struct site_previous *out)
{
    struct cli *cli = b->cli;
    struct err err = ERR_INIT;
    struct diags diags = {.arena = &cli->arena};
    struct bytes text;
    char commit[REPO_ID_SIZE];
    const char *name = arena_printf(&cli->arena, "%s %.12s:" SITE_INDEX_FILE,
                                    build_previous_branch(cli), repo_past_commit(past, commit));
    if (repo_past_read(past, id, SITE_INDEX_BYTES_MAX, arena, &text, &err) == 0 &&
        site_previous_read(out, name, text, arena, &diags) == 0)
        return 0;
    if (repo_past_trouble(past, &err) < 0) /* which is said */
        return -1;
    cli_warn(cli, "%s: cannot be read, so the history of verdicts ends there: %s", name,
             diags.n ? diags.items[0].message : err.text);
    return -1;
}

/* What was published in other letters than now is the same result. */
static void take_renamed(struct build *b, struct site_previous *found)
{
    struct arena *arena = &b->cli->arena;
    const char **ids = arena_array(arena, b->project.n_results, sizeof *ids);
    for (size_t i = 0; i < b->project.n_results; i++)
        ids[i] = b->verdicts[i].id;
    site_previous_rename(found, ids, b->project.n_results, arena);
}

/* The newest commit first. One with the same index as the one after it says nothing more; after
 * PUBLICATIONS_MAX with the states of now, the changes are those since the last of them: none. */
static void walk_publications(struct build *b, struct repo_past *past)
{
    char id[REPO_ID_SIZE], last[REPO_ID_SIZE] = "";
    int n_read = 0;
    struct err err = ERR_INIT; /* of --previous */
    do {
        struct site_previous found;
        if (!repo_past_find(past, SITE_INDEX_FILE, id))
            return;
        if (strcmp(id, last) == 0)
            continue;
        memcpy(last, id, sizeof last);
        struct arena own = ARENA_INIT;
        bool good = read_commit(b, past, id, &own, &found) == 0;
        if (good)
            take_renamed(b, &found);
        if (good && !b->has_history) {
            b->history = found;
            b->has_history = true;
            build_published_figures(b, past, &err);
            arena_adopt(&b->cli->arena, &own);
        }
        bool is_last = good && (!build_published_same(b, &found) || ++n_read == PUBLICATIONS_MAX);
        if (is_last)
            arena_adopt(&b->cli->arena, &own);
        arena_release(&own); /* of each that was only looked at */
        if (!good)
            return;
        if (is_last) {
            b->previous = found;
            b->has_previous = true;
            return;
        }
    } while (repo_past_step(past));
}

int build_previous_published(struct build *b)
{
    struct repo_past *past = b->cache ? b->cache->past : build_previous_open(b->cli);
    struct err err = ERR_INIT;
    if (b->has_history) { /* --previous */
        take_renamed(b, &b->history);
        build_published_figures(b, NULL, &err);
    }
    if (past) {
        walk_publications(b, past);
        repo_past_trouble(past, &err);
    }
    if (!b->cache)
        repo_past_close(past);
    return err.kind ? cli_fail(b->cli, &err) : EXIT_AGREED;
}
