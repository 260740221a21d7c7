/* log: input that is no log, has no end or no ends of lines, and files of any size. */
#include "tests/unit/log_text.h"
#include "tests/unit/under_asan.h"

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
    for (int round = UNDER_ASAN ? 2 : 0; round < 3; round++)
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

/* The same of lines that are an earlier one with other numbers, of several ranks, and of step 0. */
static void steps_that_are_recognised_are_replaced(void **state)
{
    (void)state;
    struct fixture f;
    struct buf text;
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    buf_init(&text, (size_t)64 << 20);
#define EVENT                                                                         \
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": %d, \"step\": %s%d}, " \
    "\"metadata\": "                                                                  \
    "{\"rank\": %d}}\n"
    for (int i = 0; i < LOG_POINTS_MAX; i++)
        buf_printf(&text, EVENT, 1, "", i / 2, i % 2);
    for (int i = 0; i < 400; i++)
        buf_printf(&text, EVENT, 2, i < 2 ? "-" : "", i / 2, i % 2);
    buf_printf(&text, EVENT, 3, "", 7, 1);
    buf_printf(&text, EVENT, 3, "", 5, 0);
    log_read("x.log", (struct bytes){text.data, text.len}, &f.log, &f.arena, &f.diags);
    assert_int_equal(f.log.n_points, LOG_POINTS_MAX);
    assert_int_equal(f.diags.n, 0);
    for (int i = 0; i < 402; i++) {
        const struct log_point *p = &f.log.points[i];
        assert_true(p->step == i / 2 && p->rank == i % 2);
        assert_true(p->loss == (i == 15 || i == 10 ? 3 : i < 400 ? 2 : 1));
    }
    buf_release(&text);
    arena_release(&f.arena);
}

/* Where reports replace each other a bar has nothing to say of the last one. */
static void bars_say_no_step_of_a_log_that_is_too_long(void **state)
{
    (void)state;
    struct fixture f;
    struct buf text;
    arena_init(&f.arena);
    diags_init(&f.diags, &f.arena);
    buf_init(&text, (size_t)16 << 20);
    for (int i = 0; i <= LOG_POINTS_MAX; i++)
        buf_str(&text, "{'loss': 1}\n");
    buf_str(&text, "1%| | 7/9 [1s]\n{'loss': 2}\n1%| | 7/9 [1s]\n");
    log_read("x.log", (struct bytes){text.data, text.len}, &f.log, &f.arena, &f.diags);
    assert_int_equal(f.log.n_points, LOG_POINTS_MAX);
    assert_true(f.log.points[LOG_POINTS_MAX - 1].step == LOG_POINTS_MAX + 2 &&
                f.log.points[LOG_POINTS_MAX - 1].loss == 2);
    buf_release(&text);
    arena_release(&f.arena);
}

static void names_of_values_have_a_maximum(void **state)
{
    (void)state;
    struct fixture f;
    struct buf text;
    buf_init(&text, 1 << 20);
    buf_str(&text, "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"k0\": 7");
    for (int i = 1; i < LOG_VALUES_MAX + 2; i++)
        buf_printf(&text, ", \"k%d\": %d", i, i);
    buf_str(&text, ", \"k0\": 8}}\n");
    read_text(&f, text.data, text.len);
    assert_int_equal(f.log.n_values, LOG_VALUES_MAX);
    assert_true(log_get(&f.log, "k0")->value == 8 && log_get(&f.log, "k255")->value == 255);
    assert_null(log_get(&f.log, "k256"));
    assert_int_equal(f.diags.n, 1);
    assert_string_equal(
        f.diags.items[0].message,
        "the log has more than 256 names of values; fpreport ignores the other names");
    buf_release(&text);
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
    if (UNDER_ASAN)
        r.segments = LOG_LINES_MAX - 100 * sizeof piece; /* as if so many had been read */
    for (size_t n = r.segments; n <= LOG_LINES_MAX + sizeof piece; n += sizeof piece / 2)
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

/* What has more bytes than a line and no end of a line, from its first byte on. */
static void a_first_line_that_is_too_long(void **state)
{
    (void)state;
    static const struct {
        const char *head, *tail, *message;
        size_t points;
    } rows[] = {
        {"\x28\xb5\x2f\xfd", "",
         "found a zstd-compressed file, expected a log as UTF-8 text; the file was not read", 0},
        {"\x28\xb5\x2f\xfd", "\nStep 7/7, Loss: 2.0\n",
         "found a zstd-compressed file, expected a log as UTF-8 text; the file was not read", 0},
        {"Step 7/7, Loss: 2.0\n", "",
         "found a line of more than 1048576 bytes; the line was skipped", 1},
        {"", "\nStep 7/7, Loss: 2.0\n",
         "found a line of more than 1048576 bytes; the line was skipped", 1},
    };
    size_t n = LOG_LINE_MAX + 5000;
    char *text = malloc(n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        memset(text, 'x', n);
        memcpy(text, rows[i].head, strlen(rows[i].head));
        memcpy(text + n - strlen(rows[i].tail), rows[i].tail, strlen(rows[i].tail));
        read_text(&f, text, n);
        assert_int_equal(f.diags.n, 1);
        assert_string_equal(f.diags.items[0].message, rows[i].message);
        assert_int_equal(f.log.n_points, rows[i].points);
        arena_release(&f.arena);
    }
    free(text);
}

/* Nothing is read behind a NUL: neither what a carriage return begins, nor the next piece. */
static void what_is_binary_stops_the_reading(void **state)
{
    (void)state;
    struct fixture f;
    struct err err = ERR_INIT;
    static const char line[] = "a\0b\rStep 1/2, Loss: 3\rStep 2/2, Loss: 3\n";
    read_text(&f, line, sizeof line - 1);
    assert_int_equal(f.log.n_points, 0);
    assert_int_equal(f.diags.n, 1);
    assert_string_equal(
        f.diags.items[0].message,
        "found a NUL byte, expected a text log; the rest of this file was not read");
    char path[] = "/tmp/fpreport-log-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(pwrite(fd, line, sizeof line - 1, 0), sizeof line - 1);
    assert_int_equal(pwrite(fd, "\nStep 3/3, Loss: 3\n", 20, 1 << 20), 20);
    close(fd);
    diags_init(&f.diags, &f.arena);
    assert_int_equal(log_read_file(path, &f.log, &f.arena, &f.diags, &err), 0);
    unlink(path);
    assert_int_equal(f.log.n_points, 0);
    assert_int_equal(f.diags.n, 1);
    arena_release(&f.arena);
}

#define LONG ((size_t)1 << (UNDER_ASAN ? 26 : 30))

/* A line of 1 GiB (64 MiB under sanitizers) takes no memory, from a stream and from a file with a
 * hole. */
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
    for (size_t at = 0; at < LONG; at += n)
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
    assert_int_equal(pwrite(fd, after, sizeof after - 1, (off_t)LONG), sizeof after - 1);
    close(fd);
    diags_init(&f.diags, &f.arena);
    assert_int_equal(log_read_file(path, &f.log, &f.arena, &f.diags, &err), 0);
    unlink(path);
    assert_int_equal(f.diags.n, 1);
    assert_int_equal(f.log.n_points, 1);
    arena_release(&f.arena);
}

/* Random bytes made of the formats' own words: never a crash, never a step that is no number.
 * `make fuzz READERS=log` has more of them. */
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
    for (int round = 0; round < 600; round++) {
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
    assert_string_equal(err.text, "/tmp: found a folder, expected a log file");
    /* Opens, and nothing is there to be read: the machine's fault. */
    assert_int_equal(log_read_file("/proc/self/mem", &f.log, &f.arena, &f.diags, &err), -1);
    assert_string_equal(err.text, "/proc/self/mem: Input/output error");
    assert_int_equal(err.kind, ERR_IO);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_logs_stay_small),
        cmocka_unit_test(steps_that_are_recognised_are_replaced),
        cmocka_unit_test(bars_say_no_step_of_a_log_that_is_too_long),
        cmocka_unit_test(names_of_values_have_a_maximum),
        cmocka_unit_test(a_first_line_that_is_too_long),
        cmocka_unit_test(what_is_binary_stops_the_reading),
        cmocka_unit_test(endless_lines_are_not_read_to_their_end),
        cmocka_unit_test(hostile_input_is_a_finding),
        cmocka_unit_test(a_line_of_a_gigabyte_is_a_finding),
        cmocka_unit_test(scrambled_logs_are_read_without_harm),
        cmocka_unit_test(files_are_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
