/* log_form: a log read with forms says the same as one read without. Fed in single bytes, a log is
 * never in one piece, so the formats read all of it. */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "verifier/logs/log.h"
#include "verifier/logs/log_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct arena arena;
    struct diags diags;
    struct log log;
    size_t met;
};

static void read_pieces(struct reading *x, const struct buf *text, size_t piece)
{
    struct log_reader r;
    arena_init(&x->arena);
    diags_init(&x->diags, &x->arena);
    log_open(&r, "x.log", &x->log, &x->arena, &x->diags);
    for (size_t at = 0; at < text->len; at += piece) {
        /* A copy, so that reading beyond a piece is seen by the sanitizer. */
        size_t n = text->len - at < piece ? text->len - at : piece;
        char *copy = malloc(n);
        memcpy(copy, text->data + at, n);
        log_feed(&r, copy, n);
        free(copy);
    }
    x->met = log_forms_met(r.forms);
    log_close(&r);
}

static void assert_same_points(const struct log *a, const struct log *b)
{
    assert_int_equal(a->n_points, b->n_points);
    for (size_t i = 0; i < a->n_points; i++) {
        const struct log_point *x = &a->points[i], *y = &b->points[i];
        assert_memory_equal(x, y, offsetof(struct log_point, has_loss));
        assert_true(x->has_loss == y->has_loss && x->rank == y->rank && x->line == y->line);
    }
}

static void assert_same(const struct reading *a, const struct reading *b)
{
    assert_same_points(&a->log, &b->log);
    assert_int_equal(a->log.lines, b->log.lines);
    assert_int_equal(a->log.known, b->log.known);
    assert_int_equal(a->log.finished, b->log.finished);
    assert_int_equal(a->log.n_values, b->log.n_values);
    assert_true(a->log.format == b->log.format);
    assert_int_equal(a->diags.n, b->diags.n);
    for (size_t i = 0; i < a->diags.n; i++) {
        assert_string_equal(a->diags.items[i].message, b->diags.items[i].message);
        assert_int_equal(a->diags.items[i].line, b->diags.items[i].line);
    }
    for (size_t i = 0; i < a->log.n_values; i++) {
        assert_string_equal(a->log.values[i].key, b->log.values[i].key);
        assert_memory_equal(&a->log.values[i].value, &b->log.values[i].value, sizeof(double));
    }
}

/* Returns how many lines were recognised. */
static size_t compare(const struct buf *text)
{
    static const size_t pieces[] = {4096, 50000, (size_t)1 << 20};
    struct reading plain, x;
    size_t met = 0;
    read_pieces(&plain, text, 1);
    assert_int_equal(plain.met, 0);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        read_pieces(&x, text, pieces[i]);
        assert_same(&plain, &x);
        met = x.met;
        arena_release(&x.arena);
    }
    arena_release(&plain.arena);
    return met;
}

static unsigned draw(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % n;
}

/* Numbers as scripts print them, and some that they should not. */
static const char *number(uint64_t *seed, char text[40])
{
    static const char *const odd[] = {
        "NaN",   "-Infinity", "null", "\"7\"",
        "1e999", "-",         "1e",   "+5",
        "12:30", "1-2",       ".5",   "5.",
        "",      "0x10",      "-0",   "123456789012345678901234567890123456789012345678901"};
    double value = draw(seed, 1u << 30) / (double)(1u << draw(seed, 31));
    unsigned kind = draw(seed, 60);
    if (kind == 0)
        return odd[draw(seed, sizeof odd / sizeof odd[0])];
    sprintf(text, kind < 20 ? "%.17g" : kind < 30 ? "%.6E" : kind < 40 ? "%.3f" : "%.0f", value);
    return text;
}

static void add_line(struct buf *b, uint64_t *seed, int step)
{
    char x[6][40];
    const char *n[6];
    for (int i = 0; i < 6; i++)
        n[i] = number(seed, x[i]);
    switch (draw(seed, 8)) {
    case 0:
    case 1:
        buf_printf(b,
                   "[PerfLog] {\"event\": \"STEP_BEGIN\", \"step\": %d, \"metadata\": {\"file\": "
                   "\"/x/a2.py\", \"lineno\": 127, \"time_ms\": %s, \"rank\": %d}}\n",
                   step, n[0], step % 3);
        break;
    case 2:
    case 3:
        buf_printf(b,
                   "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": %s, \"epoch\": %d, "
                   "\"global_steps\": %s, \"learning_rate\": %s, \"seq/s\": %s, \"done\": %s}, "
                   "\"metadata\": {\"time_ms\": 17%d, \"rank\": %s}}\n",
                   n[0], step / 100, draw(seed, 9) ? n[1] + 0 * step : "21", n[2], n[3],
                   draw(seed, 5) ? "false" : "true", step, draw(seed, 9) ? "3" : n[4]);
        break;
    case 4:
    case 5:
        buf_printf(b,
                   " [2024-05-06 10:11:%02d] iteration %8d/   300000 | consumed samples: %12d | "
                   "elapsed time per iteration (ms): %s | learning rate: %s | global batch size: "
                   "%5d | lm loss: %s | grad norm: %s |\n",
                   step % 60, step, step * 512, n[0], n[1], draw(seed, 9) ? 512 : 1024, n[2], n[3]);
        break;
    case 6:
        buf_printf(b,
                   "[default%d]: iteration %d/ 9 | lm loss: %s | elapsed time per iteration "
                   "(s): %s |\n",
                   (int)draw(seed, 20), step, n[0], n[1]);
        break;
    default:
        buf_printf(b, "noise [%d] of %s | x=%s\n", step, n[0], n[1]);
    }
}

/* Bytes that matter to some format, in places where they should not be. */
static void damage(struct buf *b, uint64_t *seed, unsigned hits)
{
    static const char bytes[] = "\r\n\"{},:|[] 019.-eE+\\x";
    while (hits--)
        b->data[draw(seed, (unsigned)b->len)] = bytes[draw(seed, sizeof bytes - 1)];
}

static void forms_change_nothing(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 60; round++) {
        uint64_t seed = round;
        struct buf text;
        buf_init(&text, BUF_DEFAULT_MAX);
        for (int step = 1; step <= 600; step++)
            add_line(&text, &seed, step);
        damage(&text, &seed, (unsigned)(round % 4) * 40);
        assert_true(compare(&text) > 30);
        buf_release(&text);
    }
}

/* What would go unnoticed if a form took too much for a number or too little for text. */
static void other_text_is_no_form(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 1.5, \"global_steps\": 1}, "
        "\"metadata\": {\"rank\": 0}}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 2}, "
        "\"metadata\": {\"rank\": 5000}}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 2}, "
        "\"metadata\": {\"rank\": -1}}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2,5, \"global_steps\": 3}, "
        "\"metadata\": {\"rank\": 1}}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": , \"global_steps\": 4}, "
        "\"metadata\": {\"rank\": 1}}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 5}, "
        "\"metadata\": {\"rank\": 1}\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 6}, "
        "\"metadata\": {\"rank\": 1}}x\n",
        "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 7}, "
        "\"metadata\": {\"rank\": 1}}\r\n",
    };
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    for (int round = 0; round < 400; round++)
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            buf_str(&text, lines[0]);
            text.data[text.len - sizeof "1}, \"metadata\": {\"rank\": 0}}"] =
                (char)('0' + round % 10); /* the step */
            buf_str(&text, lines[i]);
        }
    assert_true(compare(&text) > 1000);
    buf_release(&text);
}

/* A log of which no line is like another stops being learnt from, and is still read. */
static void new_forms_for_ever(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    for (int i = 0; i < 3000; i++)
        buf_printf(&text,
                   "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"k%x\": 1, \"loss\": %d.5, "
                   "\"step\": %d}}\n",
                   i * 7919, i, i);
    compare(&text);
    buf_release(&text);
}

/* A line that is too long to be learnt, one of too many numbers, and one whose stamp is none. */
static void lines_that_are_not_learnt(void **state)
{
    (void)state;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    for (int i = 0; i < 200; i++) {
        buf_printf(&text,
                   "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 1, \"step\": %d, "
                   "\"note\": \"%01990d\"}}\n",
                   i, 7);
        buf_printf(&text,
                   "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 1, \"step\": %d", i);
        for (int k = 0; k < LOG_NUMBERS_MAX; k++)
            buf_printf(&text, ", \"%d\": %d", k, k);
        buf_str(&text, ", \"samples/s\": 3}}\n");
        buf_printf(&text, " [2024-05-06 10:11:1x] iteration %d/ 9 | lm loss: 1 |\n", i);
        buf_printf(&text, " [2024-05-06 10:11:12] iteration %dx/ 9 | lm loss: 1 |\n", i);
    }
    assert_int_equal(compare(&text), 197); /* all of the third kind but three */
    buf_release(&text);
}

/* What a format says of a line is learnt only where it can be found again: numbers in the order of
 * the line, apart, not at its begin, and whole. */
static void descriptions_that_are_no_form(void **state)
{
    (void)state;
    static const struct {
        size_t from[2], n[2];
        bool learnt;
    } rows[] = {
        {{2, 6}, {2, 2}, true},  {{6, 2}, {2, 2}, false}, {{2, 3}, {2, 1}, false},
        {{0, 6}, {1, 2}, false}, {{2, 6}, {1, 2}, false}, {{2, 6}, {3, 2}, false},
    };
    static const char line[] =
        "a 12, 34 b\n                                                        "
        "                                                                 ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct log_forms *forms = log_forms_new();
        struct log_draft d = {.n = 2, .done = true, .is_point = true};
        struct log_match m;
        d.said.rank = 0;
        for (int k = 0; k < 2; k++)
            d.numbers[k] =
                (struct log_number){{line + rows[i].from[k], rows[i].n[k]}, LOG_OTHER, 1, false};
        log_forms_learn(forms, (struct span){line, 10}, &d, "x");
        assert_int_equal(log_forms_match(forms, line, line + sizeof line - 1, &m), rows[i].learnt);
        if (rows[i].learnt)
            assert_ptr_equal(m.next, line + 11);
        log_forms_free(forms);
    }
}

/* The same bytes between the numbers, and another meaning: another form, of which the first is met
 * until the other is learnt. */
static void the_meaning_belongs_to_the_form(void **state)
{
    (void)state;
    static const struct log_number numbers[] = {
        {{NULL, 2}, LOG_SAID(point.loss), 1, false},
        {{NULL, 2}, LOG_SAID(point.step), 1, false},
        {{NULL, 2}, LOG_SAID(point.step), 2, false},
        {{NULL, 2}, LOG_SAID(point.step), 2, true},
    };
    static const char line[] =
        "a 12 b\n                                                            "
        "                                                                 ";
    struct log_forms *forms = log_forms_new();
    struct log_match m;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct log_draft d = {.numbers = {numbers[i]}, .n = 1, .done = true, .is_point = true};
        d.numbers[0].text.p = line + 2;
        d.said.point.line = (int)i;
        log_forms_learn(forms, (struct span){line, 6}, &d, "x");
        assert_true(log_forms_match(forms, line, line + sizeof line - 1, &m));
        assert_int_equal(m.said.point.line, i);
    }
    log_forms_free(forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_change_nothing),
        cmocka_unit_test(other_text_is_no_form),
        cmocka_unit_test(new_forms_for_ever),
        cmocka_unit_test(lines_that_are_not_learnt),
        cmocka_unit_test(descriptions_that_are_no_form),
        cmocka_unit_test(the_meaning_belongs_to_the_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
