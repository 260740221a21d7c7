/* log_banner: what heads of logs say of their machine, and what our own trainer says of itself. */
#include "tests/unit/log_text.h"

#include <math.h>
#include <stdio.h>

#define NAME \
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij" /* 80 */

static void words_behind_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum log_banner banner;
        const char *value; /* NULL: none */
        int line;
    } rows[] = {
        {"| NVIDIA-SMI 535.54.03  Driver Version: 535.54.03  CUDA Version: 12.2     |\n",
         BANNER_DRIVER, "535.54.03", 1},
        {"| NVIDIA-SMI 535.54.03  Driver Version: 535.54.03  CUDA Version: 12.2     |\n",
         BANNER_RUNTIME, "12.2", 1},
        {"x\nNvidia driver version: 470.1,\n", BANNER_DRIVER, "470.1", 2},
        {"CUDA Version: 12.2|\n", BANNER_RUNTIME, "12.2", 1},
        {"CUDA Version: 12.2\tx\n", BANNER_RUNTIME, "12.2", 1},
        {"GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-x)\n", BANNER_CARD, "NVIDIA A100-SXM4-40GB", 1},
        {"GPU 0: NVIDIA A100-SXM4-40GB\nGPU 0: another\n", BANNER_CARD, "NVIDIA A100-SXM4-40GB", 1},
        {"GPU 1: NVIDIA A100-SXM4-40GB\n", BANNER_CARD, NULL, 0},
        {"GPU 0: . .\n", BANNER_CARD, NULL, 0},
        {"using world size: 8, data-parallel-size: 2\n", BANNER_RANKS, "8", 1},
        {"  world_size ..................... 16\n", BANNER_RANKS, "16", 1},
        {"  world_size ...\n", BANNER_RANKS, NULL, 0},
        {"  params_dtype ............ torch.bfloat16\n", BANNER_PRECISION, "torch.bfloat16", 1},
        {"  num_layers .............. 16\n", BANNER_LAYERS, "16", 1},
        {"  recompute_num_layers .... 1\n  mtp_num_layers ... None\n", BANNER_LAYERS, NULL, 0},
        {"Namespace(num_layers=2, hidden_size=64)\n", BANNER_HIDDEN, "64", 1},
        {"  \"hidden_size\": 1024,\n", BANNER_HIDDEN, NULL, 0}, /* a vision tower's */
        {"  seq_length: 4096\n", BANNER_EXACT_LENGTH, "4096", 1},
        {"  max_seq_length: 4096\n", BANNER_EXACT_LENGTH, NULL, 0},
        {"  \"seq_length\": 32768,\n", BANNER_EXACT_LENGTH, NULL, 0},
        {"  min_lr ........ 1e-5\n  lr ........ 3e-4\n", BANNER_RATE, "3e-4", 2},
        {"    lr: 0.0\n", BANNER_RATE, NULL, 0}, /* an optimizer that warms up */
        {"  bf16 ....... False\n", BANNER_BF16, "False", 1},
        {"bf16=False,\n", BANNER_BF16, NULL, 0}, /* the weights may be of it */
        {"bf16=True,\n", BANNER_BF16, "True", 1},
        {"  bfloat16_enabled ............. True\n", BANNER_BF16, "True", 1},
        {"  bfloat16_config .............. enabled=True check=False\n", BANNER_BF16, "True", 1},
        {"  fp16_enabled ................. False\n", BANNER_FP16, NULL, 0},
        {"  fp8 ........ hybrid\n", BANNER_FP8, "hybrid", 1},
        {"torch version .................... 2.1.0\n", BANNER_TORCH, "2.1.0", 1},
        {"PyTorch version: \x01\nPyTorch version: 2.1\xC3\xA9\nPyTorch version: 2.2\n",
         BANNER_TORCH, "2.2", 3},
        {"[INFO] DeepSpeed info: version=0.11.1, git-hash=x\n", BANNER_DEEPSPEED, "0.11.1", 1},
        {"Git info for Megatron: git_hash=26cd664 git_branch=x\n", BANNER_COMMIT, "26cd664", 1},
        {"PyTorch version: " NAME "0123456789012345678901234567890123456789\n", BANNER_TORCH,
         NAME "0123456789012345678901234567890123456789", 1},
        {"PyTorch version: " NAME "0123456789012345678901234567890123456789x\n", BANNER_TORCH, NULL,
         0},
        /* A line that a format knows says nothing else. */
        {"MFU: 0.5\nMFU: 0.5 CUDA Version: 12.2\n", BANNER_RUNTIME, "12.2", 2},
        {"Step 1/1, Loss: 3 CUDA Version: 12.2\n", BANNER_RUNTIME, NULL, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        READ(&f, rows[i].text);
        const struct log_banner_value *b = &f.log.banners[rows[i].banner];
        if (!b->value != !rows[i].value || (b->value && strcmp(b->value, rows[i].value) != 0))
            fail_msg("%s gave '%s'", rows[i].text, b->value ? b->value : "nothing");
        assert_int_equal(b->line, rows[i].line);
        arena_release(&f.arena);
    }
}

/* Only a head is looked at. */
static void what_stands_far_behind_is_no_head(void **state)
{
    (void)state;
    for (int behind = 0; behind <= 1; behind++) {
        struct fixture f;
        struct buf text;
        buf_init(&text, 1 << 20);
        for (int i = 1; i < LOG_BANNER_LINES + behind; i++)
            buf_str(&text, "x\n");
        buf_str(&text, "CUDA Version: 12.2\n");
        read_text(&f, text.data, text.len);
        if (behind)
            assert_null(f.log.banners[BANNER_RUNTIME].value);
        else
            assert_int_equal(f.log.banners[BANNER_RUNTIME].line, LOG_BANNER_LINES);
        buf_release(&text);
        arena_release(&f.arena);
    }
}

#define EVENT(name, value) \
    "[PerfLog] {\"event\": \"" name "\", \"value\": {" value "}, \"metadata\": {\"rank\": 0}}\n"
#define WEIGHTS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void our_own_trainer_says_how_it_began(void **state)
{
    (void)state;
    struct fixture f;
    READ(
        &f,
        EVENT("INIT_START", "\"ranks\": 8, \"precision\": \"bf16\", \"seed\": 42") EVENT(
            "INIT_START",
            "\"ranks\": 4, \"seed\": 43, \"other\": 1") "[PerfLog] {\"event\": \"INIT_START\", "
                                                        "\"ranks\": 2, \"precision\": \"fp32\", "
                                                        "\"seed\": "
                                                        "7}\n" EVENT(
                                                            "INIT_END",
                                                            "\"resumed_step\": 20, "
                                                            "\"initial_weights_sha256\": \"" WEIGHTS
                                                            "aa\"") EVENT("INIT_END",
                                                                          "\"resumed_step\": x, "
                                                                          "\"initial_weights_"
                                                                          "sha256\": \"other\"")
                                                            EVENT(
                                                                "INIT_END",
                                                                "\"resumed_step\": Infinity, "
                                                                "\"a\": 1") "[PerfLog] {\"event\": "
                                                                            "\"INIT_END\", "
                                                                            "\"resumed_step\": "
                                                                            "30}\n" EVENT("STEP_"
                                                                                          "ZERO",
                                                                                          "\"loss\""
                                                                                          ": 10.5")
                                                                                EVENT(
                                                                                    "STEP_ZERO",
                                                                                    "\"loss\": nan")
                                                                                    EVENT(
                                                                                        "STEP_ZERO",
                                                                                        "\"loss\": "
                                                                                        "x") "[Perf"
                                                                                             "Log] "
                                                                                             "{\"ev"
                                                                                             "ent\""
                                                                                             ": "
                                                                                             "\"STE"
                                                                                             "P_"
                                                                                             "ZERO"
                                                                                             "\", "
                                                                                             "\"los"
                                                                                             "s\": "
                                                                                             "9}"
                                                                                             "\n");
    assert_string_equal(f.log.banners[BANNER_RANKS].value, "8");
    assert_string_equal(f.log.banners[BANNER_PRECISION].value, "bf16");
    assert_int_equal(f.log.banners[BANNER_PRECISION].line, 1);
    assert_true(f.log.seed == 43 && f.log.resumed_step == 20 && f.log.step_zero == 10.5);
    assert_string_equal(f.log.initial_weights, WEIGHTS);
    assert_int_equal(f.log.known, 11);
    assert_int_equal(f.diags.n, 0);
    arena_release(&f.arena);
    READ(&f, EVENT("INIT_END", "\"initial_weights_sha256\": \"short\""));
    assert_string_equal(f.log.initial_weights, "short");
    assert_true(isnan(f.log.seed) && isnan(f.log.step_zero) && f.log.resumed_step == 0);
    assert_null(f.log.banners[BANNER_RANKS].value);
    arena_release(&f.arena);
}

static void checkpoints_take_time(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f,
         EVENT("CHECKPOINT_SAVED", "\"seconds\": 1.5") "x\n" EVENT(
             "CHECKPOINT_SAVED", "\"bytes\": 7, \"seconds\": 2, \"seconds\": -1, \"seconds\": x")
             EVENT("CHECKPOINT_SAVED",
                   "\"seconds\": NaN") "[PerfLog] {\"event\": \"CHECKPOINT_SAVED\", \"seconds\": "
                                       "3}\n");
    assert_int_equal(f.log.n_saves, 2);
    assert_true(f.log.saves[0].seconds == 1.5 && f.log.saves[1].seconds == 2);
    assert_true(f.log.saves[0].line == 1 && f.log.saves[1].line == 3);
    arena_release(&f.arena);
}

static void not_every_checkpoint_is_kept(void **state)
{
    (void)state;
    struct fixture f;
    struct buf text;
    buf_init(&text, 16 << 20);
    for (int i = 0; i <= LOG_SAVES_MAX; i++)
        buf_printf(&text,
                   "[PerfLog] {\"event\": \"CHECKPOINT_SAVED\", \"value\": {\"seconds\": %d}}\n",
                   i);
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    log_read("x.log", (struct bytes){text.data, text.len}, &f.log, &f.arena, &f.diags);
    assert_int_equal(f.log.n_saves, LOG_SAVES_MAX);
    assert_true(f.log.saves[LOG_SAVES_MAX - 1].seconds == LOG_SAVES_MAX - 1);
    buf_release(&text);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_behind_words),
        cmocka_unit_test(what_stands_far_behind_is_no_head),
        cmocka_unit_test(our_own_trainer_says_how_it_began),
        cmocka_unit_test(checkpoints_take_time),
        cmocka_unit_test(not_every_checkpoint_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
