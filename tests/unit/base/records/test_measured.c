/* measured: written and read back, and what is refused. */
#include "tests/unit/unit.h"

#include "base/records/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct diags diags;
    struct facts facts;
};

static int read_text(struct fixture *f, const char *text, size_t n)
{
    memset(f, 0, sizeof *f);
    diags_init(&f->diags, &f->arena);
    return facts_read("fingerprint.json", (struct bytes){text, n}, &f->arena, &f->facts, &f->diags);
}

#define HEAD "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": [], \"measured\": "
#define ONE                                                                                 \
    "{\"key\": \"gemm_bf16\", \"unit\": \"TFLOP/s\", \"size\": 8192, \"repetitions\": 10, " \
    "\"min\": 731.2, \"median\": 742, \"max\": 745.1"
#define MANY "{\"device\": \"NVIDIA H200\", \"with\": \"CUDA 13.0\", \"ranks\": 8, \"figures\": ["
#define SINGLE "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 1, \"figures\": ["

static void figures_come_back(void **state)
{
    (void)state;
    static const char text[] =
        "{\n  \"schema\": \"fpreport.fingerprint/1\",\n  \"sha256\": \"" /* printf 'os=x\n' |
                                                                            sha256sum */
        "825071dd2f20d54b5196b47317f2c6c4824e2f3e60c0fa7ccea9be597ef7873c\",\n  \"facts\": [\n"
        "    {\"key\": \"os\", \"value\": \"x\"}\n  ],\n"
        "  \"measured\": {\n    \"device\": \"NVIDIA H200\",\n    \"with\": \"CUDA 13.0\",\n"
        "    \"ranks\": 8,\n    \"figures\": [\n"
        "      " ONE ", \"slowest\": 738.8, \"slowest_rank\": 3},\n"
        "      {\"key\": \"all_reduce\", \"unit\": \"GB/s\", \"size\": 1048576, \"repetitions\": "
        "10, "
        "\"min\": 1.5, \"median\": 2, \"max\": 2, \"slowest\": 1.5, \"slowest_rank\": 0},\n"
        "      {\"key\": \"all_reduce\", \"unit\": \"GB/s\", \"size\": 2147483648, "
        "\"repetitions\": "
        "10, \"min\": 351, \"median\": 353, \"max\": 354, \"slowest\": 352, \"slowest_rank\": 7},\n"
        "      {\"key\": \"of_tomorrow\", \"unit\": \"W\", \"size\": 7, \"repetitions\": 1, "
        "\"min\": 1, \"median\": 1, \"max\": 1, \"slowest\": 1, \"slowest_rank\": 0}\n"
        "    ]\n  }\n}\n";
    struct fixture f;
    struct buf out;
    assert_int_equal(read_text(&f, text, strlen(text)), 0);
    const struct measured *m = &f.facts.measured;
    assert_true(m->n == 4 && m->ranks == 8);
    assert_string_equal(measure_name(&m->items[0], &f.arena), "Matrix product, bf16, 8192 x 8192");
    assert_string_equal(measure_text(&m->items[0], &f.arena),
                        "742 TFLOP/s (731.2 to 745.1, 10 times; slowest is rank 3, 738.8)");
    assert_string_equal(measure_name(&m->items[1], &f.arena), "All-reduce, bus, 1 MiB");
    assert_string_equal(measure_name(&m->items[2], &f.arena), "All-reduce, bus, 2 GiB");
    assert_string_equal(measure_name(&m->items[3], &f.arena), "of_tomorrow, size 7");
    assert_ptr_equal(measured_find(m, MEASURE_ALL_REDUCE), &m->items[2]);
    assert_null(measured_find(m, MEASURE_GEMM_FP16));
    buf_init(&out, BUF_DEFAULT_MAX);
    facts_write(&f.facts, &out);
    assert_string_equal(out.data, text);
    buf_release(&out);
    arena_release(&f.arena);
}

static void without_figures_there_is_no_member(void **state)
{
    (void)state;
    struct fixture f;
    struct buf out;
    const char text[] = "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": []}";
    assert_int_equal(read_text(&f, text, strlen(text)), 0);
    assert_int_equal(f.facts.measured.n, 0);
    buf_init(&out, BUF_DEFAULT_MAX);
    facts_write(&f.facts, &out);
    assert_null(strstr(out.data, "measured"));
    buf_release(&out);
    arena_release(&f.arena);
}

static void what_is_malformed_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {HEAD "7}", "expected 'device' and 'with'"},
        {HEAD "[]}", "expected 'device' and 'with'"},
        {HEAD "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 0, \"figures\": []}}", "'ranks'"},
        {HEAD "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 1.5, \"figures\": []}}", "'ranks'"},
        {HEAD "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 1e300, \"figures\": []}}",
         "'ranks'"},
        {HEAD "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 1}}", "'figures'"},
        {HEAD "{\"device\": \"d\", \"with\": \"w\", \"ranks\": 1, \"figures\": {}}}", "'figures'"},
        {HEAD SINGLE "7]}}", "expected an object"},
        {HEAD SINGLE "{}]}}", "'key'"},
        {HEAD SINGLE "{\"key\": \"<b>\"}]}}", "'key'"},
        {HEAD SINGLE "{\"key\": \"gemm_bf16\", \"unit\": \"GB/s\"}]}}", "'unit'"},
        {HEAD SINGLE "{\"key\": \"x\", \"unit\": \"<script> x\"}]}}", "'unit'"},
        {HEAD SINGLE "{\"key\": \"x\", \"unit\": \"W\", \"size\": 0.5}]}}", "'size'"},
        {HEAD SINGLE "{\"key\": \"x\", \"unit\": \"W\", \"size\": 1, \"repetitions\": 0}]}}",
         "'repetitions'"},
        {HEAD SINGLE "{\"key\": \"x\", \"unit\": \"W\", \"size\": 1, \"repetitions\": 1, \"min\": "
                     "2, \"median\": 1, \"max\": 3}]}}",
         "'median'"},
        {HEAD SINGLE "{\"key\": \"x\", \"unit\": \"W\", \"size\": 1, \"repetitions\": 1, \"min\": "
                     "0, \"median\": 1, \"max\": 3}]}}",
         "'min'"},
        {HEAD SINGLE ONE ", \"slowest\": 1, \"slowest_rank\": 0}]}}", "'slowest'"},
        {HEAD SINGLE ONE ", \"slowest_rank\": 0}]}}", "'slowest'"},
        {HEAD MANY ONE "}]}}", "'slowest'"},
        {HEAD MANY ONE ", \"slowest\": 1, \"slowest_rank\": 8}]}}", "'slowest'"},
        {HEAD MANY ONE ", \"slowest\": 746, \"slowest_rank\": 1}]}}", "'slowest'"},
        {HEAD SINGLE ONE "}, " ONE "}]}}", "twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fixture f;
        assert_int_equal(read_text(&f, bad[i].text, strlen(bad[i].text)), -1);
        assert_true(f.diags.n > 0);
        if (!strstr(f.diags.items[0].message, bad[i].says))
            fail_msg("%s: %s", bad[i].text, f.diags.items[0].message);
        arena_release(&f.arena);
    }
}

/* One more than may be, and every prefix of a good one. */
static void too_many_and_cut_ones_are_refused(void **state)
{
    (void)state;
    static const char good[] = HEAD SINGLE ONE "}]}}";
    struct fixture f;
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    buf_str(&text, HEAD SINGLE);
    for (int i = 0; i <= MEASURED_MAX; i++)
        buf_printf(&text,
                   "%s{\"key\": \"x%d\", \"unit\": \"W\", \"size\": 1, \"repetitions\": 1, "
                   "\"min\": 1, \"median\": 1, \"max\": 1}",
                   i ? ", " : "", i);
    buf_str(&text, "]}}");
    assert_int_equal(read_text(&f, text.data, text.len), -1);
    arena_release(&f.arena);
    buf_release(&text);
    assert_int_equal(read_text(&f, good, strlen(good)), 0);
    arena_release(&f.arena);
    for (size_t n = 0; n < strlen(good); n++) {
        char *copy = malloc(n + 1); /* so that reading too far is seen */
        memcpy(copy, good, n);
        copy[n] = '\0';
        assert_int_equal(read_text(&f, copy, n), -1);
        arena_release(&f.arena);
        free(copy);
    }
}

static void rates_do_not_make_machines_different(void **state)
{
    (void)state;
    struct fixture a, b;
    struct fact_change *changes;
    size_t n;
    static const char one[] = HEAD SINGLE ONE "}]}}";
    static const char other[] = "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": []}";
    assert_int_equal(read_text(&a, one, strlen(one)), 0);
    assert_int_equal(read_text(&b, other, strlen(other)), 0);
    facts_diff(&a.facts, &b.facts, &a.arena, &changes, &n);
    assert_int_equal(n, 0);
    assert_null(measured_same(&b.facts.measured, &a.facts.measured.items[0]));
    assert_non_null(measured_same(&a.facts.measured, &a.facts.measured.items[0]));
    arena_release(&a.arena);
    arena_release(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_back),
        cmocka_unit_test(without_figures_there_is_no_member),
        cmocka_unit_test(what_is_malformed_is_refused),
        cmocka_unit_test(too_many_and_cut_ones_are_refused),
        cmocka_unit_test(rates_do_not_make_machines_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
