#include "base/project/shard.h"

#include "base/arena.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/project/names.h"
#include "base/project/project.h"
#include "base/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RECORD_MAX ((size_t)64 << 20) /* of a file whose bytes are hashed */

int shard_read(const char *text, struct shard *out, struct err *err)
{
    char *slash, *end;
    errno = 0;
    unsigned long number = strtoul(text, &slash, 10);
    unsigned long of = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;
    bool digits = strspn(text, "0123456789/") == strlen(text);
    if (!digits || errno || slash == text || *slash != '/' || *end || of < 1 || of > SHARDS_MAX ||
        number >= of)
        return err_set(err, ERR_USAGE,
                       "--shard: found '%s', expected K/N with K from 0 to N-1 and N from 1 to %d",
                       text, SHARDS_MAX);
    *out = (struct shard){.number = (unsigned)number, .of = (unsigned)of};
    return 0;
}

unsigned shard_number(const char *text, size_t len, unsigned of)
{
    unsigned char raw[HASH_SHA256_BYTES];
    uint64_t rest = 0;
    hash_sha256_raw(text, len, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        rest = rest << 8 | raw[i];
        if (rest >> 48) /* one more byte fits, and a division costs as much as ten */
            rest %= of;
    }
    return (unsigned)(rest % of);
}

bool shard_has(const struct shard *s, const char *case_id, size_t len)
{
    return shard_number(case_id, len, s->of) == s->number;
}

/* ---- the list ----------------------------------------------------------------------------- */

struct listing {
    struct shard *shard;
    const char *root;
    struct arena *arena;
    struct arena folder; /* one at a time: nearly all that is in it is of other shards */
    struct err *err;
    struct hash list;
    struct hash *own; /* by number */
    struct buf line;
    bool each;          /* of all shards, not of one */
    const char **names; /* of vendors, then of cases that have a capital */
    size_t n_names;
};

static int list_there(struct listing *l, const char *dir, struct arena *arena,
                      struct dir_entry **entries, size_t *n)
{
    *n = 0;
    int there = file_is_there(dir, l->err);
    return there <= 0 ? there : dir_list_within(RECORDS_FOLDER_MAX, dir, arena, entries, n, l->err);
}

/* One line: the path below the root. */
static void hash_path(const struct listing *l, struct hash *h, const char *path)
{
    const char *below = path + strlen(l->root) + 1;
    hash_add(h, below, strlen(below));
    hash_add(h, "\n", 1);
}

/* The same of a file in a folder, at once: there are as many as records. */
static void hash_record_name(struct listing *l, const char *dir, const char *name)
{
    buf_clear(&l->line);
    buf_str(&l->line, dir + strlen(l->root) + 1);
    buf_char(&l->line, '/');
    buf_str(&l->line, name);
    buf_char(&l->line, '\n');
    hash_add(&l->list, l->line.data, l->line.len);
}

/* The same with the bytes; what cannot be read, loading says. */
static void hash_bytes(const struct listing *l, struct hash *h, const char *path)
{
    char hex[HASH_HEX_SIZE] = "";
    struct err ignored = ERR_INIT;
    hash_path(l, h, path);
    hash_file(path, RECORD_MAX, hex, &ignored);
    hash_add(h, hex, strlen(hex));
}

/* The same of a record of this shard, whose bytes are kept. */
static void hash_own(const struct listing *l, struct shard_file *file)
{
    char hex[HASH_HEX_SIZE];
    struct err ignored = ERR_INIT;
    struct hash *own = &l->own[l->shard->number];
    if (!l->shard->texts || file->instead ||
        file_read(file->path, JSON_BYTES_MAX, l->shard->texts, &file->text, &ignored) < 0) {
        hash_bytes(l, own, file->path);
        return;
    }
    hash_path(l, own, file->path);
    hash_sha256(file->text.data, file->text.len, hex);
    hash_add(own, hex, strlen(hex));
}

static void note_name(struct listing *l, const char *name, size_t len)
{
    *(const char **)ARENA_PUSH(l->arena, l->names, l->n_names) = arena_strndup(l->arena, name, len);
}

static size_t stem_of_record(const char *name)
{
    return strlen(name) - strlen(".json");
}

/* What every shard reads. */
static int list_shared_records(struct listing *l, const char *folder)
{
    const char *dir = path_join(l->arena, l->root, folder);
    struct dir_entry *entries;
    size_t n;
    if (list_there(l, dir, l->arena, &entries, &n) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        hash_bytes(l, &l->list, path_join(l->arena, dir, entries[i].name));
    return 0;
}

/* A folder of records with the name of their case; those of this shard are pushed. `all`: how many
 * there are in all shards. */
static int list_case_files(struct listing *l, const char *dir, struct shard_file **own,
                           size_t *n_own, size_t *all)
{
    struct dir_entry *entries;
    size_t n;
    int rc = list_there(l, dir, &l->folder, &entries, &n);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        const struct dir_entry *e = &entries[i];
        if (!text_ends(e->name, ".json"))
            continue;
        size_t place = (*all)++, len = stem_of_record(e->name);
        unsigned number = shard_number(e->name, len, l->shard->of);
        if (project_name_capitals(e->name))
            note_name(l, e->name, len);
        hash_record_name(l, dir, e->name);
        if (number != l->shard->number && !l->each)
            continue;
        const char *path = path_join(l->arena, dir, e->name);
        if (number != l->shard->number) {
            hash_bytes(l, &l->own[number], path);
            continue;
        }
        struct shard_file *file = ARENA_PUSH(l->arena, *own, *n_own);
        *file = (struct shard_file){path, dir_entry_instead(e), place, {NULL, 0}};
        hash_own(l, file);
    }
    arena_release(&l->folder);
    return rc;
}

static int list_cases(struct listing *l)
{
    size_t all = 0;
    return list_case_files(l, path_join(l->arena, l->root, "cases"), &l->shard->cases,
                           &l->shard->n_cases, &all);
}

static int list_all_results(struct listing *l, const struct dir_entry *vendors, size_t n)
{
    const char *results = path_join(l->arena, l->root, "results");
    for (size_t i = 0; i < n; i++)
        if (vendors[i].is_dir &&
            list_case_files(l, path_join(l->arena, results, vendors[i].name), &l->shard->results,
                            &l->shard->n_results, &l->shard->n_all) < 0)
            return -1;
    return 0;
}

/* <vendor>/<case>/<id>.json; what lies elsewhere is of nobody. */
static int list_reproductions(struct listing *l)
{
    const char *dir = path_join(l->arena, l->root, "reproductions"), **files;
    size_t n;
    if (dir_walk(dir, l->arena, &files, &n, l->err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr(files[i], '/');
        const char *path = path_join(l->arena, dir, files[i]);
        unsigned number =
            shard_number(at ? at + 1 : "", at ? strcspn(at + 1, "/") : 0, l->shard->of);
        hash_path(l, &l->list, path);
        if (number == l->shard->number || l->each)
            hash_bytes(l, &l->own[number], path);
    }
    return 0;
}

static int list_mlperf(struct listing *l)
{
    const char *dir = path_join(l->arena, l->root, "mlperf"), **files;
    size_t n;
    if (dir_walk(dir, l->arena, &files, &n, l->err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        hash_path(l, &l->list, path_join(l->arena, dir, files[i]));
        if (l->shard->number == 0 || l->each)
            hash_bytes(l, &l->own[0], path_join(l->arena, dir, files[i]));
    }
    return 0;
}

static int compare_names_folded(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcasecmp(x, y);
    return order ? order : strcmp(x, y);
}

static int tell_folded(struct listing *l, const char *what, const char *a, const char *b)
{
    return err_set(l->err, ERR_USAGE,
                   "%s: found the %ss \"%s\" and \"%s\", which differ in the case of letters only: "
                   "no shard can tell which of them counts; rename one, or verify without --shard",
                   l->root, what, a, b);
}

/* They are sorted then. */
static int check_names_folded(struct listing *l, const char *what)
{
    if (l->n_names)
        qsort(l->names, l->n_names, sizeof *l->names, compare_names_folded);
    for (size_t i = 1; i < l->n_names; i++)
        if (strcasecmp(l->names[i - 1], l->names[i]) == 0 &&
            strcmp(l->names[i - 1], l->names[i]) != 0)
            return tell_folded(l, what, l->names[i - 1], l->names[i]);
    return 0;
}

static int compare_folded(const void *a, const void *b)
{
    return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_folder_folded(struct listing *l, const char *dir)
{
    struct dir_entry *entries;
    size_t n;
    int rc = list_there(l, dir, &l->folder, &entries, &n);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (!text_ends(entries[i].name, ".json"))
            continue;
        const char *name =
            arena_strndup(&l->folder, entries[i].name, stem_of_record(entries[i].name));
        const char *const *hit =
            bsearch(&name, l->names, l->n_names, sizeof *l->names, compare_folded);
        if (hit && strcmp(*hit, name) != 0)
            rc = tell_folded(l, "case", *hit, name);
    }
    arena_release(&l->folder);
    return rc;
}

/* Two names can only be one in other letters where one of them has a capital. The first shard looks
 * for all, as all list the same. */
static int check_cases_folded(struct listing *l, const struct dir_entry *vendors, size_t n)
{
    const char *results = path_join(l->arena, l->root, "results");
    if (!l->n_names || (l->shard->number > 0 && !l->each))
        return 0;
    if (check_names_folded(l, "case") < 0 ||
        check_folder_folded(l, path_join(l->arena, l->root, "cases")) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (vendors[i].is_dir &&
            check_folder_folded(l, path_join(l->arena, results, vendors[i].name)) < 0)
            return -1;
    return 0;
}

static int list_vendors(struct listing *l, struct dir_entry **vendors, size_t *n)
{
    const char *dir = path_join(l->arena, l->root, "vendors");
    struct dir_entry *entries;
    size_t own;
    if (list_there(l, dir, l->arena, &entries, &own) < 0 ||
        list_there(l, path_join(l->arena, l->root, "results"), l->arena, vendors, n) < 0)
        return -1;
    for (size_t i = 0; i < own; i++)
        if (text_ends(entries[i].name, ".json"))
            note_name(l, entries[i].name, stem_of_record(entries[i].name));
    for (size_t i = 0; i < *n; i++)
        if ((*vendors)[i].is_dir)
            note_name(l, (*vendors)[i].name, strlen((*vendors)[i].name));
    int rc = check_names_folded(l, "vendor");
    l->n_names = 0;
    l->names = NULL;
    return rc;
}

static int list_all_records(struct listing *l)
{
    static const char *const shared[] = {"vendors", "accelerators", "models", "signers"};
    struct dir_entry *vendors;
    size_t n;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (list_shared_records(l, shared[i]) < 0)
            return -1;
    hash_bytes(l, &l->list, path_join(l->arena, l->root, "site.json"));
    if (list_vendors(l, &vendors, &n) < 0 || list_cases(l) < 0 ||
        list_all_results(l, vendors, n) < 0)
        return -1;
    return check_cases_folded(l, vendors, n) < 0 || list_reproductions(l) < 0 ? -1 : list_mlperf(l);
}

int shard_list(struct shard *s, const char *root, struct arena *arena, struct err *err)
{
    struct listing l = {.shard = s, .root = arena_strdup(arena, root), .arena = arena, .err = err};
    l.own = arena_array(arena, s->of, sizeof *l.own);
    hash_init(&l.list);
    hash_init(&l.own[s->number]);
    buf_init(&l.line, BUF_DEFAULT_MAX);
    int rc = list_all_records(&l);
    buf_release(&l.line);
    hash_final(&l.list, s->list);
    hash_final(&l.own[s->number], s->own);
    return rc;
}

int shard_list_each(struct shard *s, const char *root, char (*own)[HASH_HEX_SIZE],
                    struct arena *arena, struct err *err)
{
    struct listing l = {.shard = s, .root = arena_strdup(arena, root), .arena = arena, .err = err};
    l.own = arena_array(arena, s->of, sizeof *l.own);
    hash_init(&l.list);
    l.each = true;
    for (unsigned i = 0; i < s->of; i++)
        hash_init(&l.own[i]);
    buf_init(&l.line, BUF_DEFAULT_MAX);
    int rc = list_all_records(&l);
    buf_release(&l.line);
    hash_final(&l.list, s->list);
    for (unsigned i = 0; i < s->of; i++)
        hash_final(&l.own[i], own[i]);
    return rc;
}

size_t shard_place_of(const struct shard *s, const char *path, size_t *from)
{
    while (*from < s->n_results && strcmp(s->results[*from].path, path) != 0)
        ++*from;
    return *from < s->n_results ? s->results[*from].place : s->n_all;
}
