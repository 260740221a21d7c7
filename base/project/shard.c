#include "base/project/shard.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#include <errno.h>
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

bool shard_has(const struct shard *s, const char *case_id, size_t len)
{
    unsigned char raw[HASH_SHA256_BYTES];
    unsigned long rest = 0;
    hash_sha256_raw(case_id, len, raw);
    for (size_t i = 0; i < sizeof raw; i++)
        rest = (rest * 256 + raw[i]) % s->of;
    return rest == s->number;
}

/* ---- the list ----------------------------------------------------------------------------- */

struct listing {
    struct shard *shard;
    const char *root;
    struct arena *arena;
    struct err *err;
    struct hash list, own;
    const char **names; /* of vendors, then of cases */
    size_t n_names;
};

static int list_there(struct listing *l, const char *dir, struct dir_entry **entries, size_t *n)
{
    *n = 0;
    int there = file_is_there(dir, l->err);
    return there <= 0 ? there : dir_list(dir, l->arena, entries, n, l->err);
}

/* One line: the path below the root. */
static void hash_path(const struct listing *l, struct hash *h, const char *path)
{
    const char *below = path + strlen(l->root) + 1;
    hash_add(h, below, strlen(below));
    hash_add(h, "\n", 1);
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
    if (list_there(l, dir, &entries, &n) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        hash_bytes(l, &l->list, path_join(l->arena, dir, entries[i].name));
    return 0;
}

/* A record of a case; true: it is of this shard. */
static bool list_of_case(struct listing *l, const char *path, const char *case_id, size_t len)
{
    bool has = shard_has(l->shard, case_id, len);
    hash_path(l, &l->list, path);
    if (has)
        hash_bytes(l, &l->own, path);
    return has;
}

static int list_cases(struct listing *l)
{
    const char *dir = path_join(l->arena, l->root, "cases");
    struct dir_entry *entries;
    size_t n;
    if (list_there(l, dir, &entries, &n) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!text_ends(entries[i].name, ".json"))
            continue;
        size_t len = stem_of_record(entries[i].name);
        list_of_case(l, path_join(l->arena, dir, entries[i].name), entries[i].name, len);
        note_name(l, entries[i].name, len);
    }
    return 0;
}

static int list_results_of(struct listing *l, const char *dir)
{
    struct dir_entry *entries;
    size_t n;
    if (list_there(l, dir, &entries, &n) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!text_ends(entries[i].name, ".json"))
            continue;
        const char *path = path_join(l->arena, dir, entries[i].name);
        size_t len = stem_of_record(entries[i].name);
        size_t place = l->shard->n_all++;
        note_name(l, entries[i].name, len);
        if (list_of_case(l, path, entries[i].name, len))
            *(struct shard_place *)ARENA_PUSH(l->arena, l->shard->results, l->shard->n_results) =
                (struct shard_place){path, place};
    }
    return 0;
}

static int list_all_results(struct listing *l, const struct dir_entry *vendors, size_t n)
{
    const char *results = path_join(l->arena, l->root, "results");
    for (size_t i = 0; i < n; i++)
        if (vendors[i].is_dir &&
            list_results_of(l, path_join(l->arena, results, vendors[i].name)) < 0)
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
        list_of_case(l, path_join(l->arena, dir, files[i]), at ? at + 1 : "",
                     at ? strcspn(at + 1, "/") : 0);
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
        if (l->shard->number == 0)
            hash_bytes(l, &l->own, path_join(l->arena, dir, files[i]));
    }
    return 0;
}

static int compare_names_folded(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcasecmp(x, y);
    return order ? order : strcmp(x, y);
}

static int check_names_folded(struct listing *l, const char *what)
{
    if (l->n_names)
        qsort(l->names, l->n_names, sizeof *l->names, compare_names_folded);
    for (size_t i = 1; i < l->n_names; i++)
        if (strcasecmp(l->names[i - 1], l->names[i]) == 0 &&
            strcmp(l->names[i - 1], l->names[i]) != 0)
            return err_set(l->err, ERR_USAGE,
                           "%s: found the %ss \"%s\" and \"%s\", which differ in the case of "
                           "letters only: no shard can tell which of them counts; rename one, or "
                           "verify without --shard",
                           l->root, what, l->names[i - 1], l->names[i]);
    l->n_names = 0;
    l->names = NULL;
    return 0;
}

static int list_vendors(struct listing *l, struct dir_entry **vendors, size_t *n)
{
    const char *dir = path_join(l->arena, l->root, "vendors");
    struct dir_entry *entries;
    size_t own;
    if (list_there(l, dir, &entries, &own) < 0 ||
        list_there(l, path_join(l->arena, l->root, "results"), vendors, n) < 0)
        return -1;
    for (size_t i = 0; i < own; i++)
        if (text_ends(entries[i].name, ".json"))
            note_name(l, entries[i].name, stem_of_record(entries[i].name));
    for (size_t i = 0; i < *n; i++)
        if ((*vendors)[i].is_dir)
            note_name(l, (*vendors)[i].name, strlen((*vendors)[i].name));
    return check_names_folded(l, "vendor");
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
    return check_names_folded(l, "case") < 0 || list_reproductions(l) < 0 ? -1 : list_mlperf(l);
}

int shard_list(struct shard *s, const char *root, struct arena *arena, struct err *err)
{
    struct listing l = {.shard = s, .root = arena_strdup(arena, root), .arena = arena, .err = err};
    hash_init(&l.list);
    hash_init(&l.own);
    int rc = list_all_records(&l);
    hash_final(&l.list, s->list);
    hash_final(&l.own, s->own);
    return rc;
}

size_t shard_place_of(const struct shard *s, const char *path, size_t *from)
{
    while (*from < s->n_results && strcmp(s->results[*from].path, path) != 0)
        ++*from;
    return *from < s->n_results ? s->results[*from].place : s->n_all;
}
