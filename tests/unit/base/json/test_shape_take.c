/* What is handed on comes back, and nothing else is taken for it (shape_hand_on, shape_take). */
#include "tests/unit/unit.h"

#include "base/json/shape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum colour { RED, GREEN, BLUE };
static const char *const colours[] = {"red", "green", "blue", NULL};

struct leaf {
    const char *name;
    long long count;
};

struct tree {
    const char *text, *null_text, *sum, *pick, *shown;
    double real, null_real;
    double *x, *y;
    size_t n_reals, size;
    int place;
    enum colour colour;
    bool flag;
    const char **texts;
    size_t n_texts;
    struct leaf *leaves, inside, *one;
    size_t n_leaves;
    struct tree *trees;
    size_t n_trees;
};

static const struct field leaf_fields[] = {
    {.key = "name", .kind = FIELD_TEXT, .required = true, FIELD_AT(struct leaf, name)},
    {.key = "count", .kind = FIELD_COUNT, .max = 1000, FIELD_AT(struct leaf, count)},
};

/* Two fields that go together. */
static void check_leaf(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct leaf *l = value;
    if (l->name && strcmp(l->name, "none") == 0 && l->count)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col, "found a count");
}

static const struct shape leaf_shape = {.name = "leaf",
                                        .size = sizeof(struct leaf),
                                        .unplaced = true,
                                        .check = check_leaf,
                                        SHAPE_FIELDS(leaf_fields)};

static const struct shape tree_shape;

#define REALS(member) \
    .kind = FIELD_REALS, .at = offsetof(struct tree, member), .at_n = offsetof(struct tree, n_reals)

static const struct field tree_fields[] = {
    {.key = "text", .kind = FIELD_TEXT, FIELD_AT(struct tree, text)},
    {.key = "null_text", .kind = FIELD_TEXT, .null = true, FIELD_AT(struct tree, null_text)},
    {.key = "sum", .kind = FIELD_SHA256, FIELD_AT(struct tree, sum)},
    {.key = "pick", .kind = FIELD_CHOICE, .choices = colours, FIELD_AT(struct tree, pick)},
    {.key = "shown", .kind = FIELD_TEXT, .side = FIELD_SHOWN, FIELD_AT(struct tree, shown)},
    {.key = "real", .kind = FIELD_REAL, .min = 1, .max = 2, FIELD_AT(struct tree, real)},
    {.key = "null_real", .kind = FIELD_REAL, .null = true, FIELD_AT(struct tree, null_real)},
    {.key = "x", REALS(x)},
    {.key = "y", REALS(y)},
    {.key = "size", .kind = FIELD_SIZE, FIELD_AT(struct tree, size)},
    {.key = "place", .kind = FIELD_PLACE, FIELD_AT(struct tree, place)},
    {.key = "colour", .kind = FIELD_NAMED, .choices = colours, FIELD_AT(struct tree, colour)},
    {.key = "flag", .kind = FIELD_FLAG, .side = FIELD_HANDED_ON, FIELD_AT(struct tree, flag)},
    {.key = "texts", .kind = FIELD_TEXTS, FIELD_LIST_AT(struct tree, texts)},
    {.key = "leaves",
     .kind = FIELD_OBJECTS,
     .shape = &leaf_shape,
     .max = 3,
     FIELD_LIST_AT(struct tree, leaves)},
    {.key = "inside", .kind = FIELD_INSIDE, .shape = &leaf_shape, FIELD_AT(struct tree, inside)},
    {.key = "one", .kind = FIELD_OBJECT, .shape = &leaf_shape, FIELD_AT(struct tree, one)},
    {.key = "trees",
     .kind = FIELD_OBJECTS,
     .shape = &tree_shape,
     FIELD_LIST_AT(struct tree, trees)},
};

static const struct shape tree_shape = {
    .name = "tree", .size = sizeof(struct tree), .unplaced = true, SHAPE_FIELDS(tree_fields)};

static bool take(const char *text, size_t n, struct tree *out, struct arena *arena)
{
    char *own = malloc(n ? n : 1); /* so that a sanitizer sees who reads behind it */
    memcpy(own, text, n);
    bool taken = shape_take(&tree_shape, (struct bytes){own, n}, out, arena);
    memset(own, '!', n); /* nothing is borrowed */
    free(own);
    return taken;
}

static struct tree full_tree(void)
{
    static double x[] = {0.1, -0.0, 1e308}, y[] = {NAN, INFINITY, 5e-324};
    static const char *texts[] = {"", "a \"b\" \\ / \n\t\x01\x7f \xE2\x80\xAE \xF0\x9F\x98\x80"};
    static struct leaf leaves[] = {{"a", 1000}, {"b", 0}}, one = {"c", 1};
    static struct tree inner;
    shape_init(&tree_shape, &inner);
    inner.inside.name = "inner";
    return (struct tree){.text = texts[1],
                         .sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                         .pick = "blue",
                         .shown = "not handed on",
                         .real = 1.0000000000000002,
                         .null_real = -INFINITY,
                         .x = x,
                         .y = y,
                         .n_reals = 3,
                         .size = (size_t)1 << 53,
                         .place = INT_MAX,
                         .colour = BLUE,
                         .flag = true,
                         .texts = texts,
                         .n_texts = 2,
                         .leaves = leaves,
                         .n_leaves = 2,
                         .inside = {"d", 7},
                         .one = &one,
                         .trees = &inner,
                         .n_trees = 1};
}

static void expect_full(const struct tree *t)
{
    const struct tree full = full_tree();
    assert_string_equal(t->text, full.text);
    assert_null(t->null_text);
    assert_string_equal(t->sum, full.sum);
    assert_string_equal(t->pick, "blue");
    assert_null(t->shown);
    assert_true(t->real == full.real && t->null_real == -INFINITY);
    assert_int_equal(t->n_reals, 3);
    assert_memory_equal(t->x, full.x, 3 * sizeof *t->x);
    assert_memory_equal(t->y, full.y, 3 * sizeof *t->y);
    assert_true(t->size == full.size && t->place == INT_MAX && t->colour == BLUE && t->flag);
    assert_int_equal(t->n_texts, 2);
    assert_string_equal(t->texts[0], "");
    assert_string_equal(t->texts[1], full.text);
    assert_int_equal(t->n_leaves, 2);
    assert_string_equal(t->leaves[1].name, "b");
    assert_true(t->leaves[0].count == 1000 && t->leaves[1].count == 0);
    assert_true(t->inside.count == 7 && t->one->count == 1);
    assert_int_equal(t->n_trees, 1);
    assert_string_equal(t->trees[0].inside.name, "inner");
    assert_true(isnan(t->trees[0].real) && isnan(t->trees[0].null_real));
    assert_true(!t->trees[0].x && !t->trees[0].one && !t->trees[0].n_texts);
}

static void every_kind_comes_back(void **state)
{
    struct arena arena = ARENA_INIT;
    struct tree full = full_tree(), back;
    struct buf text, again;
    (void)state;
    buf_init(&text, BUF_DEFAULT_MAX);
    buf_init(&again, BUF_DEFAULT_MAX);
    shape_hand_on(&tree_shape, &full, &text);
    assert_null(memchr(text.data, '\n', text.len));
    assert_true(take(text.data, text.len, &back, &arena));
    expect_full(&back);
    shape_hand_on(&tree_shape, &back, &again);
    assert_string_equal(again.data, text.data);
    for (size_t n = 0; n < text.len; n++)
        assert_false(take(text.data, n, &back, &arena));
    buf_release(&text);
    buf_release(&again);
    arena_release(&arena);
}

static void each_text_is_taken_or_refused(void **state)
{
    static const struct {
        const char *members;
        bool taken;
    } rows[] = {
        {"", true},
        {" \n", true},
        {"\t", false},
        {",", false},
        {"}", false},
        {"\"text\":\"a\"", true},
        {"\"text\":\"a\",", false},
        {"\"text\" :\"a\"", true}, /* blanks, as a writer may put them */
        {"\"text\":\"a\" \"place\":1", false},
        {"\"text\":\"a\",\"text\":\"a\"", false},
        {"\"other\":1", false},
        {"\"tex\":\"a\"", false},
        {"\"schema\":\"a\"", false},
        {"\"shown\":\"a\"", false},
        {"text:\"a\"", false},
        {"\"text\":\"\\u00e9\\ud83d\\ude00\\\"\\/\\b\"", true},
        {"\"text\":\"\\ud83d\"", false},
        {"\"text\":\"\\ud83d\\u0041\"", false},
        {"\"text\":\"\\ude00\"", false},
        {"\"text\":\"\\u0000\"", false},
        {"\"text\":\"\\u00g0\"", false},
        {"\"text\":\"\\x\"", false},
        {"\"text\":\"\\", false},
        {"\"text\":\"\n\"", false},
        {"\"text\":\"\xff\"", false},
        {"\"text\":null", false},
        {"\"text\":1", false},
        {"\"text\":[\"a\"]", false},
        {"\"null_text\":null", true},
        {"\"sum\":\"abc\"", false},
        {"\"pick\":\"green\"", true},
        {"\"pick\":\"black\"", false},
        {"\"colour\":\"green\"", true},
        {"\"colour\":\"black\"", false},
        {"\"colour\":1", false},
        {"\"real\":1.5", true},
        {"\"real\":0.5", false},
        {"\"real\":\"inf\"", false},
        {"\"real\":1.5.5", false},
        {"\"real\":+", false},
        {"\"real\":", false},
        {"\"null_real\":\"inf\"", true},
        {"\"null_real\":null", true},
        {"\"null_real\":1e999", false},
        {"\"null_real\":nan", false},
        {"\"place\":2147483647", true},
        {"\"place\":2147483648", false},
        {"\"place\":-1", false},
        {"\"place\":1.5", false},
        {"\"size\":9007199254740992", true},
        {"\"size\":9007199254740994", false},
        {"\"size\":-1", false},
        {"\"flag\":true", true},
        {"\"flag\":1", false},
        {"\"x\":\"AAAAAAAA8D8=\"", true},
        {"\"x\":\"AAAAAAAA8D8=\",\"y\":\"AAAAAAAA8D8=\"", true},
        {"\"x\":\"AAAAAAAA8D8=\",\"y\":\"AAAAAAAA8D8AAAAAAADwPw==\"", false}, /* one and two */
        {"\"x\":\"AAAA\"", false},
        {"\"x\":\"AAAAAAAA8D8\\u003d\"", false},
        {"\"x\":\"?\"", false},
        {"\"texts\":[]", true},
        {"\"texts\":[\"a\",]", false},
        {"\"texts\":[1]", false},
        {"\"texts\":{}", false},
        {"\"leaves\":[{\"name\":\"a\"},{\"name\":\"a\"},{\"name\":\"a\"}]", true},
        {"\"leaves\":[{\"name\":\"a\"},{\"name\":\"a\"},{\"name\":\"a\"},{\"name\":\"a\"}]", false},
        {"\"leaves\":[{}]", false}, /* what is required */
        {"\"leaves\":[{\"name\":\"a\"} {\"name\":\"a\"}]", false},
        {"\"one\":{\"name\":\"none\"}", true},
        {"\"one\":{\"name\":\"none\",\"count\":1}", false}, /* check_leaf */
        {"\"one\":{\"name\":\"a\",\"count\":1001}", false},
        {"\"one\":null", false},
        {"\"inside\":[]", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = ARENA_INIT;
        struct tree tree;
        const char *text = arena_printf(&arena, "{%s}", rows[i].members);
        bool taken = take(text, strlen(text), &tree, &arena);
        if (taken != rows[i].taken)
            fail_msg("%s: %s", taken ? "taken" : "refused", text);
        arena_release(&arena);
    }
}

/* `n` times the first, then what stands between, then `n` times the last. */
static bool takes_many(const char *first, const char *last, size_t n)
{
    struct arena arena = ARENA_INIT;
    struct tree tree;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++)
        buf_str(&text, first);
    buf_str(&text, "{}");
    for (size_t i = 0; i < n; i++)
        buf_str(&text, last);
    bool taken = take(text.data, text.len, &tree, &arena);
    buf_release(&text);
    arena_release(&arena);
    return taken;
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    assert_true(takes_many("{\"trees\":[", "]}", JSON_DEPTH_MAX - 1));
    assert_false(takes_many("{\"trees\":[", "]}", JSON_DEPTH_MAX));
    assert_false(takes_many("{\"trees\":[", "]}", 100000));
}

/* Objects that take a hundred times the memory of their text: no more than twice the text and 64
 * MiB is asked for. */
static bool takes_trees(size_t n)
{
    struct arena arena = ARENA_INIT;
    struct tree tree;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    buf_str(&text, "{\"trees\":[{}");
    for (size_t i = 1; i < n; i++)
        buf_str(&text, ",{}");
    buf_str(&text, "]}");
    bool taken = take(text.data, text.len, &tree, &arena);
    buf_release(&text);
    arena_release(&arena);
    return taken;
}

static void memory_has_a_limit(void **state)
{
    size_t most = ((size_t)64 << 20) / sizeof(struct tree);
    (void)state;
    assert_true(takes_trees(most / 4)); /* a list that grows takes up to three times its size */
    assert_false(takes_trees(most));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_comes_back),
        cmocka_unit_test(each_text_is_taken_or_refused),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(memory_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
