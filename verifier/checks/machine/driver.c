#include "verifier/checks/machine/environment_cards.h"
#include "verifier/claims/rule.h"

#include <stdlib.h>

/* Drivers whose versions look like nobody else's. NVIDIA's have been counted like 71.86.15 and
 * 384.145 since they are no longer 1.0-7184; other vendors of the records count from 1 to 30, but
 * what lies between is no proof. Source: the list of the vendor's Unix drivers. */
static const struct driver_range {
    const char *vendor;
    long oldest; /* the vendor has none below */
    long from;   /* from here on to `below` it is no other vendor's */
    long below;
} driver_ranges[] = {
    {"nvidia", 71, 390, 1000},
};

static void check_one_driver(struct audit *a, const struct item *item)
{
    char *end;
    long major = strtol(item->value, &end, 10);
    for (size_t i = 0; i < sizeof driver_ranges / sizeof driver_ranges[0]; i++) {
        const struct driver_range *d = &driver_ranges[i];
        bool own = strcmp(d->vendor, a->result->vendor) == 0;
        bool within = major >= (own ? d->oldest : d->from) && major < d->below;
        if (*end != '.' || (!own && !within))
            continue;
        audit_expect(
            audit_judge_at(a, own && within, item->line,
                           within ? "driver %s belongs to %s cards; the result is for %s"
                                  : "driver %s does not belong to %s cards; the result is for %s",
                           item->value, d->vendor, a->result->vendor),
            item->value, sentence_say(a->arena, "a driver for %s cards", a->result->vendor));
    }
}

static void check_driver(struct audit *a)
{
    bool makes_cards = environment_vendor_makes_cards(a);
    for (size_t i = 0; makes_cards && i < a->n_items; i++)
        if (a->items[i].key && strcmp(a->items[i].key, "driver") == 0)
            check_one_driver(a, a->items[i].item);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "driver",
     .zh = "驱动"},
    {.en = "driver %s belongs to %s cards; the result is for %s",
     .zh = "驱动版本 {1} 属于厂商 {2} 的卡；结果属于厂商 {3}"},
    {.en = "driver %s does not belong to %s cards; the result is for %s",
     .zh = "驱动版本 {1} 不属于厂商 {2} 的卡；结果属于厂商 {3}"},
    {.en = "a driver for %s cards",
     .zh = "适用于 {1} 加速卡的驱动版本"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {environment_card_messages, NULL};

const struct rule rule_fp3013 = {
    .id = "FP3013",
    .kind = "environment",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .page = check_driver,
    .title = {.en = "Driver version of another vendor", .zh = "其他厂商的驱动版本"},
    .statement = {.en = "The driver version in the environment section must be a version that the "
                        "vendor's cards can use.",
                  .zh = "环境说明中的驱动版本，必须适用于结果所属厂商的加速卡。"},
    .why = {.en = "Each vendor numbers its drivers in its own way. If a page states the driver "
                  "version of another vendor, its environment section was copied.",
            .zh = "各厂商按不同的规则给驱动编版本号。页面写有其他厂商的驱动版本号，说明页面的环境说"
                  "明是复制来的。"},
    .how = {.en = "NVIDIA's driver versions look like 384.145 or 470.129.06, and the lowest "
                  "version is 71. From version 390 on, only NVIDIA numbers its drivers in the form "
                  "384.145 or 470.129.06.",
            .zh = "NVIDIA 的驱动版本号形如 384.145 或 470.129.06，最低为 71。驱动版本号形如 "
                  "470.129.06 且不低于 390 时，只能是 NVIDIA 的驱动。"},
    .fix = {.en = "State the driver version that the run used.",
            .zh = "在环境说明中填写运行所用的驱动版本。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "470.129.06",
                .changed = "2.2.0"},
};
/* clang-format on */
