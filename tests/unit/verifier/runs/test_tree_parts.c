/* What a tree of results is read from beside its training logs: sys_info.log, the lines of
 * benchmarks, time stamps, and places without a round. */
#include "tests/unit/unit.h"

#include "base/lines/span.h"
#include "verifier/logs/log.h"
#include "verifier/runs/run_tree.h"
#include "verifier/runs/sys_info.h"

#include <math.h>
#include <string.h>

static struct bytes text(const char *s)
{
    return (struct bytes){s, strlen(s)};
}

static void the_machine_is_told_by_its_blocks(void **state)
{
    (void)state;
    static const char sound[] = "NODE 10.0.0.1\n\nOS version:\r\nUbuntu 20.04.6 LTS\r\n\n"
                                "OS Kernel version:\n5.4.0-113-generic\n\nHardware Model:\n"
                                "Manufacturer: NVIDIA\nProduct Name: DGX A100\nVersion: v1\n\n"
                                "Accelerator Model:\nGPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
                                "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-2)\n\n"
                                "Accelerator Driver version:\n470.129.06\n\nDocker version:\n";
    struct arena arena = ARENA_INIT;
    struct facts f = {0};
    sys_info_read(text(sound), &arena, &f);
    assert_string_equal(facts_value(&f, FACT_OS), "Ubuntu 20.04.6 LTS");
    assert_string_equal(facts_value(&f, FACT_KERNEL), "5.4.0-113-generic");
    assert_string_equal(facts_value(&f, FACT_MACHINE), "DGX A100");
    assert_string_equal(facts_value(&f, FACT_ACCELERATOR_MODEL), "NVIDIA A100-SXM4-40GB");
    assert_string_equal(facts_value(&f, FACT_ACCELERATOR_COUNT), "2");
    assert_string_equal(facts_value(&f, FACT_ACCELERATOR_DRIVER), "470.129.06");
    assert_null(facts_value(&f, FACT_CONTAINER));
    /* What is known stays: a second machine adds nothing. */
    sys_info_read(text("OS version:\nDebian\n"), &arena, &f);
    assert_string_equal(facts_value(&f, FACT_OS), "Ubuntu 20.04.6 LTS");
    arena_release(&arena);
}

static void a_broken_sys_info_says_nothing(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "OS version:",
        "OS version:\n\n\n",
        "os version:\nx\n",
        "OS version:\nunknown (cannot read)\n",
        "OS version:\n\xff\xfe\n",
        "Accelerator Model:\n (\n",
    };
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct facts f = {0};
        sys_info_read(text(broken[i]), &arena, &f);
        assert_null(facts_value(&f, FACT_OS));
        assert_null(facts_value(&f, FACT_ACCELERATOR_COUNT));
    }
    assert_true(sys_info_is("a/sys_info.log") && sys_info_is("sys_info.log.txt"));
    assert_false(sys_info_is("sys_info.txt"));
    arena_release(&arena);
}

static void stamps_are_seconds(void **state)
{
    (void)state;
    assert_true(stamp_read(SPAN("1970-01-01 00:00:00"), ' ') == 0);
    assert_true(stamp_read(SPAN("2024-02-29-23:59:59\t1"), '-') == 1709251199);
    assert_true(stamp_read(SPAN("2024-03-01 00:00:00]"), ' ') == 1709251200);
    assert_true(isnan(stamp_read(SPAN("2024-03-01 00:00:00"), '-')));
    assert_true(isnan(stamp_read(SPAN("2024-13-01 00:00:00"), ' ')));
    assert_true(isnan(stamp_read(SPAN("2024-03-01 00:00:0"), ' ')));
    assert_true(isnan(stamp_read(SPAN("2024-03-01 00:00:0x"), ' ')));
}

static double value_of(const char *line, const char *key)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log log;
    diags_init(&diags, &arena);
    log_read("b.log", text(line), &log, &arena, &diags);
    const struct log_value *v = log_get(&log, key);
    double value = v ? v->value : NAN;
    arena_release(&arena);
    return value;
}

static void results_of_benchmarks_are_values(void **state)
{
    (void)state;
    static const struct {
        const char *line, *key;
        double value;
    } lines[] = {
        {"[FlagPerf Result]Rank 0's computation-BF16=259.2TFLOPS\n",
         "Rank 0's computation-BF16 (TFLOPS)", 259.2},
        {"[FlagPerf Result]Rank 3's main_memory-capacity=85.02GB\n",
         "Rank 3's main_memory-capacity (GB)", 85.02},
        {"[FlagPerf Result]FLOPS utilization: cputime=1.25%, kerneltime=3.5%\n",
         "FLOPS utilization kerneltime (%)", 3.5},
        {"[FlagPerf Result]cputime=7413.27 us, throughput=134.89 op/s, equals to 0.07 TFLOPS\n",
         "cputime throughput (op/s)", 134.89},
        {"[FlagPerf Result]cputime=7413.27 us, throughput=134.89 op/s, equals to 0.07 TFLOPS\n",
         "cputime equals to (TFLOPS)", 0.07},
        {"[FlagPerf Result]First time latency: no warmup=123.4 us, warmup=5.6 us\n",
         "First time latency warmup (us)", 5.6},
        {"[FlagPerf Result]Relative error with FP64-CPU: mean=1.5e-05, std=2e-06\n",
         "Relative error with FP64-CPU mean", 1.5e-05},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_true(value_of(lines[i].line, lines[i].key) == lines[i].value);
}

static void a_reached_target_is_a_value(void **state)
{
    (void)state;
    static const char line[] = "converged_success. eval_mAP: 0.3721, target_mAP: 0.37\n";
    assert_true(value_of(line, "converged_success") == 1);
    assert_true(value_of(line, "eval score") == 0.3721);
    assert_true(value_of(line, "target score") == 0.37);
    assert_true(value_of("converged_success. eval_x: , target_x\n", "converged_success") == 1);
    assert_true(isnan(value_of("converged_success. eval_x: , target_x\n", "eval score")));
    assert_true(isnan(value_of("converged_successful\n", "converged_success")));
}

static void lines_that_are_no_result_are_none(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "[FlagPerf Result]",         "[FlagPerf Result]=",    "[FlagPerf Result]: =1",
        "[FlagPerf Result]a=b, c=",  "[FlagPerf Result],,,,", "[FlagPerf Result]equals to ",
        "[FlagPerf Result]x: y: z=:"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct arena arena = ARENA_INIT;
        struct diags diags;
        struct log log;
        diags_init(&diags, &arena);
        log_read("b.log", text(lines[i]), &log, &arena, &diags);
        assert_int_equal(log.n_values, 0);
        arena_release(&arena);
    }
}

static void places_without_a_round(void **state)
{
    (void)state;
    static const struct {
        const char *path, *kase;
        long node;
        bool node_log, bench;
    } places[] = {
        {"run1/noderank3.log.txt", NULL, 3, true, false},
        {"c/round1/h_noderank2/noderank2.out.log", "c", 2, true, false},
        {"run1/noderankx.log.txt", NULL, RUN_NONE, false, false},
        {"result/run1/mm:FP16/h_noderank1/operation.log.txt", "mm:FP16", 1, true, true},
        {"h_noderank1/benchmark.log.txt", NULL, RUN_NONE, true, true},
        {"result/run1/mm/other/toolkit.log.txt", NULL, RUN_NONE, true, true},
    };
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct run_place p;
        run_place_of(places[i].path, &arena, &p);
        assert_int_equal(p.node, places[i].node);
        assert_int_equal(p.node_log, places[i].node_log);
        assert_int_equal(p.bench, places[i].bench);
        assert_int_equal(p.kase != NULL, places[i].kase != NULL);
        if (p.kase)
            assert_string_equal(p.kase, places[i].kase);
    }
    arena_release(&arena);
}

static void what_is_outside_is_one_round_only_when_nothing_is_inside(void **state)
{
    (void)state;
    static const struct run_file files[] = {
        {"noderank0.log.txt", {"Step 1/2, Loss: 3\n", 18}},
        {"noderank1.log.txt", {"Step 1/2, Loss: 3\n", 18}},
        {"x:y:z:1:1:1/round1/h_noderank0/rank0.out.log", {"Step 1/2, Loss: 2\n", 18}},
    };
    struct arena arena = ARENA_INIT;
    for (size_t n = 2; n <= 3; n++) {
        struct run_tree t;
        struct diags diags;
        diags_init(&diags, &arena);
        run_tree_read("", files, n, &arena, &diags, &t);
        assert_int_equal(t.n_rounds, 1);
        assert_int_equal(t.rounds[0].round, n == 2 ? RUN_NONE : 1);
        assert_int_equal(t.rounds[0].n_logs, n == 2 ? 2 : 1);
        assert_true(t.rounds[0].curve.loss[0] == (n == 2 ? 3 : 2));
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_is_told_by_its_blocks),
        cmocka_unit_test(a_broken_sys_info_says_nothing),
        cmocka_unit_test(stamps_are_seconds),
        cmocka_unit_test(results_of_benchmarks_are_values),
        cmocka_unit_test(a_reached_target_is_a_value),
        cmocka_unit_test(lines_that_are_no_result_are_none),
        cmocka_unit_test(places_without_a_round),
        cmocka_unit_test(what_is_outside_is_one_round_only_when_nothing_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
