/* Findings carry the row and the values that they are made of (base/records/sentence.h). */
#include "tests/unit/unit.h"

#include "collector/page/import.h"
#include "tests/unit/checks_samples.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS "tests/golden/verify/records"

struct fixture {
    struct arena arena;
    struct project project;
};

static int load_project(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct diags diags;
    diags_init(&diags, &f->arena);
    *state = f;
    int rc = project_load(RECORDS, &f->project, &f->arena, &diags);
    return rc;
}

static int drop_project(void **state)
{
    struct fixture *f = *state;
    arena_release(&f->arena);
    free(f);
    return 0;
}

static void verify_page(struct fixture *f, const char *page, const char *file, const char *vendor,
                        const char *case_id, struct verdict *out)
{
    struct result *r = arena_alloc(&f->arena, sizeof *r);
    struct diags diags;
    diags_init(&diags, &f->arena);
    assert_int_equal(import_page(page, strlen(page), file, vendor, case_id, &f->arena, r, &diags),
                     0);
    r->file = file;
    verify_result(&f->project, NULL, r, NULL, &f->arena, out);
}

/* Each place of the pattern has a value, and one that is a text of ours has its own pattern. */
static void expect_whole(const struct check_result *c, const struct sentence *s)
{
    assert_non_null(s->zh);
    for (const char *at = strchr(s->zh, '{'); at; at = strchr(at + 1, '{')) {
        size_t n = strtoul(at + 1, NULL, 10);
        if (n < 1 || n > s->n_values)
            fail_msg("%s: \"%s\" has no value {%zu}", c->rule, s->zh, n);
        const struct sentence *value = &s->values[n - 1];
        if (!strstr(s->text, value->text))
            fail_msg("%s: \"%s\" does not say \"%s\"", c->rule, s->text, value->text);
        if (strncmp(at + 2, ":said", strlen(":said")) == 0 && value->zh)
            expect_whole(c, value);
    }
}

static void findings_carry_what_they_are_made_of(void **state)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct verdict v;
        verify_page(*state, samples[i].page, "page.md", "nvidia", "sample", &v);
        for (size_t k = 0; k < v.n_checks; k++) {
            const struct check_result *c = &v.checks[k];
            if (c->outcome == OUTCOME_PASS)
                continue;
            if (!c->sentence)
                fail_msg("%s: \"%s\" carries nothing", c->rule, c->message);
            assert_string_equal(c->sentence->text, c->message);
            expect_whole(c, c->sentence);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(findings_carry_what_they_are_made_of, load_project,
                                        drop_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
