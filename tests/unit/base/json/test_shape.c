/*
 * shape: every fault of a record is named where it stands, and what is saved is what was loaded.
 *
 * For tests/cli/records*.sh: `test_shape load KIND FILE…` prints each file's diagnostics or `FILE:
 * ok`, `save KIND FILE` the record as it is saved, `schema KIND` and `document KIND` the documents.
 */
#include "tests/unit/shape_packs.h"

#include "base/figures/figure.h"
#include "base/project/project.h"
#include "base/records/challenge.h"
#include "base/store/checkpoint.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int load_text(const struct shape *shape, const char *text, void *value, struct arena *a,
                     struct diags *d)
{
    struct json *json;
    char *copy = arena_strdup(a, text);
    diags_init(d, a);
    if (json_parse("r.json", (struct bytes){copy, strlen(copy)}, a, &json, d) < 0)
        return -1;
    return shape_load(shape, json, "r.json", value, a, d);
}

static const char *list(const struct diags *d, struct arena *a)
{
    const char *text = "";
    for (size_t i = 0; i < d->n; i++)
        text = arena_printf(a, "%s%d:%d: %s\n", text, d->items[i].line, d->items[i].col,
                            d->items[i].message);
    return text;
}

struct fault {
    const struct shape *shape;
    const char *text, *messages;
};

#define ACCELERATOR \
    "{\"schema\":\"fpreport.accelerator/1\",\"id\":\"x\",\"vendor\":\"v\",\"name\":\"X\""
#define CASE                                                                        \
    "{\"schema\":\"fpreport.case/1\",\"id\":\"c\",\"title\":\"t\",\"model\":\"m\"," \
    "\"trainer\":\"native\""
#define RESULT "{\"schema\":\"fpreport.result/1\",\"vendor\":\"v\",\"case\":\"c\""
#define FIGURE_ROW(cells)                                                                      \
    RESULT ",\n\"performance\":[{\"table\":{\"columns\":[\"配置\",\"fix_hp\",\"token/p/s\"," \
           "\"是否精度对齐\",\"mem\",\"MFU\"],\n\"rows\":[[" cells "]]}}]}"

static const struct fault faults[] = {
    {&vendor_shape, "[]", "1:1: found an array, expected an object\n"},
    {&vendor_shape, "{\"id\":\"x\",\"name\":\"X\"}",
     "1:1: found no key \"schema\", expected \"schema\": \"fpreport.vendor/1\"\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/2\",\"id\":\"x\",\"name\":\"X\"}",
     "1:11: found schema \"fpreport.vendor/2\", expected \"fpreport.vendor/1\"\n"},
    {&vendor_shape, "{\"schema\":1,\"id\":\"x\",\"name\":\"X\"}",
     "1:11: found a number, expected \"fpreport.vendor/1\"\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/1\",\"name\":\"X\"}",
     "1:1: found no key \"id\", expected it in every vendor\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/1\",\"id\":\"../x\",\"name\":\"X\"}",
     "1:36: found \"../x\", expected an id of letters, digits and . _ + -\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/1\",\"id\":\"\",\"name\":\"X\"}",
     "1:36: found \"\", expected an id of letters, digits and . _ + -\n"},
    /* several faults in one file, each at its own place */
    {&vendor_shape,
     "{\"schema\":\"fpreport.vendor/1\",\n \"ID\":\"x\",\n \"name\":{\"en\":\"X\",\"fr\":\"X\"},\n"
     " \"url\":null,\n \"aliases\":[\"a\",2,\"b\",[]]}",
     "2:2: found unknown key \"ID\" in vendor, expected one of schema, id, name, heading, url, "
     "aliases, card_tool\n"
     "3:19: found key \"fr\", expected \"zh\" or \"en\"\n"
     "3:9: found no key \"zh\", expected it beside \"en\"\n"
     "4:8: found null, expected a string\n"
     "5:17: found a number, expected a string\n"
     "5:23: found an array, expected a string\n"
     "1:1: found no key \"id\", expected it in every vendor\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/1\",\"id\":\"x\",\"name\":{\"zh\":1}}",
     "1:53: found a number, expected a string\n"},
    {&vendor_shape, "{\"schema\":\"fpreport.vendor/1\",\"id\":\"x\",\"name\":7}",
     "1:47: found a number, expected a string or {\"zh\": …, \"en\": …}\n"},
    {&accelerator_shape, ACCELERATOR ",\"memory_gib\":\"80\"}",
     "1:82: found a string, expected a number\n"},
    {&accelerator_shape, ACCELERATOR ",\"memory_gib\":-1}",
     "1:82: found -1, expected 0.001 to 100000\n"},
    {&accelerator_shape, ACCELERATOR ",\"ranks_per_card\":1.5}",
     "1:86: found 1.5, expected a whole number\n"},
    {&accelerator_shape, ACCELERATOR ",\"ranks_per_card\":0}", "1:86: found 0, expected 1 to 64\n"},
    {&accelerator_shape, ACCELERATOR ",\"ranks_per_card\":true}",
     "1:86: found a boolean, expected a whole number\n"},
    {&accelerator_shape,
     ACCELERATOR ",\n\"peaks\":[{\"precision\":\"bf17\",\"tflops\":1,\"source\":\"s\"},3]}",
     "2:23: found \"bf17\", expected one of \"fp64\", \"fp32\", \"tf32\", \"bf16\", \"fp16\", "
     "\"fp8\", \"int8\"\n2:55: found a number, expected an object\n"},
    {&accelerator_shape, ACCELERATOR ",\n\"peaks\":{}}",
     "2:9: found an object, expected an array of objects\n"},
    {&case_shape, CASE ",\"seed\":9007199254740993}", ""}, /* reads as 2^53 */
    {&case_shape, CASE ",\"seed\":1e17}", "1:88: found 1e17, expected 0 to 9007199254740992\n"},
    {&case_shape, CASE ",\"seed\":-1}", "1:88: found -1, expected 0 to 9007199254740992\n"},
    {&case_shape, CASE ",\"steps\":1e2}", ""},
    {&case_shape, CASE ",\"data\":{\"kind\":\"npy\",\"sha256\":\"ABC\"}}",
     "1:111: found \"ABC\", expected 64 lower-case hexadecimal digits\n"},
    {&case_shape, CASE ",\"alignment\":{\"reference\":\"a/../../etc/passwd\"}}",
     "1:106: found \"a/../../etc/passwd\", expected a relative path whose parts do not begin with "
     "'.'\n"},
    {&case_shape, CASE ",\"alignment\":{\"reference\":\"/etc/passwd\"}}",
     "1:106: found \"/etc/passwd\", expected a relative path whose parts do not begin with '.'\n"},
    {&case_shape, CASE ",\"parallel\":[]}", "1:92: found an array, expected an object\n"},
    {&result_shape,
     RESULT ",\"withdrawn\":{\"date\":\"2024-13-01\",\"by\":\"x\",\"reason\":\"y\"}}",
     "1:75: found \"2024-13-01\", expected a date as YYYY-MM-DD\n"},
    {&result_shape,
     RESULT ",\"withdrawn\":{\"date\":\"2026-02-29\",\"by\":\"x\",\"reason\":\"y\"}}",
     "1:75: found \"2026-02-29\", expected a date as YYYY-MM-DD\n"},
    {&result_shape, RESULT ",\"extras\":[{\"place\":\"top\",\"text\":\"x\"}]}",
     "1:74: found \"top\", expected one of \"title\", \"environment\", \"run\", \"batch\", "
     "\"general\"\n"},
    {&result_shape,
     RESULT ",\n\"performance\":[{}, {\"text\":\"a\",\n\"table\":{\"columns\":[],"
            "\"rows\":[]}}]}",
     "2:16: found neither \"text\" nor \"table\", expected either \"text\" or \"table\"\n"
     "2:20: found both \"text\" and \"table\", expected either \"text\" or \"table\"\n"},
    {&result_shape,
     RESULT ",\n\"general\":{\"columns\":[\"a\"],\"rows\":[[\"x\"],\"y\",[1,{\"as\":"
            "\"z\"},{\"as_published\":\"z\",\"b\":\"\"}]]}}",
     "2:42: found a string, expected an array of cells\n"
     "2:47: found a number, expected a string or {\"as_published\": \"…\"}\n"
     "2:49: found an object, expected a string or {\"as_published\": \"…\"}\n"
     "2:60: found an object, expected a string or {\"as_published\": \"…\"}\n"},
    /* figures */
    {&result_shape,
     FIGURE_ROW("\"A100 1机8卡（1x8）\",\"/\",\"2068\",\"True\",\"77/80\",\"80.83.2%\""),
     "3:53: '80.83.2%' is not a number, expected a figure such as 2068, 16.3%, 77/80, `/` "
     "(withheld) or OOM\n"},
    {&result_shape, FIGURE_ROW("\"x\",\"80.83.2%\",\"fast\",\"anything\",\"True\",\"\""),
     "3:25: 'fast' is not a number, expected a figure such as 2068, 16.3%, 77/80, `/` "
     "(withheld) or OOM\n"
     "3:43: 'True' is not a number, expected a figure such as 2068, 16.3%, 77/80, `/` "
     "(withheld) or OOM\n"},
    {&result_shape, FIGURE_ROW("\"x\",\"\",{\"as_published\":\"80.83.2%\"},\"\",\"OOM\",\"/\""),
     ""},
    {&result_shape, FIGURE_ROW("\"x\",\"\",\"1\",\"\",\"doing*\",\"\",\"one cell too many\""), ""},
    {&result_shape, FIGURE_ROW("\"x\""), ""},
};

static void faults_are_named_where_they_stand(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault *f = &faults[i];
        struct diags d;
        void *value = arena_alloc(&a, f->shape->size);
        int rc = load_text(f->shape, f->text, value, &a, &d);
        const char *got = list(&d, &a);
        if (strcmp(got, f->messages) != 0)
            fail_msg("%s\n  gave\n%s  expected\n%s", f->text, got, f->messages);
        assert_int_equal(rc, *f->messages ? -1 : 0);
    }
    arena_release(&a);
}

/* The other table of the page is not one of figures: words may stand in it. */
static void only_tables_of_figures_hold_figures(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct result r;
    const struct table **tables;
    static const char text[] =
        RESULT ",\"general\":{\"columns\":[\"指标名称\",\"MFU\"],\"rows\":[[\"x\",\"see 3.4.5\"]]},"
               "\"performance\":[{\"text\":\"p\"},{\"table\":{\"columns\":[\"机器+模型\",\"MFU\"],"
               "\"rows\":[[\"x\",\"words\"]]}},{\"table\":{\"columns\":[\"配置\",\"loss\"],"
               "\"rows\":[[\"x\",\"2.07\"]]}}]}";
    assert_int_equal(load_text(&result_shape, text, &r, &a, &d), 0);
    assert_int_equal(result_figure_tables(&r, &a, &tables), 1);
    assert_string_equal(tables[0]->rows[0].cells[1].text, "2.07");
    assert_int_equal(tables[0]->rows[0].cells[1].line, 1);
    assert_true(tables[0]->rows[0].figures[1].value == 2.07);
    assert_true(result_is_figure("备注", figure_read("words", &a)));
    assert_false(result_is_figure("loss", figure_read("words", &a)));
    arena_release(&a);
}

/* Every field of every shape, with a value that no other field has. */
static void fill(const struct shape *shape, void *value, struct arena *a, int depth, long *next);

static void fill_rows(struct row **rows, size_t *n, struct arena *a, long *next)
{
    *rows = arena_array(a, *n = 2, sizeof **rows);
    for (size_t r = 0; r < 2; r++) {
        (*rows)[r].n_cells = r + 1;
        (*rows)[r].cells = arena_array(a, r + 1, sizeof(struct cell));
        for (size_t c = 0; c <= r; c++)
            (*rows)[r].cells[c] = (struct cell){.text = arena_printf(a, "显\"%ld\n", (*next)++),
                                                .as_published = c == 1};
    }
}

static const char *some_text(const struct field *f, struct arena *a, long n)
{
    switch (f->kind) {
    case FIELD_CHOICE:
        return f->choices[0];
    case FIELD_SHA256:
        return arena_printf(a, "%064lx", n);
    case FIELD_DATE:
        return arena_printf(a, "2024-02-%02ld", n % 28 + 1);
    case FIELD_ID:
    case FIELD_PATH:
        return arena_printf(a, "id%ld", n);
    default:
        return arena_printf(a, "显存 \\ \"%ld\"\t", n);
    }
}

static void fill_field(const struct field *f, void *value, struct arena *a, int depth, long *next)
{
    char *at = (char *)value + f->at;
    size_t *n = (size_t *)((char *)value + f->at_n);
    long number = (*next)++;
    switch (f->kind) {
    case FIELD_WORDS:
        *(struct words *)at = (struct words){arena_printf(a, "中%ld", number),
                                             number % 2 ? arena_printf(a, "en%ld", number) : NULL};
        break;
    case FIELD_REAL:
        *(double *)at =
            f->max ? f->min + (f->max - f->min) / (3 + (double)number) : (double)number + 0.1;
        break;
    case FIELD_COUNT:
        *(long long *)at = (long long)f->min + 1;
        break;
    case FIELD_FLAG:
        *(bool *)at = true;
        break;
    case FIELD_NAMED:
        *(int *)at = 1;
        break;
    case FIELD_TEXTS:
        *(const char ***)at = arena_array(a, *n = 2, sizeof(char *));
        (*(const char ***)at)[0] = "";
        (*(const char ***)at)[1] = arena_printf(a, "%ld", number);
        break;
    case FIELD_OBJECT:
        fill(f->shape, *(void **)at = arena_alloc(a, f->shape->size), a, depth + 1, next);
        break;
    case FIELD_OBJECTS:
        *(void **)at = arena_array(a, *n = depth > 6 ? 0 : 2, f->shape->size);
        for (size_t i = 0; i < *n; i++)
            fill(f->shape, *(char **)at + i * f->shape->size, a, depth + 1, next);
        break;
    case FIELD_ROWS:
        fill_rows((struct row **)at, n, a, next);
        break;
    default:
        *(const char **)at = some_text(f, a, number);
    }
}

static void fill(const struct shape *shape, void *value, struct arena *a, int depth, long *next)
{
    shape_init(shape, value);
    for (size_t i = 0; i < shape->n_fields; i++)
        fill_field(&shape->fields[i], value, a, depth, next);
}

/* What rules of more than one field want: a block is prose or a table, evidence lies in its place.
 */
static void settle(struct result *r)
{
    for (size_t i = 0; i < r->n_performance; i++) {
        if (i % 2)
            r->performance[i].table = NULL;
        else
            r->performance[i].text = (struct words){NULL, NULL};
    }
    for (size_t i = 0; i < r->n_evidence; i++)
        r->evidence[i].archive = "evidence/e.tar.zst";
}

/* Its round and seed follow from the others. */
static void settle_challenge(struct challenge *c, struct arena *a)
{
    c->key = "";
    c->round = arena_printf(a, "%s-%.12s", c->date, c->nonce);
    c->seed = challenge_seed(c);
}

/* Of its kinds, the one that came; times have their own form. */
static void settle_entry(struct store_entry *e)
{
    e->kind = STORE_ADDED;
    e->time = "2026-11-22T16:00:00Z";
    e->clock = "2026-11-21T16:00:00Z";
    e->by = e->publish = e->of = NULL;
    e->n_withheld = 0;
    e->reason = (struct words){NULL, NULL};
}

static void what_is_saved_is_what_was_loaded(void **state)
{
    (void)state;
    for (const struct shape *const *s = project_shapes; *s; s++) {
        struct arena a = ARENA_INIT;
        struct diags d;
        struct buf once, twice;
        long next = 1;
        void *made = arena_alloc(&a, (*s)->size), *read = arena_alloc(&a, (*s)->size);
        fill(*s, made, &a, 0, &next);
        if (*s == &result_shape)
            settle(made);
        else if (*s == &vendor_shape)
            ((struct vendor *)made)->card_tool = NULL; /* its texts are patterns */
        else if (*s == &challenge_shape)
            settle_challenge(made, &a);
        else if (*s == &store_entry_shape)
            settle_entry(made);
        else if (*s == &checkpoint_shape)
            ((struct checkpoint *)made)->date = "2026-11-22T16:00:00Z";
        buf_init(&once, BUF_DEFAULT_MAX);
        buf_init(&twice, BUF_DEFAULT_MAX);
        shape_save_text(*s, made, &once);
        if (load_text(*s, once.data, read, &a, &d) < 0)
            fail_msg("%s\n%s", once.data, list(&d, &a));
        assert_null(shape_diff(*s, made, read, &a));
        shape_save_text(*s, read, &twice);
        assert_string_equal(once.data, twice.data);
        assert_packs(*s, read, &a);
        assert_true(next > 4);
        buf_release(&once);
        buf_release(&twice);
        arena_release(&a);
    }
}

/* Change each scalar of a filled record in turn: the comparison has to see every one of them. */
static void differences_are_named_by_their_path(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct result r, other;
    static const char text[] =
        RESULT ",\"environments\":[{\"title\":\"t\",\"groups\":[{\"label\":\"g\",\"items\":["
               "{\"label\":\"os\",\"value\":\"1\"}]}]}],\"general\":{\"columns\":[\"a\"],\"rows\":"
               "[[\"x\",\"y\"]]},\"evidence\":[{\"archive\":\"evidence/e.tar.zst\",\"sha256\":"
               "\"0000000000000000000000000000000000000000000000000000000000000000\"}]}";
    static const struct {
        const char *from, *to, *diff;
    } changes[] = {
        {"\"v\"", "\"w\"", "vendor: \"v\" is not \"w\""},
        {"\"os\"", "\"OS\"", "environments[0].groups[0].items[0].label: \"os\" is not \"OS\""},
        {"\"label\":\"os\",", "", "environments[0].groups[0].items[0].label: \"os\" is not absent"},
        {"\"value\":\"1\"", "\"value\":\"1\",\"plain\":true",
         "environments[0].groups[0].items[0].plain: differs"},
        {"[\"x\",\"y\"]", "[\"x\",{\"as_published\":\"y\"}]",
         "general.rows[0][1]: only one of the two compared cells has the form as_published"},
        {"[\"x\",\"y\"]", "[\"x\"]", "general.rows[0]: 2 cells, not 1"},
        {"[\"x\",\"y\"]", "[\"x\",\"\"]", "general.rows[0][1]: \"y\" is not \"\""},
        {"[[\"x\",\"y\"]]", "[]", "general.rows: 1 entries, not 0"},
        {"\"columns\":[\"a\"]", "\"columns\":[\"b\"]", "general.columns[0]: \"a\" is not \"b\""},
        {"\"archive\":\"evidence/e.tar.zst\"", "\"archive\":\"evidence/e.tar.zst\",\"row\":2",
         "evidence[0].row: 0 is not 2"},
    };
    assert_int_equal(load_text(&result_shape, text, &r, &a, &d), 0);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *at = strstr(text, changes[i].from);
        assert_non_null(at);
        const char *changed = arena_printf(&a, "%.*s%s%s", (int)(at - text), text, changes[i].to,
                                           at + strlen(changes[i].from));
        if (load_text(&result_shape, changed, &other, &a, &d) < 0)
            fail_msg("%s\n%s", changed, list(&d, &a));
        assert_string_equal(shape_diff(&result_shape, &r, &other, &a), changes[i].diff);
    }
    const char *spread = arena_printf(&a, "\n\n  %s", text);
    assert_int_equal(load_text(&result_shape, spread, &other, &a, &d), 0);
    assert_int_equal(other.line, 3);
    assert_null(shape_diff(&result_shape, &r, &other, &a)); /* lines do not count */
    arena_release(&a);
}

static void a_huge_file_is_refused_at_once(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct result r;
    char path[] = "/tmp/fpreport-test-XXXXXX";
    struct timespec from, to;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && ftruncate(fd, (off_t)1 << 30) == 0);
    close(fd);
    diags_init(&d, &a);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    assert_int_equal(shape_load_file(&result_shape, path, &r, &a, &d), -1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    assert_int_equal(d.n, 1);
    assert_string_equal(list(&d, &a), "1:1: found 1073741824 bytes, expected at most 4194304\n");
    double spent = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    assert_true(spent < 0.1); /* of processor: to read a gigabyte takes longer */
    unlink(path);
    arena_release(&a);
}

static void a_thousand_faults_are_counted(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags d;
    struct vendor v;
    struct buf b;
    buf_init(&b, BUF_DEFAULT_MAX);
    buf_str(&b, "{\"schema\":\"fpreport.vendor/1\",\"id\":\"x\",\"name\":\"X\",\"aliases\":[0");
    for (int i = 1; i < 5000; i++)
        buf_str(&b, ",0");
    buf_str(&b, "]}");
    assert_int_equal(load_text(&vendor_shape, b.data, &v, &a, &d), -1);
    assert_int_equal(d.n, DIAGS_MAX);
    assert_int_equal(d.errors, 5000);
    buf_release(&b);
    arena_release(&a);
}

static int tool_load(const struct shape *shape, const char *path)
{
    struct arena a = ARENA_INIT;
    struct diags d;
    void *value = arena_alloc(&a, shape->size);
    diags_init(&d, &a);
    int rc = shape_load_file(shape, path, value, &a, &d);
    for (size_t i = 0; i < d.n; i++)
        printf("%s:%d:%d: %s: %s\n", d.items[i].file, d.items[i].line, d.items[i].col,
               severity_name(d.items[i].severity), d.items[i].message);
    if (rc == 0)
        printf("%s: ok\n", path);
    arena_release(&a);
    return rc;
}

static int tool_save(const struct shape *shape, const char *path)
{
    struct arena a = ARENA_INIT;
    struct diags d;
    struct buf out;
    void *value = arena_alloc(&a, shape->size);
    diags_init(&d, &a);
    buf_init(&out, BUF_DEFAULT_MAX);
    int rc = shape_load_file(shape, path, value, &a, &d);
    if (rc == 0)
        shape_save_text(shape, value, &out);
    fwrite(out.data, 1, out.len, stdout);
    buf_release(&out);
    arena_release(&a);
    return rc;
}

static int tool_print(void (*print)(const struct shape *, struct buf *), const struct shape *shape)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    print(shape, &out);
    fwrite(out.data, 1, out.len, stdout);
    buf_release(&out);
    return 0;
}

static int tool(int argc, char **argv)
{
    const struct shape *shape = project_shape(argv[2]);
    int rc = 0;
    if (!shape)
        return 2;
    if (strcmp(argv[1], "schema") == 0)
        return tool_print(shape_schema, shape);
    if (strcmp(argv[1], "document") == 0)
        return tool_print(shape_document, shape);
    for (int i = 3; i < argc; i++)
        rc |= strcmp(argv[1], "save") == 0 ? tool_save(shape, argv[i]) : tool_load(shape, argv[i]);
    return rc ? 1 : 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_named_where_they_stand),
        cmocka_unit_test(only_tables_of_figures_hold_figures),
        cmocka_unit_test(what_is_saved_is_what_was_loaded),
        cmocka_unit_test(differences_are_named_by_their_path),
        cmocka_unit_test(a_huge_file_is_refused_at_once),
        cmocka_unit_test(a_thousand_faults_are_counted),
    };
    return argc > 2 ? tool(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
