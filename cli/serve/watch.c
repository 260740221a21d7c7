#include "cli/serve/watch.h"

#include "base/clock.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#include <string.h>
#include <sys/stat.h>

bool serve_watch_counts(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[0] != '.' && name[n - 1] != '~' && strcmp(name, "4913") != 0 &&
           !text_ends(name, FILE_TEMP_SUFFIX);
}

static void look_at_root(const char *root, struct hash *sight)
{
    struct arena scratch = ARENA_INIT;
    struct err ignored = ERR_INIT;
    const char **files = NULL;
    struct stat st;
    size_t n = 0;
    dir_walk(root, &scratch, &files, &n, &ignored);
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(&scratch, root, files[i]);
        if (!serve_watch_counts(path_base(path)) || stat(path, &st) < 0)
            continue;
        const long long facts[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                                   (long long)st.st_ino};
        hash_add(sight, path, strlen(path) + 1);
        hash_add(sight, facts, sizeof facts);
    }
    arena_release(&scratch);
}

bool serve_watch_changed(struct serve_watch *w, long long now)
{
    char seen[HASH_HEX_SIZE];
    struct hash sight;
    if (now < w->next)
        return false;
    hash_init(&sight);
    for (size_t i = 0; i < w->n; i++)
        look_at_root(w->roots[i], &sight);
    hash_final(&sight, seen);
    long long end = clock_ms();
    w->next = end + WATCH_MS + (end - now) * WATCH_SHARE;
    bool changed = strcmp(seen, w->seen) != 0;
    memcpy(w->seen, seen, sizeof seen);
    return changed;
}
