#include "cli/publish/log.h"

#include "cli/build/log.h"

#include <string.h>

static const struct repo_entry *published_log(const struct repo_entry *entries, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i].path, BUILD_LOG) == 0)
            return &entries[i];
    return NULL;
}

static int read_own(const struct publish_site *s, struct arena *arena, struct bytes *out,
                    struct err *err)
{
    *out = (struct bytes){0};
    if (!publish_site_find(s, BUILD_LOG))
        return 0;
    return file_read(path_join(arena, s->root, BUILD_LOG), STORE_LOG_MAX, arena, out, err);
}

int publish_log_check(struct repo_branch *b, const struct repo_entry *entries, size_t n,
                      const struct publish_site *s, struct cli *cli)
{
    const struct repo_branch_info *info = repo_branch_info(b);
    const struct repo_entry *there = published_log(entries, n);
    struct arena *arena = &cli->arena;
    struct err err = ERR_INIT;
    struct bytes was, now;
    if (!there)
        return EXIT_AGREED;
    if (repo_branch_read(b, there, arena, &was, &err) < 0 || read_own(s, arena, &now, &err) < 0)
        return cli_fail(cli, &err);
    const char *place = arena_printf(arena, "%s %.12s", info->base_name, info->base);
    const char *lacks = build_log_lacks(arena, place, was, now);
    if (!lacks)
        return EXIT_AGREED;
    err_set(&err, ERR_CHECK,
            "not published: %s. Build from the archive that has them (--archive), or put back its "
            "log: git show %.12s:" BUILD_LOG,
            lacks, info->base);
    return cli_fail(cli, &err);
}
