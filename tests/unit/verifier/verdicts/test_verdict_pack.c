/* Verdicts as bytes: the same again, and nothing else is taken for one. */
#include "tests/unit/unit.h"

#include "verifier/claims/audit.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verdicts/verdict_pack.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

#define MORE_MAX 64

struct ground {
    struct arena arena;
    struct diags diags;
    struct project project;
    const struct result *result;
    struct verdict verdict;
    struct verdict_evidence known[MORE_MAX];
    size_t n;
    struct buf packed;
};

static void open_ground(struct ground *g, const char *root, const char *vendor, const char *case_id)
{
    arena_init(&g->arena);
    diags_init(&g->diags, &g->arena);
    project_load(root, &g->project, &g->arena, &g->diags);
    duplicates_index(&g->project);
    g->result = project_result(&g->project, vendor, case_id);
    assert_non_null(g->result);
    verify_result(&g->project, NULL, g->result, NULL, &g->arena, &g->verdict);
    g->n = g->verdict.n_evidence;
    assert_true(g->n > 0 && g->n <= MORE_MAX);
    for (size_t i = 0; i < g->n; i++)
        g->known[i] = (struct verdict_evidence){
            .archive = g->result->evidence[i].archive,
            .sha256 = g->verdict.evidence[i].sha256,
            .kase = project_case(&g->project, case_id),
            .table = (int)g->result->evidence[i].table,
            .row = (int)g->result->evidence[i].row,
        };
    buf_init(&g->packed, BUF_DEFAULT_MAX);
    verdict_pack_figures(&g->verdict, false, &g->packed);
    verdict_pack_evidence(&g->verdict, &g->project, &g->packed);
}

static void close_ground(struct ground *g)
{
    buf_release(&g->packed);
    arena_release(&g->arena);
}

static bool take(struct ground *g, const char *bytes, size_t n, struct verdict *out)
{
    struct unpack u = {.at = bytes, .end = bytes + n};
    *out = (struct verdict){.id = g->verdict.id,
                            .file = g->verdict.file,
                            .rules = g->verdict.rules,
                            .result = g->result,
                            .state = g->verdict.state};
    verdict_unpack_figures(out, &g->arena, &u);
    verdict_unpack_evidence(out, &g->project, g->known, g->n, &g->arena, &u);
    return unpack_end(&u);
}

static void as_json(const struct verdict *v, struct buf *out)
{
    buf_init(out, BUF_DEFAULT_MAX);
    verdicts_json(&(struct verdicts){.items = v, .n = 1}, out);
}

static void same_again(const char *root, const char *vendor, const char *case_id)
{
    struct ground g;
    struct verdict back;
    struct buf before, after, again;
    open_ground(&g, root, vendor, case_id);
    assert_true(take(&g, g.packed.data, g.packed.len, &back));
    as_json(&g.verdict, &before);
    as_json(&back, &after);
    assert_string_equal(before.data, after.data);
    buf_init(&again, BUF_DEFAULT_MAX);
    verdict_pack_figures(&back, false, &again);
    verdict_pack_evidence(&back, &g.project, &again);
    assert_int_equal(again.len, g.packed.len);
    assert_memory_equal(again.data, g.packed.data, again.len);
    buf_release(&before);
    buf_release(&after);
    buf_release(&again);
    close_ground(&g);
}

static void verdicts_come_back_whole(void **state)
{
    (void)state;
    same_again("records", "fpreport", "tiny_llama");
    same_again("records", "fpreport", "llama2_7b-native");
    same_again("tests/golden/build/records", "globex", "tiny_llama");
}

static void cut_ones_are_refused(void **state)
{
    struct ground g;
    struct verdict ignored;
    (void)state;
    open_ground(&g, "tests/golden/build/records", "globex", "tiny_llama");
    for (size_t n = 0; n < g.packed.len; n++) {
        char *cut = malloc(n ? n : 1); /* so that a sanitizer sees who reads behind it */
        memcpy(cut, g.packed.data, n);
        assert_false(take(&g, cut, n, &ignored));
        free(cut);
    }
    close_ground(&g);
}

/* Whatever a worker answers: nothing is read that is not there, and what is taken can be shown. */
static void changed_ones_harm_nobody(void **state)
{
    struct ground g;
    struct verdict back;
    size_t taken = 0;
    (void)state;
    open_ground(&g, "tests/golden/build/records", "globex", "tiny_llama");
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 3000; i++) {
        char *changed = malloc(g.packed.len);
        memcpy(changed, g.packed.data, g.packed.len);
        for (int k = 0; k < 1 + i % 3; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            changed[random % g.packed.len] ^= (char)(1 << (random >> 40) % 8);
        }
        if (take(&g, changed, g.packed.len, &back)) {
            struct buf shown;
            as_json(&back, &shown);
            buf_release(&shown);
            taken++;
        }
        free(changed);
    }
    assert_true(taken > 0); /* bits of figures, which are what they are */
    close_ground(&g);
}

/* Whoever says more than there can be gets no memory for it. */
static void counts_have_limits(void **state)
{
    const size_t counts[][3] = {{VERDICT_METRICS_MAX + 1, 0, 0},
                                {0, AUDIT_CLAIMS_MAX + 1, 0},
                                {0, 0, VERDICT_CHECKS_MAX + 1}};
    static char zeros[8 << 20];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct arena arena = ARENA_INIT;
        struct verdict v = {.id = NULL};
        struct buf packed;
        buf_init(&packed, BUF_DEFAULT_MAX);
        for (size_t k = 0; k < 3; k++)
            pack_number(&packed, counts[i][k]);
        buf_add(&packed, zeros, sizeof zeros);
        struct unpack u = {.at = packed.data, .end = packed.data + packed.len};
        verdict_unpack_figures(&v, &arena, &u);
        assert_true(u.bad);
        assert_true(v.n_metrics == 0 && v.n_rows == 0 && v.n_checks == 0);
        buf_release(&packed);
        arena_release(&arena);
    }
}

/* What a verdict borrows is never taken from the bytes. */
static void it_is_about_what_was_asked(void **state)
{
    struct ground g;
    struct verdict ignored;
    static const char other[] = "0000000000000000000000000000000000000000000000000000000000000000";
    (void)state;
    open_ground(&g, "records", "fpreport", "tiny_llama");
    assert_true(take(&g, g.packed.data, g.packed.len, &ignored));
    g.known[0].sha256 = other;
    assert_false(take(&g, g.packed.data, g.packed.len, &ignored));
    g.known[0].sha256 = NULL;
    assert_false(take(&g, g.packed.data, g.packed.len, &ignored));
    g.known[0].sha256 = g.verdict.evidence[0].sha256;
    g.known[0].kase = project_case(&g.project, "llama2_7b-native");
    assert_non_null(g.known[0].kase);
    assert_false(take(&g, g.packed.data, g.packed.len, &ignored)); /* another case's reference */
    g.known[0].kase = project_case(&g.project, "tiny_llama");
    g.n = 2;
    assert_false(take(&g, g.packed.data, g.packed.len, &ignored));
    close_ground(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_come_back_whole),   cmocka_unit_test(cut_ones_are_refused),
        cmocka_unit_test(changed_ones_harm_nobody),   cmocka_unit_test(counts_have_limits),
        cmocka_unit_test(it_is_about_what_was_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
