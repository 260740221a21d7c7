/* Logs of no known format, read by their words. */
#include "tests/unit/log_text.h"

#include <string.h>

/* A text, and the last of its points; 0: it is not read. */
static const struct sample {
    const char *text;
    size_t points;
    double step, loss;
} samples[] = {
    /* OpenNMT/OpenNMT-py issue 1362 */
    {"[2019-03-21 18:31:43,773 INFO] Step 2250/200000; acc:  31.18; ppl: 57.53; xent: 4.05; lr: "
     "0.00028; 5092/261 tok/s;   6641 sec\n"
     "[2019-03-21 18:34:11,780 INFO] Step 2300/200000; acc:  30.36; ppl: 61.43; xent: 4.12; lr: "
     "0.00028; 4953/257 tok/s;   6789 sec\n",
     2, 2300, 4.12},
    /* mesolitica/NLP-Models-Tensorflow issue 10: the losses of a validation are left out */
    {"Epoch   0 Batch   50/225 - Loss: 3.2396 - perplextity: 25.5224\n"
     "Epoch   0 Batch   50/225 - Test Loss: 3.1811 - Test perplextity: 24.0732\n"
     "Epoch   0 Batch  100/225 - Loss: 3.1357 - perplextity: 23.0053\n"
     "Epoch   0 Batch  100/225 - Test Loss: 2.7565 - Test perplextity: 15.7445\n"
     "Epoch   0 Batch  150/225 - Loss: 2.6570 - perplextity: 14.2531\n"
     "Epoch   1 Batch   50/225 - Loss: 2.5518 - perplextity: 12.8302\n"
     "Epoch   1 Batch   50/225 - Test Loss: 2.5145 - Test perplextity: 12.3599\n",
     4, 275, 2.5518},
    /* espnet/espnet issue 3370 */
    {"iterations:57, train acc:0.440, train loss:616.408, train loss ctc:1156.613, train loss "
     "att:76.203,\n"
     "iterations:58, train acc:0.338, train loss:653.147, train loss ctc:1221.461, train loss "
     "att:84.834,\n"
     "iterations:59, train acc:0.341, train loss:446.866, train loss ctc:820.044, train loss "
     "att:73.688,\n",
     3, 59, 446.866},
    {"step 10 loss nan lr 0.1\nstep 20 loss 2.5 lr 0.1\n", 2, 20, 2.5},
    {"global step=10 avg loss is 2.6\nglobal step=20 avg loss is 2.5\n", 2, 20, 2.5},
    {"epoch 1 iter 10 loss=3\nepoch 1 iter 20 loss=2\nepoch 2 iter 10 loss=1\n", 3, 30, 1},
    {"epoch 1 iter 10 loss=3\nepoch 2 iter 20 loss=2\nepoch 3 iter 30 loss=1\n", 3, 30, 1},
    /* microsoft/DeBERTa issue 127: two models, and nobody says which one counts */
    {"04/28/2023 10:19:56|INFO|RTD|00| [D][0.0%][-1813.71h] Steps=100, loss=3.7474557736516, "
     "examples=6400, loss_scale=4096.0, 653.0s\n"
     "04/28/2023 10:19:56|INFO|RTD|00| [G][0.0%][-1802.80h] Steps=100, loss=6.583027583360672, "
     "examples=6400, loss_scale=4096.0, 649.1s\n"
     "04/28/2023 10:30:18|INFO|RTD|00| [D][0.0%][-1727.33h] Steps=200, loss=3.6008971021324396, "
     "examples=12800, loss_scale=4096.0, 622.0s\n"
     "04/28/2023 10:30:18|INFO|RTD|00| [G][0.0%][-1727.34h] Steps=200, loss=6.204549537152052, "
     "examples=12800, loss_scale=4096.0, 622.0s\n",
     0, 0, 0},
    /* One report is no proof of a format, and neither is one whose words change. */
    {"step 10 loss 2.5\n", 0, 0, 0},
    {"step 10 loss 2.5\niter 20 loss 2.4\n", 0, 0, 0},
    {"step 10 loss 2.5\nstep 10 loss 2.4\n", 0, 0, 0},
    {"step 20 loss 2.5\nstep 10 loss 2.4\n", 0, 0, 0},
    {"step 10 loss=2.5 loss=2.6\nstep 20 loss=2.5 loss=2.6\n", 0, 0, 0},
    /* The steps of an epoch in the middle, of which nobody says how many are in front of it. */
    {"epoch 3 batch 10/90 loss 2.5\nepoch 3 batch 20/90 loss 2.4\n", 0, 0, 0},
    {"epoch 1 batch 50/90 loss 2.5\nepoch 1 batch 60/90 loss 2.4\n", 0, 0, 0},
    /* Words that are others. */
    {"valid step 10 loss 2.5\nvalid step 20 loss 2.4\n", 0, 0, 0},
    {"step 10 val loss 2.5\nstep 20 val loss 2.4\n", 0, 0, 0},
    {"step 10 box loss 2.5\nstep 20 box loss 2.4\n", 0, 0, 0},
    {"step 10 Mask_Loss: 0.5\nstep 20 Mask_Loss: 0.25\n", 2, 20, 0.25},
    {"step 10 Mask_Loss: 1 Total_Loss: 2.5\nstep 20 Mask_Loss: 1.5 Total_Loss: 2.25\n", 2, 20,
     2.25},
    {"step 10 lm_loss 2.5 aux_loss 0.1\nstep 20 lm_loss 2.25 aux_loss 0.2\n", 2, 20, 2.25},
    {"step 10 val_loss 2.5\nstep 20 val_loss 2.25\n", 0, 0, 0},
    {"step 10 loss scale 2\nstep 20 loss scale 2\n", 0, 0, 0},
    {"step 1,000 loss 2.5\nstep 2,000 loss 2.4\n", 0, 0, 0},
    {"time per step 10 loss 2.5\ntime per step 20 loss 2.4\n", 0, 0, 0},
    {"step 12:30 loss 2.5\nstep 12:31 loss 2.4\n", 0, 0, 0},
    {"step time 10 loss 2.5\nstep time 20 loss 2.4\n", 0, 0, 0},
};

static void words_say_step_and_loss(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct fixture f;
        size_t n;
        READ(&f, samples[i].text);
        n = f.log.n_points;
        if (n != samples[i].points || (n && (f.log.points[n - 1].step != samples[i].step ||
                                             f.log.points[n - 1].loss != samples[i].loss ||
                                             strcmp(f.log.format, "words") != 0)))
            fail_msg("%zu points of %s", n, samples[i].text);
        arena_release(&f.arena);
    }
}

/* One line of a known format is enough: the others are not read by their words. */
static void a_known_format_comes_first(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "at step 10 loss 9\nat step 20 loss 8\niter 30: loss 2.5, time 10ms\n");
    assert_int_equal(f.log.n_points, 1);
    assert_string_equal(f.log.format, "patterns");
    arena_release(&f.arena);
}

/* A curve without its end would be a wrong one. */
static void more_reports_than_are_kept_are_not_read(void **state)
{
    (void)state;
    enum { KEPT = 1 << 16 };
    for (int n = KEPT; n <= KEPT + 1; n++) {
        struct buf text;
        struct fixture f;
        buf_init(&text, 1 << 24);
        for (int i = 1; i <= n; i++)
            buf_printf(&text, "it=%d loss=2.5\n", i);
        arena_init(&f.arena);
        diags_init(&f.diags, &f.arena);
        log_read("run.log", (struct bytes){text.data, text.len}, &f.log, &f.arena, &f.diags);
        assert_int_equal(f.log.n_points, n == KEPT ? KEPT : 0);
        assert_int_equal(f.log.known, f.log.n_points);
        arena_release(&f.arena);
        buf_release(&text);
    }
}

/* Texts of epochs, and the last of them. */
static const struct epochs {
    const char *text;
    size_t n;
    double epoch, loss;
} epochs[] = {
    {"Epoch 1: loss=2.5\nEpoch 2: loss=2.25\n", 2, 2, 2.25},
    {"Epoch [1/3], Loss: 0.5\nEpoch [2/3], Loss: 0.25\n", 2, 2, 0.25},
    {"epoch 1 train_loss 2.5 val_loss 9\nepoch 2 train_loss 1.5 val_loss 8\n", 2, 2, 1.5},
    {"Epoch 0 train loss 2.5 val loss 9\nEpoch 1 train loss 1.5 val loss 8\n", 2, 1, 1.5},
    /* several lines of an epoch, which are of steps, and parts of one */
    {"Epoch 1 loss 2.5\nEpoch 1 loss 2.4\nEpoch 2 loss 2.3\n", 0, 0, 0},
    {"Train Epoch: 1 [320/60000 (1%)]\tLoss: 0.5\nTrain Epoch: 2 [320/60000 (1%)]\tLoss: 0.4\n", 0,
     0, 0},
    {"Epoch 1: val loss 2.5\nEpoch 2: val loss 2.4\n", 0, 0, 0},
    {"Epoch 1: val_loss 2.5\nEpoch 2: val_loss 2.4\n", 0, 0, 0},
    {"Epoch 1 time 3 loss 2.5\n", 0, 0, 0},
};

static void epochs_are_no_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        struct fixture f;
        READ(&f, epochs[i].text);
        size_t n = f.log.n_points;
        if (n != epochs[i].n || f.log.by_epoch != (n > 0) ||
            (n && (f.log.points[n - 1].step != epochs[i].epoch ||
                   f.log.points[n - 1].loss != epochs[i].loss)))
            fail_msg("%zu epochs of %s", n, epochs[i].text);
        arena_release(&f.arena);
    }
}

/* Of several losses that are parts of one no one is chosen, and both are named. */
static void parts_of_a_loss_are_named(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "step 10 Mask_Loss: 0.5 Box_Loss: 1.25\nstep 20 Mask_Loss: 0.4 Box_Loss: 1.5\n");
    assert_int_equal(f.log.n_points, 0);
    bool named = false;
    for (size_t i = 0; i < f.diags.n; i++)
        named = named || strstr(f.diags.items[i].message, "\"mask_loss\" and \"box_loss\"");
    assert_true(named);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_say_step_and_loss),
        cmocka_unit_test(a_known_format_comes_first),
        cmocka_unit_test(more_reports_than_are_kept_are_not_read),
        cmocka_unit_test(epochs_are_no_steps),
        cmocka_unit_test(parts_of_a_loss_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
