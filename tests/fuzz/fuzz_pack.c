/* Bytes that come from a worker or from a cache, as each of the values that are packed: the first
 * byte says which. */
#include "tests/fuzz/fuzz.h"

#include "base/files/seen.h"
#include "base/json/shape_pack.h"
#include "base/pack.h"
#include "base/project/project.h"
#include "base/records/handed_on.h"
#include "cli/build/verdicts.h"
#include "verifier/verdicts/shape.h"

#include <stdlib.h>

#define VALUE_MAX 4096

static void take_records(struct unpack u, struct arena *arena)
{
    for (const struct shape *const *s = project_shapes; *s; s++) {
        struct unpack own = u;
        shape_unpack(*s, arena_alloc(arena, VALUE_MAX), arena, &own);
    }
}

static void take_verdict(struct unpack u, struct arena *arena)
{
    struct project project = {.arena = arena};
    struct verdict v;
    const struct verdict_evidence known[] = {
        {.archive = "a.tar.zst", .sha256 = "0", .table = 0, .row = 0}};
    if (shape_take(&verdict_shape, (struct bytes){u.at, (size_t)(u.end - u.at)}, &v, arena)) {
        v.result = NULL;
        verdict_take(&v, &project, known, 1);
    }
}

static void take_evidence(struct unpack u, struct arena *arena)
{
    struct row_evidence e;
    shape_take(&row_evidence_shape, (struct bytes){u.at, (size_t)(u.end - u.at)}, &e, arena);
}

static void take_cached(struct unpack u, struct arena *arena)
{
    struct verdict v = {.result = NULL};
    struct seen_list seen = {0};
    struct unpack own = u;
    build_verdict_take(&v, arena, &own);
    seen_unpack(&seen, arena, &u);
}

static void take_values(struct unpack u, struct arena *arena)
{
    struct diags diags;
    struct curve curve;
    struct facts facts;
    shape_unpack_text(&diags_shape, &diags, arena, &u);
    shape_unpack_text(&curve_shape, &curve, arena, &u);
    shape_unpack_text(&facts_shape, &facts, arena, &u);
    unpack_words(&u);
    take_words(&u, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const takers[])(struct unpack, struct arena *) = {
        take_records, take_verdict, take_evidence, take_cached, take_values};
    struct arena arena = ARENA_INIT;
    if (size == 0)
        return 0;
    const char *bytes = (const char *)data;
    takers[data[0] % (sizeof takers / sizeof *takers)](
        (struct unpack){.at = bytes + 1, .end = bytes + size}, &arena);
    arena_release(&arena);
    return 0;
}
