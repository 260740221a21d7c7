/* log_order: what is odd about the order of a log's reports, and what is not. */
#include "tests/unit/log_text.h"

#include "verifier/logs/log_order.h"

#include <stdio.h>

/* Findings of log_order alone: "warning 4: …" and so on, "" when there is none. */
static const char *order_of(struct fixture *f, const char *text, size_t n)
{
    struct diags ignored, found;
    struct buf b;
    arena_init(&f->arena);
    diags_init(&ignored, &f->arena);
    diags_init(&found, &f->arena);
    log_read("x.log", (struct bytes){text, n}, &f->log, &f->arena, &ignored);
    log_order(&f->log, &f->arena, &found);
    buf_init(&b, 1 << 16);
    buf_str(&b, "");
    for (size_t i = 0; i < found.n; i++)
        buf_printf(&b, "%s%s %d: %s", i ? " ! " : "",
                   found.items[i].severity == SEVERITY_WARNING ? "warning" : "notice",
                   found.items[i].line, found.items[i].message);
    const char *told = arena_strndup(&f->arena, b.data, b.len);
    buf_release(&b);
    return told;
}

static void order_is_looked_at(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {"nothing of a log\n", ""},
        {"step,loss\n1,3\n2,2.5\n3,2.25\n", ""},
        {"step,loss\n1,3\n2,nan\n3,inf\n",
         "warning 3: 2 of 3 losses are NaN or infinite, the first at step 2"},
        {"Step 1/3, Loss: 3\nStep 2/3, Loss: 2\nStep 3/3, Loss: nan\n",
         "warning 3: 1 of 3 losses is NaN or infinite, the first at step 3"},
        /* The same loss again is none of another, be it NaN. */
        {"Step 1/3, Loss: 3\nStep 2/3, Loss: 2\nStep 2/3, Loss: 2\nStep 3/3, Loss: 1\n", ""},
        {"Step 1/3, Loss: 3\nStep 2/3, Loss: nan\nStep 2/3, Loss: nan\nStep 3/3, Loss: 1\n",
         "warning 2: 2 of 4 losses are NaN or infinite, the first at step 2"},
        {"Step 1/4, Loss: 3\nStep 2/4, Loss: 2\nStep 2/4, Loss: 1\nStep 3/4, Loss: 1\nStep 4/4, "
         "Loss: 1\nStep 4/4, Loss: nan\n",
         "warning 6: 1 of 6 losses is NaN or infinite, the first at step 4 ! notice 3: 2 "
         "reports repeat one of 4 steps with another loss: several processes write to this log, or "
         "a step has several reports; the last one counts"},
        {"Step 1/4, Loss: 3\nStep 2/4, Loss: 2\nStep 2/4, Loss: 1\nStep 3/4, Loss: 1\n",
         "warning 3: 1 step appears again with a different loss, the first is step 2; the last "
         "report "
         "of a step counts"},
        /* Further on in the file, not in the training: the first line of them is named. */
        {"Step 5/9, Loss: 3\nStep 6/9, Loss: 2\nStep 7/9, Loss: 1\nStep 8/9, Loss: 1\nStep 9/9, "
         "Loss: 1\nStep 1/9, Loss: 1\nStep 6/9, Loss: 3\nStep 5/9, Loss: 4\n",
         "warning 6: the step number decreases 2 times, first from step 9 to 1: the training was "
         "restarted, or the file contains several runs ! warning 7: 2 steps appear again with a "
         "different loss, the first is "
         "step 6; the last report of a step counts"},
        {"Step 1/3, Loss: 3\nStep 3/3, Loss: 2\nStep 2/3, Loss: 1\n",
         "warning 3: the step number decreases 1 time, first from step 3 to 2: the training was "
         "restarted, or the file contains several runs"},
        {"Step 1/2, Loss: 3\nStep 1/2, Loss: 4\nStep 2/2, Loss: 2\nStep 2/2, Loss: 1\n",
         "notice 2: 2 reports repeat one of 2 steps with another loss: several processes write to "
         "this log, or a step has several reports; the last one counts"},
        /* Lines that mix, and say the same: nothing. */
        {"Step 1/4, Loss: 3\nStep 2/4, Loss: 2\nStep 1/4, Loss: 3\nStep 3/4, Loss: 1\nStep 2/4, "
         "Loss: 2\nStep 4/4, Loss: 1\nStep 3/4, Loss: 1\nStep 4/4, Loss: 1\n",
         ""},
        /* A whole run again is no second writer: its steps fall once. */
        {"Step 1/5, Loss: 5\nStep 2/5, Loss: 4\nStep 3/5, Loss: 3\nStep 4/5, Loss: 2\nStep 5/5, "
         "Loss: 1\nStep 1/5, Loss: 6\nStep 2/5, Loss: 5\nStep 3/5, Loss: 4\nStep 4/5, Loss: "
         "3\nStep 5/5, Loss: 2\n",
         "warning 6: the step number decreases 1 time, first from step 5 to 1: the training was "
         "restarted, or the file contains several runs ! warning 6: 5 steps appear again with a "
         "different loss, the first is "
         "step 1; the last report of a step counts"},
        /* Other ranks are left out, and so is what reports no loss. */
        {"[default0]: iteration 1/2 | lm loss: 3 | x: 1 |\n[default1]: iteration 1/2 | lm loss: 4 "
         "| x: 1 "
         "|\n[default0]: iteration 2/2 | lm loss: 2 | x: 1 |\n",
         ""},
        {"[rank0]: iteration 1/2 | lm loss: 3 | x: 1 |\n[rank1]: iteration 1/2 | lm loss: 4 | x: 1 "
         "|\n[rank0]: iteration 2/2 | lm loss: 2 | x: 1 |\n",
         ""},
        {"[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"step\": 9}}\nStep 1/2, Loss: 3\n", ""},
        /* More is missing than is said here. */
        {"Step 1/9, Loss: 3\nStep 2/9, Loss: 3\nStep 3/9, Loss: 3\nStep 4/9, Loss: 3\nStep 9/9, "
         "Loss: 3\n",
         ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        const char *told = order_of(&f, rows[i].text, strlen(rows[i].text));
        if (strcmp(told, rows[i].told) != 0)
            fail_msg("%s\n  gave     %s\n  expected %s", rows[i].text, told, rows[i].told);
        arena_release(&f.arena);
    }
}

/* Two gaps of 2 of 400 steps; a whole gap of each tenth is none. */
static void missing_steps_are_noticed(void **state)
{
    (void)state;
    for (int stride = 1; stride <= 10; stride += 9) {
        struct fixture f;
        struct buf text;
        buf_init(&text, 1 << 20);
        for (int i = 1; i <= 400; i++)
            if (i != 100 && i != 101 && i != 300)
                buf_printf(&text, "Step %d/4000, Loss: %d.5\n", i * stride, 4000 - i);
        assert_string_equal(
            order_of(&f, text.data, text.len),
            stride == 1 ? "notice 99: 3 of 400 steps are missing, the first after step 99"
                        : "notice 99: 3 of 400 steps are missing, the first after step 990");
        arena_release(&f.arena);
        buf_release(&text);
    }
}

/* Of a log whose steps were not all kept nothing is known. */
static void more_than_is_kept_says_nothing(void **state)
{
    (void)state;
    struct arena a = ARENA_INIT;
    struct diags found;
    struct log_point *points = arena_array(&a, LOG_POINTS_MAX, sizeof *points);
    struct log log = {.file = "x.log", .points = points, .n_points = LOG_POINTS_MAX};
    diags_init(&found, &a);
    for (size_t i = 0; i < LOG_POINTS_MAX; i++)
        points[i] = (struct log_point){
            .step = (double)(LOG_POINTS_MAX - i), .has_loss = true, .line = (int)i + 1};
    log_order(&log, &a, &found);
    assert_int_equal(found.n, 0);
    log.n_points--;
    log_order(&log, &a, &found);
    assert_int_equal(found.n, 1);
    assert_string_equal(
        found.items[0].message,
        "the step number decreases 262142 times, first from step 262144 to 262143: the "
        "training was restarted, or the file contains several runs");
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_looked_at),
        cmocka_unit_test(missing_steps_are_noticed),
        cmocka_unit_test(more_than_is_kept_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
