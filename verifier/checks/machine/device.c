#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/rule.h"

static void check_device(struct audit *a)
{
    const char *device = audit_general(a, "device");
    if (!device)
        return;
    const char *names = environment_card_names(a), *folded = text_fold(a->arena, device);
    size_t n = strlen(folded);
    if (!a->n_accelerators || figure_absence(device, a->arena) != FIGURE_TEXT ||
        (n && folded[n - 1] == '/')) {
        audit_cannot(a, NULL, "the device, or the card in the environment section, is withheld");
        return;
    }
    struct check_result *r;
    int line = audit_general_line(a, "device");
    const char *foreign = cards_foreign(a, device);
    if (foreign) {
        r = audit_fail_at(a, line,
                          "the general metrics table names '%s', but %s belongs to another vendor",
                          device, foreign);
        audit_expect(r, device, names);
        return;
    }
    switch (cards_in_environment(a, device)) {
    case IDENTITY_SAME:
        r = audit_pass(a, NULL, "the device '%s' is the card in the environment section", device);
        break;
    case IDENTITY_UNKNOWN:
        r = audit_cannot(a, NULL, "at least one of '%s' and '%s' is not a known card", device,
                         names);
        break;
    default:
        r = audit_fail_at(
            a, line,
            "the general metrics table names '%s', but the environment section states '%s'", device,
            names);
    }
    audit_expect(r, device, names);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the device, or the card in the environment section, is withheld",
     .zh = "通用指标表中的设备不公开，或环境说明中的卡不公开"},
    {.en = "the general metrics table names '%s', but %s belongs to another vendor",
     .zh = "通用指标表写的设备是“{1}”，但 {2} 属于其他厂商"},
    {.en = "the device '%s' is the card in the environment section",
     .zh = "通用指标表中的设备“{1}”就是环境说明中的卡"},
    {.en = "at least one of '%s' and '%s' is not a known card",
     .zh = "通用指标表中的设备“{1}”与环境说明中的卡“{2:said}”，至少有一个不是已知的卡型号"},
    {.en = "the general metrics table names '%s', but the environment section states '%s'",
     .zh = "通用指标表写的设备是“{1}”，但环境说明写的卡是“{2:said}”"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3002 = {
    .id = "FP3002",
    .kind = "environment",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_device,
    .title = {.en = "Device in the general metrics table", .zh = "通用指标表中的设备"},
    .statement = {.en = "The device that the general metrics table names must be the card in the "
                        "environment section of the page.",
                  .zh = "通用指标表中的“硬件设备简称”，必须是页面环境说明中的加速卡。"},
    .why = {.en = "A page names the card twice: in the general metrics table and in the "
                  "environment section. If the general metrics table and the environment section "
                  "name different cards, one of the two was probably copied from another page.",
            .zh = "通用指标表与环境说明都写明加速卡。通用指标表与环境说明所写的加速卡不同时，多半有"
                  "一处是从别的页面复制来的。"},
    .how = {.en = "The rule compares the device in the general metrics table (row 硬件设备简称) "
                  "with the accelerators in the environment section of the page.",
            .zh = "把通用指标表“硬件设备简称”一行所写的设备，与页面环境说明中的加速卡比较。"},
    .fix = {.en = "Correct the general metrics table or the environment section, whichever names "
                  "the wrong card.",
            .zh = "通用指标表与环境说明中，哪一处的加速卡写错，就改正哪一处。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 硬件设备简称 | NVIDIA A100-SXM4-40GB",
                .changed = "| 硬件设备简称 | Iluvatar Bi-150"},
};
/* clang-format on */
