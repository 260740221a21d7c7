/* log formats as they are met in the wild: a line of each, with what stands in front of it. */
#include "tests/unit/unit.h"

#include "verifier/logs/log.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct diags diags;
    struct log log;
};

/* In pieces of `piece` bytes; 0: whole. */
static void feed(struct fixture *f, const char *text, size_t n, size_t piece)
{
    struct log_reader r;
    arena_init(&f->arena);
    diags_init(&f->diags, &f->arena);
    log_open(&r, "x.log", &f->log, &f->arena, &f->diags);
    for (size_t i = 0; i < n; i += piece ? piece : n) {
        /* A copy, so that reading beyond a piece is seen by the sanitizer. */
        size_t m = !piece || n - i < piece ? n - i : piece;
        char *copy = malloc(m);
        memcpy(copy, text + i, m);
        log_feed(&r, copy, m);
        free(copy);
    }
    log_close(&r);
}

static void read_all(struct fixture *f, const char *text)
{
    feed(f, text, strlen(text), 0);
}

/* A line, the points that it gives, and the last of them. */
static const struct sample {
    const char *format, *text;
    size_t points;
    double step, loss;
} samples[] = {
    {"patterns", "epoch: 1 step: 5, loss is 2.5\nepoch: 2 step: 3, loss is 2.25\n", 2, 8, 2.25},
    {"patterns",
     "2024-03-01 10:00:00,123 - mindformers[core/callback.py:314] - INFO - { Epoch:[  2/  3], "
     "step:[   40/  100], loss: 9.875, per_step_time: 1234ms, lr: 1e-05, overflow cond: False, "
     "loss_scale: 65536.0\n",
     1, 140, 9.875},
    {"patterns",
     "2024-10-18 10:01:24,917 [INFO] Epoch 2/500, Step 25/100, imgsize (640, 640), loss: "
     "10.5, lbox: 4.75\n",
     1, 125, 10.5},
    {"patterns",
     " samples/sec: 7.75 | iteration       34/   10000 | elapsed time per iteration "
     "(ms): 4000.0 | learning rate: 2.1E-06 | lm_loss: 1.25E+01 | number of\n",
     1, 34, 12.5},
    {"patterns", "steps: 10 loss: 5.5 iter time (s): 0.25 samples/sec: 128.0\n", 1, 10, 5.5},
    {"patterns",
     "[rank3]:[titan] 2026-02-24 19:46:17,508 - root - INFO - \x1b[31mstep: 14  "
     "\x1b[38;2;180;60;0mloss:  3.25  \x1b[0mmemory:  9.46GiB(64.99%)\n",
     1, 14, 3.25},
    {"patterns",
     "Training epoch 0, iteration 120/149 | lr: 3e-05 | global_batch_size: 1 | "
     "global_step: 120 | reduced_train_loss: 1.25 | train_step_timing in s: 0.5\n",
     1, 120, 1.25},
    {"patterns",
     "Epoch 0:   1%|#  | 795/77225 [9:07:58<878:01:48, 41.36s/it, loss=3.1, v_num=, "
     "reduced_train_loss=3.25, global_step=794.0, consumed_samples=1.63e+6]\n",
     1, 794, 3.25},
    {"patterns",
     "\rEpoch 1:   0%|   | 1/50 [00:03<5:11,  0.27it/s]\rEpoch 1:   0%|   | 1/50 "
     "[00:03<5:11,  0.27it/s, v_num=1, train_loss=1.5]\n",
     1, 51, 1.5},
    {"patterns",
     "10/30 22:18:02 - mmengine - INFO - Epoch(train) [2][ 20/735]  lr: 1.9870e-04  "
     "eta: 2:46:39  time: 2.5  data_time: 0.0042  loss: 2.75  grad_norm: 3.0608\n"
     "10/30 22:18:02 - mmengine - INFO - Epoch(val) [2][ 20/35]  loss: 7.0\n",
     1, 755, 2.75},
    {"patterns",
     "2025-08-12 11:58:41,374 - mmdet3d - INFO - Epoch [1][90/30895]\tlr: 9.040e-05, "
     "time: 1.5, data_time: 0.082, loss_occ: 0.9, loss: 15.5, grad_norm: 186.7\n",
     1, 90, 15.5},
    {"patterns",
     "[2024/08/06 18:03:31] ppocr INFO: epoch: [1/2], global_step: 100, lr: 0.000005, "
     "loss: 69.5, avg_reader_cost: 0.00971 s\n",
     1, 100, 69.5},
    {"patterns", "[01:34:12.610327] Epoch: [1]  [10/1504]  lr: 0.0  closs: 1.5 (1.53)  time: 5.0\n",
     1, 1515, 1.5},
    {"patterns", "Epoch: [0][ 10/5005]\tTime  0.5 (  0.6)\tLoss 6.5e+00 (7.0e+00)\tAcc@1\n", 1, 11,
     6.5},
    {"patterns", "| epoch 001:    175 / 609 loss=2.25, nll_loss=0.096, num_updates=175, lr=9\n", 1,
     175, 2.25},
    {"patterns", "INFO:tensorflow:global step 2: loss = 72.5 (17.053 sec/step)\n", 1, 2, 72.5},
    {"patterns", "iter 20: loss 3.5, time 135.22ms, mfu 12.3%\n", 1, 20, 3.5},
    {"patterns", "step 0: train loss 4.2874, val loss 4.2823\nstep 3, loss: 9.5\n", 1, 3, 9.5},
    {"patterns", "Epoch:[0/19](100/24681) loss:5.25 lr:0.0002 epoch_Time:98.0min:\n", 1, 101, 5.25},
    {"patterns", "completed step: 9, seconds: 5.5, TFLOP/s/device: 134.9, loss: 10.25\n", 1, 9,
     10.25},
    {"patterns", "2026-08-10 15:48:59 | INFO | root | step 13 | epoch 0 | loss 0.75 | lr 1e-05\n",
     1, 13, 0.75},
    {"patterns", "Step 1 | loss:2.5 lr:2e-05 tokens_per_second_per_gpu:57.8\n", 1, 1, 2.5},
    {"patterns",
     "Iteration:  23%|##| 650/2771 [01:23<04:25,  7.98it/s]DLL 2022-04-05 - Training Epoch: 0 "
     "Training Iteration: 651  step_loss : 2.5  learning_rate : 2.9e-05\n",
     1, 651, 2.5},
    {"patterns",
     "Epoch 34 | iter 3050700 step 610140 | loss train: 2.75, val: 2.861 | iter time: 112.20 "
     "ms (step) remaining time: 0:01:54\n",
     1, 610140, 2.75},
    {"patterns",
     "step 100: train loss 4.5, val loss 4.5\n100 | loss 4.25 | lr 3.0e-04 | 2006.12ms\n", 1, 100,
     4.25},
    {"patterns",
     "\titers: 100, epoch: 1 | loss: 0.5\n\titers: 200, epoch: 1 | loss: 0.25\n\titers: 100, "
     "epoch: 2 | loss: 0.125\n",
     3, 300, 0.125},
    {"patterns",
     "2021-03-30 06:55:57 [INFO]\t[TRAIN] epoch: 1, iter: 20/500, loss: 2.25, lr: 0.009\n", 1, 20,
     2.25},
    {"patterns",
     "[07/21 14:40:44] ppdet.engine INFO: Epoch: [1] [ 20/200] learning_rate: 0.000000 "
     "loss_cls: 33.527027 loss: 31.5 eta: 27 days batch_cost: 18.5622\n",
     1, 221, 31.5},
    {"huggingface", "{'loss': '1.5', 'grad_norm': '0.4', 'learning_rate': '5e-05'}\n", 1, 1, 1.5},
    {"huggingface", "{'loss': np.float64(1.5), 'epoch': np.float64(0.1)}\n", 1, 1, 1.5},
    {"huggingface",
     "10.0.0.1: {'loss': 2.5, 'epoch': 0.1}\n10.0.0.1: {'loss': nan, 'epoch': 0.2}\n"
     "10.0.0.1: {'eval_loss': 1.5, 'eval_runtime': 3.0, 'epoch': 0.2}\n"
     "{'loss': 0.5, 'note': '{\\'loss\\': 7}', 'epoch': 0.3}\n",
     3, 3, 0.5},
    {"huggingface",
     "{'loss': 0.25, 'grad_norm': 2.5, 'epoch': 0.26, 'global_step/max_steps': "
     "'12/94', 'percentage': '12.77%', 'elapsed_time': '18m 26s'}\n",
     1, 12, 0.25},
    {"huggingface",
     "{\"current_steps\": 10, \"total_steps\": 150, \"loss\": 1.25, \"epoch\": 0.2}\n", 1, 10,
     1.25},
    {"trainer-state",
     "{\n  \"global_step\": 50,\n  \"log_history\": [\n    {\n      \"loss\": 3.5,\n"
     "      \"step\": 25\n    },\n    {\n      \"eval_loss\": 1.0,\n      \"step\": 25\n"
     "    },\n    {\n      \"epoch\": 0.2,\n      \"loss\": 3.25,\n      \"step\": 50\n"
     "    }\n  ]\n}\n",
     2, 50, 3.25},
    {"deepspeed",
     "2024-05-06T10:11:12.123456Z stdout F Step 9/10, Loss: 1.0\nworker-0: Step 10/3050, "
     "Loss: 5.125\n",
     1, 10, 5.125},
    {"perflog",
     "3: [PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.5, \"global_steps\": 7}, "
     "\"metadata\": {\"rank\": 0}}\n",
     1, 7, 2.5},
    {"paddle",
     "[    INFO] - loss: 2.5, learning_rate: 2.1e-06, global_step: 20, interval_runtime: "
     "26.3, interval_samples_per_second: 6.0, interval_steps_per_second: 0.5\n",
     1, 20, 2.5},
};

/* Findings but for those that excerpts and their formats must have. */
static size_t faults(const struct fixture *f)
{
    static const char *const expected[] = {"the log ends at step", " no step number",
                                           " running mean", "the curve is over epochs"};
    size_t n = f->diags.n;
    for (size_t i = 0; i < f->diags.n; i++)
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            n -= strstr(f->diags.items[i].message, expected[k]) != NULL;
    return n;
}

static void real_lines_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t piece = 0; piece < 4; piece++) {
            const struct sample *x = &samples[i];
            struct fixture f;
            feed(&f, x->text, strlen(x->text), piece);
            if (f.log.n_points != x->points || !f.log.format ||
                strcmp(f.log.format, x->format) != 0)
                fail_msg("%zu points of %s: %s", f.log.n_points,
                         f.log.format ? f.log.format : "nothing", x->text);
            const struct log_point *p = &f.log.points[x->points - 1];
            if (p->step != x->step || p->loss != x->loss)
                fail_msg("step %g, loss %g: %s", p->step, p->loss, x->text);
            assert_int_equal(faults(&f), 0);
            arena_release(&f.arena);
        }
}

static void lines_that_only_look_alike_give_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "validation loss at iteration 20 | lm loss: 1.0\n",
        "Test:  [ 0/100]  eta: 0:00:10  loss: 0.5 (0.5)\n",
        "Epoch(val) [1][10/20]  loss: 1.0\n",
        "the loss is 5\nmy MFU: 0.5\n",
        "epoch: 3442 loss: 0.2105546216666698\n",
        "loss_function: {'loss': 'cross_entropy'}\n",
        "2024-01-01 00:00:00 INFO the MFU: 0.5 was nice\n",
        "Epoch 0:   1%|   | 1/50 [00:03<5:11,  0.27it/s]\n",
        "{\n\"loss\": 2.5\n}\n{\n\"step\": 3\n}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fixture f;
        read_all(&f, texts[i]);
        if (f.log.n_points || f.log.n_values)
            fail_msg("read: %s", texts[i]);
        arena_release(&f.arena);
    }
}

/* A bar in front of a report and behind it, of the same length, says the step. */
static void bars_say_the_steps(void **state)
{
    (void)state;
    struct fixture f;
    read_all(&f,
             "\r  1%|#   | 10/1000 [00:10<16:30,  1.00s/it]\n"
             "                                  \r{'loss': 5.0, 'epoch': 0.01}\n"
             "\r  1%|#   | 10/1000 [00:10<16:30,  1.00s/it]\r  1%|#   | 19/1000 [00:19<16, 1s/it]"
             "\n{'loss': 4.5, 'epoch': 0.02}\n\r  2%|#   | 20/1000 [00:20<16:20, 1s/it]"
             "{'loss': 4.0, 'epoch': 0.03}\n"
             "\r 10%|#   | 1/10 [00:01<00:09, 1s/it]\r 3%|#  | 39/1000 [00:39<16, 1s/it]"
             "{'loss': 3.5, 'epoch': 0.04}\r 4%|#  | 40/1000 [00:40<16, 1s/it]\n");
    assert_int_equal(f.log.n_points, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(f.log.points[i].step == 10 * (double)(i + 1));
    assert_int_equal(faults(&f), 0);
    arena_release(&f.arena);
}

/* Standard output in blocks: no report stands between two bars, so nothing is known but the order,
 * and that is said. */
static void reports_that_are_counted_are_said_to_be(void **state)
{
    (void)state;
    struct fixture f;
    read_all(&f, "  1%|#  | 30/1000 [00:30<16, 1s/it]\n{'loss': 5.0, 'epoch': 0.01}\n"
                 "{'loss': 4.5, 'epoch': 0.02}\n{'loss': 4.0, 'epoch': 0.03}\n"
                 "  1%|#  | 31/1000 [00:31<16, 1s/it]\n");
    assert_int_equal(f.log.n_points, 3);
    assert_true(f.log.points[2].step == 3);
    assert_int_equal(faults(&f), 0);
    assert_non_null(strstr(f.diags.items[0].message, "3 reports give no step number"));
    arena_release(&f.arena);
}

static void a_second_training_counts_on(void **state)
{
    (void)state;
    struct fixture f;
    read_all(&f, "{'loss': 5.0, 'epoch': 0.5}\n{'loss': 4.0, 'epoch': 1.0}\n"
                 "{'train_runtime': 12.5, 'train_loss': 4.5, 'epoch': 1.0}\n"
                 "{'loss': 2.0, 'epoch': 0.5}\n{'loss': 1.0, 'global_step': 7, 'epoch': 0.75}\n"
                 "{'train_runtime': 13.5, 'train_loss': 1.5, 'epoch': 1.0}\n");
    assert_int_equal(f.log.n_points, 4);
    assert_true(f.log.points[2].step == 3 && f.log.points[3].step == 9);
    assert_true(log_get(&f.log, "train_runtime")->value == 13.5);
    assert_int_equal(faults(&f), 0);
    arena_release(&f.arena);
}

static void a_falling_epoch_is_a_finding(void **state)
{
    (void)state;
    struct fixture f;
    read_all(&f, "{'loss': 5.0, 'epoch': 0.5}\n{'loss': 4.0, 'epoch': 0.2}\n");
    assert_int_equal(faults(&f), 1);
    assert_int_equal(f.diags.items[0].line, 2);
    arena_release(&f.arena);
}

static void what_is_no_text_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *says;
    } files[] = {
        {"\x1f\x8b\x08\x00\x01\x02\n\x03", 8, "gzip"},
        {"\xff\xfe[\0P\0e\0r\0f\0\n\0", 14, "UTF-16"},
        {"\x28\xb5\x2f\xfd\x01", 5, "zstd"},
        {"PK\x03\x04\x01", 5, "zip"},
        {"a\0b\n", 4, "NUL"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t piece = 0; piece < 3; piece++) {
            struct fixture f;
            feed(&f, files[i].bytes, files[i].n, piece);
            assert_int_equal(faults(&f), 1);
            assert_int_equal(f.diags.items[0].severity, SEVERITY_ERROR);
            assert_non_null(strstr(f.diags.items[0].message, files[i].says));
            arena_release(&f.arena);
        }
    struct fixture f;
    read_all(&f, "\xEF\xBB\xBF{'loss': 5.0, 'epoch': 0.5}\r\n");
    assert_int_equal(f.log.n_points, 1);
    arena_release(&f.arena);
}

/* A bar that is drawn again and again, more than a line may be long, without a line end. */
static bool says(const struct fixture *f, const char *what)
{
    for (size_t i = 0; i < f->diags.n; i++)
        if (strstr(f->diags.items[i].message, what))
            return true;
    return false;
}

/* The last line, and the number of steps that the lines themselves count to. */
static void logs_that_are_cut_say_so(void **state)
{
    (void)state;
    static const struct cut {
        const char *text, *ends; /* NULL: the log comes to its end */
        size_t points;
        bool cut;
    } cuts[] = {
        {"Step 1/3, Loss: 2.50\nStep 2/3, Loss: 2.25\nStep 3/3, Loss: 2.10\n", NULL, 3, false},
        {"Step 1/3, Loss: 2.50\nStep 2/3, Loss: 2.25\nStep 3/3, Loss: 2.10", NULL, 3, false},
        {"Step 1/3, Loss: 2.50\nStep 2/3, Loss: 2.25\nStep 3/3, Loss: 2.1", "2 of 3", 2, true},
        {"Step 1/3, Loss: 2.50\nStep 2/3, Loss: 2.25\nStep 3/3, Lo", "2 of 3", 2, true},
        {"Step 1/3, Loss: 2.50\nStep 2/3, Loss: 2.25\nnothing of ours", "2 of 3", 2, false},
        {"Step 9/11, Loss: 12.50\nStep 10/11, Loss: 9.25\nStep 11/11, Loss: 9.10", NULL, 3, false},
        {"Step 0/20, Loss: 2.50\nStep 10/20, Loss: 2.25\n", NULL, 2, false},
        {"Step 10/25, Loss: 2.50\nStep 20/25, Loss: 2.25\n", NULL, 2, false},
        {" iteration 1/ 9 | lm loss: 2.5E+00 | x: 1 |\n iteration 2/ 9 | lm loss: 2.4E+0", "1 of 9",
         1, true},
        {" iteration 8/ 9 | lm loss: 2.5E+00 | x: 1 |\n iteration 9/ 9 | lm loss: 2.4E+00 | x: 1 |",
         NULL, 2, false},
        {" 1%| | 1/90 [1s]\n{'loss': 5.0, 'epoch': 0.01}\n 1%| | 1/90 [1s]\r 2%| | 2/90 [2s]\n",
         "2 of 90", 1, false},
        {" 1%| | 1/90 [1s]\n{'loss': 5.0, 'epoch': 0.01}\n{'train_runtime': 5.0}\n", NULL, 1,
         false},
        {"\rTraining Epoch: 1/2, step 0/9 completed (loss: 1.5): 0%", "1 of 18", 1, false},
        {"\rTraining Epoch: 1/1, step 0/2 completed (loss: 1.5): 0%|"
         "\rTraining Epoch: 1/1, step 1/2 completed (loss: 1.",
         "1 of 2", 1, true},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
        for (size_t piece = 0; piece < 4; piece++) {
            const struct cut *x = &cuts[i];
            struct fixture f;
            feed(&f, x->text, strlen(x->text), piece);
            if (f.log.n_points != x->points || says(&f, "the last line is incomplete") != x->cut ||
                says(&f, "the log ends at step") != !!x->ends || (x->ends && !says(&f, x->ends)))
                fail_msg("%zu points, %zu findings: %s", f.log.n_points, f.diags.n, x->text);
            arena_release(&f.arena);
        }
}

static void carriage_returns_end_what_is_kept(void **state)
{
    (void)state;
    const char bar[] =
        "\rTraining Epoch: 1/1, step 41/3189 completed (loss: 1.5):  1%|   | 42/3189";
    size_t n = 3 * LOG_LINE_MAX / (sizeof bar - 1);
    char *text = malloc(n * (sizeof bar - 1));
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * (sizeof bar - 1), bar, sizeof bar - 1);
    for (size_t piece = 0; piece <= 4096; piece += 4096) {
        struct fixture f;
        feed(&f, text, n * (sizeof bar - 1), piece);
        assert_int_equal(f.log.n_points, 1);
        assert_true(f.log.points[0].step == 42 && f.log.points[0].loss == 1.5);
        assert_int_equal(faults(&f), 0);
        arena_release(&f.arena);
    }
    free(text);
}

/* A last line without an end beside a whole one. */
static void half_a_line_is_told_from_a_whole_one(void **state)
{
    (void)state;
    static const struct {
        const char *like, *last;
        bool cut;
    } rows[] = {
        {"step 10 loss 2.50", "step 11 loss 2.25", false},
        {"step 10 loss 2.50", "step 11 loss 2.2", true},
        {"step 10 loss 2.50", "step 11 loss 2", true},
        {"step 10 loss 2.50", "step 11 loss 2.255", false},
        {"step 10 loss 2.50 |", "step 11 loss 2.25", true},
        {"step 10 loss", "step 11 loss", false},
        {"step 10 loss", "step 11 lo", true},
        {"step 10 loss", "step 11 loss:", false},
        {"step 10 loss", "step 11 xoss", false},
        {"step 10 loss", "step xx loss", false},
        {"step x loss", "step 11", false},
        {"step   10 loss", "step -9", true},
        {"step 10 loss", "step -", true},
        {"step 10", "step --", true},
        {"step 10", "", true},
        {"", "step", false},
        {"", "", false},
        {"10", "  ", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (log_tail_is_cut(span_of(rows[i].like), span_of(rows[i].last)) != rows[i].cut)
            fail_msg("'%s' behind '%s'", rows[i].last, rows[i].like);
}

/* Each row has the words that `fpreport formats` prints, and knows its own sample. */
static void every_format_knows_its_sample(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    for (size_t i = 0; log_formats[i]; i++) {
        const struct log_format *format = log_formats[i];
        struct fixture f;
        assert_true(format->name[0] && format->reads[0] && format->sample[0]);
        read_all(&f, arena_printf(&arena, "%s\n", format->sample));
        if (format->steps)
            assert_string_equal(f.log.format, format->name);
        assert_true(f.log.known > 0);
        assert_int_equal(f.log.n_points > 0 || f.log.n_values > 0, 1);
        arena_release(&f.arena);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_knows_its_sample),
        cmocka_unit_test(real_lines_are_read),
        cmocka_unit_test(lines_that_only_look_alike_give_nothing),
        cmocka_unit_test(bars_say_the_steps),
        cmocka_unit_test(reports_that_are_counted_are_said_to_be),
        cmocka_unit_test(a_second_training_counts_on),
        cmocka_unit_test(a_falling_epoch_is_a_finding),
        cmocka_unit_test(what_is_no_text_is_named),
        cmocka_unit_test(logs_that_are_cut_say_so),
        cmocka_unit_test(carriage_returns_end_what_is_kept),
        cmocka_unit_test(half_a_line_is_told_from_a_whole_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
