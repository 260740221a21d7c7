/* Verdicts as they are handed on, as JSON and as bytes: the same again, and nothing else is taken
 * for one. */
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "base/json/shape_pack.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verdicts/shape.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

#define MORE_MAX 64

struct ground {
    struct arena arena, taken; /* taken: of the last that was taken, and not of all before it */
    struct diags diags;
    struct project project;
    const struct result *result;
    struct verdict verdict;
    struct verdict_evidence known[MORE_MAX];
    size_t n;
    struct buf packed;
    bool bytes; /* not JSON */
};

static void hand_on(const struct ground *g, const struct verdict *v, struct buf *out)
{
    buf_init(out, BUF_DEFAULT_MAX);
    (g->bytes ? shape_pack : shape_hand_on)(&verdict_shape, v, out);
}

static void open_ground(struct ground *g, const char *root, const char *vendor, const char *case_id,
                        bool bytes)
{
    g->bytes = bytes;
    arena_init(&g->arena);
    arena_init(&g->taken);
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
    hand_on(g, &g->verdict, &g->packed);
}

static void close_ground(struct ground *g)
{
    buf_release(&g->packed);
    arena_release(&g->taken);
    arena_release(&g->arena);
}

static bool take(struct ground *g, const char *bytes, size_t n, struct verdict *out)
{
    struct unpack u = unpack_answer(bytes, n);
    arena_release(&g->taken);
    if (g->bytes)
        shape_unpack(&verdict_shape, out, &g->taken, &u);
    if (g->bytes ? !unpack_end(&u)
                 : !shape_take(&verdict_shape, (struct bytes){bytes, n}, out, &g->taken))
        return false;
    out->result = g->result;
    return verdict_take(out, &g->project, g->known, g->n);
}

static void as_json(const struct verdict *v, struct buf *out)
{
    buf_init(out, BUF_DEFAULT_MAX);
    verdicts_json(&(struct verdicts){.items = v, .n = 1}, out);
}

static void same_again(const char *root, const char *vendor, const char *case_id, bool bytes)
{
    struct ground g;
    struct verdict back;
    struct buf before, after, again;
    open_ground(&g, root, vendor, case_id, bytes);
    assert_true(bytes || strstr(g.packed.data, "\"sentence\": {"));
    assert_true(take(&g, g.packed.data, g.packed.len, &back));
    as_json(&g.verdict, &before);
    as_json(&back, &after);
    assert_string_equal(before.data, after.data);
    hand_on(&g, &back, &again);
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
    for (int bytes = 0; bytes < 2; bytes++) {
        same_again("records", "fpreport", "tiny_llama", bytes);
        same_again("records", "fpreport", "llama2_7b-native", bytes);
        same_again("tests/golden/build/records", "globex", "tiny_llama", bytes);
    }
}

static void refuse_cut_ones(bool bytes)
{
    struct ground g;
    struct verdict ignored;
    open_ground(&g, "tests/golden/build/records", "globex", "tiny_llama", bytes);
    for (size_t n = 0; n < g.packed.len; n += UNDER_ASAN ? 7 : 1) {
        char *cut = malloc(n ? n : 1); /* so that a sanitizer sees who reads behind it */
        memcpy(cut, g.packed.data, n);
        assert_false(take(&g, cut, n, &ignored));
        free(cut);
    }
    close_ground(&g);
}

static void cut_ones_are_refused(void **state)
{
    (void)state;
    refuse_cut_ones(false);
    refuse_cut_ones(true);
}

/* What evidence says may be no UTF-8. */
static void bytes_of_other_text_are_shown(void **state)
{
    struct ground g;
    struct verdict back, said;
    struct buf packed;
    (void)state;
    open_ground(&g, "records", "fpreport", "tiny_llama", true);
    said = g.verdict;
    said.only = "FP1\xff\xe4\xb8 FP2\xe5\xad\x97";
    hand_on(&g, &said, &packed);
    assert_true(take(&g, packed.data, packed.len, &back));
    assert_string_equal(back.only, "FP1\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd FP2\xe5\xad\x97");
    buf_release(&packed);
    close_ground(&g);
}

/* Whatever a worker answers: nothing is read that is not there, and what is taken can be shown. */
static void take_changed_ones(bool bytes)
{
    struct ground g;
    struct verdict back;
    size_t taken = 0;
    open_ground(&g, "tests/golden/build/records", "globex", "tiny_llama", bytes);
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < (UNDER_ASAN ? 600 : 3000); i++) {
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

static void changed_ones_harm_nobody(void **state)
{
    (void)state;
    take_changed_ones(false);
    take_changed_ones(true);
}

/* Whoever says more than there can be is refused: `n` metrics, rows or checks. */
static bool takes_lists(const char *const lists[3], const size_t n[3])
{
    struct arena arena = ARENA_INIT;
    struct verdict v;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    buf_str(&text, "{\"state\": \"failed\", \"evidence\": [], \"reproductions\": []");
    static const char *const items[] = {
        "{\"name\": \"mfu\", \"outcome\": \"PASS\"}", "{}",
        ("{\"rule\": \"FP1001\", \"outcome\": \"PASS\", \"line\": 0, "
         "\"message\": \"\", \"severity\": \"error\"}")};
    for (size_t k = 0; k < 3; k++) {
        buf_printf(&text, ", \"%s\": [", lists[k]);
        for (size_t i = 0; i < n[k]; i++)
            buf_printf(&text, "%s%s", i ? ", " : "", items[k]);
        buf_char(&text, ']');
    }
    buf_char(&text, '}');
    bool taken = shape_take(&verdict_shape, (struct bytes){text.data, text.len}, &v, &arena);
    buf_release(&text);
    arena_release(&arena);
    return taken;
}

static void counts_have_limits(void **state)
{
    static const char *const lists[] = {"metrics", "rows", "checks"};
    (void)state;
    assert_true(takes_lists(lists, (const size_t[]){1, 1, 1}));
    assert_true(takes_lists(lists, (const size_t[]){0, AUDIT_CLAIMS_MAX, 0}));
    assert_false(takes_lists(lists, (const size_t[]){VERDICT_METRICS_MAX + 1, 0, 0}));
    assert_false(takes_lists(lists, (const size_t[]){0, AUDIT_CLAIMS_MAX + 1, 0}));
    assert_false(takes_lists(lists, (const size_t[]){0, 0, VERDICT_CHECKS_MAX + 1}));
}

static bool takes_sentence(const char *sentence)
{
    struct arena arena = ARENA_INIT;
    struct verdict v;
    const char *text = arena_printf(
        &arena,
        "{\"state\": \"failed\", \"metrics\": [], \"rows\": [], \"evidence\": [], "
        "\"reproductions\": [], \"checks\": [{\"rule\": \"FP1001\", \"outcome\": \"FAIL\", "
        "\"line\": 0, \"message\": \"\", \"severity\": \"error\", \"sentence\": %s}]}",
        sentence);
    bool taken = shape_take(&verdict_shape, (struct bytes){text, strlen(text)}, &v, &arena);
    arena_release(&arena);
    return taken;
}

static void sentences_have_limits(void **state)
{
    struct arena arena = ARENA_INIT;
    const char *deep = "{\"text\": \"a\"}";
    (void)state;
    assert_true(takes_sentence("{\"text\": \"a\", \"format\": \"a\"}"));
    assert_false(takes_sentence("{\"format\": \"a\"}"));
    assert_false(takes_sentence("{\"text\": \"a\", \"zh\": \"a\"}"));
    for (int depth = 0; depth <= SENTENCE_DEPTH_MAX + 1; depth++) {
        assert_int_equal(takes_sentence(deep), depth <= SENTENCE_DEPTH_MAX);
        deep = arena_printf(&arena, "{\"text\": \"a\", \"values\": [%s]}", deep);
    }
    arena_release(&arena);
}

/* What no writer of ours writes. */
static void other_json_is_refused(void **state)
{
    static const char all[] =
        "\"state\": \"failed\", \"metrics\": [], \"rows\": [], \"checks\": [], "
        "\"evidence\": [], \"reproductions\": []";
    static const struct {
        const char *more;
        bool taken;
    } rows[] = {
        {"", true},
        {", \"machine\": \"\\u00e9\\ud83d\\ude00\\n\"", true},
        {", \"machine\": null", false},
        {", \"machine\": \"a\", \"machine\": \"b\"", false}, /* twice */
        {", \"machine\": \"\\ud83d\"", false},
        {", \"machine\": \"\\u0000\"", false},
        {", \"machine\": \"\\x\"", false},
        {", \"machine\": \"\xff\"", false},
        {", \"machine\": \"\n\"", false},
        {", \"machine\": 1", false},
        {", \"findings\": []", false}, /* of documents */
        {", \"other\": 1", false},
        {",", false},
        {"}", false},
        {", \"id\": \"a\"} ", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = ARENA_INIT;
        struct verdict v;
        const char *text = arena_printf(&arena, "{%s%s}", all, rows[i].more);
        bool taken = shape_take(&verdict_shape, (struct bytes){text, strlen(text)}, &v, &arena);
        if (taken != rows[i].taken)
            fail_msg("%s: %s", taken ? "taken" : "refused", text);
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
    open_ground(&g, "records", "fpreport", "tiny_llama", false);
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
        cmocka_unit_test(verdicts_come_back_whole),
        cmocka_unit_test(cut_ones_are_refused),
        cmocka_unit_test(changed_ones_harm_nobody),
        cmocka_unit_test(counts_have_limits),
        cmocka_unit_test(it_is_about_what_was_asked),
        cmocka_unit_test(other_json_is_refused),
        cmocka_unit_test(sentences_have_limits),
        cmocka_unit_test(bytes_of_other_text_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
