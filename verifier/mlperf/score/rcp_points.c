#include "verifier/mlperf/score/rcp_points.h"

#include "base/json/json.h"
#include "base/reals.h"
#include "base/signing/hash.h"

#include <stdlib.h>
#include <string.h>

struct points_reader {
    const char *file;
    struct arena *arena;
    struct diags *diags;
};

static int rcp_points_fault(struct points_reader *r, const struct json *at, const char *what)
{
    diags_add(r->diags, SEVERITY_ERROR, r->file, at->line, at->col, "%s", what);
    return -1;
}

static int by_batch_size(const void *a, const void *b)
{
    return reals_by_size(&((const struct rcp_point *)a)->batch_size,
                         &((const struct rcp_point *)b)->batch_size);
}

static int read_rcp_point(struct points_reader *r, const struct json *json, struct rcp_point *out)
{
    const struct json *size = json_get(json, "batch_size"), *runs = json_get(json, "runs");
    out->name = json_get_text(json, "name", "");
    if (!size || size->kind != JSON_NUMBER || !runs || runs->kind != JSON_ARRAY || !runs->n)
        return rcp_points_fault(r, json, "expected a point with batch_size and runs");
    out->batch_size = size->number;
    for (const struct json *run = runs->child; run; run = run->next) {
        if (run->kind != JSON_NUMBER)
            return rcp_points_fault(r, run, "expected a number");
        *(double *)ARENA_PUSH(r->arena, out->runs, out->n_runs) = run->number;
    }
    qsort(out->runs, out->n_runs, sizeof *out->runs, reals_by_size);
    return 0;
}

static int read_benchmark(struct points_reader *r, const struct json *json,
                          struct rcp_benchmark *out)
{
    const struct json *points = json_get(json, "points");
    out->name = json->key;
    if (!points || points->kind != JSON_ARRAY)
        return rcp_points_fault(r, json, "expected points");
    for (const struct json *p = points->child; p; p = p->next)
        if (read_rcp_point(r, p, ARENA_PUSH(r->arena, out->points, out->n_points)) < 0)
            return -1;
    if (out->n_points > 1)
        qsort(out->points, out->n_points, sizeof *out->points, by_batch_size);
    return 0;
}

void rcp_points_open(const char *file, struct bytes text, struct arena *arena,
                     struct rcp_points *out)
{
    char *sha256 = arena_room(arena, HASH_HEX_SIZE);
    hash_sha256(text.data, text.len, sha256);
    *out = (struct rcp_points){.file = file, .sha256 = sha256, .text = text};
}

int rcp_points_read(struct rcp_points *points, struct arena *arena, struct diags *diags)
{
    struct points_reader r = {points->file, arena, diags};
    struct json *root;
    if (json_parse(points->file, points->text, arena, &root, diags) < 0)
        return -1;
    const struct json *all = json_get(root, "benchmarks");
    if (!all || all->kind != JSON_OBJECT)
        return rcp_points_fault(&r, root, "expected benchmarks");
    struct student_kept *student = arena_alloc(arena, sizeof *student);
    for (const struct json *m = all->child; m; m = m->next) {
        struct rcp_benchmark *b = ARENA_PUSH(arena, points->benchmarks, points->n_benchmarks);
        if (read_benchmark(&r, m, b) < 0)
            return -1;
        b->student = student;
    }
    return 0;
}

const struct rcp_benchmark *rcp_points_of(const struct rcp_points *points, const char *benchmark)
{
    for (size_t i = 0; benchmark && i < points->n_benchmarks; i++)
        if (strcmp(points->benchmarks[i].name, benchmark) == 0)
            return &points->benchmarks[i];
    return NULL;
}
