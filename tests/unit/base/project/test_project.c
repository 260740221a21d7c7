/* project: one broken record does not take the others with it, and cards are found in text. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct room {
    char dir[64];
    struct arena arena;
    struct diags diags;
    struct project project;
};

static int room_open(void **state)
{
    struct room *r = calloc(1, sizeof *r);
    strcpy(r->dir, "/tmp/fpreport-test-XXXXXX");
    *state = r;
    return r && mkdtemp(r->dir) ? 0 : -1;
}

static int room_close(void **state)
{
    struct room *r = *state;
    struct err err = ERR_INIT;
    int rc = file_remove_tree(r->dir, &err);
    arena_release(&r->arena);
    free(r);
    return rc;
}

static void put(struct room *r, const char *path, const char *text)
{
    struct err err = ERR_INIT;
    const char *full = path_join(&r->arena, r->dir, path);
    if (file_write(full, text, strlen(text), &err) < 0)
        fail_msg("%s", err.text);
}

static int load(struct room *r)
{
    diags_init(&r->diags, &r->arena);
    return project_load(r->dir, &r->project, &r->arena, &r->diags);
}

static void vendor(struct room *r, const char *id)
{
    put(r, arena_printf(&r->arena, "vendors/%s.json", id),
        arena_printf(&r->arena,
                     "{\"schema\":\"fpreport.vendor/1\",\"id\":\"%s\",\"name\":\"N %s\"}", id, id));
}

static void card(struct room *r, const char *id, const char *vendor_id, const char *name,
                 const char *aliases)
{
    put(r, arena_printf(&r->arena, "accelerators/%s.json", id),
        arena_printf(&r->arena,
                     "{\"schema\":\"fpreport.accelerator/1\",\"id\":\"%s\",\"vendor\":\"%s\","
                     "\"name\":\"%s\",\"aliases\":[%s]}",
                     id, vendor_id, name, aliases));
}

static void an_empty_folder_is_an_empty_project(void **state)
{
    struct room *r = *state;
    assert_int_equal(load(r), 0);
    assert_int_equal(r->diags.n, 0);
    assert_int_equal(r->project.n_vendors + r->project.n_results + r->project.n_cases, 0);
    assert_null(project_vendor(&r->project, "x"));
    assert_null(project_find_model(&r->project, "x"));
    assert_null(project_find_accelerator(&r->project, "A100", NULL));
}

static void a_broken_file_is_left_out(void **state)
{
    struct room *r = *state;
    vendor(r, "b");
    vendor(r, "a");
    put(r, "vendors/broken.json", "{\"schema\":\"fpreport.vendor/1\",\"id\":\"broken\",}");
    put(r, "vendors/other.json", "{\"schema\":\"fpreport.vendor/1\",\"id\":\"b\",\"name\":\"N\"}");
    put(r, "vendors/notes.txt", "not a record");
    put(r, "vendors/.hidden.json.swp", "");
    put(r, "vendors/folder.json/x", "");
    assert_int_equal(load(r), -1);
    assert_int_equal(r->project.n_vendors, 2);
    assert_string_equal(r->project.vendors[0].id, "a");
    assert_string_equal(r->project.vendors[1].id, "b");
    assert_int_equal(r->diags.n, 3);
    assert_int_equal(r->diags.errors, 2);
    assert_true(text_ends(r->diags.items[0].file, "/vendors/broken.json"));
    assert_int_equal(r->diags.items[0].col, 45);
    assert_string_equal(r->diags.items[1].message, "left out: found a folder, expected a file");
    assert_string_equal(r->diags.items[2].message,
                        "found \"id\": \"b\", expected \"other\" as in the path of the file");
    assert_int_equal(r->diags.items[2].line, 1);
}

static void a_huge_record_is_left_out_too(void **state)
{
    struct room *r = *state;
    vendor(r, "a");
    put(r, "vendors/huge.json", "");
    assert_int_equal(truncate(path_join(&r->arena, r->dir, "vendors/huge.json"), (off_t)1 << 30),
                     0);
    assert_int_equal(mkfifo(path_join(&r->arena, r->dir, "vendors/pipe.json"), 0600), 0);
    assert_int_equal(load(r), -1);
    assert_int_equal(r->project.n_vendors, 1);
    assert_string_equal(r->diags.items[0].message,
                        "found 1073741824 bytes, expected at most 4194304");
}

static void results_lie_where_they_say(void **state)
{
    struct room *r = *state;
    static const char text[] = "{\"schema\":\"fpreport.result/1\",\"vendor\":\"v\",\"case\":\"c\"}";
    put(r, "results/v/c.json", text);
    put(r, "results/v/d.json", text);
    put(r, "results/w/c.json", text);
    put(r, "results/stray.json", text);
    put(r, "results/v/bad.json", "{");
    assert_int_equal(load(r), -1);
    assert_int_equal(r->project.n_results, 1);
    assert_true(text_ends(r->project.results[0].file, "/results/v/c.json"));
    assert_int_equal(r->diags.errors, 3); /* bad, d, w/c */
    assert_string_equal(r->diags.items[2].message,
                        "found \"vendor\": \"v\", expected \"w\" as in the path of the file");
    /* What v/c names is not there. */
    assert_int_equal(r->diags.n, 5);
    assert_int_equal(r->diags.items[3].severity, SEVERITY_WARNING);
    assert_non_null(strstr(r->diags.items[3].message, "names vendor \"v\", found no "));
    assert_non_null(strstr(r->diags.items[4].message, "names case \"c\", found no "));
}

/* A folder that was never filled is one line; what it is about stands behind it as notices. */
static void many_that_are_missing_are_told_at_once(void **state)
{
    struct room *r = *state;
    for (char c = 'a'; c < 'g'; c++)
        put(r, arena_printf(&r->arena, "results/v/%c.json", c),
            arena_printf(&r->arena,
                         "{\"schema\":\"fpreport.result/1\",\"vendor\":\"v\",\"case\":\"%c\"}", c));
    assert_int_equal(load(r), 0);
    assert_int_equal(r->diags.n, 2 * (1 + 6));
    assert_int_equal(r->diags.items[0].severity, SEVERITY_WARNING);
    assert_non_null(strstr(r->diags.items[0].message, "6 records name 1 vendors"));
    assert_int_equal(r->diags.items[1].severity, SEVERITY_NOTICE);
    assert_non_null(strstr(r->diags.items[7].message, "(a, b, c, d, e, …)"));
    assert_non_null(strstr(r->diags.items[13].message, "names case \"f\", found no "));
}

static void cases_know_their_file(void **state)
{
    struct room *r = *state;
    put(r, "cases/c.json",
        "{\"schema\":\"fpreport.case/1\",\"id\":\"c\",\"title\":\"t\",\"model\":\"m\","
        "\"trainer\":\"native\"}");
    assert_int_equal(load(r), 0);
    assert_true(text_ends(project_case(&r->project, "c")->file, "/cases/c.json"));
    assert_null(project_case(&r->project, "C"));
}

static void models_are_found_by_any_spelling(void **state)
{
    struct room *r = *state;
    put(r, "models/llama2_7b.json",
        "{\"schema\":\"fpreport.model/1\",\"id\":\"llama2_7b\",\"name\":\"Llama 2 7B\","
        "\"aliases\":[\"llama2-7b\"],\"nominal_parameters\":7e9}");
    put(r, "models/other.json",
        "{\"schema\":\"fpreport.model/1\",\"id\":\"other\",\"name\":{\"zh\":\"其他\"},"
        "\"aliases\":[\"llama2-7b\"],\"nominal_parameters\":7e9}");
    assert_int_equal(load(r), 0);
    const struct model *m = project_model(&r->project, "llama2_7b");
    assert_ptr_equal(project_find_model(&r->project, " LLaMA2_7B "), m);
    assert_ptr_equal(project_find_model(&r->project, "llama 2 7b"), m);
    assert_null(project_find_model(&r->project, "llama2-7b")); /* two fit */
    assert_null(project_find_model(&r->project, "llama2_7b extra"));
    assert_null(project_find_model(&r->project, ""));
}

static void cards_are_found_in_longer_text(void **state)
{
    struct room *r = *state;
    card(r, "a100", "nvidia", "NVIDIA A100", "\"A100\"");
    card(r, "a100_40g", "nvidia", "NVIDIA A100-SXM4-40GB", "\"A100-SXM4-40GB\",\"A100 40G\"");
    card(r, "a800", "nvidia", "NVIDIA A800", "\"A800\"");
    card(r, "c500", "metax", "曦云C500", "\"C500\",\"MXC500\",\"曦云®C500 64G\"");
    card(r, "s4000", "mthreads", "MTT S4000", "\"S4000\"");
    card(r, "r300", "kunlunxin", "R300", "");
    card(r, "r300plus", "kunlunxin", "R300+", "");
    assert_int_equal(load(r), 0);
    assert_int_equal(r->diags.errors, 0);
    static const struct {
        const char *text, *vendor, *id;
    } rows[] = {
        {"NVIDIA_A100-SXM4-40GB", NULL, "a100_40g"},
        {"NVIDIA DGX A100(40G)", NULL, "a100_40g"},
        {"nvidia A100", NULL, "a100"},
        {"A100", NULL, "a100"},
        {"A800单机8卡（1x8）", NULL, "a800"},
        {"曦云®C500 64G", NULL, "c500"},
        {"MXC500 ", "metax", "c500"},
        {"Ｃ５００", NULL, "c500"},
        {"昆仑芯AI加速卡R300+", NULL, "r300plus"},
        {"昆仑芯AI加速卡R300", NULL, "r300"},
        {"R3000", NULL, NULL},
        {"xR300", NULL, NULL},
        {"MTT S4000 48GB", NULL, "s4000"},
        {"S4000", "mthreads", "s4000"},
        {"A800 or C500", NULL, NULL}, /* two cards */
        {"A100", "metax", NULL},
        {"/", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct accelerator *a =
            project_find_accelerator(&r->project, rows[i].text, rows[i].vendor);
        if ((a != NULL) != (rows[i].id != NULL) || (a && strcmp(a->id, rows[i].id) != 0))
            fail_msg("'%s' is %s", rows[i].text, a ? a->id : "no card");
    }
}

/* Who claims the name of another's card makes nobody's card unknown. */
static void a_name_is_of_one_card(void **state)
{
    struct room *r = *state;
    card(r, "a_clone", "other", "Clone", "\"s4000\",\n\"S-4000\",\"A800\",\"a100\"");
    card(r, "a100", "nvidia", "NVIDIA A100", "");
    card(r, "b_clone", "third", "S4000", "\"clone\",\"Ａ800\"");
    card(r, "mtt", "mthreads", "MTT S4000", "\"S4000\"");
    assert_int_equal(load(r), 0);
    assert_int_equal(r->project.n_accelerators, 4);
    static const struct {
        const char *text, *own, *id;
    } rows[] = {
        {"MTT S4000", "other", "mtt"},       {"a S4000 card", "mthreads", "mtt"},
        {"S4000", "other", "a_clone"},       {"S4000", "nvidia", "b_clone"},
        {"S4000", NULL, "b_clone"},          {"A100", NULL, "a100"},
        {"A800", NULL, "a_clone"},           {"A800", "third", "b_clone"},
        {"Clone", "third", "b_clone"},       {"Clone", NULL, "a_clone"},
        {"Clone and A100", NULL, "a_clone"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct accelerator *a = project_find_card(&r->project, rows[i].text, rows[i].own);
        if (!a || strcmp(a->id, rows[i].id) != 0)
            fail_msg("'%s' is %s", rows[i].text, a ? a->id : "no card");
    }
    static const struct {
        const char *file, *message;
        int line;
    } said[] = {
        {"a_clone.json", "found the alias \"a100\", which is the id of another card (", 2},
        {"b_clone.json", "found the alias \"Ａ800\", which is the alias of another card (", 1},
        {"b_clone.json", "found the alias \"clone\", which is the name of another card (", 1},
        {"a_clone.json", "found the alias \"s4000\", which is the name of another card (", 1},
        {"mtt.json", "found the alias \"S4000\", which is the name of another card (", 1},
    };
    assert_int_equal(r->diags.errors, sizeof said / sizeof said[0]);
    for (size_t i = 0, k = 0; i < r->diags.n; i++) {
        const struct diag *d = &r->diags.items[i];
        if (d->severity != SEVERITY_ERROR)
            continue;
        assert_true(text_ends(d->file, said[k].file));
        assert_int_equal(d->line, said[k].line);
        if (strncmp(d->message, said[k].message, strlen(said[k].message)) != 0)
            fail_msg("%s", d->message);
        k++;
    }
}

/* The spellings of published pages against the records that are shipped. */
static void shipped_records_know_what_pages_write(void **state)
{
    static const struct {
        const char *text, *id;
    } cards[] = {
        {"NVIDIA_A100-SXM4-40GB", "a100-40g"},
        {"NVIDIA DGX A100(80G)", "a100-80g"},
        {"nvidia A100", "a100"},
        {"NVIDIA_A800-SXM4-80GB", "a800"},
        {"NVIDIA H800(80G)", "h800"},
        {"NVIDIA_H100-SXM4-80GB", "h100"},
        {"Atlas 800T A2", "atlas-800t-a2"},
        {"Atlas800T A2", "atlas-800t-a2"},
        {"K100 64G", "k100"},
        {"DCU Z100L", "z100l"},
        {"Iluvatar Bi-150", "bi-v150"},
        {"BI150", "bi-v150"},
        {"BI-VV150", NULL}, /* a misprint must not pass for the card */
        {"Iluvatar BI-V100 32GB", "bi-v100"},
        {"昆仑芯AI加速卡R300+", "r300plus"},
        {"昆仑芯AI加速卡R300", "r300"},
        {"曦云®C500 64G", "c500"},
        {"MXC500", "c500"},
        {"MTT S4000 48GB", "s4000"},
        {"MLU", "mlu"},
        {"/", NULL},
    };
    static const struct {
        const char *text, *id;
    } models[] = {
        {"llama2_70b", "llama2_70b"},         {"LLaMA2-7B", "llama2_7b"},
        {"mixtral_8*7B", "mixtral_8x7b"},     {"qwen1.5_14B_MoE", "qwen1.5_moe"},
        {"bert-large-uncased", "bert_large"}, {"GLM", "glm_large"},
        {"llava1.5_13b", "llava1.5_13b"},     {"gpt3", NULL},
    };
    struct room *r = *state;
    if (!file_is_dir("records/accelerators"))
        skip();
    diags_init(&r->diags, &r->arena);
    assert_int_equal(project_load("records", &r->project, &r->arena, &r->diags), 0);
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        const struct accelerator *a = project_find_accelerator(&r->project, cards[i].text, NULL);
        if ((a != NULL) != (cards[i].id != NULL) || (a && strcmp(a->id, cards[i].id) != 0))
            fail_msg("'%s' is %s", cards[i].text, a ? a->id : "no card");
    }
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const struct model *m = project_find_model(&r->project, models[i].text);
        if ((m != NULL) != (models[i].id != NULL) || (m && strcmp(m->id, models[i].id) != 0))
            fail_msg("'%s' is %s", models[i].text, m ? m->id : "no model");
    }
}

static void kinds_of_records_are_known_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(project_shape("result"), &result_shape);
    assert_ptr_equal(project_shape("case"), &case_shape);
    assert_null(project_shape("peak"));
}

int main(void)
{
#define IN_A_ROOM(f) cmocka_unit_test_setup_teardown(f, room_open, room_close)
    const struct CMUnitTest tests[] = {
        IN_A_ROOM(an_empty_folder_is_an_empty_project),
        IN_A_ROOM(a_broken_file_is_left_out),
        IN_A_ROOM(a_huge_record_is_left_out_too),
        IN_A_ROOM(results_lie_where_they_say),
        IN_A_ROOM(many_that_are_missing_are_told_at_once),
        IN_A_ROOM(cases_know_their_file),
        IN_A_ROOM(models_are_found_by_any_spelling),
        IN_A_ROOM(cards_are_found_in_longer_text),
        IN_A_ROOM(a_name_is_of_one_card),
        IN_A_ROOM(shipped_records_know_what_pages_write),
        cmocka_unit_test(kinds_of_records_are_known_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
