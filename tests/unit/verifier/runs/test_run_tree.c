/* run_tree: layouts, ranks put together, and what does not fit. */
#include "base/files/file.h"
#include "tests/unit/pace.h"
#include "tests/unit/unit.h"

#include "verifier/runs/run_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void places_are_told_by_the_path(void **state)
{
    (void)state;
    static const struct {
        const char *path, *kase, *host;
        long round, node, rank;
        bool node_log;
    } places[] = {
        {"bert:pytorch_1.8:A100:1:8:1/round1/10.1.2.3_noderank0/rank7.out.log",
         "bert:pytorch_1.8:A100:1:8:1", "10.1.2.3", 1, 0, 7, false},
        {"/r/result/run20240101/c/round12/a_noderank1_noderank3/megatron.log.txt", "c",
         "a_noderank1", 12, 3, RUN_NONE, true},
        {"round2/h_noderank0/x/outputs_m/logs/host_0_10.1.1.1.output", NULL, "h", 2, 0, RUN_NONE,
         true},
        {"h_noderank0/rank0.log.txt", NULL, NULL, RUN_NONE, RUN_NONE, RUN_NONE, true},
        {"round1/round2/h_noderank4/rank99999999.out.log", "round1", "h", 2, 4, RUN_NONE, false},
        {"c/roundx/h_noderank0/rank.out.log", NULL, NULL, RUN_NONE, RUN_NONE, RUN_NONE, false},
        {"c/round1/h_noderank/rank1.out.log.gz", NULL, NULL, RUN_NONE, RUN_NONE, RUN_NONE, false},
        {"", NULL, NULL, RUN_NONE, RUN_NONE, RUN_NONE, false},
    };
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct run_place p;
        run_place_of(places[i].path, &arena, &p);
        assert_int_equal(p.round, places[i].round);
        assert_int_equal(p.node, places[i].node);
        assert_int_equal(p.rank, places[i].rank);
        assert_int_equal(p.node_log, places[i].node_log);
        assert_int_equal(p.kase != NULL, places[i].kase != NULL);
        assert_int_equal(p.host != NULL, places[i].host != NULL);
        if (p.kase)
            assert_string_equal(p.kase, places[i].kase);
        if (p.host)
            assert_string_equal(p.host, places[i].host);
    }
    arena_release(&arena);
}

static void keys_have_six_parts(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct case_key k;
    case_key_parse("llama2_7b:deepspeed-torch_2.0:C500:4:8:3", &arena, &k);
    assert_true(k.whole && k.nnodes == 4 && k.nproc == 8 && k.repeat == 3);
    assert_string_equal(k.model, "llama2_7b");
    assert_string_equal(k.framework, "deepspeed-torch");
    assert_string_equal(k.hardware, "C500");
    static const char *const bad[] = {
        "tiny_llama", "a:b:c:1:1", "a:b:c:1:1:1:1",      "a:b:c:0:1:1", "a:b:c:1:x:1",
        "a:b:c:1:1:", "",          "a:b:c:60000:60000:1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        case_key_parse(bad[i], &arena, &k);
        assert_false(k.whole);
    }
    arena_release(&arena);
}

struct fixture {
    struct arena arena;
    struct diags diags;
    struct run_tree tree;
    struct run_file files[64];
    size_t n;
};

static void setup(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    diags_init(&f->diags, &f->arena);
}

static void put(struct fixture *f, const char *name, const char *text)
{
    f->files[f->n++] = (struct run_file){name, {text, strlen(text)}};
}

/* Steps 1 to n of one rank: loss 10 / step + `off`, a step a second from `clock` s on. */
static const char *steps(struct fixture *f, int rank, int n, double off, double clock)
{
    const char *text = "";
    for (int i = 1; i <= n; i++)
        text = arena_printf(&f->arena,
                            "%s[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": %.6f}, "
                            "\"step\": %d, \"metadata\": {\"file\": "
                            "\"/x/benchmarks/bert/pytorch/run_pretraining.py\", \"time_ms\": %.0f, "
                            "\"rank\": %d}}\n",
                            text, 10.0 / i + off, i, 1000 * (clock + i), rank);
    return text;
}

static bool said(const struct fixture *f, const char *words)
{
    for (size_t i = 0; i < f->diags.n; i++)
        if (strstr(f->diags.items[i].message, words))
            return true;
    return false;
}

static void dump(const struct fixture *f)
{
    for (size_t i = 0; i < f->diags.n; i++)
        print_message("%s: %s\n", f->diags.items[i].file, f->diags.items[i].message);
}

#define CASE "bert:pytorch_1.8:A100:2:2:1/round1/"

static void put_sound_run(struct fixture *f)
{
    put(f, CASE "a_noderank0/nvidia_monitor.log",
        "2023-03-27-11:20:05\n31C 57W 15MiB 40536MiB 0%\n32C 58W 16MiB 40536MiB 1%\n");
    put(f, CASE "a_noderank0/rank0.out.log", steps(f, 0, 5, 0, 100));
    put(f, CASE "a_noderank0/rank1.out.log", steps(f, 1, 5, 0, 100));
    put(f, CASE "a_noderank0/start_pytorch_task.log", "INFO\n");
    put(f, CASE "a_noderank0/sys_info.log", "OS version:\n");
    put(f, CASE "b_noderank1/rank2.out.log", steps(f, 0, 5, 0, 100.5));
    put(f, CASE "b_noderank1/rank3.out.log", steps(f, 1, 5, 0, 100.5));
    put(f, "flagperf_run.log", "INFO\n");
}

static void read_files(struct fixture *f)
{
    run_tree_read("run.tar.zst:", f->files, f->n, &f->arena, &f->diags, &f->tree);
}

static void ranks_of_all_nodes_are_one_round(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    put_sound_run(&f);
    read_files(&f);
    dump(&f);
    assert_int_equal(f.diags.n, 0);
    assert_int_equal(f.tree.n_logs, 4);
    assert_int_equal(f.tree.n_monitors, 1);
    assert_int_equal(f.tree.n_rounds, 1);
    const struct run_round *r = &f.tree.rounds[0];
    assert_int_equal(r->n_logs, 4);
    assert_string_equal(r->key.model, "bert");
    assert_int_equal(r->curve.n, 5);
    assert_true(r->curve.step[4] == 5 && r->curve.loss[4] == 2);
    assert_true(r->peaks.card_mib == 16 && r->peaks.cards == 2);
    assert_string_equal(f.tree.logs[0].log.file, "run.tar.zst:" CASE "a_noderank0/rank0.out.log");
    assert_ptr_equal(run_log_main(r->logs, r->n_logs), &f.tree.logs[0]);
    arena_release(&f.arena);
}

static void what_does_not_fit_is_a_finding(void **state)
{
    (void)state;
    static const struct {
        const char *name; /* of the file that is changed, or put beside the others */
        int steps;        /* 0: the file is left out */
        double off, clock;
        const char *message;
    } faults[] = {
        {CASE "b_noderank1/rank3.out.log", 0, 0, 0,
         "the run has no log of rank 3, but its case has 4 ranks"},
        {CASE "b_noderank1/rank1.out.log", 5, 0, 100, "found rank 1 on node 1, expected 2 to 3"},
        {CASE "c_noderank1/rank2.out.log", 5, 0, 100, "rank 2 appears twice"},
        {CASE "c_noderank1/rank2.out.log", 5, 0, 100, "node rank 1 appears twice, as b and as c"},
        {CASE "c_noderank2/rank4.out.log", 5, 0, 100, "found node rank 2, expected at most 1"},
        {CASE "b_noderank1/rank3.out.log", 4, 0, 100, "1 steps are missing and 0 steps are extra"},
        {CASE "b_noderank1/rank3.out.log", 6, 0, 100, "0 steps are missing and 1 steps are extra"},
        {CASE "b_noderank1/rank3.out.log", 5, 0.5, 100, "rank 3 differs most, by 25 % at step 5"},
        {CASE "b_noderank1/rank2.out.log", 5, 0, 3700, "clock of node 1 is 3600.0 s ahead of that"},
        {CASE "b_noderank1/rank2.out.log", 5, 0, 90, "clock of node 1 is 10.0 s behind that of"},
        {"bert:paddle:A100:2:2:1/round1/a_noderank0/rank0.out.log", 5, 0, 100,
         "written by bert/pytorch, expected bert/paddle: the log belongs to another case"},
        {"gpt:pytorch:A100:1:1:2/round1/a_noderank0/rank0.out.log", 5, 0, 100,
         "expected gpt/pytorch"},
        {"bert:pytorch:A100:1:1:2/round1/a_noderank0/rank0.out.log", 5, 0, 100,
         "the run has no files of round 2, but its case has 2 rounds"},
        {"bert:pytorch:A100:3:1:1/round1/a_noderank1/rank1.out.log", 5, 0, 100,
         "the run has no files of node 0, 2, but its case has 3 nodes"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct fixture f;
        setup(&f);
        put_sound_run(&f);
        size_t at = 0;
        while (at < f.n && strcmp(f.files[at].name, faults[i].name) != 0)
            at++;
        f.n -= faults[i].steps == 0;
        if (faults[i].steps == 0)
            f.files[at] = f.files[f.n];
        else if (at == f.n)
            put(&f, faults[i].name, steps(&f, 0, faults[i].steps, faults[i].off, faults[i].clock));
        else {
            const char *text = steps(&f, 0, faults[i].steps, faults[i].off, faults[i].clock);
            f.files[at].bytes = (struct bytes){text, strlen(text)};
        }
        read_files(&f);
        if (!said(&f, faults[i].message)) {
            dump(&f);
            fail_msg("not said: %s", faults[i].message);
        }
        arena_release(&f.arena);
    }
}

static void nodes_of_other_frameworks_have_one_log(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    put(&f, "llama:megatron_core:A100:2:8:1/round1/a_noderank0/megatron.log.txt",
        " iteration 1/ 9 | lm loss: 4.0 |\n");
    put(&f, "llama:megatron_core:A100:2:8:1/round1/b_noderank1/megatron.log.txt",
        " iteration 1/ 9 | lm loss: 5.0 |\n iteration 2/ 9 | lm loss: 3.0 |\n");
    put(&f, "tiny_llama/round1/h_noderank0/rank0.out.log", "Step 1/2, Loss: 3\n");
    read_files(&f);
    assert_int_equal(f.tree.n_rounds, 2);
    assert_int_equal(f.tree.rounds[0].curve.n, 2);
    assert_true(f.tree.rounds[0].curve.loss[0] == 4 && f.tree.rounds[0].curve.loss[1] == 3);
    assert_true(said(&f, "0 steps are missing and 1 steps are extra"));
    assert_true(said(&f, "rank 8 differs most, by 25 % at step 1"));
    assert_int_equal(f.diags.n, 2);
    arena_release(&f.arena);
}

static void write_text(const char *root, const char *name, const char *text)
{
    struct err err = ERR_INIT;
    char path[300];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(file_write(path, text, strlen(text), &err), 0);
}

static void a_run_on_disk_is_read_from_any_depth(void **state)
{
    (void)state;
    static const char *const below[] = {"", "/bert:pytorch_1.8:A100:2:2:1", "/" CASE,
                                        "/" CASE "a_noderank0"};
    char root[] = "/tmp/fpreport-tree-XXXXXX";
    struct err err = ERR_INIT;
    struct fixture f;
    assert_non_null(mkdtemp(root));
    setup(&f);
    put_sound_run(&f);
    for (size_t i = 0; i < f.n; i++)
        write_text(root, f.files[i].name, f.files[i].bytes.data);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        struct run_tree t;
        struct diags diags;
        diags_init(&diags, &f.arena);
        char *path = arena_printf(&f.arena, "%s%s", root, below[i]);
        assert_int_equal(run_tree_open(path, NULL, &f.arena, &diags, &t, &err), 0);
        assert_int_equal(t.n_rounds, 1);
        assert_string_equal(t.rounds[0].key.text, "bert:pytorch_1.8:A100:2:2:1");
        assert_int_equal(t.rounds[0].curve.n, 5);
        assert_int_equal(t.n_logs, i < 3 ? 4 : 2);
        assert_int_equal(diags.n, i < 3 ? 0 : 2); /* of one node: the other and its ranks */
    }
    struct run_tree t;
    write_text(root, CASE "b_noderank1/rank2.out.log", "");
    assert_int_equal(run_tree_open(root, NULL, &f.arena, &f.diags, &t, &err), 0);
    assert_int_equal(t.logs[2].faults.errors, 1);
    assert_int_equal(file_remove_tree(root, &err), 0);
    assert_int_equal(run_tree_open(root, NULL, &f.arena, &f.diags, &t, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    arena_release(&f.arena);
}

/* A folder's name says how many nodes, ranks or rounds there are: each of many folders may say
 * 65,535, which must not cost the time of as many. It took 0.1 s, and 1.2 s before that. */
static void what_a_name_says_costs_nothing(void **state)
{
    static const char *const says[] = {"65535:1:1", "1:65535:1", "1:1:65535"};
    struct fixture f;
    (void)state;
    setup(&f);
    size_t n = 15000;
    struct run_file *files = arena_array(&f.arena, n, sizeof *files);
    for (size_t i = 0; i < n; i++)
        files[i] = (struct run_file){
            arena_printf(&f.arena, "c%zu:pytorch_1:a:%s/round2/h_noderank0/rank0.out.log", i,
                         says[i % 3]),
            {"", 0}};
    clock_t began = clock();
    run_tree_read("x:", files, n, &f.arena, &f.diags, &f.tree);
    double took = pace_since(began);
    assert_int_equal(f.tree.n_rounds, n);
    assert_true(said(&f, "the run has no files of node 1-65534, but its case has 65535 nodes"));
    assert_true(said(&f, "the run has no log of rank 1-65534, but its case has 65535 ranks"));
    assert_true(said(&f, "the run has no files of round 1, but its case has 65535 rounds"));
    assert_true(took < 12 * pace_seconds());
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_told_by_the_path),
        cmocka_unit_test(keys_have_six_parts),
        cmocka_unit_test(ranks_of_all_nodes_are_one_round),
        cmocka_unit_test(what_does_not_fit_is_a_finding),
        cmocka_unit_test(nodes_of_other_frameworks_have_one_log),
        cmocka_unit_test(what_a_name_says_costs_nothing),
        cmocka_unit_test(a_run_on_disk_is_read_from_any_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
