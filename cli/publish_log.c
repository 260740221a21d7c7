#include "cli/publish_log.h"

#include "base/text.h"
#include "cli/build.h"

#include <string.h>

static size_t lines_of(const char *data, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += data[i] == '\n';
    return n;
}

static size_t same_bytes(struct bytes a, struct bytes b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.data[n] == b.data[n])
        n++;
    return n;
}

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
    struct bytes old, new;
    if (!there)
        return EXIT_AGREED;
    if (repo_branch_read(b, there, arena, &old, &err) < 0 || read_own(s, arena, &new, &err) < 0)
        return cli_fail(cli, &err);
    size_t same = same_bytes(old, new), lines = lines_of(old.data, old.len);
    if (same == old.len)
        return EXIT_AGREED;
    err_set(&err, ERR_CHECK,
            "not published: of the %s in " BUILD_LOG
            " of %s %.12s, this site has the first %zu; what "
            "the others withdraw and withhold would be taken back. Build from the archive that has "
            "them (--archive), or put back its log: git show %.12s:" BUILD_LOG,
            text_count(arena, lines, "line", "lines"), info->base_name, info->base,
            lines_of(old.data, same), info->base);
    return cli_fail(cli, &err);
}
