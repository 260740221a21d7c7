/*
 * checkout: configuration files as vendors write them, and as nobody should, in a folder that the
 * test makes.
 */
#include "tests/unit/pace.h"
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/text.h"
#include "verifier/proofs/checkout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct arena arena;
    struct project project;
    struct result result;
    struct audit audit;
    char root[32];
    struct checkout checkout;
};

static void put(struct fixture *f, const char *name, const char *text, size_t len)
{
    struct err err = ERR_INIT;
    const char *path = arena_printf(&f->arena, "%s/training/acme/llama-x/config/%s", f->root, name);
    assert_int_equal(file_write(path, text, len, &err), 0);
}

static int make_checkout(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->root, "/tmp/test_checkout.XXXXXX");
    if (!mkdtemp(f->root))
        return -1;
    f->result = (struct result){.vendor = "acme", .case_id = "llama-x"};
    f->project = (struct project){.flagperf = f->root, .arena = &f->arena};
    f->audit = (struct audit){.project = &f->project, .result = &f->result, .arena = &f->arena};
    *state = f;
    return 0;
}

static int drop_checkout(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    int rc = file_remove_tree(f->root, &err);
    arena_release(&f->arena);
    free(f);
    return rc;
}

/* A configuration, and what it sets a batch size to. */
static const struct sample {
    const char *text, *symbol;
    double value;
} samples[] = {
    {"seqlength = 4096\nbatchsize = 2\n", "LBS", 2},
    {"seqlength = 4096\nbatchsize = 2\n", "MPE", 4096},
    {"accumulate_steps =1024", "GAS", 1024},
    {"accumulate_steps\t=\t8\t# eight\n", "GAS", 8},
    {"batch_size_training: int = 4\r\n", "LBS", 4},
    {"x: typing.Any = 1\nbatchsize : float = 3\n", "LBS", 3},
    {"per_device_train_batch_size = 1\ngradient_accumulation_steps = 128\n", "GAS", 128},
    {"gbs = 2 * 1024 * 3\n", "GBS", 6144},
    {"gbs = 1\ngbs = 2\n", "GBS", 2},
    {"gbs = 1\ngbs = other\n", "GBS", NAN},
    {"gbs = nodes * 8\n", "GBS", NAN},
    {"gbs = 8 if big else 4\n", "GBS", NAN},
    {"gbs == 8\n", "GBS", NAN},
    {"if True:\n    gbs = 8\n", "GBS", NAN},
    {"# gbs = 8\n", "GBS", NAN},
    {"\"\"\"\ngbs = 8\n\"\"\"\ntensor_parallel = 2\n", "GBS", NAN},
    {"\"\"\"\ngbs = 8\n\"\"\"\ntensor_parallel = 2\n", "TP", 2},
    {"'''a'''\ngbs = 8\n", "GBS", 8},
    {"gbs_max = 8\nmax_gbs = 9\n", "GBS", NAN},
    {"from config_common import *\nlr = 1\n", "PP", 4},
    {"from config_common import *\npipeline_parallel = 2\n", "PP", 2},
    {"import os; os.system('true')\ngbs = 8\n", "GBS", 8},
    {"", "LBS", NAN},
    {"gbs = ", "GBS", NAN},
    {"gbs = 1e400\n", "GBS", NAN},
};

static void assignments_are_read(void **state)
{
    struct fixture *f = *state;
    const char *name;
    put(f, "config_common.py", "pipeline_parallel = 4\nfrom config_common import *\n", 50);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *s = &samples[i];
        put(f, "config_A100x1x8.py", s->text, strlen(s->text));
        assert_true(checkout_open(&f->audit, &f->checkout));
        double value = checkout_value(&f->checkout, "config_A100x1x8", s->symbol, &name);
        if (value != s->value && !(isnan(value) && isnan(s->value)))
            fail_msg("sample %zu: %g, expected %g", i, value, s->value);
    }
}

/* A file of nothing but imports is read like any other: the imported one once. */
static void many_imports_cost_no_more_than_one(void **state)
{
    struct fixture *f = *state;
    static const char line[] = "from config_common import *\n";
    const char *name;
    size_t n = CHECKOUT_FILE_MAX / (sizeof line - 1), bytes = n * (sizeof line - 1);
    char *text = malloc(CHECKOUT_FILE_MAX);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * (sizeof line - 1), line, sizeof line - 1);
    put(f, "config_A100x1x8.py", text, bytes);
    memset(text, '#', bytes);
    memcpy(text, "gbs = 8\n", 8);
    put(f, "config_common.py", text, bytes);
    free(text);
    assert_true(checkout_open(&f->audit, &f->checkout));
    clock_t began = clock();
    assert_true(checkout_value(&f->checkout, "config_A100x1x8", "GBS", &name) == 8);
    assert_true(pace_since(began) < 12 * pace_seconds());
}

static void what_is_no_text_has_no_values(void **state)
{
    struct fixture *f = *state;
    const char *name;
    char *huge = calloc(1, CHECKOUT_FILE_MAX + 2);
    memset(huge, '\n', CHECKOUT_FILE_MAX + 1);
    memcpy(huge, "gbs = 8", 7);
    put(f, "config_A100x1x8.py", huge, CHECKOUT_FILE_MAX + 1);
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(isnan(checkout_value(&f->checkout, "config_A100x1x8.py", "GBS", &name)));
    put(f, "config_A100x1x8.py", "gbs = 8\n\0gbs = 9\n", 17);
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(isnan(checkout_value(&f->checkout, "config_A100x1x8.py", "GBS", &name)));
    assert_true(isnan(checkout_value(&f->checkout, "config_gone.py", "GBS", &name)));
    free(huge);
}

static void json_has_accumulation(void **state)
{
    struct fixture *f = *state;
    const char *name;
    static const char good[] = "{\"gradient_accumulation_steps\": 64}",
                      word[] = "{\"gradient_accumulation_steps\": \"auto\"}", bad[] = "{";
    put(f, "ds_config.json", good, strlen(good));
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(checkout_value(&f->checkout, "ds_config.json", "GAS", &name) == 64);
    assert_string_equal(name, "gradient_accumulation_steps");
    put(f, "ds_config.json", word, strlen(word));
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(isnan(checkout_value(&f->checkout, "ds_config.json", "GAS", &name)));
    put(f, "ds_config.json", bad, strlen(bad));
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(isnan(checkout_value(&f->checkout, "ds_config.json", "GAS", &name)));
}

static void files_are_found_by_size(void **state)
{
    struct fixture *f = *state;
    put(f, "config_A100x1x8.py", "", 0);
    put(f, "config_A100x2x8.py", "", 0);
    put(f, "config_H100x2x8.py", "", 0);
    put(f, "config_BI-V150x1x16.py", "", 0);
    put(f, "notes x4x8.txt", "", 0);
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_string_equal(checkout_of_size(&f->checkout, 1, 8, 1, &f->arena), "config_A100x1x8.py");
    assert_null(checkout_of_size(&f->checkout, 1, 8, 2, &f->arena));
    assert_null(checkout_of_size(&f->checkout, 2, 8, 1, &f->arena));
    assert_null(checkout_of_size(&f->checkout, 4, 8, 1, &f->arena));
    assert_true(checkout_has(&f->checkout, "config_H100x2x8", &f->arena));
    assert_false(checkout_has(&f->checkout, "config_H100x2x", &f->arena));
}

/* A link could lead anywhere. */
static void links_are_left_out(void **state)
{
    struct fixture *f = *state;
    put(f, "config_A100x1x8.py", "gbs = 8\n", 8);
    const char *link =
        arena_printf(&f->arena, "%s/training/acme/llama-x/config/config_LINKx8x8.py", f->root);
    assert_int_equal(symlink("config_A100x1x8.py", link), 0);
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_false(checkout_has(&f->checkout, "config_LINKx8x8.py", &f->arena));
}

static void no_checkout_is_no_fault(void **state)
{
    struct fixture *f = *state;
    f->result.case_id = "another";
    assert_false(checkout_open(&f->audit, &f->checkout));
    f->project.flagperf = NULL;
    f->result.case_id = "llama-x";
    assert_false(checkout_open(&f->audit, &f->checkout));
    f->result.file = "README.md";
    assert_false(checkout_open(&f->audit, &f->checkout));
}

static void the_page_may_lie_in_one(void **state)
{
    struct fixture *f = *state;
    put(f, "config_A100x1x8.py", "gbs = 8\n", 8);
    f->project.flagperf = NULL;
    f->result.file = arena_printf(&f->arena, "%s/training/acme/llama-x/README.md", f->root);
    assert_true(checkout_open(&f->audit, &f->checkout));
    assert_true(checkout_has(&f->checkout, "config_A100x1x8.py", &f->arena));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(assignments_are_read, make_checkout, drop_checkout),
        cmocka_unit_test_setup_teardown(many_imports_cost_no_more_than_one, make_checkout,
                                        drop_checkout),
        cmocka_unit_test_setup_teardown(what_is_no_text_has_no_values, make_checkout,
                                        drop_checkout),
        cmocka_unit_test_setup_teardown(json_has_accumulation, make_checkout, drop_checkout),
        cmocka_unit_test_setup_teardown(files_are_found_by_size, make_checkout, drop_checkout),
        cmocka_unit_test_setup_teardown(links_are_left_out, make_checkout, drop_checkout),
        cmocka_unit_test_setup_teardown(no_checkout_is_no_fault, make_checkout, drop_checkout),
        cmocka_unit_test_setup_teardown(the_page_may_lie_in_one, make_checkout, drop_checkout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
