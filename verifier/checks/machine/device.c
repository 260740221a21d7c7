#include "base/text.h"
#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

#include <string.h>

static bool is_withheld(const char *text, struct arena *arena)
{
    return figure_absence(text, arena) != FIGURE_TEXT;
}

static void check_device(struct audit *a)
{
    const char *device = audit_general(a, "device");
    if (!device)
        return;
    const char *names = environment_card_names(a), *folded = text_fold(a->arena, device);
    size_t n = strlen(folded);
    if (!a->n_accelerators || is_withheld(device, a->arena) || (n && folded[n - 1] == '/')) {
        audit_cannot(a, NULL, "the device or the environment's card is withheld");
        return;
    }
    struct check_result *r;
    int line = audit_general_line(a, "device");
    const char *foreign = cards_foreign(a, device);
    if (foreign) {
        r = audit_report(a, OUTCOME_FAIL, NULL, line,
                         "the general table says '%s', and %s is another vendor's", device,
                         foreign);
        r->stated = device;
        r->expected = names;
        return;
    }
    switch (cards_in_environment(a, device)) {
    case IDENTITY_SAME:
        r = audit_pass(a, NULL, "the device '%s' is the environment's card", device);
        break;
    case IDENTITY_UNKNOWN:
        r = audit_cannot(a, NULL, "'%s' or '%s' is not a known card", device, names);
        break;
    default:
        r = audit_report(a, OUTCOME_FAIL, NULL, line,
                         "the general table says '%s', the environment has '%s'", device, names);
    }
    r->stated = device;
    r->expected = names;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the device or the environment's card is withheld",
     .zh = "设备或环境中的卡未公开"},
    {.en = "the general table says '%s', and %s is another vendor's",
     .zh = "通用指标写的是“{1}”，而 {2} 属于其他厂商"},
    {.en = "the device '%s' is the environment's card",
     .zh = "设备“{1}”就是环境中的卡"},
    {.en = "'%s' or '%s' is not a known card",
     .zh = "“{1}”或“{2:said}”不是已知的卡"},
    {.en = "the general table says '%s', the environment has '%s'",
     .zh = "通用指标写的是“{1}”，环境中是“{2:said}”"},
    {NULL, NULL},
};

const struct rule rule_fp3002 = {
    .id = "FP3002",
    .kind = "environment",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_device,
    .title = {.en = "Device", .zh = "硬件设备简称"},
    .statement = {.en = "The device of the general table is the environment's card.",
                  .zh = "通用指标中的设备就是环境中的加速卡。"},
    .why = {.en = "The general table and the environment name the same card in two places, of "
                  "which one is often left over from another page.",
            .zh = "通用指标与环境在两处写同一种卡，其中一处常常是从别的页面遗留下来的。"},
    .how = {.en = "Row 硬件设备简称 is looked up in the records and compared with the "
                  "environment's accelerators.",
            .zh = "在记录中查找“硬件设备简称”一行，与环境中的加速卡比较。"},
    .fix = {.en = "Correct the one that is wrong.",
            .zh = "改正错的那一处。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 硬件设备简称 | NVIDIA A100-SXM4-40GB",
                .changed = "| 硬件设备简称 | Iluvatar Bi-150"},
};
/* clang-format on */
