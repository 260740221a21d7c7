#include "cli/build/cache.h"

#include "base/files/file.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/build/previous.h"
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

#define HEAD "fpreport-cache 11\n"
#define HEX_LEN 16                                /* digits of a number in front */
#define FRONT_LEN (sizeof HEAD - 1 + 2 * HEX_LEN) /* HEAD, checksum and length of the last part */
#define CACHE_MAX ((size_t)1 << 30)

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

/* The program with its libraries, the records, the templates, the other site, the checkout. */
static void list_inputs(struct build_cache *c, struct seen_list *list)
{
    const struct options *o = &c->cli->opt;
    struct libraries libraries = {c, list};
    struct templates templates;
    *list = (struct seen_list){0};
    seen_path(list, "/proc/self/exe", &c->arena);
    dl_iterate_phdr(add_library, &libraries);
    c->n_program = list->n;
    seen_tree(list, cli_records(c->cli), &c->arena);
    seen_path(list, path_join(&c->arena, archive_of(c), STORE_LOG_NAME), &c->arena);
    seen_tree(list, path_join(&c->arena, archive_of(c), "objects"), &c->arena);
    cli_templates(c->cli, &templates);
    for (size_t i = 0; i < templates.n_folders; i++)
        seen_tree(list, templates.folders[i], &c->arena);
    if (o->flagperf)
        seen_tree(list, o->flagperf, &c->arena);
    if (o->previous)
        seen_previous(c, list);
}

/* "<records>/results", or something below it. */
static bool is_below_results(struct build_cache *c, const char *path)
{
    const char *results = path_join(&c->arena, cli_records(c->cli), "results");
    size_t n = strlen(results);
    return strncmp(path, results, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* "<records>/results/<vendor>/<case>.json" */
static bool is_result_record(struct build_cache *c, const struct seen_file *f)
{
    return S_ISREG(f->seen.mode) && !f->follow && is_below_results(c, f->path) &&
           text_ends(f->path, ".json");
}

static bool program_changed(const struct build_cache *c)
{
    for (size_t i = 0; i < c->n_changed; i++)
        if (c->changed[i] < c->n_program)
            return true;
    return false;
}

/* Records of results, or names in their folders: there is one more or less then. */
static bool only_results_changed(struct build_cache *c, bool *names)
{
    *names = false;
    if (!c->known || (!c->look && !c->left_alone))
        return false;
    for (size_t i = 0; i < c->n_changed; i++) {
        const struct seen_file *f = &c->before.files[c->changed[i]];
        bool folder = S_ISDIR(f->seen.mode) && !f->follow && is_below_results(c, f->path);
        if (!folder && !is_result_record(c, f))
            return false;
        *names |= folder;
    }
    return true;
}

/* The folders are as they were, so that the same files lie in them. */
static void look_at_results(struct build_cache *c)
{
    c->inputs = c->before;
    for (size_t i = 0; i < c->n_changed; i++) {
        struct seen_file *f = &c->inputs.files[c->changed[i]];
        f->seen = seen_now(f);
    }
}

static size_t count_others(struct build_cache *c, const struct seen_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += !is_below_results(c, list->files[i].path);
    return n;
}

/* All was listed anew: is it what it was, but for the results? */
static bool others_are_as_before(struct build_cache *c)
{
    const struct lookup before = lookup_of(c->before.files, c->before.n, sizeof *c->before.files,
                                           offsetof(struct seen_file, path), &c->arena);
    for (size_t i = 0; i < c->inputs.n; i++) {
        const struct seen_file *f = &c->inputs.files[i];
        size_t was = lookup_find(&before, f->path);
        if (!is_below_results(c, f->path) &&
            (was == LOOKUP_NONE || !seen_equal(&f->seen, &c->before.files[was].seen)))
            return false;
    }
    return count_others(c, &c->inputs) == count_others(c, &c->before);
}

const struct seen *build_cache_seen(const struct build_cache *c, const char *path)
{
    size_t i = lookup_find(&c->by_path, path);
    return i == LOOKUP_NONE ? NULL : &c->inputs.files[i].seen;
}

/* ---- reading ----------------------------------------------------------------------------- */

static void unpack_said(struct build_words *w, struct unpack *u)
{
    w->code = (int)unpack_number(u);
    w->said = text_or_empty(unpack_text(u));
    w->totals = text_or_empty(unpack_text(u));
    w->files = (size_t)unpack_number(u);
}

/* Of the last part, which has all that a build needs to know that there is nothing to do. */
static bool unpack_last(struct build_cache *c, const struct bytes *last)
{
    struct unpack u = {.at = last->data, .end = last->data + last->len, .lasts = true};
    if (strcmp(text_or_empty(unpack_text(&u)), c->key) != 0)
        return false;
    unpack_said(&c->was, &u);
    c->n_program = (size_t)unpack_number(&u);
    for (size_t i = 0; i < BUILD_CACHE_PARTS; i++) {
        c->stored[i].len = (size_t)unpack_number(&u);
        c->stored[i].sum = unpack_number(&u);
    }
    seen_unpack(&c->before, &c->arena, &u);
    c->inputs_look = seen_begin(&c->before); /* others look while this goes on */
    outdir_known_unpack(&c->left, c->site, &c->arena, &u);
    return unpack_end(&u);
}

static bool read_hex_number(const char *hex, uint64_t *number)
{
    char text[HEX_LEN + 1], *end;
    memcpy(text, hex, HEX_LEN);
    text[HEX_LEN] = '\0';
    *number = strtoull(text, &end, 16);
    return end == text + HEX_LEN && strspn(text, "0123456789abcdef") == HEX_LEN;
}

/* CACHE_MAX and more: it is not one of ours. */
static size_t stored_len(const struct build_cache *c)
{
    size_t len = 0;
    for (size_t i = 0; i < BUILD_CACHE_PARTS && len < CACHE_MAX; i++)
        len += c->stored[i].len < CACHE_MAX ? c->stored[i].len : CACHE_MAX;
    return len;
}

static bool read_last(struct build_cache *c, size_t size)
{
    struct err ignored = ERR_INIT;
    struct bytes front, last;
    uint64_t sum, len;
    if (file_read_at(c->fd, c->path, 0, FRONT_LEN, &c->arena, &front, &ignored) < 0 ||
        memcmp(front.data, HEAD, sizeof HEAD - 1) != 0 ||
        !read_hex_number(front.data + sizeof HEAD - 1, &sum) ||
        !read_hex_number(front.data + FRONT_LEN - HEX_LEN, &len) || len > size - FRONT_LEN)
        return false;
    return file_read_at(c->fd, c->path, size - len, len, &c->arena, &last, &ignored) == 0 &&
           pack_checksum(last.data, last.len) == sum && unpack_last(c, &last) &&
           size - FRONT_LEN - len == stored_len(c);
}

static bool read_parts(struct build_cache *c)
{
    struct err ignored = ERR_INIT;
    struct bytes parts;
    if (file_read_at(c->fd, c->path, FRONT_LEN, stored_len(c), &c->arena, &parts, &ignored) < 0)
        return false;
    for (size_t i = 0, at = 0; i < BUILD_CACHE_PARTS; at += c->stored[i++].len)
        if (pack_checksum(parts.data + at, c->stored[i].len) != c->stored[i].sum)
            return false;
    c->parts = (struct unpack){.at = parts.data, .end = parts.data + parts.len, .lasts = true};
    return true;
}

void build_cache_open(struct build_cache *c, struct cli *cli, const struct outdir *od,
                      const char *out)
{
    struct stat st;
    *c = (struct build_cache){
        .cli = cli, .off = cli->opt.no_cache || cli->opt.verdicts, .fd = -1, .file = {.fd = -1}};
    c->path = arena_printf(&c->arena, "%s.fpreport-cache", od->path);
    c->site = arena_strdup(&c->arena, od->path);
    c->past = build_previous_open(cli);
    /* Command line and place, as far as files or words depend on them; who hears which words, and
     * in which colors, is asked when they are said (cli_say_again). */
    const struct options *o = &c->cli->opt;
    char folder[PATH_MAX], commit[REPO_ID_SIZE];
    c->key = arena_printf(
        &c->arena, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%d%d", FPREPORT_VERSION, RULES_CURRENT,
        text_or_empty(getcwd(folder, sizeof folder)), out, cli_records(c->cli), archive_of(c),
        text_or_empty(o->flagperf), text_or_empty(o->previous),
        c->past ? repo_past_commit(c->past, commit) : "", o->keep_going, o->require_landlock);
    buf_init(&c->said, BUF_DEFAULT_MAX);
    struct err unseen = ERR_INIT;
    /* Where somebody was stopped there is something to do. */
    if (c->off || file_is_there(od->staging, &unseen) != 0)
        return;
    c->fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    c->known = c->fd >= 0 && fstat(c->fd, &st) == 0 && file_is_own(&st) &&
               (uint64_t)st.st_size <= CACHE_MAX && read_last(c, (size_t)st.st_size);
}

void build_cache_look(struct build_cache *c)
{
    bool names;
    if (c->off)
        return;
    c->known = c->known && read_parts(c);
    c->same_program = c->known && !program_changed(c);
    c->partial = only_results_changed(c, &names);
    for (int i = 0; i < 2 && !c->settled; i++) {
        uint64_t now = seen_clock();
        if (c->partial && !names)
            look_at_results(c);
        else
            list_inputs(c, &c->inputs);
        c->settled = seen_is_settled(&c->inputs, now);
        if (!c->settled)
            seen_wait(); /* what changed this moment is old in the next */
    }
    c->partial = c->partial && c->settled && (!names || others_are_as_before(c));
    c->by_path = lookup_of(c->inputs.files, c->inputs.n, sizeof *c->inputs.files,
                           offsetof(struct seen_file, path), &c->arena);
}

bool build_cache_left_alone(struct build_cache *c)
{
    if (c->look) {
        c->left_alone = outdir_known_holds(c->look, &c->arena);
        c->partial = c->partial && c->left_alone;
    }
    c->look = NULL;
    return c->left_alone;
}

static void end_inputs_look(struct build_cache *c)
{
    if (c->inputs_look)
        c->changed = seen_end(c->inputs_look, &c->arena, &c->n_changed);
    c->inputs_look = NULL;
}

bool build_cache_holds(struct build_cache *c)
{
    if (!c->known) {
        end_inputs_look(c);
        return false;
    }
    c->look = outdir_known_look(&c->left);
    end_inputs_look(c);
    return c->n_changed == 0 && build_cache_left_alone(c);
}

/* ---- writing ----------------------------------------------------------------------------- */

static void pack_words(const struct build_words *w, struct buf *out)
{
    pack_number(out, (uint64_t)w->code);
    pack_text(out, w->said);
    pack_text(out, w->totals);
    pack_number(out, w->files);
}

/* All but the last part are packed, and written, before it is known what comes of the site. */
static void write_part(struct build_cache *c, size_t i)
{
    struct err ignored = ERR_INIT;
    struct buf text;
    buf_init(&text, CACHE_MAX);
    c->packers.pack[i](c->packers.self, &text);
    c->packed[i] = (struct build_cache_part){text.len, pack_checksum(text.data, text.len)};
    c->unwritten = c->unwritten || text.overflow ||
                   file_cache_add(&c->file, text.data, text.len, &ignored) < 0;
    buf_release(&text);
}

static void write_early(void *cache, size_t i, struct arena *arena)
{
    struct err ignored = ERR_INIT;
    struct build_cache *c = cache;
    (void)i, (void)arena;
    c->unwritten = file_cache_begin(&c->file, c->path, FRONT_LEN, &ignored) < 0;
    for (size_t part = 0; part + 1 < BUILD_CACHE_PARTS; part++)
        write_part(c, part);
}

void build_cache_pack_early(struct build_cache *c, const struct build_cache_packers *packers)
{
    if (c->off || !c->settled)
        return;
    c->packers = *packers;
    c->packing = parallel_begin(1, write_early, c);
}

void build_cache_pack(struct build_cache *c, const struct build_cache_packers *packers)
{
    if (c->packed_all || c->off || !c->settled)
        return;
    if (!c->packing)
        build_cache_pack_early(c, packers);
    parallel_end(c->packing, &c->arena);
    c->packing = NULL;
    write_part(c, BUILD_CACHE_PARTS - 1);
    c->packed_all = true;
}

static void pack_last(const struct build_cache *c, const struct build_words *now,
                      const struct outdir_known *left, struct buf *last)
{
    pack_text(last, c->key);
    pack_words(now, last);
    pack_number(last, c->n_program);
    for (size_t i = 0; i < BUILD_CACHE_PARTS; i++) {
        pack_number(last, c->packed[i].len);
        pack_number(last, c->packed[i].sum);
    }
    seen_pack(&c->inputs, last);
    outdir_known_pack(left, last);
}

void build_cache_keep(struct build_cache *c, struct outdir *od, const struct outdir_stats *stats,
                      const struct build_words *now)
{
    struct outdir_known left;
    struct buf last;
    if (!c->packed_all || c->unwritten || c->said.overflow ||
        !outdir_note(od, stats, &left, &c->arena))
        return;
    buf_init(&last, CACHE_MAX);
    pack_last(c, now, &left, &last);
    if (!last.overflow) {
        struct err ignored = ERR_INIT;
        char front[FRONT_LEN + 1];
        snprintf(front, sizeof front, HEAD "%016" PRIx64 "%016" PRIx64,
                 pack_checksum(last.data, last.len), (uint64_t)last.len);
        if (file_cache_add(&c->file, last.data, last.len, &ignored) == 0 &&
            c->file.len <= CACHE_MAX)
            file_cache_end(&c->file, front, FRONT_LEN, &ignored);
    }
    buf_release(&last);
}

void build_cache_close(struct build_cache *c)
{
    build_cache_left_alone(c); /* nobody looks on */
    repo_past_close(c->past);
    if (c->fd >= 0)
        close(c->fd);
    file_cache_drop(&c->file);
    buf_release(&c->said);
    arena_release(&c->arena);
}
