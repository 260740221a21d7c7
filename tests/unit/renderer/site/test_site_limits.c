#include "renderer/site/site.h"
#include "tests/unit/unit.h"

#include <string.h>

static void test_a_site_has_a_number_of_results(void **state)
{
    struct err err = ERR_INIT;
    (void)state;
    assert_int_equal(site_results_check(0, "records", &err), 0);
    assert_int_equal(site_results_check(SITE_RESULTS_MAX, "records", &err), 0);
    assert_int_equal(site_results_check(SITE_RESULTS_MAX + 1, "records", &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.text,
                        "records: found 150001 results, expected at most 150000 in one site: move "
                        "some vendors to records of their own, and build a site of each");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_site_has_a_number_of_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
