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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_say_step_and_loss),
        cmocka_unit_test(a_known_format_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
