#include "base/cards/card_tool.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/agreement.h"

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
            "the general metrics table names '%s', but only the vendor states this card: no tool "
            "showed a card, and driver, memory, power and utilisation were not measured (%s)",
            device, card->unknown);
        return;
    }
    struct check_result *r = audit_fail_at(
        a, 0, "the general metrics table names '%s', but the machine of the run has no card: %s",
        device, card->unknown);
    audit_expect(r, device, "no accelerator");
}

static void check_environment(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    size_t compared = compare_fields(a, p);
    /* Without it the run is bound to no machine, and a vendor could simply leave it out. */
    if (!p->facts.n && p->loose) {
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "neither fingerprint.json nor sys_info.log describes the machine");
        return;
    }
    if (!p->facts.n) {
        proof_report(a, p, NULL, OUTCOME_FAIL,
                     "the submission contains no readable fingerprint.json");
        return;
    }
    if (!a->result)
        return;
    compare_device(a, p);
    if (!compared)
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     "the environment section and the fingerprint have no field in common");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the general metrics table names '%s', but the machine of the run has no card: %s",
     .zh = "通用指标表写的设备是“{1}”，但运行所在的机器没有加速卡：{2:said}"},
    {.en = "the general metrics table names '%s', but only the vendor states this card: no tool "
           "showed a card, and driver, memory, power and utilisation were not measured (%s)",
     .zh = "通用指标表中的设备“{1}”只有厂商自己的说明：没有工具检测到加速卡，驱动、显存、功耗与利用"
           "率均未测量（{2:said}）"},
    {.en = "no accelerator",
     .zh = "没有加速卡"},
    {.en = "neither fingerprint.json nor sys_info.log describes the machine",
     .zh = "fingerprint.json 与 sys_info.log 都没有机器信息"},
    {.en = "the submission contains no readable fingerprint.json",
     .zh = "提交包中没有可读取的 fingerprint.json"},
    {.en = "the environment section and the fingerprint have no field in common",
     .zh = "环境说明与机器指纹没有可以比较的共同字段"},
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
    .title = {.en = "Environment of the run in all sources", .zh = "各来源的运行环境"},
    .statement = {.en = "The result record, the fingerprint, the log, the monitors and the case "
                        "must all state the same hardware and software.",
                  .zh = "结果记录、指纹、日志、监控文件与用例所写的硬件和软件必须相同。"},
    .why = {.en = "Somebody types the environment section of a page by hand. The fingerprint, "
                  "which fpreport takes on the machine of the run, and the log show the real "
                  "hardware and software.",
            .zh = "页面的环境说明由人手工填写，可能写错。机器指纹由 fpreport 在运行所在的机器上采集"
                  "，日志也记录训练程序检测到的硬件与软件。"},
    .how = {.en = "The rule compares these fields: operating system, kernel, machine, CPU, card, "
                  "number and memory of cards, driver and its runtime, number of machines, ranks, "
                  "precision, framework and its commit, container image, and libraries. The result "
                  "record, fingerprint.json, sys_info.log, the monitors, the case, the name of the "
                  "run folder and the head of the log must state the same values. A version number "
                  "may be shortened, and a run may leave some cards of the machine idle. In a "
                  "container, the operating system may be that of the image or that of the host, so "
                  "a different operating system gives only a notice.",
            .zh = "比较以下各项：操作系统、内核、机器、CPU、加速卡、卡的数量与显存、驱动及其运行时"
                  "、机器数、进程数、精度、框架及其提交号、容器镜像、软件库。对同一项（例如驱动），"
                  "结果记录、fingerprint.json、sys_info.log、监控文件、用例、运行目录名与日志开头所"
                  "写的值必须相同。比较时允许缩写版本号，也允许运行不使用机器上的全部加速卡。在容器"
                  "中，操作系统可能是镜像的，也可能是主机的，因此操作系统不同时只给出提示，不判错。"},
    .fix = {.en = "State the values of the fingerprint in the environment section.",
            .zh = "在环境说明中填写机器指纹所记录的值。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"AMD EPYC\"",
                .changed = "\"Intel Xeon\""},
};
/* clang-format on */
