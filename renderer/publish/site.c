#include "renderer/publish/site.h"

#include "base/arena.h"
#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/list.h"
#include "renderer/output/outdir.h"

#include <stdlib.h>
#include <string.h>

#define HOST_NAME "CNAME"
#define HOST_NAME_MAX 1024
#define PARTS_MAX 32
#define OWN_MAX (5 + PARTS_MAX) /* files that the list of the built site does not name */

/* A file that the list of the built site does not name. */
static void add_own(struct publish_site *s, const char *path, const char *text, struct arena *arena)
{
    char *hex = arena_alloc(arena, HASH_HEX_SIZE);
    if (publish_site_find(s, path))
        return;
    hash_sha256(text, strlen(text), hex);
    s->files[s->n++] = (struct repo_file){path, hex, text};
    qsort(s->files, s->n, sizeof *s->files, text_by_bytes);
}

/* Letters, digits, hyphens and points, and at most one newline behind them. */
static bool is_host_name(struct bytes b)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
    size_t n = b.len && b.data[b.len - 1] == '\n' ? b.len - 1 : b.len;
    return n && n <= 253 && strspn(b.data, allowed) == n;
}

static int add_host_name(struct publish_site *s, struct arena *arena, struct err *err)
{
    struct bytes bytes;
    int rc = beneath_read_if_there(s->root, HOST_NAME, HOST_NAME_MAX, arena, &bytes, err);
    if (rc != 0)
        return rc == BENEATH_NONE ? 0 : -1;
    if (!is_host_name(bytes))
        return err_set(err, ERR_INPUT,
                       "%s: expected the name of a host on one line, as results.example.org",
                       path_join(arena, s->root, HOST_NAME));
    add_own(s, HOST_NAME, bytes.data, arena);
    return 0;
}

/* The lines of files from `from` on, as many as fit, but one at least; which one is next. */
static size_t put_sums(const struct publish_site *s, size_t from, size_t to, struct buf *out)
{
    buf_clear(out);
    for (; from < to; from++) {
        const struct repo_file *f = &s->files[from];
        if (out->len && out->len + HASH_HEX_LEN + strlen(f->path) + 3 > s->list_max)
            break;
        buf_printf(out, "%s  %s\n", f->sha256, f->path);
    }
    return from;
}

/* Behind the files. */
static void add_sums(struct publish_site *s, const char *name, const struct buf *sums,
                     struct arena *arena)
{
    char *hex = arena_alloc(arena, HASH_HEX_SIZE);
    hash_sha256(sums->data, sums->len, hex);
    s->files[s->n++] = (struct repo_file){name, hex, arena_strndup(arena, sums->data, sums->len)};
}

/* The lines of the first `n` files in parts, and then those of the parts in `sums`. */
static int add_parts(struct publish_site *s, size_t n, struct buf *sums, struct arena *arena,
                     struct err *err)
{
    for (size_t from = 0, part = 1; from < n; part++) {
        if (part > PARTS_MAX)
            return err_set(err, ERR_INPUT, "%s: has %zu files, which %d parts of %s cannot list",
                           s->root, n, PARTS_MAX, CHECKPOINT_SITE_LIST);
        from = put_sums(s, from, n, sums);
        add_sums(s, arena_printf(arena, CHECKPOINT_SITE_PART, part), sums, arena);
    }
    put_sums(s, n, s->n, sums);
    return 0;
}

/* The manifest, by what the other files are now; its sum stands for the site. */
static int sum_up_site(struct publish_site *s, struct arena *arena, struct err *err)
{
    struct buf sums = BUF_INIT(s->list_max + OUTDIR_PATH_MAX + HASH_HEX_SIZE);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->files[i].path, CHECKPOINT_SITE_LIST) != 0 &&
            !checkpoint_is_site_part(s->files[i].path))
            s->files[n++] = s->files[i];
    s->n = n;
    int rc = put_sums(s, 0, n, &sums) < n ? add_parts(s, n, &sums, arena, err) : 0;
    add_sums(s, CHECKPOINT_SITE_LIST, &sums, arena);
    memcpy(s->sha256, s->files[s->n - 1].sha256, HASH_HEX_SIZE);
    qsort(s->files, s->n, sizeof *s->files, text_by_bytes);
    buf_release(&sums);
    return rc;
}

int publish_site_add(struct publish_site *s, const char *path, const char *text,
                     struct arena *arena, struct err *err)
{
    add_own(s, path, text, arena);
    return sum_up_site(s, arena, err);
}

int publish_site_load(struct publish_site *s, const char *root, size_t list_max,
                      struct arena *arena, struct err *err)
{
    struct outdir_list list;
    *s = (struct publish_site){.root = root, .list_max = list_max};
    int built = file_is_there(path_join(arena, root, OUTDIR_LIST_NAME), err);
    if (built < 0)
        return -1;
    if (!built)
        return err_set(err, ERR_USAGE,
                       "%s: no site was built there; `fpreport build` makes one to look at, "
                       "`fpreport publish --build` makes it and publishes it",
                       root);
    if (outdir_list_load(&list, root, arena, err) < 0)
        return -1;
    s->files = arena_array(arena, list.n + OWN_MAX, sizeof *s->files);
    for (size_t i = 0; i < list.n; i++) {
        if (i && strcmp(list.files[i].path, list.files[i - 1].path) == 0)
            return err_set(err, ERR_INPUT, "%s: a build of it was interrupted; build again", root);
        s->files[s->n++] = (struct repo_file){list.files[i].path, list.files[i].digest, NULL};
    }
    add_own(s, ".nojekyll", "", arena);
    if (add_host_name(s, arena, err) < 0)
        return -1;
    return sum_up_site(s, arena, err);
}

const struct repo_file *publish_site_find(const struct publish_site *s, const char *path)
{
    return s->n ? bsearch(&path, s->files, s->n, sizeof *s->files, text_by_bytes) : NULL;
}

/* ---- what differs ---------------------------------------------------------------------- */

int publish_built_file(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct publish_built *b = self;
    char hex[HASH_HEX_SIZE];
    const struct repo_file *f = publish_site_find(b->site, path);
    (void)err;
    hash_sha256(data, len, hex);
    b->known += f != NULL;
    if (f && strcmp(f->sha256, hex) == 0)
        return 0;
    if (b->differ < PUBLISH_BUILT_NAMED)
        b->named[b->differ] = arena_strdup(b->arena, path);
    b->differ++;
    return 0;
}

size_t publish_built_gone(const struct publish_built *b)
{
    size_t listed = 0;
    for (size_t i = 0; i < b->site->n; i++)
        listed += b->site->files[i].text == NULL;
    return listed - b->known;
}

static int file_id(const struct publish_site *s, const struct repo_file *f, char id[REPO_ID_SIZE],
                   struct err *err)
{
    struct arena scratch = ARENA_INIT;
    struct bytes bytes = {f->text, f->text ? strlen(f->text) : 0};
    int rc = f->text ? 0
                     : file_read(path_join(&scratch, s->root, f->path), REPO_BLOB_MAX, &scratch,
                                 &bytes, err);
    if (rc == 0)
        rc = repo_blob_id(bytes.data, bytes.len, id, err);
    arena_release(&scratch);
    return rc;
}

int publish_site_compare(const struct publish_site *s, const struct repo_entry *old, size_t n_old,
                         struct publish_counts *c, struct err *err)
{
    size_t i = 0, k = 0;
    while (i < n_old || k < s->n) {
        char id[REPO_ID_SIZE];
        int order = i == n_old ? 1 : k == s->n ? -1 : strcmp(old[i].path, s->files[k].path);
        if (order == 0 && file_id(s, &s->files[k], id, err) < 0)
            return -1;
        bool same = order == 0 && old[i].plain && strcmp(old[i].id, id) == 0;
        size_t *count = order < 0 ? &c->removed : order > 0 ? &c->added : &c->changed;
        ++*(same ? &c->same : count);
        i += order <= 0;
        k += order >= 0;
    }
    return 0;
}

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
    const struct repo_entry *there = text_find(entries, n, sizeof *entries, CHECKPOINT_SITE_LOG);
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
