/* TensorBoard's event files: scalars of both kinds become lines, and hostile ones a fault. The
 * checksums are made by another program than the one that reads them. */
#include "tests/unit/event_record.h"
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "verifier/logs/log.h"

#include <math.h>
#include <string.h>

static void field(struct buf *to, int number, int wire)
{
    buf_char(to, (char)(number << 3 | wire));
}

static void field_bytes(struct buf *to, int number, const void *bytes, size_t n)
{
    field(to, number, 2);
    assert_true(n < 128);
    buf_char(to, (char)n);
    buf_add(to, bytes, n);
}

static void field_float(struct buf *to, int number, float value)
{
    field(to, number, 5);
    buf_add(to, (const char *)&value, sizeof value);
}

enum kind { SIMPLE, TENSOR, CONTENT, TWO_NUMBERS };

static void add_value(struct buf *summary, const char *tag, double value, enum kind kind)
{
    struct buf v, tensor;
    float single = (float)value;
    buf_init(&v, 1 << 10);
    buf_init(&tensor, 1 << 10);
    field_bytes(&v, 1, tag, strlen(tag));
    field(&tensor, 1, 0);
    buf_char(&tensor, kind == CONTENT ? 2 : 1);
    if (kind == SIMPLE)
        field_float(&v, 2, single);
    else if (kind == CONTENT)
        field_bytes(&tensor, 4, &value, sizeof value);
    else
        field_float(&tensor, 5, single);
    if (kind == TWO_NUMBERS)
        field_float(&tensor, 5, single);
    if (kind != SIMPLE)
        field_bytes(&v, 8, tensor.data, tensor.len);
    field_bytes(summary, 1, v.data, v.len);
    buf_release(&v);
    buf_release(&tensor);
}

static void add_event(struct buf *file, int step, const char *tag, double value, enum kind kind)
{
    struct buf event, summary;
    double wall_time = 1700000000.5;
    buf_init(&event, 1 << 10);
    buf_init(&summary, 1 << 10);
    add_value(&summary, tag, value, kind);
    field_bytes(&event, 5, summary.data, summary.len); /* in front of the step */
    field(&event, 1, 1);
    buf_add(&event, (const char *)&wall_time, sizeof wall_time);
    field(&event, 2, 0);
    assert_true(step < 128);
    buf_char(&event, (char)step);
    event_record(file, event.data, event.len);
    buf_release(&event);
    buf_release(&summary);
}

static void example_file(struct buf *file)
{
    buf_init(file, BUF_DEFAULT_MAX);
    event_record(file, "\x1a\rbrain.Event:2", 15);
    add_event(file, 10, "train/loss", 2.5, SIMPLE);
    add_event(file, 10, "train/grad_norm", 0.5, TENSOR);
    add_event(file, 20, "train/loss", 2.25, TENSOR);
    add_event(file, 100, "lm loss vs samples", 9, SIMPLE);
    add_event(file, 30, "train/loss", 2.125, CONTENT);
    add_event(file, 40, "train/loss", NAN, SIMPLE);
    add_event(file, 50, "train/loss", 7, TWO_NUMBERS);
}

static void keep_line(void *context, struct span line, int record)
{
    struct buf *to = context;
    buf_printf(to, "%d %.*s\n", record, (int)line.n, line.p);
}

/* The lines of these bytes, fed in pieces; *fault is the reader's. */
static void lines_of(const struct buf *file, size_t piece, struct buf *lines, const char **fault)
{
    struct event_file e;
    buf_init(lines, BUF_DEFAULT_MAX);
    event_file_open(&e, keep_line, lines);
    for (size_t at = 0; at < file->len; at += piece)
        event_file_feed(&e, file->data + at, file->len - at < piece ? file->len - at : piece);
    event_file_close(&e);
    *fault = e.fault;
    buf_char(lines, '\0');
}

static void scalars_are_lines_however_the_bytes_are_cut(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 7, 13, 1 << 20};
    struct buf file, lines;
    const char *fault;
    example_file(&file);
    assert_true(event_file_begins(file.data));
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        lines_of(&file, pieces[i], &lines, &fault);
        assert_null(fault);
        assert_string_equal(lines.data,
                            "4 {\"step\": 10, \"wall_time\": 1700000000.5, \"train/loss\": 2.5, "
                            "\"train/grad_norm\": 0.5}\n"
                            "6 {\"step\": 20, \"wall_time\": 1700000000.5, \"train/loss\": 2.25}\n"
                            "7 {\"step\": 30, \"wall_time\": 1700000000.5, \"train/loss\": 2.125}\n"
                            "8 {\"step\": 40, \"wall_time\": 1700000000.5, \"train/loss\": NaN}\n");
        buf_release(&lines);
    }
    buf_release(&file);
}

static void a_log_of_events_is_a_curve(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct log log;
    struct buf file;
    example_file(&file);
    diags_init(&diags, &arena);
    log_read("events", (struct bytes){file.data, file.len}, &log, &arena, &diags);
    assert_string_equal(log.format, "tensorboard");
    assert_int_equal(log.n_points, 4);
    assert_true(log.points[1].step == 20 && log.points[1].loss == 2.25);
    assert_true(log.points[0].grad_norm == 0.5);
    assert_true(log.points[3].has_loss && isnan(log.points[3].loss));
    buf_release(&file);
    arena_release(&arena);
}

static void a_changed_byte_is_a_fault(void **state)
{
    (void)state;
    struct buf file, lines;
    const char *fault;
    example_file(&file);
    for (size_t at = EVENT_HEAD; at < file.len; at++) {
        file.data[at] ^= 4;
        lines_of(&file, 11, &lines, &fault);
        if (!fault)
            fail_msg("byte %zu may be another", at);
        file.data[at] ^= 4;
        buf_release(&lines);
    }
    for (size_t cut = 1; cut < file.len; cut++) {
        struct buf head = file;
        head.len = cut;
        lines_of(&head, 11, &lines, &fault);
        assert_true(!fault || strstr(fault, "ends inside"));
        buf_release(&lines);
    }
    buf_release(&file);
}

/* Lengths that no file has, tags that are no JSON, and messages that never end. */
static void hostile_records_are_passed_over(void **state)
{
    (void)state;
    struct buf file, lines;
    const char *fault;
    buf_init(&file, BUF_DEFAULT_MAX);
    static const char endless[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    event_record(&file, endless, sizeof endless - 1);
    event_record(&file, "\x2a\x7f\x0a\x7f", 4);
    event_record(&file, "", 0);
    add_event(&file, 1, "a\"b\\c\n", 1, SIMPLE);
    lines_of(&file, 5, &lines, &fault);
    assert_null(fault);
    assert_string_equal(lines.data,
                        "4 {\"step\": 1, \"wall_time\": 1700000000.5, \"a?b?c?\": 1}\n");
    buf_release(&lines);
    size_t begin = file.len;
    add_little_endian(&file, UINT64_MAX, 8);
    add_little_endian(&file, masked_sum(file.data + begin, 8), 4);
    buf_str(&file, "never read");
    lines_of(&file, 5, &lines, &fault);
    assert_string_equal(fault, "the file ends inside this record");
    buf_release(&lines);
    buf_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_lines_however_the_bytes_are_cut),
        cmocka_unit_test(a_log_of_events_is_a_curve),
        cmocka_unit_test(a_changed_byte_is_a_fault),
        cmocka_unit_test(hostile_records_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
