/* Reading the records of a project: project.h says which files, and what is refused. */
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/parallel.h"
#include "base/project/names.h"
#include "base/project/shard.h"
#include "base/text.h"

#include <string.h>

/* One file, read by some thread; what is said about it is added in the order of the files. */
struct record_file {
    const char *path;
    const char *instead; /* what lies there and is left out; NULL: a file */
    struct bytes text;   /* without data: it is still to be read */
    struct diags diags;
    bool good;
};

/* Files of one shape. */
struct loading {
    const struct shape *shape;
    const char *root; /* of the paths, without a final '/' */
    /* Is it what its path says, else a diagnostic; may note the path in it. */
    bool (*place)(const struct loading *, void *value, const char *path, struct diags *);
    /* The case of a record by its path, which says whether it is loaded; NULL: it is. */
    const char *(*case_of)(const char *path, size_t *len);
    struct project *project;
    struct arena *arena;
    struct diags *diags;
    struct record_file *files;
    size_t n;
    char *values; /* one for each file, then only the good ones */
};

static bool is_file_named(struct diags *diags, const char *path, int line, const char *key,
                          const char *found, const char *expected, size_t n)
{
    if (strlen(found) == n && memcmp(found, expected, n) == 0)
        return true;
    diags_add(diags, SEVERITY_ERROR, path, line, 0,
              "found \"%s\": \"%s\", expected \"%.*s\" as in the path of the file", key, found,
              (int)n, expected);
    return false;
}

static size_t stem_length(const char *name)
{
    return strlen(name) - strlen(".json");
}

static int list_records(struct loading *l, const char *dir, struct dir_entry **entries, size_t *n)
{
    struct err err = ERR_INIT;
    *n = 0;
    int there = file_is_there(dir, &err);
    if (there == 0 ||
        (there > 0 && dir_list_within(RECORDS_FOLDER_MAX, dir, l->arena, entries, n, &err) == 0))
        return 0;
    diags_add_err(l->diags, dir, 0, 0, &err);
    return -1;
}

/* <case>/<id>.json */
static const char *case_by_folder(const char *path, size_t *len)
{
    const char *slash = path_base(path) - 1, *from = slash;
    while (from > path && from[-1] != '/')
        from--;
    *len = (size_t)(slash - from);
    return from;
}

static void list_record_file(struct loading *l, const char *path, const char *instead,
                             struct bytes text)
{
    size_t len = 0;
    const char *case_id = l->case_of && l->project->shard ? l->case_of(path, &len) : NULL;
    if (case_id && !shard_has(l->project->shard, case_id, len))
        return;
    *(struct record_file *)ARENA_PUSH(l->arena, l->files, l->n) =
        (struct record_file){.path = path, .instead = instead, .text = text};
}

/* Below the folder of all records. */
static const char *held_name(const struct project *p, const char *path)
{
    return path + strlen(p->root) + 1;
}

/* Of those in memory all that lie as many folders below this one. */
static void list_held_records(struct loading *l, const char *dir, size_t depth)
{
    const struct held_files *held = l->project->held;
    const char *below = held_name(l->project, dir);
    size_t n = strlen(below);
    for (size_t i = 0; i < held->n; i++) {
        const char *path = held->items[i].path;
        size_t slashes = 0;
        for (const char *at = path; *at; at++)
            slashes += *at == '/';
        if (text_starts(path, below) && path[n] == '/' && text_ends(path, ".json") &&
            slashes == depth)
            list_record_file(l, path_join(l->arena, l->project->root, path), NULL,
                             held->items[i].bytes);
    }
}

static int list_record_folder(struct loading *l, const char *dir)
{
    if (l->project->held)
        return list_held_records(l, dir, 1), 0;
    struct dir_entry *entries;
    size_t n;
    int rc = list_records(l, dir, &entries, &n);
    for (size_t i = 0; i < n; i++)
        if (text_ends(entries[i].name, ".json"))
            list_record_file(l, path_join(l->arena, dir, entries[i].name),
                             dir_entry_instead(&entries[i]), (struct bytes){NULL, 0});
    return rc;
}

/* They were listed already (shard.h), among those of all shards. */
static void list_shard_files(struct loading *l, const struct shard_file *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        list_record_file(l, files[i].path, files[i].instead, files[i].text);
}

static void load_file(void *loading, size_t i, struct arena *arena)
{
    const struct loading *l = loading;
    struct record_file *f = &l->files[i];
    void *value = l->values + i * l->shape->size;
    diags_init(&f->diags, arena);
    if (f->instead)
        diags_add(&f->diags, SEVERITY_WARNING, f->path, 0, 0, "left out: found %s, expected a file",
                  f->instead);
    if (f->instead)
        return;
    int rc = f->text.data || l->project->held
                 ? shape_load_text(l->shape, f->path, f->text, value, arena, &f->diags)
                 : shape_load_file(l->shape, f->path, value, arena, &f->diags);
    f->good = rc == 0 && l->place(l, value, f->path, &f->diags);
}

/* Read all files that were added; values and their number are of those that are good. */
static int load_files(struct loading *l)
{
    size_t good = 0, size = l->shape->size;
    int rc = 0;
    l->values = arena_array(l->arena, l->n, size);
    if (l->project->held) /* perhaps in a worker, which has no threads */
        for (size_t i = 0; i < l->n; i++)
            load_file(l, i, l->arena);
    else
        parallel_each(l->n, load_file, l, l->arena);
    for (size_t i = 0; i < l->n; i++) {
        diags_append(l->diags, &l->files[i].diags);
        rc = l->files[i].good || l->files[i].instead ? rc : -1;
        if (l->files[i].good)
            memmove(l->values + good++ * size, l->values + i * size, size);
    }
    l->n = good;
    return rc;
}

/* Every record with an id of its own begins so (project.h). */
struct named {
    int line;
    const char *id;
};

_Static_assert(offsetof(struct vendor, id) == offsetof(struct named, id), "a named record");
_Static_assert(offsetof(struct accelerator, id) == offsetof(struct named, id), "a named record");
_Static_assert(offsetof(struct model, id) == offsetof(struct named, id), "a named record");
_Static_assert(offsetof(struct case_record, id) == offsetof(struct named, id), "a named record");

static bool place_named(const struct loading *l, void *value, const char *path, struct diags *diags)
{
    const struct named *r = value;
    const char *name = path_base(path);
    (void)l;
    return is_file_named(diags, path, r->line, "id", r->id, name, stem_length(name));
}

/* Items land in one array, sorted by id because dir_list sorts by name. */
static int load_folder(struct project *p, const struct shape *shape, const char *folder,
                       void **items, size_t *n, struct diags *diags)
{
    struct loading l = {.shape = shape,
                        .root = path_join(p->arena, p->root, folder),
                        .place = place_named,
                        .project = p,
                        .arena = p->arena,
                        .diags = diags};
    int rc = 0;
    if (p->shard && shape == &case_shape)
        list_shard_files(&l, p->shard->cases, p->shard->n_cases);
    else
        rc = list_record_folder(&l, l.root);
    rc |= load_files(&l);
    *items = l.values;
    *n = l.n;
    return rc;
}

/* "<vendor>/<case>.json" below the results. */
static bool place_result(const struct loading *l, void *value, const char *path,
                         struct diags *diags)
{
    struct result *r = value;
    const char *vendor = path + strlen(l->root) + 1, *name = path_base(path);
    bool vendor_ok = is_file_named(diags, path, r->line, "vendor", r->vendor, vendor,
                                   (size_t)(name - 1 - vendor));
    bool case_ok = is_file_named(diags, path, r->line, "case", r->case_id, name, stem_length(name));
    r->file = path;
    return vendor_ok && case_ok;
}

static int load_results(struct project *p, struct diags *diags)
{
    struct loading l = {.shape = &result_shape,
                        .root = path_join(p->arena, p->root, "results"),
                        .place = place_result,
                        .project = p,
                        .arena = p->arena,
                        .diags = diags};
    struct dir_entry *vendors;
    size_t n_vendors = 0;
    int rc = p->held || p->shard ? 0 : list_records(&l, l.root, &vendors, &n_vendors);
    if (p->held)
        list_held_records(&l, l.root, 2);
    if (p->shard)
        list_shard_files(&l, p->shard->results, p->shard->n_results);
    for (size_t v = 0; v < n_vendors; v++)
        if (vendors[v].is_dir)
            rc |= list_record_folder(&l, path_join(p->arena, l.root, vendors[v].name));
    rc |= load_files(&l);
    p->results = (struct result *)l.values;
    p->n_results = l.n;
    return rc;
}

/* "<vendor>/<case>/<id>.json" below the reproductions. */
static bool place_reproduction(const struct loading *l, void *value, const char *path,
                               struct diags *diags)
{
    struct reproduction *r = value;
    struct arena *arena = diags->arena;
    const char *place = arena_printf(arena, "%s/%s/%s.json", r->vendor, r->case_id, r->id);
    r->file = path;
    if (strcmp(place, path + strlen(l->root) + 1) == 0)
        return true;
    diags_add(diags, SEVERITY_ERROR, path, r->line, 0,
              "found vendor, case and id of %s, expected those in the path of the file", place);
    return false;
}

/* All files below the root, whatever their depth: `place` says whether they lie where they should.
 */
static int load_tree(struct loading *l)
{
    struct err err = ERR_INIT;
    const char **files;
    size_t n = 0;
    if (l->project->held)
        list_held_records(l, l->root, 3);
    else if (dir_walk(l->root, l->arena, &files, &n, &err) < 0) {
        diags_add_err(l->diags, l->root, 0, 0, &err);
        return -1;
    }
    for (size_t i = 0; i < n; i++)
        if (text_ends(files[i], ".json"))
            list_record_file(l, path_join(l->arena, l->root, files[i]), NULL,
                             (struct bytes){NULL, 0});
    return load_files(l);
}

static int load_reproductions(struct project *p, struct diags *diags)
{
    struct loading l = {.shape = &reproduction_shape,
                        .root = path_join(p->arena, p->root, "reproductions"),
                        .place = place_reproduction,
                        .case_of = case_by_folder,
                        .project = p,
                        .arena = p->arena,
                        .diags = diags};
    int rc = load_tree(&l);
    p->reproductions = (struct reproduction *)l.values;
    p->n_reproductions = l.n;
    return rc;
}

static bool place_mlperf_round(const struct loading *l, void *value, const char *path,
                               struct diags *diags)
{
    const struct mlperf_round_record *r = value;
    const char *name = path_base(path);
    (void)l;
    return is_file_named(diags, path, r->line, "round", r->round, name, stem_length(name));
}

/* "<round>/<package>/<system>.json" below the results of MLPerf. */
static bool place_mlperf_result(const struct loading *l, void *value, const char *path,
                                struct diags *diags)
{
    struct mlperf_record *r = value;
    const char *place =
        arena_printf(diags->arena, "%s/%s/%s.json", r->round, r->package, r->system);
    r->file = path;
    if (strcmp(place, path + strlen(l->root) + 1) == 0)
        return true;
    diags_add(diags, SEVERITY_ERROR, path, r->line, 0,
              "found round, package and system of %s, expected those in the path of the file",
              place);
    return false;
}

static int load_mlperf(struct project *p, struct diags *diags)
{
    struct loading l = {.shape = &mlperf_record_shape,
                        .root = path_join(p->arena, p->root, "mlperf/results"),
                        .place = place_mlperf_result,
                        .project = p,
                        .arena = p->arena,
                        .diags = diags};
    struct loading rounds = {.shape = &mlperf_round_shape,
                             .root = path_join(p->arena, p->root, "mlperf/rounds"),
                             .place = place_mlperf_round,
                             .project = p,
                             .arena = p->arena,
                             .diags = diags};
    int rc = list_record_folder(&rounds, rounds.root) | load_files(&rounds);
    p->mlperf_rounds = (struct mlperf_round_record *)rounds.values;
    p->n_mlperf_rounds = rounds.n;
    rc |= load_tree(&l);
    p->mlperf_results = (struct mlperf_record *)l.values;
    p->n_mlperf_results = l.n;
    return rc;
}

#define LOAD_FOLDER(p, folder, shape, member, diags) \
    load_folder(p, shape, folder, (void **)&(p)->member, &(p)->n_##member, diags)

int project_load_vendors(const char *root, struct project *p, struct arena *arena,
                         struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    return LOAD_FOLDER(p, "vendors", &vendor_shape, vendors, diags);
}

int project_load_accelerators(const char *root, struct project *p, struct arena *arena,
                              struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    int rc = LOAD_FOLDER(p, "accelerators", &accelerator_shape, accelerators, diags);
    project_index(p);
    return rc;
}

int project_load_cards_and_models(const char *root, struct project *p, struct arena *arena,
                                  struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    int rc = LOAD_FOLDER(p, "accelerators", &accelerator_shape, accelerators, diags);
    return rc | LOAD_FOLDER(p, "models", &model_shape_shape, models, diags);
}

static int load_known_things(struct project *p, struct diags *diags)
{
    int rc = LOAD_FOLDER(p, "vendors", &vendor_shape, vendors, diags);
    rc |= LOAD_FOLDER(p, "accelerators", &accelerator_shape, accelerators, diags);
    rc |= LOAD_FOLDER(p, "models", &model_shape_shape, models, diags);
    rc |= LOAD_FOLDER(p, "cases", &case_shape, cases, diags);
    for (size_t i = 0; i < p->n_cases; i++)
        p->cases[i].file = arena_printf(p->arena, "%s/cases/%s.json", p->root, p->cases[i].id);
    return rc;
}

static int check_loaded(struct project *p, struct diags *diags)
{
    int rc = project_names_check(p, diags);
    project_index(p);
    project_vendors_check(p, diags);
    project_cards_check(p, diags);
    project_looks_check(p, diags);
    project_check_named(p, diags);
    return rc;
}

int project_load_known_things(const char *root, struct project *p, struct arena *arena,
                              struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    return load_known_things(p, diags) | check_loaded(p, diags);
}

static int load_all(struct project *p, struct diags *diags)
{
    int rc = load_known_things(p, diags);
    rc |= load_results(p, diags);
    rc |= load_reproductions(p, diags);
    if (!p->shard || p->shard->number == 0) /* which are of no case of ours */
        rc |= load_mlperf(p, diags);
    return rc | check_loaded(p, diags);
}

int project_load_held(const char *root, const struct held_files *held, struct project *p,
                      struct arena *arena, struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .held = held, .arena = arena};
    return load_all(p, diags);
}

int project_load(const char *root, struct project *p, struct arena *arena, struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    return load_all(p, diags);
}

int project_load_shard(const char *root, const struct shard *shard, struct project *p,
                       struct arena *arena, struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena, .shard = shard};
    return load_all(p, diags);
}
