/* seeing_operations: LLaVA 1.5 13B by figures that are published, and its tower and the attention
 * of its steps worked out by hand. */
#include "tests/unit/unit.h"

#include "verifier/checks/speed/seeing_operations.h"

#include <math.h>

static struct model_vision clip = {
    .layers = 24, .hidden = 1024, .heads = 16, .ffn = 4096, .image_size = 336, .patch_size = 14};
static struct model_shape vicuna = {
    .vocabulary = 32000, .layers = 40, .hidden = 5120, .heads = 40, .ffn = 13824, .vision = &clip};

/* 13,015,864,320 are Vicuna 13B's; 303,507,456 CLIP's and 31,467,520 the projector's. */
static void llava_is_its_parts(void **state)
{
    (void)state;
    const struct model m = {.exact_parameters = 13350839296.0, .shape = &vicuna};
    struct seeing_operations of;
    assert_true(seeing_operations(&m, "finetune", &of));
    assert_true(of.parameters == 13015864320.0);
    assert_true(of.per_parameter == 6);
    assert_true(of.rows == 576);
    assert_true(of.projector_row == 4.0 * 1024 * 5120 + 6.0 * 5120 * 5120);
    assert_true(seeing_operations(&m, "pretrain", &of) && of.per_parameter == 4);
}

/* By hand, 23 layers: patches 576 * 588 * 1024; a layer 577 rows of 12 * 1024^2, and twice 577^2 *
 * 1024. */
static void a_tower_is_its_products(void **state)
{
    (void)state;
    const struct model m = {.exact_parameters = 13350839296.0, .shape = &vicuna};
    struct seeing_operations of;
    double layer = 577 * 12 * 1048576.0 + 2 * 577 * 577 * 1024.0;
    assert_true(seeing_operations(&m, "pretrain", &of));
    assert_true(of.tower == 576 * 588 * 1024.0 + 23 * layer);
}

static void what_lacks_a_size_has_none(void **state)
{
    (void)state;
    struct model_shape blind = vicuna;
    struct seeing_operations of;
    struct model m = {.exact_parameters = NAN, .shape = &vicuna};
    assert_false(seeing_operations(NULL, "pretrain", &of));
    assert_false(seeing_operations(&m, "pretrain", &of));
    m.exact_parameters = 1e6; /* less than its tower */
    assert_false(seeing_operations(&m, "pretrain", &of));
    m.exact_parameters = 13350839296.0;
    blind.vision = NULL;
    m.shape = &blind;
    assert_false(seeing_operations(&m, "pretrain", &of));
    m.shape = NULL;
    assert_false(seeing_operations(&m, "pretrain", &of));
}

/* ---- of steps ------------------------------------------------------------------------------- */

#define PAIR (12.0 * 40 * 5120) /* 12 * layers * hidden */

struct counted {
    double tokens, attention_pairs; /* NaN: the log does not count them */
};

/* Steps of a second and of a picture each. */
static void count_steps(struct counted first, struct counted second, long long sequences,
                        struct seeing_steps *out)
{
    const struct model m = {.exact_parameters = 13350839296.0, .shape = &vicuna};
    struct case_record kase = {.trainer = "native",
                               .stage = "finetune",
                               .micro_batch = sequences,
                               .sequence_length = 2048};
    struct log_point points[] = {{.step = 1,
                                  .seconds = 1,
                                  .tokens_per_s = first.tokens,
                                  .pictures = 1,
                                  .attention_pairs = first.attention_pairs,
                                  .line = 1},
                                 {.step = 2,
                                  .seconds = 1,
                                  .tokens_per_s = second.tokens,
                                  .pictures = 1,
                                  .attention_pairs = second.attention_pairs,
                                  .line = 2}};
    const struct proof p = {.kase = &kase, .log = {.points = points, .n_points = 2}};
    const struct audit a = {.model = &m};
    assert_true(seeing_has_operations(&p));
    assert_null(seeing_steps_of(&a, &p, out));
}

/* 100^2 + 300^2 = 100,000 and 2 * 200^2 = 80,000, though both are 400 tokens. */
static void attention_grows_with_the_square_of_each_length(void **state)
{
    (void)state;
    struct seeing_steps unlike, alike;
    count_steps((struct counted){100, NAN}, (struct counted){300, NAN}, 1, &unlike);
    count_steps((struct counted){200, NAN}, (struct counted){200, NAN}, 1, &alike);
    assert_true(unlike.steps.tokens == 400 && alike.steps.tokens == 400);
    assert_true(unlike.attention == PAIR * 100000);
    assert_true(alike.attention == PAIR * 80000);
    assert_true(unlike.products == alike.products);
    assert_true(unlike.products == 6.0 * 13015864320.0 * 400 +
                                       2 * (2 * unlike.of.tower + 576 * unlike.of.projector_row));
}

/* A step of a sequence of 100 and one of 300: its log counts 100,000, its mean would have 80,000.
 */
static void what_the_log_counts_comes_before_the_mean(void **state)
{
    (void)state;
    struct seeing_steps counted, mean, half;
    count_steps((struct counted){400, 100000}, (struct counted){400, 80000}, 2, &counted);
    count_steps((struct counted){400, NAN}, (struct counted){400, NAN}, 2, &mean);
    count_steps((struct counted){400, 100000}, (struct counted){400, NAN}, 2, &half);
    assert_true(counted.attention == PAIR * 180000 && !counted.steps.pairs_by_mean);
    assert_true(mean.attention == PAIR * 160000 && mean.steps.pairs_by_mean);
    assert_true(half.attention == PAIR * 180000 && half.steps.pairs_by_mean);
}

static void pictures_that_are_not_counted_add_nothing(void **state)
{
    (void)state;
    const struct model m = {.exact_parameters = 13350839296.0, .shape = &vicuna};
    struct case_record kase = {.trainer = "native", .stage = "finetune", .micro_batch = 1};
    struct log_point point = {
        .step = 1, .seconds = 1, .tokens_per_s = 100, .pictures = NAN, .attention_pairs = NAN};
    const struct proof p = {.kase = &kase, .log = {.points = &point, .n_points = 1}};
    const struct audit a = {.model = &m};
    struct seeing_steps s;
    assert_null(seeing_steps_of(&a, &p, &s));
    assert_true(isnan(s.pictures) && s.products == 6.0 * 13015864320.0 * 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(llava_is_its_parts),
        cmocka_unit_test(a_tower_is_its_products),
        cmocka_unit_test(what_lacks_a_size_has_none),
        cmocka_unit_test(attention_grows_with_the_square_of_each_length),
        cmocka_unit_test(what_the_log_counts_comes_before_the_mean),
        cmocka_unit_test(pictures_that_are_not_counted_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
