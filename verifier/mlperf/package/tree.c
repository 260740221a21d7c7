#include "verifier/mlperf/package/tree.h"

#include "base/files/dir.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>

/* A package while it is listed. */
struct lister {
    struct mlperf_tree *tree;
    const char *root; /* the folder that holds results/ and systems/ */
    const struct mlperf_ruleset *rules;
    struct arena *arena;
    struct err *err;
    const struct tar_member *members; /* NULL: the files are on the disk */
    size_t n_members;
    const struct mlperf_archive *archive; /* that they are the names of; NULL: they have bytes */
};

struct listing {
    struct dir_entry *entries;
    size_t n;
};

/* Members of one folder stand together. */
static void list_member_folder(struct lister *l, const char *path, struct listing *out)
{
    const char *prefix = *path ? arena_printf(l->arena, "%s/", path) : "";
    *out = (struct listing){NULL, 0};
    for (size_t i = 0; i < l->n_members; i++) {
        const char *below = l->members[i].name + strlen(prefix);
        if (!text_starts(l->members[i].name, prefix))
            continue;
        const char *name = arena_strndup(l->arena, below, strcspn(below, "/"));
        bool file = strcmp(name, below) == 0;
        if (out->n && strcmp(out->entries[out->n - 1].name, name) == 0)
            continue;
        *(struct dir_entry *)ARENA_PUSH(l->arena, out->entries, out->n) =
            (struct dir_entry){name, !file, file};
    }
}

static int list_package_folder(struct lister *l, const char *path, struct listing *out)
{
    if (l->members) {
        list_member_folder(l, path, out);
        return 0;
    }
    return dir_list(path_join(l->arena, l->root, path), l->arena, &out->entries, &out->n, l->err);
}

static size_t add_package_file(struct lister *l, enum mlperf_file_kind kind, const char *path)
{
    struct mlperf_file *f = ARENA_PUSH(l->arena, l->tree->files, l->tree->n_files);
    const char *shown = path_join(l->arena, l->root, path);
    struct stat st;
    *f = (struct mlperf_file){
        .root = l->root, .path = path, .shown = shown, .rules = l->rules, .archive = l->archive};
    f->facts.kind = kind;
    for (size_t i = 0; i < l->n_members; i++)
        if (strcmp(l->members[i].name, path) == 0)
            f->given = l->members[i].bytes;
    if (!l->members && lstat(shown, &st) == 0)
        f->bytes = (size_t)st.st_size;
    return l->tree->n_files - 1;
}

static void push_listed(struct lister *l, size_t **items, size_t *n, size_t file)
{
    *(size_t *)arena_push(l->arena, (void *)items, n, sizeof **items) = file;
}

/* ---- power --------------------------------------------------------------------------------- */

/* The number behind the last '_' of a name, without its ending; -1. */
static long number_of_name(const char *name)
{
    const char *dot = strrchr(name, '.'), *at = strrchr(name, '_');
    char *end;
    if (!at)
        return -1;
    long n = strtol(at + 1, &end, 10);
    return end != at + 1 && (end == dot || !*end) && n >= 0 ? n : -1;
}

static bool is_power_log(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && strspn(name + n, "0123456789") > 0 &&
           strcmp(name + n + strspn(name + n, "0123456789"), ".txt") == 0;
}

static bool beyond_count(const struct listing *files, const char *prefix, size_t count)
{
    for (size_t i = 0; i < files->n; i++)
        if (text_starts(files->entries[i].name, prefix)) {
            long number = number_of_name(files->entries[i].name);
            if (number < 0 || (size_t)number >= count)
                return true;
        }
    return false;
}

/* Files that begin with "node" or "sw" count, as in the official tool; node_N.txt and sw_N.txt are
 * read. */
static int list_power_folder(struct lister *l, const char *path, struct mlperf_power_folder *out)
{
    struct listing files;
    if (list_package_folder(l, path, &files) < 0)
        return -1;
    for (size_t i = 0; i < files.n; i++) {
        const struct dir_entry *e = &files.entries[i];
        const char *below = path_join(l->arena, path, e->name);
        out->n_named_node += text_starts(e->name, "node");
        out->n_named_switch += text_starts(e->name, "sw");
        if (e->is_regular && is_power_log(e->name, "node_"))
            push_listed(l, &out->nodes, &out->n_nodes,
                        add_package_file(l, MLPERF_FILE_POWER, below));
        else if (e->is_regular && is_power_log(e->name, "sw_"))
            push_listed(l, &out->switches, &out->n_switches,
                        add_package_file(l, MLPERF_FILE_POWER, below));
    }
    out->badly_named = beyond_count(&files, "node", out->n_named_node) ||
                       beyond_count(&files, "sw", out->n_named_switch);
    return 0;
}

/* result_X of result_X.txt */
static const char *stem_of(struct lister *l, const char *path)
{
    const char *name = path_base(path);
    return arena_strndup(l->arena, name, strlen(name) - strlen(".txt"));
}

static int list_power(struct lister *l, const char *path, struct mlperf_directory *d)
{
    struct listing folders;
    const char *power = path_join(l->arena, path, "power");
    if (list_package_folder(l, power, &folders) < 0)
        return -1;
    d->has_power = true;
    d->power = arena_array(l->arena, d->n_logs, sizeof *d->power);
    for (size_t i = 0; i < d->n_logs; i++) {
        const char *stem = stem_of(l, l->tree->files[d->logs[i]].path);
        const char *folder = path_join(l->arena, power, stem);
        d->power[i].shown = path_join(l->arena, l->root, folder);
        for (size_t k = 0; k < folders.n; k++)
            d->power[i].there |=
                folders.entries[k].is_dir && strcmp(folders.entries[k].name, stem) == 0;
        if (d->power[i].there && list_power_folder(l, folder, &d->power[i]) < 0)
            return -1;
    }
    return 0;
}

/* ---- directories --------------------------------------------------------------------------- */

static bool is_result_entry(const struct dir_entry *e)
{
    return e->is_regular && text_starts(e->name, "result_") && text_ends(e->name, ".txt");
}

static int list_directory(struct lister *l, const char *path, struct mlperf_directory *d)
{
    struct listing files;
    bool power = false;
    d->shown = *path ? path_join(l->arena, l->root, path) : l->root;
    d->scaling = d->bypass = d->system_bypass = d->description = MLPERF_NO_FILE;
    d->scaling_shown = path_join(l->arena, d->shown, "scaling.json");
    if (list_package_folder(l, path, &files) < 0)
        return -1;
    for (size_t i = 0; i < files.n; i++) {
        const struct dir_entry *e = &files.entries[i];
        const char *below = path_join(l->arena, path, e->name);
        if (is_result_entry(e)) {
            if (d->n_logs == MLPERF_LOGS_MAX)
                return err_set(l->err, ERR_INPUT, "%s: more than %d logs", d->shown,
                               MLPERF_LOGS_MAX);
            push_listed(l, &d->logs, &d->n_logs, add_package_file(l, MLPERF_FILE_LOG, below));
        } else if (e->is_regular && strcmp(e->name, "scaling.json") == 0)
            d->scaling = add_package_file(l, MLPERF_FILE_SCALING, below);
        else if (e->is_regular && strcmp(e->name, "package_checker_params") == 0)
            d->bypass = add_package_file(l, MLPERF_FILE_BYPASS, below);
        else if (e->is_dir && strcmp(e->name, "power") == 0)
            power = true;
        else
            d->unknown =
                d->unknown ? arena_printf(l->arena, "%s, %s", d->unknown, e->name) : e->name;
    }
    return power ? list_power(l, path, d) : 0;
}

static size_t find_description(const struct lister *l, const struct mlperf_package *p,
                               const char *system)
{
    for (size_t i = 0; i < p->n_descriptions; i++) {
        const char *name = path_base(l->tree->files[p->descriptions[i]].path);
        size_t n = strlen(system);
        if (strncmp(name, system, n) == 0 && strcmp(name + n, ".json") == 0)
            return p->descriptions[i];
    }
    return MLPERF_NO_FILE;
}

static size_t file_if_there(struct lister *l, enum mlperf_file_kind kind,
                            const struct listing *files, const char *folder, const char *name)
{
    for (size_t i = 0; i < files->n; i++)
        if (files->entries[i].is_regular && strcmp(files->entries[i].name, name) == 0)
            return add_package_file(l, kind, path_join(l->arena, folder, name));
    return MLPERF_NO_FILE;
}

/* `only`: this benchmark alone; NULL: all. */
static int list_system(struct lister *l, struct mlperf_package *p, const char *system,
                       const char *only)
{
    const char *path = arena_printf(l->arena, "results/%s", system);
    const char *described = arena_printf(l->arena, "systems/%s.json", system);
    struct listing folders;
    if (list_package_folder(l, path, &folders) < 0)
        return -1;
    size_t bypass = file_if_there(l, MLPERF_FILE_BYPASS, &folders, path, "package_checker_params");
    for (size_t i = 0; i < folders.n; i++) {
        const char *name = folders.entries[i].name;
        if (!folders.entries[i].is_dir || (only && strcmp(name, only) != 0))
            continue;
        struct mlperf_directory *d = ARENA_PUSH(l->arena, p->directories, p->n_directories);
        d->id = arena_printf(l->arena, "%s/%s/%s", p->name, system, name);
        d->system = system;
        d->name = name;
        d->skipped = !mlperf_ruleset_benchmark(l->rules, name);
        d->shown = arena_printf(l->arena, "%s/%s/%s", l->root, path, name);
        if (!d->skipped && list_directory(l, path_join(l->arena, path, name), d) < 0)
            return -1;
        d->system_bypass = bypass;
        d->description = find_description(l, p, system);
        d->description_shown = path_join(l->arena, l->root, described);
    }
    return 0;
}

static int list_descriptions(struct lister *l, struct mlperf_package *p, const char *only)
{
    struct listing files;
    if (!l->members && !file_is_dir(path_join(l->arena, l->root, "systems")))
        return 0;
    if (list_package_folder(l, "systems", &files) < 0)
        return -1;
    for (size_t i = 0; i < files.n; i++) {
        const char *name = files.entries[i].name;
        size_t n = strlen(name);
        bool wanted = !only || (strncmp(name, only, strlen(only)) == 0 && n == strlen(only) + 5);
        if (files.entries[i].is_regular && text_ends(name, ".json") && wanted)
            push_listed(
                l, &p->descriptions, &p->n_descriptions,
                add_package_file(l, MLPERF_FILE_SYSTEM, path_join(l->arena, "systems", name)));
    }
    return 0;
}

/* The last part of the folder's real path, so that "." has a name, too. */
static const char *name_of_package(struct lister *l, const char *path)
{
    char *real = file_real(path);
    const char *name = arena_strdup(l->arena, path_base(real ? real : path));
    free(real);
    return name;
}

static int add_package(struct lister *l, const char *system, const char *benchmark)
{
    struct listing files, systems;
    struct mlperf_package *p = ARENA_PUSH(l->arena, l->tree->packages, l->tree->n_packages);
    p->name = l->members ? l->root : name_of_package(l, l->root);
    p->shown = l->root;
    if (list_package_folder(l, "", &files) < 0 || list_descriptions(l, p, system) < 0 ||
        list_package_folder(l, "results", &systems) < 0)
        return -1;
    p->bypass = file_if_there(l, MLPERF_FILE_BYPASS, &files, "", "package_checker_params");
    for (size_t i = 0; i < systems.n; i++) {
        const char *name = systems.entries[i].name;
        if (systems.entries[i].is_dir && (!system || strcmp(name, system) == 0) &&
            list_system(l, p, name, benchmark) < 0)
            return -1;
    }
    return 0;
}

static int add_round(struct lister *l, const char *path)
{
    struct dir_entry *entries;
    size_t n;
    if (dir_list(path, l->arena, &entries, &n, l->err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        l->root = path_join(l->arena, path, entries[i].name);
        if (entries[i].is_dir && mlperf_input_of(l->root) == MLPERF_PACKAGE &&
            add_package(l, NULL, NULL) < 0)
            return -1;
    }
    return 0;
}

/* ORG/results/SYSTEM/BENCHMARK, from wherever it is named: its package is known by its path. */
static int add_directory(struct lister *l, const char *path)
{
    char *real = file_real(path);
    const char *parts[4] = {NULL}, *at = real ? arena_strdup(l->arena, real) : path;
    free(real);
    for (size_t i = 0; i < 4; i++) { /* BENCHMARK, SYSTEM, results, ORG */
        const char *slash = strrchr(at, '/');
        if (!slash)
            break;
        parts[i] = slash + 1;
        at = arena_strndup(l->arena, at, (size_t)(slash - at));
    }
    if (parts[3] && strcmp(parts[2], "results") == 0) {
        size_t below = strlen(parts[2]) + strlen(parts[1]) + strlen(parts[0]) + 3, n = strlen(path);
        while (n > 1 && path[n - 1] == '/')
            n--;
        bool named = n > below && strncmp(path + n - below + 1, "results/", 8) == 0;
        l->root =
            named ? arena_strndup(l->arena, path, n - below) : path_join(l->arena, at, parts[3]);
        return add_package(l, parts[1], parts[0]);
    }
    struct mlperf_package *p = ARENA_PUSH(l->arena, l->tree->packages, l->tree->n_packages);
    struct mlperf_directory *d = ARENA_PUSH(l->arena, p->directories, p->n_directories);
    l->root = path;
    *p = (struct mlperf_package){
        .name = "", .shown = path, .bypass = MLPERF_NO_FILE, .directories = d, .n_directories = 1};
    d->id = path;
    d->system = "";
    d->name = parts[0] ? parts[0] : path;
    if (list_directory(l, "", d) < 0)
        return -1;
    d->description_shown = NULL;
    return 0;
}

/* A log by itself is named as it was given; a link to one is followed, as the operator wrote it. */
static void add_loose(struct lister *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    l->root = !slash          ? "."
              : slash == path ? "/"
                              : arena_strndup(l->arena, path, (size_t)(slash - path));
    size_t file = add_package_file(l, MLPERF_FILE_LOG, path_base(path));
    l->tree->files[file].shown = path;
    push_listed(l, &l->tree->loose, &l->tree->n_loose, file);
}

int mlperf_tree_add(struct mlperf_tree *tree, enum mlperf_input kind, const char *path,
                    const struct mlperf_ruleset *rules, struct arena *arena, struct err *err)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    path = arena_strndup(arena, path, n);
    struct lister l = {.tree = tree, .root = path, .rules = rules, .arena = arena, .err = err};
    switch (kind) {
    case MLPERF_LOG:
        add_loose(&l, path);
        return 0;
    case MLPERF_DIRECTORY:
        return add_directory(&l, path);
    case MLPERF_PACKAGE:
        return add_package(&l, NULL, NULL);
    case MLPERF_ROUND:
        return add_round(&l, path);
    case MLPERF_NO_INPUT:
    case MLPERF_SEALED:
    case MLPERF_RECORD:
        break;
    }
    return 0;
}

int mlperf_tree_add_members(struct mlperf_tree *tree, const char *package,
                            const struct tar_member *members, size_t n,
                            const struct mlperf_ruleset *rules, struct arena *arena,
                            struct err *err)
{
    struct lister l = {.tree = tree,
                       .root = package,
                       .rules = rules,
                       .arena = arena,
                       .err = err,
                       .members = members,
                       .n_members = n};
    return add_package(&l, NULL, NULL);
}

/* ORG of "…/ORG/SYSTEM/BENCHMARK.tar.zst", where system and benchmark are those of the directory;
 * else "". */
static const char *organisation_of_path(const struct mlperf_archive *archive,
                                        const struct mlperf_package *p, struct arena *arena)
{
    const char *ending = p->n_directories == 1
                             ? arena_printf(arena, "/%s/%s.tar.zst", p->directories[0].system,
                                            p->directories[0].name)
                             : "";
    if (!*ending || !text_ends(archive->path, ending))
        return "";
    return path_base(arena_strndup(arena, archive->path, strlen(archive->path) - strlen(ending)));
}

int mlperf_tree_add_archive(struct mlperf_tree *tree, const char *organisation,
                            const struct mlperf_archive *archive,
                            const struct mlperf_ruleset *rules, struct arena *arena,
                            struct err *err)
{
    struct lister l = {.tree = tree,
                       .root = archive->shown,
                       .rules = rules,
                       .arena = arena,
                       .err = err,
                       .members = archive->members,
                       .n_members = archive->n,
                       .archive = archive};
    if (add_package(&l, NULL, NULL) < 0)
        return -1;
    struct mlperf_package *p = &tree->packages[tree->n_packages - 1];
    p->name = organisation ? organisation : organisation_of_path(archive, p, arena);
    for (size_t i = 0; i < p->n_directories; i++) {
        struct mlperf_directory *d = &p->directories[i];
        d->id = *p->name ? arena_printf(arena, "%s/%s/%s", p->name, d->system, d->name) : d->shown;
    }
    return 0;
}
