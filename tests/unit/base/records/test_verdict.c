/*
 * verify: a submission is made, sealed and verified, then spoilt in one place at a time. Each
 * spoilt place must be found by its rule. The right figures were computed with python3:
 *   seconds of steps 6 to 40: 18 * 37.1 + 17 * 36.5 = 1288.3
 *   token/p/s  35 * (1 * 32 * 8 * 4096) / 1288.3 / 8 = 3560.9097
 *   MFU        6 * 7e9 * 3560.9097 / 312e12 = 47.9353 %
 *   loss       5 / (1 + 0.01 * 40) = 3.571429
 */
#include "tests/unit/archive_file.h"

#include "base/files/file.h"
#include "base/sealed/submission.h"
#include "collector/page/import.h"
#include "verifier/checks/rules.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS "tests/golden/verify/records"
#define NODE "sample:x:A100:1:8:1/round1/h_noderank0/"

struct fixture {
    struct arena arena;
    struct project project;
    char folder[40]; /* of the archive; a copy of the reference lies there */
};

static int open_fixture(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct diags diags;
    struct bytes reference;
    struct err err = ERR_INIT;
    *state = f;
    strcpy(f->folder, "/tmp/fpreport-verdict-XXXXXX");
    diags_init(&diags, &f->arena);
    if (!mkdtemp(f->folder) || project_load(RECORDS, &f->project, &f->arena, &diags) < 0 ||
        file_read(RECORDS "/references/sample.csv", 1 << 20, &f->arena, &reference, &err) < 0)
        return -1;
    const char *copy = arena_printf(&f->arena, "%s/references/sample.csv", f->folder);
    return file_write(copy, reference.data, reference.len, &err);
}

static int drop_fixture(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    file_remove_tree(f->folder, &err);
    arena_release(&f->arena);
    free(f);
    return 0;
}

/* What is claimed and what was run; a test changes one field. */
struct scene {
    const char *row; /* of the page */
    const char *os, *run_state, *kase;
    const char *container; /* of the fingerprint; NULL: it does not say */
    int steps;             /* in the log */
    double loss_scale, seconds_scale, gas;
    const char *sha256; /* stated; NULL: the right one */
    bool spoil_log;     /* a byte after sealing */
    bool no_archive, garbage, withdrawn;
    bool megatron; /* Megatron's log, and its convention: the last iteration */
};

#define ROW "| A100单机8卡（1x8） | bf16 | / | 3560.9 | 3.571 | 37.1/40.0 | 47.9% |\n"
static const struct scene sound = {.row = ROW,
                                   .os = "Ubuntu 20.04.6 LTS",
                                   .run_state = "complete",
                                   .kase = "sample",
                                   .steps = 40,
                                   .loss_scale = 1,
                                   .seconds_scale = 1,
                                   .gas = 32};

static void add_file(struct fixture *f, struct tar_member **files, size_t *n, const char *name,
                     const struct buf *text)
{
    struct tar_member *m = arena_push(&f->arena, files, n, sizeof **files);
    *m = (struct tar_member){name, {arena_strndup(&f->arena, text->data, text->len), text->len}};
}

static void write_megatron_log(const struct scene *s, struct buf *out)
{
    for (int i = 1; i <= s->steps; i++)
        buf_printf(
            out,
            " [2026-01-01 00:00:00] iteration %8d/ %7d | consumed samples: %12d | elapsed time "
            "per iteration (ms): %.1f | learning rate: 1.0E-04 | global batch size:   256 | lm "
            "loss: %.6E | loss scale: 1.0 |\n",
            i, s->steps, 256 * i, i % 2 ? 36500.0 : 37100.0, 5 / (1 + 0.01 * i));
}

static void write_log(const struct scene *s, struct buf *out)
{
    buf_clear(out);
    if (s->megatron) {
        write_megatron_log(s, out);
        return;
    }
    for (int i = 1; i <= s->steps; i++) {
        double seconds = i % 2 ? 36.5 : 37.1, tokens = 32.0 * 8 * 4096;
        buf_printf(out,
                   "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": %.6f, "
                   "\"global_steps\": %d, \"num_trained_samples\": %d, \"tokens/s\": %.17g, "
                   "\"step_time_s\": %.17g}, \"metadata\": {\"rank\": 0}}\n",
                   s->loss_scale * 5 / (1 + 0.01 * i), i, 256 * i, tokens / seconds,
                   seconds * s->seconds_scale);
    }
}

static void write_case(struct fixture *f, const struct scene *s, struct buf *out)
{
    struct case_record kase = *project_case(&f->project, "sample");
    kase.gradient_accumulation = (long long)s->gas;
    buf_clear(out);
    shape_save_text(&case_shape, &kase, out);
}

#define CARD "30C 54W 38000MiB 40960MiB 90%\n"

static const char *const small_files[][2] = {
    {NODE "nvidia_monitor.log",
     "2026-01-01-00:00:00\n31C 57W 15MiB 40960MiB 0%\n" CARD CARD CARD CARD CARD CARD CARD "\n"},
    {NODE "cpu_monitor.log", "2026-01-01-00:00:00\t0.5\n"},
};

/* The archive of a scene; its SHA-256 in hex. */
static const char *seal(struct fixture *f, const struct scene *s, char hex[HASH_HEX_SIZE])
{
    struct tar_member *files = NULL;
    size_t n = 0;
    struct buf b;
    struct err err = ERR_INIT;
    buf_init(&b, BUF_DEFAULT_MAX);
    write_log(s, &b);
    add_file(f, &files, &n, NODE "rank0.out.log", &b);
    write_case(f, s, &b);
    add_file(f, &files, &n, "case.json", &b);
    buf_clear(&b);
    buf_printf(&b, "{\"schema\": \"fpreport.run/1\", \"case\": \"%s\", \"state\": \"%s\"}\n",
               s->kase, s->run_state);
    add_file(f, &files, &n, "run.json", &b);
    buf_clear(&b);
    buf_printf(&b,
               "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": [{\"key\": \"os\", \"value\": "
               "\"%s\"}, {\"key\": \"accelerator_model\", \"value\": \"NVIDIA A100-SXM4-40GB\"}, "
               "{\"key\": \"accelerator_count\", \"value\": \"8\"}%s%s%s]}\n",
               s->os, s->container ? ", {\"key\": \"container\", \"value\": \"" : "",
               s->container ? s->container : "", s->container ? "\"}" : "");
    add_file(f, &files, &n, NODE "fingerprint.json", &b);
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&b);
        buf_str(&b, small_files[i][1]);
        add_file(f, &files, &n, small_files[i][0], &b);
    }
    tar_sort(files, n);
    buf_clear(&b);
    submission_manifest(files, n, &b);
    add_file(f, &files, &n, SUBMISSION_MANIFEST, &b);
    for (size_t i = 0; i < n; i++)
        if (s->spoil_log && strstr(files[i].name, "rank0.out"))
            *strstr((char *)files[i].bytes.data, "4.9") = '3';
    const char *path = arena_printf(&f->arena, "%s/run.tar.zst", f->folder);
    unlink(path);
    if (!s->no_archive)
        write_archive(path, files, n);
    if (s->garbage)
        assert_int_equal(file_write(path, "not an archive", 14, &err), 0);
    if (!s->no_archive)
        assert_int_equal(hash_file(path, 1 << 30, hex, &err), 0);
    buf_release(&b);
    return path;
}

static const char page_head[] =
    "### Nvidia GPU配置与运行信息参考\n#### 环境配置\n- ##### 硬件环境\n"
    "  - 加速卡型号: NVIDIA A100-SXM4-40GB\n- ##### 软件环境\n  - OS版本：Ubuntu 20.04\n"
    "* 性能指标\n\n| 配置 | precision | fix_hp | token/p/s | loss | mem | MFU |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n";

static void verify_scene(struct fixture *f, const struct scene *s, struct verdict *out)
{
    struct result *r = arena_alloc(&f->arena, sizeof *r);
    struct diags diags;
    char hex[HASH_HEX_SIZE] = "0000000000000000000000000000000000000000000000000000000000000000";
    seal(f, s, hex);
    const char *page = arena_printf(&f->arena, "%s%s", page_head, s->row);
    diags_init(&diags, &f->arena);
    assert_int_equal(
        import_page(page, strlen(page), "page.md", "nvidia", "sample", &f->arena, r, &diags), 0);
    struct evidence *e = ARENA_PUSH(&f->arena, r->evidence, r->n_evidence);
    *e = (struct evidence){.archive = "run.tar.zst",
                           .sha256 = s->sha256 ? s->sha256 : arena_strdup(&f->arena, hex),
                           .table = 1,
                           .row = 1};
    r->file = "page.md";
    if (s->withdrawn)
        r->withdrawn = arena_alloc(&f->arena, sizeof *r->withdrawn);
    verify_result(&f->project, NULL, r, f->folder, &f->arena, out);
}

static const struct metric *metric_named(const struct verdict *v, const char *name)
{
    for (size_t i = 0; i < v->n_metrics; i++)
        if (strcmp(v->metrics[i].name, name) == 0)
            return &v->metrics[i];
    return NULL;
}

static void assert_found(const struct verdict *v, const char *name, const char *text)
{
    struct arena scratch = ARENA_INIT;
    assert_string_equal(figure_print(metric_named(v, name)->found, &scratch), text);
    arena_release(&scratch);
}

static void sound_evidence_verifies_every_claim(void **state)
{
    struct verdict v;
    verify_scene(*state, &sound, &v);
    for (size_t i = 0; i < v.n_checks; i++)
        if (v.checks[i].outcome == OUTCOME_FAIL)
            fail_msg("%s [%s]", v.checks[i].message, v.checks[i].rule);
    assert_int_equal(v.state, STATE_VERIFIED);
    assert_found(&v, "token_per_s_per_card", "3560.9");
    assert_found(&v, "mfu", "47.94%");
    assert_string_equal(metric_named(&v, "mfu")->source, "evidence");
    assert_found(&v, "loss", "3.5714");
    assert_found(&v, "memory", "37.1/40.0");
    assert_int_equal(v.n_evidence, 1);
    assert_true(v.evidence[0].intact && v.evidence[0].curve.n == 40);
    assert_true(v.evidence[0].alignment->aligned && v.evidence[0].alignment->steps == 20);
    assert_true(v.evidence[0].alignment->mean_rel_error < 1e-12);
}

struct spoilt {
    const char *what, *rule;
    struct scene scene;
    enum state state;
};

#define WITH(...)                                                                          \
    {                                                                                      \
        .row = ROW, .os = "Ubuntu 20.04.6 LTS", .run_state = "complete", .kase = "sample", \
        .steps = 40, .loss_scale = 1, .seconds_scale = 1, .gas = 32, __VA_ARGS__           \
    }
#define CLAIM(tps, loss, mem, mfu) \
    "| A100单机8卡（1x8） | bf16 | / | " tps " | " loss " | " mem " | " mfu " |\n"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static const struct spoilt spoilt[] = {
    {"one byte of the log", "FP4002", WITH(.spoil_log = true), STATE_FAILED},
    {"another archive than stated", "FP4001",
     WITH(.sha256 = "1111111111111111111111111111111111111111111111111111111111111111"),
     STATE_FAILED},
    {"no archive", NULL, WITH(.no_archive = true), STATE_UNVERIFIED},
    {"an archive that is none", "FP4001", WITH(.garbage = true), STATE_FAILED},
    {"a failed run", "FP4003", WITH(.run_state = "failed"), STATE_FAILED},
    {"a run of another case", "FP4003", WITH(.kase = "other"), STATE_FAILED},
    {"a smaller batch", "FP4004", WITH(.gas = 16), STATE_FAILED},
    {"a log that ends early", "FP4005", WITH(.steps = 30), STATE_FAILED},
    {"faster steps", "FP4005", WITH(.seconds_scale = 0.5), STATE_FAILED},
    {"another system", "FP4006", WITH(.os = "CentOS 7.6"), STATE_FAILED},
    {"a loss that is 3 % off", "FP2001", WITH(.loss_scale = 1.03), STATE_FAILED},
    {"a higher throughput", "FP2002", WITH(.row = CLAIM("3561.1", "3.571", "37.1/40.0", "47.9%")),
     STATE_FAILED},
    {"a lower loss", "FP2009", WITH(.row = CLAIM("3560.9", "3.561", "37.1/40.0", "47.9%")),
     STATE_FAILED},
    {"less memory", "FP2012", WITH(.row = CLAIM("3560.9", "3.571", "35.1/40.0", "47.9%")),
     STATE_FAILED},
    {"a higher MFU", "FP2013", WITH(.row = CLAIM("/", "3.571", "37.1/40.0", "49.9%")),
     STATE_FAILED},
    {"another precision", "FP4008",
     WITH(.row = "| A100单机8卡（1x8） | fp16 | / | 3560.9 | 3.571 | 37.1/40.0 | 47.9% |\n"),
     STATE_FAILED},
    {"another batch", "FP4008",
     WITH(.row = "| A100单机8卡（1x8） | bf16 | LBS=4 | 3560.9 | 3.571 | 37.1/40.0 | 47.9% |\n"),
     STATE_FAILED},
    {"withheld figures", NULL, WITH(.row = CLAIM("/", "3.571", "/", "/")), STATE_VERIFIED},
    {"a row without evidence", NULL, WITH(.row = ROW ROW), STATE_PARTIAL},
    {"a withdrawn result", NULL, WITH(.withdrawn = true), STATE_WITHDRAWN},
    {"another system, in no container", "FP4006", WITH(.os = "CentOS 7.6", .container = "none"),
     STATE_FAILED},
    {"another system, that of an image", NULL, WITH(.os = "CentOS 7.6", .container = "docker"),
     STATE_VERIFIED},
};

static void each_spoilt_place_is_found(void **state)
{
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        const struct spoilt *s = &spoilt[i];
        struct verdict v;
        bool found = s->rule == NULL;
        verify_scene(*state, &s->scene, &v);
        for (size_t k = 0; k < v.n_checks; k++) {
            const struct check_result *c = &v.checks[k];
            bool is_error = c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR;
            found |= is_error && s->rule && strcmp(c->rule, s->rule) == 0;
            if (is_error && !s->rule)
                fail_msg("%s: %s [%s]", s->what, c->message, c->rule);
        }
        if (!found || v.state != s->state)
            fail_msg("%s: %s, %s", s->what, found ? "found" : "not found", state_name(v.state));
    }
}

static void of_a_container_the_system_may_be_the_images(void **state)
{
    struct scene s = sound;
    struct verdict v;
    size_t said = 0;
    s.os = "CentOS 7.6";
    s.container = "docker";
    verify_scene(*state, &s, &v);
    for (size_t i = 0; i < v.n_checks; i++) {
        const struct check_result *c = &v.checks[i];
        if (strcmp(c->rule, "FP4006") != 0 || c->outcome != OUTCOME_FAIL)
            continue;
        assert_int_equal(c->severity, SEVERITY_NOTICE);
        assert_string_equal(
            c->message,
            "operating system differs; inside a container, a source may describe the image "
            "or the host: fingerprint says 'CentOS 7.6', record says 'Ubuntu "
            "20.04'");
        said++;
    }
    assert_int_equal(said, 1);
}

/* 32 * 8 * 4096 / 37.1 / 8 = 3532.9380, the last iteration's */
static void the_case_says_which_steps_count(void **state)
{
    struct fixture *f = *state;
    struct scene s = sound;
    struct verdict v;
    struct case_record *kase = &f->project.cases[0];
    const char *mean = kase->report->throughput;
    s.megatron = true;
    s.row = "| A100单机8卡（1x8） | bf16 | / | 3532.9 | 3.571 | 37.1/40.0 | 47.5% |\n";
    kase->report->throughput = "last";
    verify_scene(f, &s, &v);
    kase->report->throughput = mean;
    assert_found(&v, "token_per_s_per_card", "3532.9");
    assert_int_equal(v.state, STATE_VERIFIED);
}

static void a_submission_by_itself_gives_figures_without_claims(void **state)
{
    struct fixture *f = *state;
    char hex[HASH_HEX_SIZE];
    struct verdict v;
    struct err err = ERR_INIT;
    const char *path = seal(f, &sound, hex);
    assert_int_equal(verify_archive(&f->project, NULL, path, &f->arena, &v, &err), 0);
    assert_int_equal(verdict_count(&v, OUTCOME_FAIL, SEVERITY_NOTICE), 0);
    assert_found(&v, "token_per_s_per_card", "3560.9");
    assert_found(&v, "mfu", "47.94%");
    assert_found(&v, "memory", "37.1/40.0");
    assert_null(metric_named(&v, "loss")->stated);
    assert_string_equal(v.evidence[0].sha256, hex);
    const char *other = arena_printf(&f->arena, "%s/references/sample.csv", f->folder);
    assert_int_equal(verify_archive(&f->project, NULL, other, &f->arena, &v, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
}

/* The document must be strict JSON with the promised keys. */
static void json_is_one_document(void **state)
{
    struct fixture *f = *state;
    struct verdict v[2];
    struct buf out;
    struct diags diags;
    struct json *root;
    buf_init(&out, BUF_DEFAULT_MAX);
    verify_scene(f, &sound, &v[0]);
    verify_scene(f, &spoilt[11].scene, &v[1]);
    verdicts_json(&(struct verdicts){.items = v, .n = 2}, &out);
    diags_init(&diags, &f->arena);
    assert_int_equal(json_parse("v", (struct bytes){out.data, out.len}, &f->arena, &root, &diags),
                     0);
    assert_string_equal(json_get_text(root, "schema", ""), "fpreport.verify/1");
    assert_string_equal(json_get_text(root, "rules", ""), RULES_CURRENT);
    assert_int_equal(json_get(root, "runs")->n, 2);
    const struct json *run = json_get(root, "runs")->child->next;
    assert_string_equal(json_get_text(run, "state", ""), "failed");
    const struct json *finding = json_get(run, "findings")->child;
    assert_string_equal(json_get_text(finding, "rule", ""), "FP2002");
    assert_string_equal(json_get_text(finding, "severity", ""), "error");
    assert_string_equal(json_get_text(finding, "stated", ""), "3561.1");
    assert_string_equal(json_get_text(finding, "expected", ""), "3560.9");
    const struct json *metric = json_get(run, "metrics")->child;
    assert_string_equal(json_get_text(metric, "stated", ""), "3561.1");
    assert_false(json_get(metric, "ok")->truth);
    assert_true(json_get(json_get(root, "summary"), "failed")->number == 1);
    buf_release(&out);
}

static void text_says_findings_figures_and_state(void **state)
{
    struct fixture *f = *state;
    struct verdict v;
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    verify_scene(f, &spoilt[11].scene, &v);
    verdict_text(&v, &(struct verdicts){.all = false}, &out);
    assert_non_null(strstr(out.data, ": error: token_per_s_per_card is stated as 3561.1"));
    assert_non_null(strstr(out.data, "[FP2002]\n"));
    assert_non_null(strstr(out.data, "nvidia/sample: failed (1 error"));
    assert_null(strstr(out.data, "PASS:"));
    buf_clear(&out);
    verdict_text(&v, &(struct verdicts){.all = true}, &out);
    assert_non_null(strstr(out.data, "PASS:"));
    buf_clear(&out);
    verdicts_totals(&v, 1, &out);
    assert_string_equal(out.data, "1 failed\n");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_evidence_verifies_every_claim),
        cmocka_unit_test(each_spoilt_place_is_found),
        cmocka_unit_test(of_a_container_the_system_may_be_the_images),
        cmocka_unit_test(the_case_says_which_steps_count),
        cmocka_unit_test(a_submission_by_itself_gives_figures_without_claims),
        cmocka_unit_test(json_is_one_document),
        cmocka_unit_test(text_says_findings_figures_and_state),
    };
    return cmocka_run_group_tests(tests, open_fixture, drop_fixture);
}
