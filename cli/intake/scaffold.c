#include "cli/intake/scaffold.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/templates/templates.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)1 << 30)
#define UNFINISHED ".fpreport-unfinished-" /* six more letters; nobody else names a folder so */

static const char *name_fault(const char *path)
{
    size_t len = strlen(path);
    if (len == 0)
        return "is empty";
    if (path_base(path)[0] == '-' || path[0] == '-')
        return "begins with '-'";
    if (utf8_valid_until(path, len) != len)
        return "is not UTF-8";
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F || *c == '\\')
            return "has a control character or a backslash";
    return NULL;
}

static int check_scaffold_target(const char *target, struct arena *arena, struct err *err)
{
    struct stat st;
    struct dir_entry *entries;
    size_t n = 0;
    if (lstat(target, &st) < 0)
        return errno == ENOENT ? 0 : err_errno(err, ERR_USAGE, "%s", target);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_USAGE, "%s: already exists; name another folder", target);
    if (strcmp(path_base(target), ".") == 0) /* nothing can be renamed over it */
        return err_set(err, ERR_USAGE,
                       "%s: found no name, expected the name of a new "
                       "folder",
                       target);
    if (dir_list(target, arena, &entries, &n, err) < 0)
        return -1;
    return n == 0 ? 0
                  : err_set(err, ERR_USAGE,
                            "%s: already contains files (%s%s), and fpreport overwrites nothing; "
                            "name another folder",
                            target, entries[0].name, n > 1 ? ", …" : "");
}

/* The folder is locked by who is writing to it, or clears it away. -1: it is gone, or cannot be
 * had; with LOCK_NB also where somebody has it. */
static int hold(const char *folder, int how)
{
    struct stat mine, there;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool held = fd >= 0 && flock(fd, LOCK_EX | how) == 0 && fstat(fd, &mine) == 0 &&
                lstat(folder, &there) == 0 && mine.st_ino == there.st_ino &&
                mine.st_uid == geteuid();
    if (fd >= 0 && !held)
        close(fd);
    return held ? fd : -1;
}

/* What a run left that was killed. It is in nobody's way: what cannot be removed stays. */
static void clear_left_scaffold(const char *target, struct arena *a)
{
    struct err ignored = ERR_INIT;
    struct dir_entry *entries;
    size_t n = 0;
    const char *parent = path_folder(a, target);
    const char *begin = arena_printf(a, "%s" UNFINISHED, path_base(target));
    if (dir_list(parent, a, &entries, &n, &ignored) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(a, parent, entries[i].name);
        bool left = text_starts(entries[i].name, begin) &&
                    strlen(entries[i].name) == strlen(begin) + strlen("XXXXXX");
        int fd = left ? hold(path, LOCK_NB) : -1;
        if (fd < 0)
            continue;
        file_remove_tree(path, &ignored);
        close(fd);
    }
}

int scaffold_open(struct scaffold *s, struct cli *cli, const char *target, struct err *err)
{
    struct arena *a = &cli->arena;
    const char *fault = name_fault(target);
    if (fault)
        return err_set(err, ERR_USAGE, "'%s': the name of a new folder %s", target, fault);
    *s = (struct scaffold){.cli = cli, .target = path_trimmed(a, target), .lock = -1};
    if (check_scaffold_target(s->target, a, err) < 0 || file_mkdirs_for(s->target, err) < 0)
        return -1;
    clear_left_scaffold(s->target, a);
    /* Another run may have taken it for a dead one's before it was locked: that one is waited for,
     * which would remove what is written meanwhile. Where there are no locks it is written to
     * without.
     */
    struct stat st;
    int there;
    do {
        s->staging = arena_printf(a, "%s" UNFINISHED "XXXXXX", s->target);
        if (!mkdtemp(s->staging))
            return err_errno(err, ERR_IO, "%s: cannot make a folder", s->target);
        s->lock = hold(s->staging, 0);
        there = s->lock < 0 ? lstat(s->staging, &st) : 0;
    } while (there < 0 && errno == ENOENT);
    return there == 0 ? 0 : err_errno(err, ERR_IO, "%s", s->staging);
}

int scaffold_add(struct scaffold *s, const char *path, const void *data, size_t len,
                 struct err *err)
{
    s->n++;
    return file_write(path_join(&s->cli->arena, s->staging, path), data, len, err);
}

int scaffold_copy(struct scaffold *s, const char *from, const char *path, struct err *err)
{
    struct bytes bytes;
    if (file_read(from, FILE_MAX, &s->cli->arena, &bytes, err) < 0)
        return -1;
    return scaffold_add(s, path, bytes.data, bytes.len, err);
}

/* ---- templates ------------------------------------------------------------------------- */

static void fill_in(const char *text, const struct scaffold_word *words, size_t n, struct buf *out)
{
    while (*text) {
        size_t i = 0;
        while (i < n && !text_starts(text, words[i].name))
            i++;
        if (i < n)
            buf_str(out, words[i].value);
        else
            buf_char(out, *text);
        text += i < n ? strlen(words[i].name) : 1;
    }
}

/* "dot-github/x" -> ".github/x" */
static const char *with_dots(const char *path, struct arena *arena)
{
    static const char dot[] = "dot-";
    char *to = arena_strdup(arena, path), *at = to;
    for (const char *from = path; *from;) {
        bool begins = from == path || from[-1] == '/';
        bool is = begins && strncmp(from, dot, strlen(dot)) == 0;
        *at++ = is ? '.' : *from;
        from += is ? strlen(dot) : 1;
    }
    *at = '\0';
    return to;
}

static int add_template(struct scaffold *s, const char *folder, const char *path,
                        const struct scaffold_word *words, size_t n, struct err *err)
{
    struct arena *a = &s->cli->arena;
    struct bytes bytes;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    const char *to = with_dots(path, a);
    if (file_exists(path_join(a, s->staging, to))) /* of a folder that goes before */
        return 0;
    if (file_read(path_join(a, folder, path), FILE_MAX, a, &bytes, err) < 0)
        return -1;
    fill_in(bytes.data, words, n, &text);
    int rc = buf_check(&text, path, err);
    if (rc == 0)
        rc = scaffold_add(s, to, text.data, text.len, err);
    buf_release(&text);
    return rc;
}

int scaffold_templates(struct scaffold *s, const char *kind, const struct scaffold_word *words,
                       size_t n, struct err *err)
{
    struct arena *a = &s->cli->arena;
    struct templates t;
    size_t before = s->n;
    cli_templates(s->cli, &t);
    for (size_t f = 0; f < t.n_folders; f++) {
        const char **paths;
        size_t n_paths;
        const char *folder = arena_printf(a, "%s/new/%s", t.folders[f], kind);
        if (dir_walk(folder, a, &paths, &n_paths, err) < 0)
            return -1;
        for (size_t i = 0; i < n_paths; i++)
            if (add_template(s, folder, paths[i], words, n, err) < 0)
                return -1;
    }
    return s->n > before ? 0
                         : err_set(err, ERR_INPUT, "%s/new/%s: found no templates there",
                                   t.folders[t.n_folders - 1], kind);
}

/* ---- the end --------------------------------------------------------------------------- */

static void release_scaffold(struct scaffold *s)
{
    if (s->lock >= 0)
        close(s->lock);
    s->lock = -1;
}

int scaffold_commit(struct scaffold *s, struct err *err)
{
    /* mkdtemp() makes a folder for its owner only. */
    const char *folder = s->staging;
    mode_t mask = umask(0);
    umask(mask);
    int rc = chmod(folder, 0777 & ~mask) == 0 ? 0 : err_errno(err, ERR_IO, "%s", folder);
    if (rc == 0 && rename(s->staging, s->target) < 0) /* takes the place of an empty folder only */
        rc = err_errno(err, ERR_IO, "%s: cannot be put in place", s->target);
    if (rc == 0) {
        release_scaffold(s);
        clear_left_scaffold(s->target,
                            &s->cli->arena); /* what failed once, with nobody to come after us */
        return file_sync_folder_of(s->target, err);
    }
    scaffold_abort(s);
    return rc;
}

void scaffold_abort(struct scaffold *s)
{
    struct err ignored = ERR_INIT;
    file_remove_tree(s->staging, &ignored);
    release_scaffold(s);
}
