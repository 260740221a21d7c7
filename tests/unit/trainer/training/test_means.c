/*
 * The two means of a step whose micro-batches have different numbers of targets: over its targets,
 * and over ranks and micro-batches. With a rate of 0 the weights stay, so that steps of one
 * micro-batch tell what the micro-batches of a longer step are.
 */
#include "tests/unit/unit.h"

#include "tests/small_training.h"
#include "tests/train_cpu.h"

#include <math.h>
#include <string.h>

enum { MICRO_BATCHES = 4 };

struct seen {
    struct train_step steps[MICRO_BATCHES];
    int n;
};

static int note_step(void *context, const struct train_step *step)
{
    struct seen *seen = context;
    seen->steps[seen->n++] = *step;
    return 0;
}

static struct training seeing_training(void)
{
    return (struct training){
        SMALL_TRAINING,
        .layers = 1,
        .hidden = 32,
        .ffn = 48,
        .sequence_length = 64,
        .micro_batch = 2,
        .gradient_accumulation = 1,
        .steps = MICRO_BATCHES,
        .seed = 5,
        .architecture = {.names = NAMES_LLAVA_HF},
        .tower = {.layers = 1,
                  .hidden = 16,
                  .heads = 2,
                  .ffn = 16,
                  .side = 28,
                  .patch = 14,
                  .eps = 1e-5f},
    };
}

static void train_seen(const struct training *t, struct seen *seen)
{
    const struct train_observer observer = {.context = seen, .stepped = note_step};
    struct err err = ERR_INIT;
    *seen = (struct seen){.n = 0};
    if (train_on_cpu(t, &observer, &err) < 0)
        fail_msg("%s", err.text);
}

static void both_means_are_those_of_the_parts(void **state)
{
    (void)state;
    struct training t = seeing_training();
    struct seen parts, tokens, ranks;
    double all = 0, weighted = 0, mean = 0;
    bool differ = false;
    train_seen(&t, &parts);
    assert_int_equal(parts.n, MICRO_BATCHES);
    for (int i = 0; i < MICRO_BATCHES; i++) {
        const struct train_step *s = &parts.steps[i];
        all += (double)s->targets;
        weighted += s->loss * (double)s->targets;
        mean += s->loss / MICRO_BATCHES;
        differ |= s->targets != parts.steps[0].targets;
    }
    assert_true(differ);
    t.gradient_accumulation = MICRO_BATCHES;
    t.steps = 1;
    train_seen(&t, &tokens);
    t.means_of_ranks = true;
    train_seen(&t, &ranks);
    assert_float_equal(tokens.steps[0].loss, weighted / all, 1e-6);
    assert_float_equal(ranks.steps[0].loss, mean, 1e-6);
    assert_true(fabs(weighted / all - mean) > 1e-5);
    assert_true(ranks.steps[0].targets == (size_t)all);
    /* gradients are of that mean, too */
    assert_true(fabs(ranks.steps[0].grad_norm / tokens.steps[0].grad_norm - 1) > 1e-4);
}

/* Of one micro-batch both are the same, gradients too. */
static void of_one_part_both_means_are_one(void **state)
{
    (void)state;
    struct training t = seeing_training();
    struct seen tokens, ranks;
    train_seen(&t, &tokens);
    t.means_of_ranks = true;
    train_seen(&t, &ranks);
    for (int i = 0; i < MICRO_BATCHES; i++) {
        assert_float_equal(ranks.steps[i].loss, tokens.steps[i].loss, 1e-6);
        assert_float_equal(ranks.steps[i].grad_norm / tokens.steps[i].grad_norm, 1, 1e-5);
    }
}

/* A step's pictures and targets are those of its micro-batches. */
static void counts_add_up(void **state)
{
    (void)state;
    struct training t = seeing_training();
    struct seen parts, whole;
    size_t pictures = 0, tokens = 0, real = 0, pairs = 0;
    train_seen(&t, &parts);
    for (int i = 0; i < MICRO_BATCHES; i++) {
        pictures += parts.steps[i].pictures;
        tokens += parts.steps[i].tokens;
        real += parts.steps[i].real_tokens;
        pairs += parts.steps[i].attention_pairs;
        /* of one micro-batch of two sequences of one padded length */
        assert_int_equal(parts.steps[i].attention_pairs,
                         parts.steps[i].tokens * parts.steps[i].tokens / 2);
    }
    t.gradient_accumulation = MICRO_BATCHES;
    t.steps = 1;
    train_seen(&t, &whole);
    assert_int_equal(whole.steps[0].pictures, pictures);
    assert_int_equal(whole.steps[0].tokens, tokens);
    assert_int_equal(whole.steps[0].real_tokens, real);
    assert_int_equal(whole.steps[0].attention_pairs, pairs);
    assert_true(2 * MICRO_BATCHES * pairs > tokens * tokens); /* they differ in length */
    assert_true(pictures > 0 && pictures <= 2 * MICRO_BATCHES && real <= tokens);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_means_are_those_of_the_parts),
        cmocka_unit_test(of_one_part_both_means_are_one),
        cmocka_unit_test(counts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
