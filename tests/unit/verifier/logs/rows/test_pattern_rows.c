/* Each row of pattern_rows.h by its example, and files of frameworks (tests/data/logs). */
#include "tests/unit/log_text.h"

#include "base/files/file.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/rows/pattern_rows.h"

#include <math.h>

static void each_row_reads_its_example(void **state)
{
    (void)state;
    for (const struct pattern_row *row = pattern_rows; row->line; row++) {
        struct fixture f;
        struct buf text;
        buf_init(&text, 4096);
        pattern_row_example(row, &text);
        buf_char(&text, '\n');
        read_text(&f, text.data, text.len);
        if (f.log.n_points != 1 || f.log.points[0].step != 12 || f.log.points[0].loss != 2.5)
            fail_msg("%s: %s", row->name, text.data);
        assert_string_equal(f.log.format, "patterns");
        buf_release(&text);
        arena_release(&f.arena);
    }
}

/* What a file gives; NaN: nothing of the kind. */
static const struct sample {
    const char *file;
    size_t points;
    double step, loss, seconds, card_rate, rate, gib, mfu, tflops;
} samples[] = {
    {"nanochat.txt", 2, 13, 9.023456, 0.48731, NAN, 1075883, NAN, 47.32, NAN},
    {"torchtitan.txt", 2, 10, 8.3046, NAN, 5812, NAN, 47.51, 38.62, 298.7},
    {"composer.txt", 2, 2, 11.7031, NAN, 10231.5012, NAN, NAN, 43.01, NAN},
    {"olmo-core.txt", 1, 10, 6.231, NAN, 11204, NAN, NAN, NAN, NAN},
    {"fms-fsdp.txt", 1, 100, 5.2031, NAN, 4520, NAN, 37.252902984619141, NAN, NAN},
    {"maxtext.txt", 1, 7, 10.386, 5.669, 8670.311, NAN, NAN, NAN, 134.886},
    {"mmcv.txt", 1, 50, 2.5031, 0.611, NAN, NAN, 10, NAN, NAN},
    {"verl.txt", 1, 3, -0.0123, 60.5, 1234.5, NAN, 41.5, 31, NAN},
    {"prime-rl.txt", 1, 12, 0.0123, 5.1, NAN, 12345, 40.1, 34.5, NAN},
    {"llmc-cuda.txt", 1, 12, 8.123456, 0.25112, NAN, 2087654, NAN, 51.2, NAN},
    {"picotron.txt", 1, 12, 6.8312, NAN, 1540, 12300, 11.492520570755005, 12.34, NAN},
    {"colossalai.txt", 1, 5, 10.912, 1.21, NAN, NAN, NAN, NAN, 62.31},
    {"deepspeed-chat.txt", 2, 6, 2.3125, NAN, NAN, NAN, NAN, NAN, NAN},
    {"nanogpt.txt", 2, 10, 9.7821, 0.24571, NAN, NAN, NAN, 44.12, NAN},
    {"lightning.txt", 2, 20, 3.12, NAN, NAN, NAN, NAN, NAN, NAN},
    {"tinygrad.txt", 1, 3, 11.875, 7.34, NAN, NAN, NAN, NAN, NAN},
    {"gold.txt", 2, 2, 11.16908, NAN, NAN, NAN, NAN, NAN, NAN},
    {"megatron-golden.txt", 3, 10, 10.81412, NAN, NAN, NAN, NAN, NAN, NAN},
    {"json-lines.txt", 2, 20, 2.42, NAN, NAN, NAN, NAN, NAN, NAN},
    {"torchtune.txt", 1, 12, 1.5234, NAN, 512.3, NAN, 12, NAN, NAN},
    {"primus.txt", 1, 3, 11.76201, 2.8415, NAN, NAN, NAN, NAN, 500.1},
};

static void assert_near(const char *file, const char *what, double found, double expected)
{
    bool same = isnan(expected) ? isnan(found) : fabs(found - expected) <= 1e-9 * fabs(expected);
    if (!same)
        fail_msg("%s: %s is %.17g, expected %.17g", file, what, found, expected);
}

static double value_of(const struct log *log, const char *key)
{
    const struct log_value *v = log_get(log, key);
    return v ? v->value : NAN;
}

static void read_sample(struct fixture *f, const char *file)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes text;
    const char *path = arena_printf(&arena, "tests/data/logs/%s", file);
    assert_int_equal(file_read(path, 1 << 20, &arena, &text, &err), 0);
    read_text(f, text.data, text.len);
    arena_release(&arena);
}

static void files_of_frameworks_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *x = &samples[i];
        struct fixture f;
        read_sample(&f, x->file);
        if (f.log.n_points != x->points)
            fail_msg("%s: %zu points, expected %zu", x->file, f.log.n_points, x->points);
        const struct log_point *last = &f.log.points[f.log.n_points - 1];
        assert_near(x->file, "step", last->step, x->step);
        assert_near(x->file, "loss", last->loss, x->loss);
        assert_near(x->file, "seconds", last->seconds, x->seconds);
        assert_near(x->file, "tokens/s of a card", value_of(&f.log, LOG_CARD_RATE), x->card_rate);
        assert_near(x->file, "tokens/s", value_of(&f.log, LOG_RATE), x->rate);
        assert_near(x->file, "memory", value_of(&f.log, LOG_MEMORY), x->gib);
        assert_near(x->file, "MFU", f.log.mfu.value, x->mfu);
        assert_near(x->file, "TFLOP/s", f.log.tflops.value, x->tflops);
        arena_release(&f.arena);
    }
}

static void figures_at_the_end_of_a_training_are_read(void **state)
{
    (void)state;
    struct fixture f;
    read_sample(&f, "train-metrics.txt");
    assert_int_equal(f.log.n_points, 0);
    assert_near("train-metrics.txt", "runtime", value_of(&f.log, "train_runtime"), 70.72);
    assert_near("train-metrics.txt", "rate", value_of(&f.log, "train_samples_per_second"), 42.412);
    arena_release(&f.arena);
}

/* Words with which a diagnostic was said, or NULL. */
static const char *said(const struct fixture *f, const char *words)
{
    for (size_t i = 0; i < f->diags.n; i++)
        if (strstr(f->diags.items[i].message, words))
            return f->diags.items[i].message;
    return NULL;
}

static void smoothed_losses_are_named(void **state)
{
    (void)state;
    struct fixture f;
    read_sample(&f, "nanochat.txt");
    assert_non_null(said(&f, "2 losses are running means printed by nanochat"));
    arena_release(&f.arena);
    READ(&f, "Epoch 0:  10%|#  | 10/100 [00:03<00:31,  2.9it/s, loss=3.71, v_num=0]\n");
    assert_true(f.log.points[0].loss == 3.71);
    assert_non_null(said(&f, "1 loss is a running mean printed by Lightning"));
    arena_release(&f.arena);
    read_sample(&f, "lightning.txt");
    assert_null(said(&f, "running means"));
    arena_release(&f.arena);
}

static void the_nearest_row_is_named(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "iter 10 -> loss 9.7821 (took 245.71ms)\n");
    assert_int_equal(f.log.known, 0);
    assert_non_null(said(&f, "the closest known format is"));
    arena_release(&f.arena);
    READ(&f, "hello 1\n");
    assert_null(said(&f, "nearest"));
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_reads_its_example),
        cmocka_unit_test(files_of_frameworks_are_read),
        cmocka_unit_test(figures_at_the_end_of_a_training_are_read),
        cmocka_unit_test(smoothed_losses_are_named),
        cmocka_unit_test(the_nearest_row_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
