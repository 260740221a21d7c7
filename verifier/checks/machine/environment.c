#include "base/cards/card_tool.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/agreement.h"

#include <string.h>

/* One finding for each field that two sources say (verifier/proofs/agreement.h). */
static size_t compare_fields(struct audit *a, struct proof *p)
{
    size_t compared = 0;
    for (size_t i = 0; i < p->n_agreements; i++) {
        const struct agreement *x = &p->agreements[i];
        bool excused = agreement_excused(x);
        if ((x->outcome == OUTCOME_CANNOT && !excused) || agreement_is_settings(x, p))
            continue;
        struct check_result *r = proof_report(a, p, NULL, excused ? OUTCOME_FAIL : x->outcome,
                                              agreement_text(x, a->arena));
        r->severity = excused ? SEVERITY_NOTICE : r->severity;
        for (size_t k = 0; k < x->n; k++) {
            const struct said *s = &x->said[k];
            if (s->by == SAID_RECORD && (s->differs || x->outcome == OUTCOME_PASS)) {
                r->file = a->file;
                r->line = s->line;
                r->stated = s->value;
            } else if (s->by == SAID_FINGERPRINT) {
                r->expected = s->value;
            }
        }
        compared += agreement_has_record(x);
    }
    return compared;
}

/* Would a tool have shown a card of this vendor? */
static bool has_tool(const struct audit *a, const struct accelerator *card)
{
    const struct vendor *vendor = project_vendor(a->project, card->vendor);
    for (size_t i = 0; card_tools[i]; i++)
        if (strcmp(card_tools[i]->vendor, card->vendor) == 0)
            return true;
    return vendor && vendor->card_tool;
}

/* A command's card that its machine could not show: the tools know none of its vendor, or whoever
 * ran it said which one it is. */
static bool is_only_stated(const struct audit *a, const struct proof *p,
                           const struct accelerator *named)
{
    const char *stated = proof_stated_card(p);
    const struct accelerator *card = stated ? audit_card(a, stated) : NULL;
    return !proof_on_processor(p) && (!has_tool(a, named) || (card && card == named));
}

/* A page that names a card, of a run on a machine that has none. What its own bullets say of the
 * card is compared above; this is for pages that say it has none, too. */
static void compare_device(struct audit *a, const struct proof *p)
{
    const char *device = audit_general(a, "device");
    const struct fact *card = facts_get(&p->facts, fact_kinds[FACT_ACCELERATOR_MODEL].key);
    const struct accelerator *named = device ? audit_card(a, device) : NULL;
    if (!card || card->value || !named || strcmp(named->id, "cpu") == 0)
        return;
    if (is_only_stated(a, p, named)) {
        audit_cannot(
            a, NULL,
            "the general table says '%s', which is stated only: no tool showed a card, and "
            "its driver, memory, power and utilisation were not measured (%s)",
            device, card->unknown);
        return;
    }
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, 0,
        "the general table says '%s', the run was made on a machine without a card: %s", device,
        card->unknown);
    r->stated = device;
    r->expected = "no accelerator";
}

static void check_environment(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    size_t compared = compare_fields(a, p);
    /* Without it the run is bound to no machine, and a vendor could simply leave it out. */
    if (!p->facts.n && p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "no fingerprint.json or sys_info.log tells the machine");
        return;
    }
    if (!p->facts.n) {
        proof_report(a, p, NULL, OUTCOME_FAIL, "the submission holds no readable fingerprint.json");
        return;
    }
    if (!a->result)
        return;
    compare_device(a, p);
    if (!compared)
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the environment states nothing that the fingerprint has");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the general table says '%s', the run was made on a machine without a card: %s",
     .zh = "通用指标写的是“{1}”，而运行所在的机器没有加速卡：{2:said}"},
    {.en = "the general table says '%s', which is stated only: no tool showed a card, and its "
           "driver, memory, power and utilisation were not measured (%s)",
     .zh = "通用指标写的是“{1}”，仅为声明：没有工具显示出加速卡，其驱动、显存、功耗与利用率均未测量（{2:said}）"},
    {.en = "no accelerator",
     .zh = "没有加速卡"},
    {.en = "no fingerprint.json or sys_info.log tells the machine",
     .zh = "没有 fingerprint.json 或 sys_info.log 说明是什么机器"},
    {.en = "the submission holds no readable fingerprint.json",
     .zh = "提交中没有可读取的 fingerprint.json"},
    {.en = "the environment states nothing that the fingerprint has",
     .zh = "环境所写的内容，指纹里都没有"},
    {NULL, NULL},
};

const struct rule rule_fp4006 = {
    .id = "FP4006",
    .kind = "environment",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .quotes = RULE_QUOTES_MACHINE,
    .proof = check_environment,
    .title = {.en = "The environment", .zh = "环境"},
    .statement = {.en = "The environment is the same by all who say it: record, fingerprint, log, "
                        "monitors, case.",
                  .zh = "记录、指纹、日志、监控与用例所说的环境相同。"},
    .why = {.en = "The environment of a page is typed by hand, the fingerprint is taken by the "
                  "program on the machine that ran, and the log says what the training itself saw.",
            .zh = "页面的环境是手工填写的，指纹是程序在运行的机器上采集的，日志则写着训练自己看到"
                  "的。"},
    .how = {.en = "Field by field (system, kernel, machine, CPU, card, number and memory of "
                  "cards, driver and its runtime, machines, ranks, precision, framework and its "
                  "commit, image, libraries): what the record says, fingerprint.json, "
                  "sys_info.log, the monitors, the case with the folder's name, and what the log "
                  "prints at its head must mean the same. A version may be shorter than another, "
                  "a run may leave cards of its machine idle. Of a run in a container the system "
                  "may be the image's or the machine's: that they differ is a notice.",
            .zh = "逐项比较（系统、内核、机器、CPU、加速卡、卡的数量与显存、驱动及其运行时、机器"
                  "数、进程数、精度、框架及其提交号、镜像、软件库）：记录、fingerprint.json、"
                  "sys_info.log、监控、用例与目录名，以及日志开头所打印的，含义必须相同。版本号可"
                  "以写得较短，运行也可以不用机器上的全部卡。容器内的运行，系统可以写镜像的，也可"
                  "以写主机的：两者不同只作提示。"},
    .fix = {.en = "State what the fingerprint has.",
            .zh = "写指纹中的值。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"AMD EPYC\"",
                .changed = "\"Intel Xeon\""},
};
/* clang-format on */
