/* mmlu: folders of questions as Hendrycks' archive has them, and what is none. */
#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "trainer/score/mmlu.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define EXAMPLE "2+2,1,2,3,4,D\n"
#define EXAMPLES EXAMPLE EXAMPLE EXAMPLE EXAMPLE EXAMPLE

static void write_subject(struct machine *m, const char *dev, const char *test)
{
    mkdir(machine_path(m, "dev"), 0700);
    mkdir(machine_path(m, "test"), 0700);
    machine_file(m, "dev/sums_dev.csv", dev);
    machine_file(m, "test/sums_test.csv", test);
}

static int load(struct machine *m, struct mmlu *out, struct err *err)
{
    return mmlu_load(machine_path(m, "."), &m->arena, out, err);
}

static void questions_are_read(void **state)
{
    struct machine *m = *state;
    struct err err = ERR_INIT;
    struct mmlu found;
    write_subject(m, EXAMPLES, "\"What, then?\",None,1.0,<NA>,\"a \"\"b\"\"\",B\n");
    assert_int_equal(load(m, &found, &err), 0);
    assert_int_equal(found.n, 1);
    const struct mmlu_subject *s = &found.subjects[0];
    assert_string_equal(s->name, "sums");
    assert_int_equal(s->n_dev, 5);
    assert_int_equal(s->n_test, 1);
    assert_int_equal(s->dev[0].answer, 3);
    assert_string_equal(s->test[0].text, "What, then?");
    assert_string_equal(s->test[0].choices[0], "nan"); /* as pandas reads it */
    assert_string_equal(s->test[0].choices[1], "1.0");
    assert_string_equal(s->test[0].choices[2], "nan");
    assert_string_equal(s->test[0].choices[3], "a \"b\"");
    assert_int_equal(s->test[0].answer, 1);
}

static void other_folders_are_refused(void **state)
{
    struct machine *m = *state;
    static const struct {
        const char *dev, *test, *message;
    } cases[] = {
        {EXAMPLE, EXAMPLE, "found 1 questions, expected 5 examples"},
        {EXAMPLES, "", "found no question, expected at least one"},
        {EXAMPLES, "2+2,1,2,3,4\n", "sums_test.csv:1: found 5 fields, expected 6"},
        {EXAMPLES, EXAMPLE "2+2,1,2,3,4,E\n", "sums_test.csv:2: found answer \"E\""},
        {EXAMPLES, "2+2,1,2,3,4,AB\n", "found answer \"AB\", expected A, B, C or D"},
        {EXAMPLES, "2+2,1,2,3,4,\"A\n", "a quote that is not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = ERR_INIT;
        struct mmlu found;
        write_subject(m, cases[i].dev, cases[i].test);
        assert_int_equal(load(m, &found, &err), -1);
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.text, cases[i].message));
    }
}

static void a_folder_without_subjects_is_refused(void **state)
{
    struct machine *m = *state;
    struct err err = ERR_INIT;
    struct mmlu found;
    mkdir(machine_path(m, "test"), 0700);
    machine_file(m, "test/_test.csv", EXAMPLE);
    assert_int_equal(load(m, &found, &err), -1);
    assert_non_null(strstr(err.text, "found no file SUBJECT_test.csv"));
}

static void ways_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(mmlu_way_find("mmlu")->tokens_max, 2048);
    assert_int_equal(mmlu_way_find("mmlu-flagperf")->tokens_max, 512);
    assert_null(mmlu_way_find("mmlu-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(questions_are_read, machine_set_up, machine_tear_down),
        cmocka_unit_test_setup_teardown(other_folders_are_refused, machine_set_up,
                                        machine_tear_down),
        cmocka_unit_test_setup_teardown(a_folder_without_subjects_is_refused, machine_set_up,
                                        machine_tear_down),
        cmocka_unit_test(ways_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
