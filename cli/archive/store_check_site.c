#include "cli/archive/store_check_site.h"

#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/parallel.h"
#include "base/text.h"
#include "renderer/output/list.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_BYTES_MAX ((size_t)256 << 20)
#define DEPTH_MAX DIR_WALK_DEPTH_MAX

/* A line of the list, and what its file is. */
struct listed {
    const char *path;
    const char *sha256;
    const char *why; /* it is not what the list says; NULL */
    bool machine;    /* why: it could not be read */
};

struct site {
    struct store_report *r;
    const char *folder, *list;
    struct listed *files;
    size_t n;
    size_t entries; /* that were looked at beside them */
};

int store_site_is(const char *folder, struct arena *arena, struct err *err)
{
    return file_is_there(path_join(arena, folder, CHECKPOINT_SITE_LIST), err);
}

static void site_list_fault(struct site *s, const char *file, int line, const char *message)
{
    store_report_add(s->r, STORE_SITE, file, line, "%s", message);
}

/* ---- the list ---------------------------------------------------------------------------- */

static void read_site_line(struct site *s, char *line, int number)
{
    size_t len = strlen(line);
    bool split = len > HASH_HEX_LEN + 2 && memcmp(line + HASH_HEX_LEN, "  ", 2) == 0;
    if (split)
        line[HASH_HEX_LEN] = '\0';
    const char *path = split ? line + HASH_HEX_LEN + 2 : "";
    const char *before = s->n ? s->files[s->n - 1].path : "";
    if (!split || !hash_is_hex(line) || outdir_path_fault(path))
        site_list_fault(s, s->list, number, "expected '<64 hex digits>  <path>'");
    else if (strcmp(before, path) >= 0)
        site_list_fault(s, s->list, number,
                        arena_printf(s->r->arena,
                                     "'%s' stands after '%s', expected each path once, sorted",
                                     path, before));
    else
        *(struct listed *)ARENA_PUSH(s->r->arena, s->files, s->n) =
            (struct listed){.path = path, .sha256 = line};
}

static bool is_checkpoints(const char *line)
{
    static const char *const own[] = {"  " CHECKPOINT_IN_SITE CHECKPOINT_NAME,
                                      "  " CHECKPOINT_IN_SITE CHECKPOINT_SIGNATURE};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(line) > HASH_HEX_LEN && strcmp(line + HASH_HEX_LEN, own[i]) == 0)
            return true;
    return false;
}

/* The lines of the list, or of a part of it; those that are not the checkpoint's go to the root.
 * False: it cannot be read. */
static bool read_list_file(struct site *s, const char *name, struct hash *root)
{
    struct bytes text;
    struct err err = ERR_INIT;
    int number = 1;
    s->list = path_join(s->r->arena, s->folder, name);
    if (beneath_read(s->folder, name, LIST_BYTES_MAX, s->r->arena, &text, &err) < 0) {
        if (err.kind == ERR_IO)
            store_report_machine(s->r, err.text);
        else
            site_list_fault(s, s->list, 0, err.text);
        return false;
    }
    char *at = arena_strndup(s->r->arena, text.data, text.len);
    for (char *end; (end = strchr(at, '\n')); at = end + 1, number++) {
        *end = '\0';
        if (!is_checkpoints(at)) {
            hash_add(root, at, strlen(at));
            hash_add(root, "\n", 1);
        }
        read_site_line(s, at, number);
    }
    if (*at || memchr(text.data, '\0', text.len))
        site_list_fault(s, s->list, number, "the line does not end, or holds a NUL byte");
    return true;
}

/* A list that begins with a part names parts alone. They are files of the site, too. */
static bool read_site_parts(struct site *s, struct hash *root)
{
    const struct listed *parts = s->files;
    const char *list = s->list;
    size_t n = s->n;
    hash_init(root);
    s->files = NULL;
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (!checkpoint_is_site_part(parts[i].path))
            site_list_fault(s, list, 0,
                            arena_printf(s->r->arena,
                                         "names the file '%s', expected parts of the list alone",
                                         parts[i].path));
        else if (!read_list_file(s, parts[i].path, root))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        *(struct listed *)ARENA_PUSH(s->r->arena, s->files, s->n) = parts[i];
    qsort(s->files, s->n, sizeof *s->files, text_by_bytes);
    return true;
}

static bool read_site_list(struct site *s, char root[HASH_HEX_SIZE])
{
    struct hash h;
    hash_init(&h);
    bool read = read_list_file(s, CHECKPOINT_SITE_LIST, &h);
    const char *list = s->list;
    if (read && s->n && checkpoint_is_site_part(s->files[0].path))
        read = read_site_parts(s, &h);
    hash_final(&h, root);
    s->list = list;
    return read;
}

/* ---- the files --------------------------------------------------------------------------- */

static void look_at_site_file(void *context, size_t i, struct arena *arena)
{
    const struct site *s = context;
    struct listed *f = &s->files[i];
    char found[HASH_HEX_SIZE];
    struct err err = ERR_INIT;
    int fd = beneath_open(s->folder, f->path);
    if (fd < 0 && errno == ELOOP) {
        err_set(&err, ERR_INPUT, "found a link, expected the file that was published");
    } else if (fd < 0) {
        err_errno(&err, ERR_INPUT, "cannot be read");
    } else if (hash_open_file(fd, f->path, SIZE_MAX, found, &err) == 0 &&
               strcmp(found, f->sha256) != 0) {
        err_set(&err, ERR_INPUT, "its bytes have the SHA-256 %s: they were changed", found);
    }
    if (fd >= 0)
        close(fd);
    if (!err.kind)
        return;
    f->machine = err.kind == ERR_IO;
    f->why = arena_strdup(arena, err.text);
}

/* What lies below `below` ("" or "en/") and is not listed. */
static void check_folder(struct site *s, const char *below, int depth)
{
    struct arena *arena = s->r->arena;
    struct dir_entry *entries;
    size_t n;
    struct err err = ERR_INIT;
    if (dir_list(*below ? path_join(arena, s->folder, below) : s->folder, arena, &entries, &n,
                 &err) < 0) {
        store_report_machine(s->r, err.text);
        return;
    }
    s->entries += n;
    for (size_t i = 0; i < n; i++) {
        const struct dir_entry *e = &entries[i];
        const char *path = arena_printf(arena, "%s%s", below, e->name);
        const char *shown = path_join(arena, s->folder, path);
        if (strcmp(path, CHECKPOINT_SITE_LIST) == 0 || strcmp(path, ".git") == 0 ||
            (s->n && bsearch(&path, s->files, s->n, sizeof *s->files, text_by_bytes)))
            continue;
        if (!e->is_dir)
            site_list_fault(s, shown, 0,
                            "is no published file: " CHECKPOINT_SITE_LIST " does not name it");
        else if (depth == DEPTH_MAX || s->entries > DIR_WALK_ENTRIES_MAX)
            site_list_fault(s, shown, 0,
                            "more folders, or more files, than a site has; not looked into");
        else
            check_folder(s, arena_printf(arena, "%s/", path), depth + 1);
    }
}

/* ---- the checkpoint ---------------------------------------------------------------------- */

/* One that cannot be read is a finding of store_check_checkpoint(). */
static void check_root(struct site *s, const char *path, const char *root)
{
    struct checkpoint c;
    struct bytes text;
    struct diags quiet = DIAGS_INIT(s->r->arena);
    if (checkpoint_read(path, s->r->arena, &c, &text, &quiet) < 0)
        return;
    if (!c.root)
        site_list_fault(s, path, 1, "is of a log alone and says nothing about a site");
    else if (strcmp(c.root, root) != 0)
        site_list_fault(
            s, s->list, 0,
            arena_printf(s->r->arena,
                         "its lines but for the checkpoint's have the SHA-256 %.16s…, expected "
                         "%.16s…, the root of %s: these are not the files that were published",
                         root, c.root, path));
}

void store_check_site(struct store_report *r, const char *folder, const char *checkpoint)
{
    struct site s = {.r = r, .folder = folder};
    char root[HASH_HEX_SIZE];
    if (!read_site_list(&s, root))
        return;
    parallel_each_long(s.n, look_at_site_file, &s, s.r->arena);
    for (size_t i = 0; i < s.n; i++) {
        const struct listed *f = &s.files[i];
        const char *path = path_join(s.r->arena, s.folder, f->path);
        if (f->machine)
            store_report_machine(s.r, arena_printf(s.r->arena, "%s: %s", path, f->why));
        else if (f->why)
            site_list_fault(&s, path, 0, f->why);
    }
    s.r->files = s.n;
    check_folder(&s, "", 0);
    if (checkpoint)
        check_root(&s, checkpoint, root);
}
