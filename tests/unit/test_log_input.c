/* log: input that is no log, has no end or no ends of lines, and files of any size. */
#include "tests/unit/log_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A step or value that is said again and again takes no memory; further steps are a finding. */
static void endless_logs_stay_small(void **state)
{
    (void)state;
    struct fixture f;
    struct log_reader r;
    char line[200];
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    log_open(&r, "endless.log", &f.log, &f.arena, &f.diags);
    for (int round = 0; round < 3; round++)
        for (int i = 1; i <= LOG_POINTS_MAX * 2 / 3; i++) {
            int n = sprintf(line, "Step %d/9, Loss: %d.5\nMFU: %d\n", i, round, round);
            log_feed(&r, line, (size_t)n);
        }
    assert_int_equal(f.diags.n, 0);
    assert_int_equal(f.log.n_points, LOG_POINTS_MAX * 2 / 3);
    assert_true(f.log.points[0].loss == 2.5 && f.log.n_values == 1);
    for (int i = 1; i <= LOG_POINTS_MAX; i++) {
        int n = sprintf(line, "Step %d/9, Loss: 9\n", LOG_POINTS_MAX + i);
        log_feed(&r, line, (size_t)n);
    }
    log_close(&r);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.log.n_points, LOG_POINTS_MAX);
    assert_true(f.log.points[LOG_POINTS_MAX - 1].step == 2.0 * LOG_POINTS_MAX);
    arena_release(&f.arena);
}

static void endless_lines_are_not_read_to_their_end(void **state)
{
    (void)state;
    struct fixture f;
    struct log_reader r;
    char piece[4096];
    memset(piece, 'a', sizeof piece);
    for (size_t i = 1; i < sizeof piece; i += 2)
        piece[i] = i % 4 == 1 ? '\n' : '\r';
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    log_open(&r, "endless.log", &f.log, &f.arena, &f.diags);
    for (size_t lines = 0; lines <= LOG_LINES_MAX + sizeof piece; lines += sizeof piece / 2)
        log_feed(&r, piece, sizeof piece);
    assert_true(r.stopped);
    log_close(&r);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.diags.errors, 1);
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
    memcpy(text + n - 20, "\nStep 7/7, Loss: 2.0", 20);
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

#define GIB ((size_t)1 << 30)

/* A line of 1 GiB takes no memory, from a stream and from a file with a hole. */
static void a_line_of_a_gigabyte_is_a_finding(void **state)
{
    (void)state;
    struct fixture f;
    struct log_reader r;
    static const char after[] = "\nStep 7/7, Loss: 2.0\n";
    size_t n = (size_t)1 << 20;
    char *piece = malloc(n);
    memset(piece, 'x', n);
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    log_open(&r, "long.log", &f.log, &f.arena, &f.diags);
    for (size_t at = 0; at < GIB; at += n)
        log_feed(&r, piece, n);
    log_feed(&r, after, sizeof after - 1);
    assert_true(r.partial.cap <= 2 * LOG_LINE_MAX);
    log_close(&r);
    free(piece);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.log.n_points, 1);
    assert_int_equal(f.log.points[0].line, 2);
    char path[] = "/tmp/fpreport-log-XXXXXX";
    struct err err = ERR_INIT;
    int fd = mkstemp(path);
    assert_int_equal(pwrite(fd, after, sizeof after - 1, (off_t)GIB), sizeof after - 1);
    close(fd);
    diags_init(&f.diags, &f.arena);
    assert_int_equal(log_read_file(path, &f.log, &f.arena, &f.diags, &err), 0);
    unlink(path);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.log.n_points, 1);
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
                                        "Training Epoch: 1/",
                                        ", step 2/3",
                                        "(loss: ",
                                        "[1] - loss: ",
                                        "global_step: ",
                                        "Key: a, Value: ",
                                        "2024 | x - ",
                                        "MMLU: ",
                                        "Pretrain stage\n",
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
        cmocka_unit_test(endless_logs_stay_small),
        cmocka_unit_test(endless_lines_are_not_read_to_their_end),
        cmocka_unit_test(hostile_input_is_a_finding),
        cmocka_unit_test(a_line_of_a_gigabyte_is_a_finding),
        cmocka_unit_test(scrambled_logs_are_read_without_harm),
        cmocka_unit_test(files_are_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
