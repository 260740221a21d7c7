/* cells: configurations, plans and hyperparameters as published, and hostile ones. */
#include "tests/unit/unit.h"

#include "verifier/claims/cells.h"

#include <math.h>
#include <string.h>

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

static void configurations_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *text, *accelerator;
        long nodes, cards, by, of;
        double memory;
        const char *stage;
    } cells[] = {
        {"A100单机8卡（1x8）", "A100", 1, 8, 1, 8, NAN, NULL},
        {"H800 2机16卡（2x8）", "H800", 2, 16, 2, 8, NAN, NULL},
        {"A100两机8卡(2x8)", "A100", 2, 8, 2, 8, NAN, NULL},
        {"C500四机32卡（4x8）", "C500", 4, 32, 4, 8, NAN, NULL},
        {"R300十机80卡（10x8）", "R300", 10, 80, 10, 8, NAN, NULL},
        {"H1004机32卡（4x8）", "H100", 4, 32, 4, 8, NAN, NULL},
        {"H100-55机440卡（55x8）", "H100", 55, 440, 55, 8, NAN, NULL},
        {"BI1501机8卡（2x8）", "BI1501", 0, 8, 2, 8, NAN, NULL},
        {"A100单机8卡（1x8*80G）", "A100", 1, 8, 1, 8, 80, NULL},
        {"Bi-150单机8卡（1x8）（pretrain）", "Bi-150", 1, 8, 1, 8, NAN, "pretrain"},
        {"Atlas 800T A2单机8卡（1x8）（finetune）", "Atlas 800T A2", 1, 8, 1, 8, NAN, "finetune"},
        {"BI-VV150 2机4卡（2x4）", "BI-VV150", 2, 4, 2, 4, NAN, NULL},
        {"\\*单机8卡（1x8）", "", 1, 8, 1, 8, NAN, NULL},
        {"/单机单卡(1x1)", "", 1, 1, 1, 1, NAN, NULL},
        {"单机单卡（1×1）", "", 1, 1, 1, 1, NAN, NULL},
        {"R300+三十二机16卡", "R300+", 32, 16, 0, 0, NAN, NULL},
        {"MLU (2 x 8)", "MLU", 0, 0, 2, 8, NAN, NULL},
    };
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        struct configuration c;
        assert_true(configuration_parse(cells[i].text, &arena, &c));
        if (c.nodes != cells[i].nodes || c.cards != cells[i].cards || c.by != cells[i].by ||
            c.of != cells[i].of || !same(c.card_memory, cells[i].memory))
            fail_msg("'%s': %ld %ld (%ldx%ld) %g", cells[i].text, c.nodes, c.cards, c.by, c.of,
                     c.card_memory);
        assert_string_equal(c.accelerator, cells[i].accelerator);
        if (cells[i].stage)
            assert_string_equal(c.stage, cells[i].stage);
        else
            assert_null(c.stage);
    }
    struct configuration c;
    assert_true(configuration_parse("A100单机8卡（1x8）（BF16）", &arena, &c));
    assert_string_equal(c.precision, "bf16");
    assert_null(c.stage);
    assert_true(configuration_parse("A100单机8卡（1x8）（finetune）", &arena, &c));
    assert_null(c.precision);
    assert_string_equal(c.stage, "finetune");
    assert_false(configuration_parse("LLaMA-7B", &arena, &c));
    assert_false(configuration_parse("", &arena, &c));
    assert_false(configuration_parse("A100机卡", &arena, &c));
    assert_false(configuration_parse("(99999999999999999999x8)", &arena, &c));
    arena_release(&arena);
}

static void plans_in_any_order(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct plan p;
    assert_true(plan_parse("TP8PP4DP1", &arena, &p) && plan_world(&p) == 32);
    assert_true(plan_parse("PP2DP4EP4TP2", &arena, &p) && plan_world(&p) == 16 && p.expert == 4);
    assert_true(plan_parse("DP8", &arena, &p) && plan_world(&p) == 8 && p.tensor == 0);
    assert_true(plan_parse(" tp2, pp2 ", &arena, &p) && plan_world(&p) == 4);
    assert_true(plan_parse("TP2PP1CP2DP2SP2", &arena, &p) && plan_world(&p) == 8);
    assert_false(plan_parse("/", &arena, &p));
    assert_false(plan_parse("", &arena, &p));
    assert_false(plan_parse("TP0PP4", &arena, &p));
    assert_false(plan_parse("TP8 then", &arena, &p));
    assert_false(plan_parse("TP99999999999999999999", &arena, &p));
    assert_true(plan_find("实施细节：PP4DP2TP8，见下", &arena, &p) && plan_world(&p) == 64);
    assert_false(plan_find("格式为TPxPPyDPz", &arena, &p));
    arena_release(&arena);
}

static void hyperparameters_as_published(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct hyperparameters h;
    hyperparameters_parse("GAS=64(globalbs=2M tokens)", &arena, &h);
    assert_true(h.gas == 64 && h.gbs_tokens == 2097152 && h.gbs_tokens_place == 1048576);
    assert_true(isnan(h.gbs) && isnan(h.lbs));
    hyperparameters_parse("GAS=16(GBS=128=256K tokens)", &arena, &h);
    assert_true(h.gas == 16 && h.gbs == 128 && h.gbs_tokens == 262144);
    hyperparameters_parse("local_batchsize=4， GAS=16（GBS=1024=4M tokens）", &arena, &h);
    assert_true(h.lbs == 4 && h.gas == 16 && h.gbs == 1024 && h.gbs_tokens == 4194304);
    hyperparameters_parse("默认为512，使得globalbatchsize=4M tokens。", &arena, &h);
    assert_true(h.gbs_tokens == 4 * 1024 * 1024 && h.gbs_tokens_decimal == 4e6);
    hyperparameters_parse("GAS=1024(GBS=1024=4Mi tokens)", &arena, &h);
    assert_true(h.gbs_tokens == 4 * 1024 * 1024 && isnan(h.gbs_tokens_decimal));
    hyperparameters_parse("MPE=2048 LBS=3 GAS=64", &arena, &h);
    assert_true(h.mpe == 2048 && h.lbs == 3 && h.gas == 64);
    hyperparameters_parse("数据精度=fp16, local_batchsize=4", &arena, &h);
    assert_string_equal(h.precision, "fp16");
    assert_true(h.lbs == 4);
    hyperparameters_parse("GAS=8, precision：BF16", &arena, &h);
    assert_true(h.gas == 8);
    assert_string_equal(h.precision, "BF16");
    hyperparameters_parse("LBS=4，FP16", &arena, &h);
    assert_string_equal(h.precision, "fp16");
    hyperparameters_parse("精度=0.98, tf32=False, 优化器状态fp32", &arena, &h);
    assert_null(h.precision);
    hyperparameters_parse("recompute=True,(theoryflops=495T)", &arena, &h);
    assert_true(h.theory_flops == 495e12);
    hyperparameters_parse("per_device_bs=4, accumulate=32, (global bs = 2M tokens)", &arena, &h);
    assert_true(h.lbs == 4 && h.gas == 32 && h.gbs_tokens == 2097152);
    hyperparameters_parse("gbs=1760*", &arena, &h);
    assert_true(h.gbs == 1760);
    hyperparameters_parse("bs=12,lr=6.25e-6", &arena, &h);
    assert_true(isnan(h.lbs) && isnan(h.gbs));
    hyperparameters_parse("====,a==b=，gas=", &arena, &h);
    assert_true(isnan(h.gas));
    arena_release(&arena);
}

static void names_of_configuration_files(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct config_name c;
    assert_true(config_name_parse("config_R300x10x8.py", &arena, &c));
    assert_true(c.nodes == 10 && c.cards == 8);
    assert_string_equal(c.accelerator, "R300");
    assert_true(config_name_parse("为config_TP2PP1SH2SP4A10080Gx1x8中", &arena, &c) == false);
    assert_true(config_name_parse("config_TP2PP1SH2SP4A10080Gx1x8", &arena, &c));
    assert_string_equal(c.accelerator, "A10080G");
    assert_false(config_name_parse("ds_config.json", &arena, &c));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_as_published),
        cmocka_unit_test(plans_in_any_order),
        cmocka_unit_test(hyperparameters_as_published),
        cmocka_unit_test(names_of_configuration_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
