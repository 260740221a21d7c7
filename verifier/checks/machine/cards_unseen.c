#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* Do the monitors show a card, or does sys_info.log? */
static bool a_card_is_seen(const struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++)
        if (p->monitors[i]->monitor.n_cards)
            return true;
    const char *said = facts_value(&p->system, FACT_ACCELERATOR_MODEL);
    return said && strncmp(said, "unknown", 7) != 0;
}

/* A training on the processor of a machine that has cards: they stand idle in its monitors. */
static void check_cards_unseen(struct audit *a, struct proof *p)
{
    const char *card = facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
    if (!p->opened || p->loose || !proof_on_processor(p) || !card)
        return;
    if (a_card_is_seen(p)) {
        proof_report(a, p, NULL, OUTCOME_PASS,
                     "the monitors also show the cards of the fingerprint");
        return;
    }
    struct check_result *r =
        proof_report(a, p, NULL, OUTCOME_FAIL,
                     sentence_say(a->arena,
                                  "the run used the CPU only, but the fingerprint names cards (%s) "
                                  "that neither a monitor nor sys_info.log shows",
                                  card));
    audit_expect(r, card, "no card, or a card that a monitor or sys_info.log shows");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run used the CPU only, but the fingerprint names cards (%s) that neither a "
           "monitor nor sys_info.log shows",
     .zh = "运行只用了 CPU，但指纹列有加速卡（{1}），监控文件与 sys_info.log 中都没有这些卡"},
    {.en = "no card, or a card that a monitor or sys_info.log shows",
     .zh = "指纹不列加速卡，或只列监控文件或 sys_info.log 中也有的加速卡"},
    {.en = "the monitors also show the cards of the fingerprint",
     .zh = "监控文件中也有指纹所列的加速卡"},
    {NULL, NULL},
};

const struct rule rule_fp3020 = {
    .id = "FP3020",
    .kind = "environment",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_MACHINE | RULE_QUOTES_MONITOR,
    .proof = check_cards_unseen,
    .title = {.en = "Cards that only the fingerprint lists", .zh = "只在指纹中出现的加速卡"},
    .statement = {.en = "If a case runs on the CPU only but the fingerprint of the machine lists "
                        "accelerators, the monitors or sys_info.log must show these accelerators, "
                        "too.",
                  .zh = "用例只在 CPU 上运行，而机器指纹列有加速卡时，监控文件或 sys_info.log 中也"
                        "必须有这些加速卡。"},
    .why = {.en = "A page lists the cards of the fingerprint, but the training log of a run on the "
                  "CPU cannot confirm that these cards exist.",
            .zh = "页面会列出指纹中的加速卡，但训练只用 CPU 时，训练日志无法证实这些卡存在。"},
    .how = {.en = "If the id of a case contains `cpu` and the fingerprint of the machine lists an "
                  "accelerator, the rule searches the monitor files and sys_info.log for this "
                  "accelerator.",
            .zh = "用例编号含有 `cpu`（即只用 CPU 的用例），而机器指纹列出了加速卡时，这条规则检查监"
                  "控文件或 sys_info.log 中是否也有这些加速卡。"},
    .fix = {.en = "Seal the fingerprint that fpreport took during the run.",
            .zh = "把 fpreport 在运行期间采集的指纹封存到提交包中。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "fingerprint.json",
                .honest = "{\"key\": \"accelerator_model\", \"unknown\": \"no accelerator was found\"}",
                .changed = "{\"key\": \"accelerator_model\", \"value\": \"NVIDIA H100 80GB HBM3\"}"},
};
/* clang-format on */
