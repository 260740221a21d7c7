#include "base/project.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Loading one folder of records of one shape. */
struct folder {
    const struct shape *shape;
    size_t id_at; /* offset of the const char *id, which must equal the file name */
};

static void wrong_id(struct diags *diags, const char *path, int line, const char *key,
                     const char *found, const char *expected)
{
    diags_add(diags, SEVERITY_ERROR, path, line, 0,
              "found \"%s\": \"%s\", expected \"%s\" as in the path of the file", key, found,
              expected);
}

static char *stem_of(struct arena *arena, const char *name)
{
    return arena_strndup(arena, name, strlen(name) - strlen(".json"));
}

static int load_one(const struct folder *f, const char *path, void *value, struct arena *arena,
                    struct diags *diags)
{
    if (shape_load_file(f->shape, path, value, arena, diags) < 0)
        return -1;
    const char *id = *(const char **)((char *)value + f->id_at);
    const char *stem = stem_of(arena, path_base(path));
    if (strcmp(id, stem) == 0)
        return 0;
    wrong_id(diags, path, *(int *)value, "id", id, stem);
    return -1;
}

static int list_records(const char *dir, struct arena *arena, struct dir_entry **entries, size_t *n,
                        struct diags *diags)
{
    struct err err = ERR_INIT;
    *n = 0;
    if (!file_exists(dir) || dir_list(dir, arena, entries, n, &err) == 0)
        return 0;
    diags_add_err(diags, dir, 0, 0, &err);
    return -1;
}

/* Links are not followed: what is published must lie in the records themselves. */
static bool is_record(const struct dir_entry *entry, const char *path, struct diags *diags)
{
    if (!text_ends(entry->name, ".json"))
        return false;
    if (!entry->is_regular)
        diags_add(diags, SEVERITY_WARNING, path, 0, 0, "left out: found %s, expected a file",
                  entry->is_dir ? "a folder" : "a link or a special file");
    return entry->is_regular;
}

/* Items land in one array, sorted by id because dir_list sorts by name. */
static int load_folder(const struct folder *f, const char *dir, void **items, size_t *n,
                       struct arena *arena, struct diags *diags)
{
    struct dir_entry *entries;
    size_t n_entries;
    int rc = list_records(dir, arena, &entries, &n_entries, diags);
    char *array = arena_array(arena, n_entries, f->shape->size);
    *n = 0;
    for (size_t i = 0; i < n_entries; i++) {
        const char *path = path_join(arena, dir, entries[i].name);
        if (!is_record(&entries[i], path, diags))
            continue;
        if (load_one(f, path, array + *n * f->shape->size, arena, diags) == 0)
            (*n)++;
        else
            rc = -1;
    }
    *items = array;
    return rc;
}

static void set_case_files(struct project *p)
{
    for (size_t i = 0; i < p->n_cases; i++)
        p->cases[i].file = arena_printf(p->arena, "%s/cases/%s.json", p->root, p->cases[i].id);
}

static int load_result(struct project *p, const char *dir, const char *vendor, const char *name,
                       struct diags *diags)
{
    struct result r;
    const char *path = path_join(p->arena, dir, name);
    const char *stem = stem_of(p->arena, name);
    if (shape_load_file(&result_shape, path, &r, p->arena, diags) < 0)
        return -1;
    bool vendor_ok = strcmp(r.vendor, vendor) == 0, case_ok = strcmp(r.case_id, stem) == 0;
    if (!vendor_ok)
        wrong_id(diags, path, r.line, "vendor", r.vendor, vendor);
    if (!case_ok)
        wrong_id(diags, path, r.line, "case", r.case_id, stem);
    if (!vendor_ok || !case_ok)
        return -1;
    r.file = path;
    *(struct result *)ARENA_PUSH(p->arena, p->results, p->n_results) = r;
    return 0;
}

static int load_results(struct project *p, struct diags *diags)
{
    const char *root = path_join(p->arena, p->root, "results");
    struct dir_entry *vendors, *files;
    size_t n_vendors, n_files;
    int rc = list_records(root, p->arena, &vendors, &n_vendors, diags);
    for (size_t v = 0; v < n_vendors; v++) {
        if (!vendors[v].is_dir)
            continue;
        const char *dir = path_join(p->arena, root, vendors[v].name);
        rc |= list_records(dir, p->arena, &files, &n_files, diags);
        for (size_t i = 0; i < n_files; i++)
            if (is_record(&files[i], path_join(p->arena, dir, files[i].name), diags))
                rc |= load_result(p, dir, vendors[v].name, files[i].name, diags);
    }
    return rc;
}

/* "<vendor>/<case>/<id>.json" below the reproductions. */
static int load_reproduction(struct project *p, const char *root, const char *rel,
                             struct diags *diags)
{
    struct reproduction r;
    const char *path = path_join(p->arena, root, rel);
    if (shape_load_file(&reproduction_shape, path, &r, p->arena, diags) < 0)
        return -1;
    const char *place = arena_printf(p->arena, "%s/%s/%s.json", r.vendor, r.case_id, r.id);
    if (strcmp(place, rel) != 0) {
        diags_add(diags, SEVERITY_ERROR, path, r.line, 0,
                  "found vendor, case and id of %s, expected those in the path of the file", place);
        return -1;
    }
    r.file = path;
    *(struct reproduction *)ARENA_PUSH(p->arena, p->reproductions, p->n_reproductions) = r;
    return 0;
}

static int load_reproductions(struct project *p, struct diags *diags)
{
    const char *root = path_join(p->arena, p->root, "reproductions");
    struct err err = ERR_INIT;
    const char **files;
    size_t n;
    int rc = 0;
    if (dir_walk(root, p->arena, &files, &n, &err) < 0) {
        diags_add_err(diags, root, 0, 0, &err);
        return -1;
    }
    for (size_t i = 0; i < n; i++)
        if (text_ends(files[i], ".json"))
            rc |= load_reproduction(p, root, files[i], diags);
    return rc;
}

#define LOAD_FOLDER(p, folder_name, shape_, type, member, diags)                      \
    load_folder(&(struct folder){shape_, offsetof(type, id)},                         \
                path_join((p)->arena, (p)->root, folder_name), (void **)&(p)->member, \
                &(p)->n_##member, (p)->arena, diags)

/* What a record names must be there; often it is only misspelt. */
static void check_named(struct project *p, const char *file, int line, const char *kind,
                        const char *id, bool found, struct diags *diags)
{
    if (!found)
        diags_add(diags, SEVERITY_WARNING, file, line, 0,
                  "names %s \"%s\", found no %s/%ss/%s.json", kind, id, p->root, kind, id);
}

static void check_names(struct project *p, struct diags *diags)
{
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        const char *file = arena_printf(p->arena, "%s/accelerators/%s.json", p->root, a->id);
        check_named(p, file, a->line, "vendor", a->vendor, project_vendor(p, a->vendor), diags);
    }
    for (size_t i = 0; i < p->n_cases; i++) {
        const struct case_record *c = &p->cases[i];
        check_named(p, c->file, c->line, "model", c->model, project_model(p, c->model), diags);
    }
    for (size_t i = 0; i < p->n_results; i++) {
        const struct result *r = &p->results[i];
        check_named(p, r->file, r->line, "vendor", r->vendor, project_vendor(p, r->vendor), diags);
        check_named(p, r->file, r->line, "case", r->case_id, project_case(p, r->case_id), diags);
    }
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *r = &p->reproductions[i];
        const char *of = arena_printf(p->arena, "%s/%s", r->vendor, r->case_id);
        check_named(p, r->file, r->line, "result", of, project_result(p, r->vendor, r->case_id),
                    diags);
    }
}

static int compare_case(const void *a, const void *b)
{
    const struct result *x = *(const struct result *const *)a;
    const struct result *y = *(const struct result *const *)b;
    int order = strcmp(x->case_id, y->case_id);
    return order ? order : strcmp(x->vendor, y->vendor);
}

/* A result and its place: of two with one vendor and case the first counts. */
struct ranked {
    const struct result *result;
    size_t rank;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = compare_case(&x->result, &y->result);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_id(const void *a, const void *b)
{
    const struct case_record *x = *(const struct case_record *const *)a;
    const struct case_record *y = *(const struct case_record *const *)b;
    return strcmp(x->id, y->id);
}

static size_t count_spellings(const struct accelerator *a)
{
    return a->n_aliases + 2;
}

static const char **fold_spellings(const struct accelerator *a, struct arena *arena)
{
    const char **folded = arena_array(arena, count_spellings(a), sizeof *folded);
    for (size_t i = 0; i < a->n_aliases; i++)
        folded[i] = text_fold_words(arena, a->aliases[i]);
    folded[a->n_aliases] = text_fold_words(arena, a->name);
    folded[a->n_aliases + 1] = text_fold_words(arena, a->id);
    return folded;
}

void project_index(struct project *p)
{
    p->by_case = arena_array(p->arena, p->n_results, sizeof *p->by_case);
    for (size_t i = 0; i < p->n_results; i++)
        p->by_case[i] = &p->results[i];
    if (p->n_results)
        qsort(p->by_case, p->n_results, sizeof *p->by_case, compare_case);
    p->peers = p->by_case;
    p->n_peers = p->n_results;
    p->by_id = arena_array(p->arena, p->n_cases, sizeof *p->by_id);
    for (size_t i = 0; i < p->n_cases; i++)
        p->by_id[i] = &p->cases[i];
    if (p->n_cases)
        qsort(p->by_id, p->n_cases, sizeof *p->by_id, compare_id);
    for (size_t i = 0; i < p->n_accelerators; i++)
        p->accelerators[i].folded = fold_spellings(&p->accelerators[i], p->arena);
}

/* The first of these results of this case, or the first behind them. */
static size_t bound_of_case(const struct result **all, size_t n, const char *case_id, bool behind)
{
    size_t from = 0, to = all ? n : 0;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(all[middle]->case_id, case_id);
        if (order < 0 || (behind && order == 0))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const struct result **of_case(const struct result **all, size_t n_all, const char *case_id,
                                     size_t *n)
{
    size_t from = bound_of_case(all, n_all, case_id, false);
    *n = bound_of_case(all, n_all, case_id, true) - from;
    return all ? all + from : NULL;
}

const struct result **project_case_results(const struct project *p, const char *case_id, size_t *n)
{
    return of_case(p->peers, p->n_peers, case_id, n);
}

void project_give(struct project *p, const struct result *const *given, size_t n)
{
    size_t all = p->n_results + n, kept = 0;
    const struct result **peers = arena_array(p->arena, all, sizeof *peers);
    struct ranked *ranked = arena_array(p->arena, all, sizeof *ranked);
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){given[i], i};
    for (size_t i = n; i < all; i++)
        ranked[i] = (struct ranked){&p->results[i - n], i};
    if (all)
        qsort(ranked, all, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < all; i++)
        if (!i || compare_case(&ranked[i].result, &ranked[i - 1].result) != 0)
            peers[kept++] = ranked[i].result;
    p->peers = peers;
    p->n_peers = kept;
}

int project_load(const char *root, struct project *p, struct arena *arena, struct diags *diags)
{
    *p = (struct project){.root = arena_strdup(arena, root), .arena = arena};
    int rc = LOAD_FOLDER(p, "vendors", &vendor_shape, struct vendor, vendors, diags);
    rc |=
        LOAD_FOLDER(p, "accelerators", &accelerator_shape, struct accelerator, accelerators, diags);
    rc |= LOAD_FOLDER(p, "models", &model_shape_shape, struct model, models, diags);
    rc |= LOAD_FOLDER(p, "cases", &case_shape, struct case_record, cases, diags);
    set_case_files(p);
    rc |= load_results(p, diags);
    project_index(p);
    rc |= load_reproductions(p, diags);
    check_names(p, diags);
    return rc;
}

#define FIND_BY_ID(items, n, wanted)              \
    for (size_t i = 0; i < (n); i++)              \
        if (strcmp((items)[i].id, (wanted)) == 0) \
            return &(items)[i];                   \
    return NULL

const struct vendor *project_vendor(const struct project *p, const char *id)
{
    FIND_BY_ID(p->vendors, p->n_vendors, id);
}

const struct case_record *project_case(const struct project *p, const char *id)
{
    const struct case_record wanted = {.id = id}, *key = &wanted;
    const struct case_record *const *hit;
    if (p->by_id && p->n_cases) {
        hit = bsearch(&key, p->by_id, p->n_cases, sizeof *p->by_id, compare_id);
        return hit ? *hit : NULL;
    }
    FIND_BY_ID(p->cases, p->n_cases, id);
}

const struct model *project_model(const struct project *p, const char *id)
{
    FIND_BY_ID(p->models, p->n_models, id);
}

const struct result *project_result(const struct project *p, const char *vendor,
                                    const char *case_id)
{
    size_t n = p->n_results;
    const struct result **all = p->by_case ? of_case(p->by_case, p->n_results, case_id, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct result *r = all ? all[i] : &p->results[i];
        if (strcmp(r->vendor, vendor) == 0 && strcmp(r->case_id, case_id) == 0)
            return r;
    }
    return NULL;
}

static double factor_of(long long count)
{
    return count ? (double)count : 1;
}

/* Each factor may be 1e8: too much for an integer. */
double case_sequences(const struct case_record *c)
{
    double data = c->parallel ? factor_of(c->parallel->data) : 1;
    return (double)c->micro_batch * factor_of(c->gradient_accumulation) * data;
}

static bool same_as_any(const char *const *names, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (text_same(names[i], text))
            return true;
    return false;
}

const struct model *project_find_model(const struct project *p, const char *text)
{
    const struct model *hit = NULL;
    for (size_t i = 0; i < p->n_models; i++) {
        const struct model *m = &p->models[i];
        if (!text_same(m->id, text) && !text_same(m->name.zh, text) &&
            !same_as_any(m->aliases, m->n_aliases, text))
            continue;
        if (hit)
            return NULL;
        hit = m;
    }
    return hit;
}

const struct model *project_case_model(const struct project *p, const char *case_id)
{
    const struct case_record *c = project_case(p, case_id);
    const char *dash = strchr(case_id, '-');
    if (c && project_model(p, c->model))
        return project_model(p, c->model);
    struct arena scratch = ARENA_INIT;
    size_t n = dash ? (size_t)(dash - case_id) : strlen(case_id);
    const struct model *m = project_find_model(p, arena_strndup(&scratch, case_id, n));
    arena_release(&scratch);
    return m;
}

const struct model *project_result_model(const struct project *p, const struct result *r)
{
    const struct model *m = project_case_model(p, r->case_id);
    const char *named = result_general(r, "模型");
    return m || !named ? m : project_find_model(p, named);
}

/* Length of the longest folded spelling of `a` that occurs in the folded text; 0: none. */
static size_t longest_spelling(const struct accelerator *a, const char *text, struct arena *arena)
{
    const char **folded = a->folded ? a->folded : fold_spellings(a, arena);
    size_t best = 0;
    for (size_t i = 0; i < count_spellings(a); i++) {
        size_t n = strlen(folded[i]);
        if (n > best && text_has_word(text, folded[i]))
            best = n;
    }
    return best;
}

const struct accelerator *project_find_accelerator(const struct project *p, const char *text,
                                                   const char *vendor)
{
    struct arena scratch = ARENA_INIT;
    const struct accelerator *hit = NULL;
    const char *folded = text_fold_words(&scratch, text);
    size_t best = 0;
    bool tie = false;
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        if (vendor && strcmp(a->vendor, vendor) != 0)
            continue;
        size_t n = longest_spelling(a, folded, &scratch);
        if (n == 0 || n < best)
            continue;
        tie = n == best;
        best = n;
        hit = a;
    }
    arena_release(&scratch);
    return tie ? NULL : hit;
}
