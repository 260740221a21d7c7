/* Findings carry the format and the values that they are made of (base/sentence.h), and each has a
 * row in both languages. */
#include "tests/unit/unit.h"

#include "collector/page/import.h"
#include "tests/unit/checks_samples.h"
#include "verifier/checks/list.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS "tests/golden/verify/records"

struct fixture {
    struct arena arena;
    struct project project;
    const struct words *rows;
    size_t n_rows;
};

static int load_project(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct diags diags;
    diags_init(&diags, &f->arena);
    *state = f;
    f->rows = rules_messages(&f->arena, &f->n_rows);
    return project_load(RECORDS, &f->project, &f->arena, &diags);
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

static const char *chinese_of(const struct fixture *f, const char *format)
{
    for (size_t i = 0; i < f->n_rows; i++)
        if (strcmp(f->rows[i].en, format) == 0)
            return f->rows[i].zh;
    return NULL;
}

/* Each place of the row has a value, and one that is a text of ours with values has its own row. */
static void expect_whole(const struct fixture *f, const struct check_result *c,
                         const struct sentence *s)
{
    const char *zh = chinese_of(f, s->format);
    if (!zh)
        fail_msg("%s: no row of \"%s\"", c->rule, s->format);
    for (const char *at = strchr(zh, '{'); at; at = strchr(at + 1, '{')) {
        size_t n = strtoul(at + 1, NULL, 10);
        if (n < 1 || n > s->n_values)
            fail_msg("%s: \"%s\" has no value {%zu}", c->rule, zh, n);
        const struct sentence *value = &s->values[n - 1];
        if (!strstr(s->text, value->text))
            fail_msg("%s: \"%s\" does not say \"%s\"", c->rule, s->text, value->text);
        if (strncmp(at + 2, ":said", strlen(":said")) == 0 && value->format)
            expect_whole(f, c, value);
    }
}

static void findings_carry_what_they_are_made_of(void **state)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct verdict v;
        verify_page(*state, samples[i].page, "page.md", "nvidia", "sample", &v);
        for (size_t k = 0; k < v.n_checks; k++) {
            const struct check_result *c = &v.checks[k];
            const struct sentence whole = {.text = c->message, .format = c->message};
            if (c->sentence)
                assert_string_equal(c->sentence->text, c->message);
            expect_whole(*state, c, c->sentence ? c->sentence : &whole);
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
