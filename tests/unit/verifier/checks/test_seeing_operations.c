/* seeing_operations: LLaVA 1.5 13B by figures that are published, and its tower worked out by hand.
 */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(llava_is_its_parts),
        cmocka_unit_test(a_tower_is_its_products),
        cmocka_unit_test(what_lacks_a_size_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
