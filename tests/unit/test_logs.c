/* log: every format's own lines, lines that only look like them, and input that is no log. */
#include "tests/unit/unit.h"

#include "verifier/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct arena arena;
    struct diags diags;
    struct log log;
};

/* Reads the text twice, whole and byte by byte, which must give the same. */
static void read_text(struct fixture *f, const char *text, size_t n)
{
    arena_init(&f->arena);
    diags_init(&f->diags, &f->arena);
    struct log bytewise;
    struct log_reader r;
    log_open(&r, "run.log", &bytewise, &f->arena, &f->diags);
    for (size_t i = 0; i < n; i++)
        log_feed(&r, text + i, 1);
    log_close(&r);
    diags_init(&f->diags, &f->arena);
    log_read("run.log", (struct bytes){text, n}, &f->log, &f->arena, &f->diags);
    assert_int_equal(f->log.n_points, bytewise.n_points);
    assert_int_equal(f->log.n_values, bytewise.n_values);
    assert_int_equal(f->log.lines, bytewise.lines);
    for (size_t i = 0; i < bytewise.n_points; i++)
        assert_memory_equal(&f->log.points[i].step, &bytewise.points[i].step, sizeof(double));
}

#define READ(f, text) read_text((f), (text), strlen(text))

static void perflog_gives_steps_and_final_values(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f,
         "noise\n"
         "[PerfLog] {\"event\": \"EPOCH_BEGIN\", \"metadata\": {\"rank\": 0}}\n"
         "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"end_training\": true, "
         "\"global_steps\": 21, \"tokens/s\": 512.5, \"step_time_s\": 0.25}, \"metadata\": "
         "{\"file\": \"a{b}.py\", \"lineno\": 1, \"time_ms\": 5, \"rank\": 0}}\r\n"
         "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": NaN, \"global_steps\": 22}, "
         "\"metadata\": {\"rank\": 0}}\n"
         "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 12.5, "
         "\"throuhgput(ips)_raw\": 3.5, \"final_loss\": -Infinity, \"converged\": true}, "
         "\"metadata\": {\"rank\": 0}}\n");
    assert_string_equal(f.log.format, "perflog");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[0].step == 21 && f.log.points[0].loss == 2.5);
    assert_true(f.log.points[0].seconds == 0.25 && f.log.points[0].tokens_per_s == 512.5);
    assert_int_equal(f.log.points[0].line, 3);
    assert_true(isnan(f.log.points[1].loss) && f.log.points[1].has_loss);
    assert_true(f.log.finished && f.log.finished_line == 5);
    assert_true(log_get(&f.log, "throuhgput(ips)_raw")->value == 3.5);
    assert_true(isinf(log_get(&f.log, "final_loss")->value));
    assert_null(log_get(&f.log, "converged"));
    assert_int_equal(f.diags.n, 0);
    arena_release(&f.arena);
}

static void a_cut_event_is_no_event_but_a_finding(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 1}, "
             "\"metadata\": {\"rank\": 0}}\n"
             "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_st");
    assert_int_equal(f.log.n_points, 1);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.items[0].line, 2);
    assert_non_null(strstr(f.diags.items[0].message, "truncated"));
    arena_release(&f.arena);
}

static void megatron_is_read_by_key_in_both_generations(void **state)
{
    (void)state;
    struct fixture f;
    READ(
        &f,
        "[default15]: [2024-05-06 10:11:12] iteration       21/     300 | consumed samples:  10752 "
        "| consumed tokens: 44040192 | elapsed time per iteration (ms): 2000.0 | throughput per "
        "GPU (TFLOP/s/GPU): 412.3 | learning rate: 1.000000E-04 | global batch size:   512 | lm "
        "loss: 8.531234E+00 | loss scale: 1.0 | grad norm: 1.234 |\n"
        " iteration      22/  300 | consumed samples:  11264 | elapsed time per iteration (ms): "
        "1000.5 | learning rate: 1.507E-05 | global batch size:  1024 | lm loss: 2.373574E+00 |\n"
        " iteration wise | nothing | here\n validation loss at iteration 20 | lm loss: 1.0\n");
    assert_string_equal(f.log.format, "megatron");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[0].step == 21 && f.log.points[0].loss == 8.531234);
    assert_true(f.log.points[0].seconds == 2 && f.log.points[0].samples_per_s == 256);
    assert_true(f.log.points[1].step == 22 && f.log.points[1].samples == 11264);
    arena_release(&f.arena);
}

static void deepspeed_and_summary_lines(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "Step 10/3050, Loss: 5.140625\nStep 20/3050, Loss: 4.5\n"
             "Train Step 0/1252, Loss : 6.98\nStep by step\nStep 3, Loss: 1\n"
             "[2024-07-17 19:53:24,981] [INFO] [timer.py:258:stop] epoch=0/micro_step=4500/"
             "global_step=4500, RunningAvgSamplesPerSec=16.125, CurrSamplesPerSec=16.5, "
             "MemAllocated=0.02GB\n"
             "0/40, SamplesPerSec=7.5\n"
             "System tokens per second:  29589.6\nTokens/p/s:  3698.7\nMFU:  0.5690307692307693\n"
             "MMMU : 0.359\nMFU: about half\nthe MFU: 0.3\n");
    assert_string_equal(f.log.format, "deepspeed");
    assert_int_equal(f.log.n_points, 3);
    assert_true(f.log.points[1].step == 20 && f.log.points[1].loss == 4.5);
    assert_true(log_get(&f.log, "RunningAvgSamplesPerSec")->value == 16.125);
    assert_true(log_get(&f.log, "CurrSamplesPerSec")->value == 16.5);
    assert_true(log_get(&f.log, "SamplesPerSec")->value == 7.5);
    assert_true(log_get(&f.log, "Tokens/p/s")->value == 3698.7);
    assert_true(log_get(&f.log, "MFU")->value == 0.5690307692307693);
    assert_true(log_get(&f.log, "MMMU")->value == 0.359);
    assert_int_equal(log_get(&f.log, "MFU")->line, 10);
    arena_release(&f.arena);
}

static void hugging_face_reports_are_counted(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "  3%|x| 1/9\r{'loss': 2.1, 'learning_rate': 0.001, 'epoch': 0.01}\r 4%\n"
             "{'loss': 1.9, 'learning_rate': 0.001, 'epoch': 0.02}\n"
             "{'train_runtime': 12.5, 'train_loss': 2.0, 'epoch': 1.0}\n{'not': 'numbers'}\n");
    assert_int_equal(f.log.n_points, 2);
    assert_true(f.log.points[1].step == 2 && f.log.points[1].loss == 1.9);
    assert_int_equal(f.log.points[1].line, 2);
    assert_true(log_get(&f.log, "train_loss")->value == 2);
    arena_release(&f.arena);
}

static void curves_in_csv(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f,
         "step,loss,iteration_time_s\n1,10.5,\n3,9.5,0.25\n2,10,0.5\n3,9.25,0.125\n4,,0.5\nx,y\n");
    struct curve curve;
    log_curve(&f.log, &f.arena, &curve);
    assert_int_equal(curve.n, 3);
    assert_true(curve.step[1] == 2 && curve.loss[2] == 9.25 && curve.seconds[2] == 0.125);
    assert_true(isnan(curve.seconds[0]));
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.items[0].line, 7);
    arena_release(&f.arena);
}

static void hostile_input_is_a_finding(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "");
    assert_int_equal(f.diags.errors, 1);
    arena_release(&f.arena);
    READ(&f, "hello\nworld");
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.log.lines, 2);
    arena_release(&f.arena);
    static const char binary[] = "Step 1/2, Loss: 3\n\x1f\x8b\0\0 zip\nStep 2/2, Loss: 3\n";
    read_text(&f, binary, sizeof binary - 1);
    assert_int_equal(f.diags.errors, 1);
    assert_int_equal(f.diags.items[0].line, 2);
    assert_int_equal(f.log.n_points, 1);
    arena_release(&f.arena);
    size_t n = LOG_LINE_MAX * 3;
    char *text = malloc(n);
    memset(text, 'x', n);
    memcpy(text + n - 20, "\nStep 7/9, Loss: 2.0", 20);
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    log_read("long.log", (struct bytes){text, n}, &f.log, &f.arena, &f.diags);
    free(text);
    assert_int_equal(f.diags.n, 1);
    assert_non_null(strstr(f.diags.items[0].message, "line of more than"));
    assert_int_equal(f.log.n_points, 1);
    assert_int_equal(f.log.points[0].line, 2);
    arena_release(&f.arena);
}

/* Random bytes made of the formats' own words: never a crash, never a step that is no number. */
static void scrambled_logs_are_read_without_harm(void **state)
{
    (void)state;
    static const char *const words[] = {"[PerfLog] ",
                                        "{\"event\": \"STEP_END\", ",
                                        "\"value\": {",
                                        "\"loss\": ",
                                        "2.5",
                                        "}",
                                        "}\n",
                                        "\"global_steps\": ",
                                        "FINISHED",
                                        "\\",
                                        "\"",
                                        "iteration ",
                                        " 21/ 300 |",
                                        "lm loss: ",
                                        "|",
                                        "Step ",
                                        "1/2",
                                        ", Loss: ",
                                        "\n",
                                        "\r",
                                        "{'loss': ",
                                        "'",
                                        "NaN",
                                        "-",
                                        "[default3]:",
                                        "SamplesPerSec=",
                                        "step,loss\n",
                                        ",",
                                        ":",
                                        "1e308",
                                        "MFU: "};
    unsigned seed = 7;
    for (int round = 0; round < 3000; round++) {
        char text[400] = "";
        for (int i = 0; i < 20; i++) {
            seed = seed * 1664525u + 1013904223u;
            strcat(text, words[(seed >> 10) % (sizeof words / sizeof words[0])]);
        }
        struct fixture f;
        READ(&f, text);
        struct curve curve;
        log_curve(&f.log, &f.arena, &curve);
        for (size_t i = 0; i < curve.n; i++)
            assert_true(isfinite(curve.step[i]) && (i == 0 || curve.step[i] > curve.step[i - 1]));
        arena_release(&f.arena);
    }
}

static void files_are_read_in_pieces(void **state)
{
    (void)state;
    char path[] = "/tmp/fpreport-log-XXXXXX";
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    for (int i = 1; i <= 5000; i++)
        fprintf(out, "Step %d/5000, Loss: %.6f\n", i, 10.0 / i);
    fclose(out);
    struct fixture f;
    struct err err = ERR_INIT;
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    assert_int_equal(log_read_file(path, &f.log, &f.arena, &f.diags, &err), 0);
    unlink(path);
    assert_int_equal(f.log.n_points, 5000);
    assert_int_equal(f.log.points[4999].line, 5000);
    assert_int_equal(log_read_file(path, &f.log, &f.arena, &f.diags, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(log_read_file("/tmp", &f.log, &f.arena, &f.diags, &err), -1);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perflog_gives_steps_and_final_values),
        cmocka_unit_test(a_cut_event_is_no_event_but_a_finding),
        cmocka_unit_test(megatron_is_read_by_key_in_both_generations),
        cmocka_unit_test(deepspeed_and_summary_lines),
        cmocka_unit_test(hugging_face_reports_are_counted),
        cmocka_unit_test(curves_in_csv),
        cmocka_unit_test(hostile_input_is_a_finding),
        cmocka_unit_test(scrambled_logs_are_read_without_harm),
        cmocka_unit_test(files_are_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
