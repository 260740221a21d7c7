#include "cli/build/cache.h"

#include "base/files/file.h"
#include "base/store/checkpoint.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/build/previous.h"
#include "renderer/sharing/cairo_library.h"
#include "renderer/templates/templates.h"
#include "verifier/checks/rules.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "fpreport-cache 13\n"
#define FRONT_LEN (sizeof HEAD - 1 + 16) /* HEAD, and the checksum of the rest in hexadecimal */
#define CACHE_MAX ((size_t)1 << 30)
#define ENTRY_LEAST ((size_t)4) /* bytes: a name, a key of two numbers and an empty value */

/* ---- what a build depends on ------------------------------------------------------------- */

/* Where it cannot be told, the build says so. */
static const char *archive_of(struct build_cache *c)
{
    struct err ignored = ERR_INIT;
    const char *root;
    cli_archive_root(c->cli, &root, &ignored);
    return root;
}

struct libraries {
    struct build_cache *cache;
    struct seen_list *list;
};

static int add_library(struct dl_phdr_info *info, size_t size, void *libraries)
{
    struct libraries *l = libraries;
    (void)size;
    if (info->dlpi_name && *info->dlpi_name == '/')
        seen_path(l->list, info->dlpi_name, &l->cache->arena);
    return 0;
}

/* Its verdicts are read where figures are others (published.h). */
static void seen_previous(struct build_cache *c, struct seen_list *list)
{
    static const char *const folders[] = {"data", "result"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        seen_tree(list, path_join(&c->arena, c->cli->opt.previous, folders[i]), &c->arena);
}

/* Records that come with the program answer where the project has none of its own. */
static void seen_lent(struct build_cache *c, struct seen_list *list)
{
    static const char *const folders[] = {"accelerators", "models", "mlperf"};
    const char *lent = path_join(&c->arena, cli_datadir(c->cli), "records");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        seen_tree(list, path_join(&c->arena, lent, folders[i]), &c->arena);
}

static void seen_archive(struct build_cache *c, struct seen_list *list)
{
    static const char *const files[] = {STORE_LOG_NAME, STORE_HEAD_NAME, CHECKPOINT_NAME,
                                        CHECKPOINT_SIGNATURE, CHECKPOINT_NEXT};
    const char *root = archive_of(c);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        seen_path(list, path_join(&c->arena, root, files[i]), &c->arena);
    seen_tree(list, path_join(&c->arena, root, "objects"), &c->arena);
}

/* The program with its libraries, records, the archive, templates, the other site, the checkout. */
static void list_inputs(struct build_cache *c, struct seen_list *list)
{
    const struct options *o = &c->cli->opt;
    struct libraries libraries = {c, list};
    struct templates templates;
    *list = (struct seen_list){0};
    seen_path(list, "/proc/self/exe", &c->arena);
    dl_iterate_phdr(add_library, &libraries);
    seen_tree(list, cli_records(c->cli), &c->arena);
    seen_lent(c, list);
    seen_archive(c, list);
    cli_templates(c->cli, &templates);
    for (size_t i = 0; i < templates.n_folders; i++)
        seen_tree(list, templates.folders[i], &c->arena);
    if (o->flagperf)
        seen_tree(list, o->flagperf, &c->arena);
    if (o->previous)
        seen_previous(c, list);
}

/* Is it part of a result's own key (reuse.h)? "<records>/results/<vendor>/<case>.json", and the
 * folders on the way to it, whose names are told by the results that are there. */
static bool has_own_key(const struct seen_file *f, const char *results, size_t n)
{
    if (f->follow || strncmp(f->path, results, n) != 0 || (f->path[n] != '/' && f->path[n]))
        return false;
    return S_ISDIR(f->seen.mode) || (S_ISREG(f->seen.mode) && text_ends(f->path, ".json"));
}

static struct reuse_key base_of(struct build_cache *c)
{
    struct hash h;
    const char *results = path_join(&c->arena, cli_records(c->cli), "results");
    size_t n = strlen(results);
    hash_init(&h);
    for (size_t i = 0; i < c->inputs.n; i++) {
        const struct seen_file *f = &c->inputs.files[i];
        if (has_own_key(f, results, n))
            continue;
        reuse_hash_text(&h, f->path);
        reuse_hash_number(&h, f->follow);
        hash_add(&h, &f->seen, sizeof f->seen);
    }
    return reuse_hash_final(&h);
}

const struct seen *build_cache_seen(const struct build_cache *c, const char *path)
{
    size_t i = lookup_find(&c->by_path, path);
    return i == LOOKUP_NONE ? NULL : &c->inputs.files[i].seen;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* All but the entries. */
static bool unpack_cache(struct build_cache *c, struct unpack u)
{
    if (strcmp(text_or_empty(unpack_text(&u)), c->command) != 0)
        return false;
    c->was.code = (int)unpack_number(&u);
    c->was.said = text_or_empty(unpack_text(&u));
    c->was.totals = text_or_empty(unpack_text(&u));
    c->was.files = (size_t)unpack_number(&u);
    c->base = reuse_unpack_key(&u);
    seen_unpack(&c->before, &c->arena, &u);
    seen_unpack(&c->left.tree, &c->arena, &u);
    seen_unpack(&c->left.spare, &c->arena, &u);
    c->left.tree.root = c->site;
    c->left.n_foreign = (size_t)unpack_number(&u);
    c->packed = u;
    return !u.bad;
}

static bool read_cache(struct build_cache *c, int fd)
{
    struct err ignored = ERR_INIT;
    struct bytes all;
    struct stat st;
    char front[FRONT_LEN + 1];
    if (fstat(fd, &st) < 0 || !file_is_own(&st) || (uint64_t)st.st_size < FRONT_LEN ||
        (uint64_t)st.st_size > CACHE_MAX ||
        file_read_at(fd, c->path, 0, (size_t)st.st_size, &c->arena, &all, &ignored) < 0)
        return false;
    const struct bytes rest = {all.data + FRONT_LEN, all.len - FRONT_LEN};
    snprintf(front, sizeof front, HEAD "%016" PRIx64, pack_checksum(rest.data, rest.len));
    return memcmp(all.data, front, FRONT_LEN) == 0 &&
           unpack_cache(
               c, (struct unpack){.at = rest.data, .end = rest.data + rest.len, .lasts = true});
}

static void unpack_entries(struct build_entries *e, struct unpack *u, struct arena *arena)
{
    e->n = unpack_count(u, ENTRY_LEAST);
    e->items = arena_array(arena, e->n, sizeof *e->items);
    for (size_t i = 0; i < e->n; i++) {
        struct build_entry *entry = &e->items[i];
        entry->name = unpack_text(u);
        entry->key = reuse_unpack_key(u);
        entry->len = (size_t)unpack_number(u);
        entry->value = unpack_bytes(u, entry->len);
    }
    e->by_name =
        lookup_of(e->items, e->n, sizeof *e->items, offsetof(struct build_entry, name), arena);
}

void build_cache_open(struct build_cache *c, struct cli *cli, const struct outdir *od,
                      const char *out)
{
    const struct options *o = &cli->opt;
    struct err unseen = ERR_INIT;
    char folder[PATH_MAX], commit[REPO_ID_SIZE];
    struct cairo_library cairo; /* opened first, so that it is one of the program's libraries */
    *c = (struct build_cache){.cli = cli, .off = o->no_cache || o->verdicts};
    c->path = arena_printf(&c->arena, "%s.fpreport-cache", od->path);
    c->site = arena_strdup(&c->arena, od->path);
    c->past = build_previous_open(cli);
    /* Who hears which words, and in which colors, is asked when they are said (cli_say_again). */
    c->command =
        arena_printf(&c->arena, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%d%d%d", FPREPORT_VERSION,
                     RULES_CURRENT, text_or_empty(getcwd(folder, sizeof folder)), out,
                     cli_records(cli), archive_of(c), text_or_empty(o->flagperf),
                     text_or_empty(o->previous), c->past ? repo_past_commit(c->past, commit) : "",
                     o->keep_going, o->require_landlock, cairo_library_open(&cairo));
    buf_init(&c->said, BUF_DEFAULT_MAX);
    for (size_t k = 0; k < BUILD_CACHE_KINDS; k++)
        buf_init(&c->entries[k].next, CACHE_MAX);
    /* Where somebody was stopped there is something to do. */
    if (c->off || file_is_there(od->staging, &unseen) != 0)
        return;
    int fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    c->known = fd >= 0 && read_cache(c, fd);
    if (fd >= 0)
        close(fd);
}

bool build_cache_holds(struct build_cache *c)
{
    c->left_alone = c->known && seen_changed(&c->left.tree) == 0;
    return c->left_alone && seen_changed(&c->before) == 0;
}

void build_cache_look(struct build_cache *c)
{
    const struct reuse_key last = c->base;
    if (c->off)
        return;
    for (int i = 0; i < 2 && !c->settled; i++) {
        uint64_t now = seen_clock();
        list_inputs(c, &c->inputs);
        c->settled = seen_is_settled(&c->inputs, now);
        if (!c->settled)
            seen_wait(); /* what changed this moment is old in the next */
    }
    c->by_path = lookup_of(c->inputs.files, c->inputs.n, sizeof *c->inputs.files,
                           offsetof(struct seen_file, path), &c->arena);
    c->base = base_of(c);
    c->usable = c->left_alone && c->settled && reuse_key_equal(&c->base, &last);
    for (size_t k = 0; c->usable && k < BUILD_CACHE_KINDS; k++)
        unpack_entries(&c->entries[k], &c->packed, &c->arena);
    c->usable = c->usable && unpack_end(&c->packed);
}

/* ---- entries ----------------------------------------------------------------------------- */

struct build_entry *build_cache_find(const struct build_cache *c, enum build_cache_kind kind,
                                     const char *name, const struct reuse_key *key)
{
    const struct build_entries *e = &c->entries[kind];
    size_t i = c->usable ? lookup_find(&e->by_name, name) : LOOKUP_NONE;
    return i != LOOKUP_NONE && reuse_key_equal(&e->items[i].key, key) ? &e->items[i] : NULL;
}

void build_cache_put(struct build_cache *c, enum build_cache_kind kind, const char *name,
                     const struct reuse_key *key, const struct buf *value)
{
    struct build_entries *e = &c->entries[kind];
    if (c->off || !c->settled)
        return;
    pack_text(&e->next, name);
    reuse_pack_key(key, &e->next);
    pack_number(&e->next, value ? value->len : 0);
    if (value)
        pack_bytes(&e->next, value->data, value->len);
    e->n_next++;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void pack_words(const struct build_words *w, struct buf *out)
{
    pack_number(out, (uint64_t)w->code);
    pack_text(out, w->said);
    pack_text(out, w->totals);
    pack_number(out, w->files);
}

static void pack_cache(const struct build_cache *c, const struct build_words *now,
                       const struct outdir_known *left, struct buf *out)
{
    pack_text(out, c->command);
    pack_words(now, out);
    reuse_pack_key(&c->base, out);
    seen_pack(&c->inputs, out);
    seen_pack(&left->tree, out);
    seen_pack(&left->spare, out);
    pack_number(out, left->n_foreign);
    for (size_t k = 0; k < BUILD_CACHE_KINDS; k++) {
        const struct build_entries *e = &c->entries[k];
        pack_number(out, e->n_next);
        pack_bytes(out, e->next.data, e->next.len);
        out->overflow |= e->next.overflow;
    }
}

static void write_cache(const struct build_cache *c, const struct buf *rest)
{
    struct err ignored = ERR_INIT;
    struct file_cache file;
    char front[FRONT_LEN + 1];
    snprintf(front, sizeof front, HEAD "%016" PRIx64, pack_checksum(rest->data, rest->len));
    if (file_cache_begin(&file, c->path, FRONT_LEN, &ignored) == 0 &&
        file_cache_add(&file, rest->data, rest->len, &ignored) == 0)
        file_cache_end(&file, front, FRONT_LEN, &ignored);
    file_cache_drop(&file);
}

void build_cache_keep(struct build_cache *c, struct outdir *od, const struct outdir_stats *stats,
                      const struct build_words *now)
{
    struct outdir_known left;
    struct buf rest;
    if (c->off || !c->settled || c->said.overflow || !outdir_note(od, stats, &left, &c->arena))
        return;
    buf_init(&rest, CACHE_MAX - FRONT_LEN);
    pack_cache(c, now, &left, &rest);
    if (!rest.overflow)
        write_cache(c, &rest);
    buf_release(&rest);
}

void build_cache_close(struct build_cache *c)
{
    repo_past_close(c->past);
    for (size_t k = 0; k < BUILD_CACHE_KINDS; k++)
        buf_release(&c->entries[k].next);
    buf_release(&c->said);
    arena_release(&c->arena);
}
