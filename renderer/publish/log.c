#include "renderer/publish/log.h"

#include "base/files/file.h"
#include "base/text.h"

#include <string.h>

static size_t count_log_lines(const char *data, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += data[i] == '\n';
    return n;
}

const char *publish_log_lacks(struct arena *arena, const char *place, struct bytes was,
                              struct bytes now)
{
    size_t n = 0;
    while (n < was.len && n < now.len && was.data[n] == now.data[n])
        n++;
    size_t same = n, lines = count_log_lines(was.data, was.len);
    if (same == was.len)
        return NULL;
    return arena_printf(
        arena,
        "of the %s in " CHECKPOINT_SITE_LOG " of %s, this one has the first %zu; what the "
        "others withdraw and withhold would be taken back",
        text_count(arena, lines, "line", "lines"), place, count_log_lines(was.data, same));
}

static const struct repo_entry *published_log(const struct repo_entry *entries, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i].path, CHECKPOINT_SITE_LOG) == 0)
            return &entries[i];
    return NULL;
}

static int read_own_log(const struct publish_site *s, struct arena *arena, struct bytes *out,
                        struct err *err)
{
    *out = (struct bytes){0};
    if (!publish_site_find(s, CHECKPOINT_SITE_LOG))
        return 0;
    return file_read(path_join(arena, s->root, CHECKPOINT_SITE_LOG), STORE_LOG_MAX, arena, out,
                     err);
}

int publish_log_ask(const struct publish_site *s, struct repo_branch *b,
                    const struct repo_entry *entries, size_t n, struct arena *arena,
                    const char **lacks, struct err *err)
{
    const struct repo_branch_info *info = repo_branch_info(b);
    const struct repo_entry *there = published_log(entries, n);
    struct bytes was, now;
    *lacks = NULL;
    if (!there)
        return 0;
    if (repo_branch_read(b, there, arena, &was, err) < 0 || read_own_log(s, arena, &now, err) < 0)
        return -1;
    const char *place = arena_printf(arena, "%s %.12s", info->base_name, info->base);
    *lacks = publish_log_lacks(arena, place, was, now);
    return 0;
}
