#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <string.h>

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
     .zh = "该运行只用 CPU，但指纹中的卡（{1}）在监控与 sys_info.log 中都没有出现"},
    {.en = "no card, or a card that a monitor or sys_info.log shows",
     .zh = "没有卡，或监控、sys_info.log 中出现的卡"},
    {.en = "the monitors also show the cards of the fingerprint",
     .zh = "监控中也有指纹所写的卡"},
    {NULL, NULL},
};

const struct rule rule_fp3020 = {
    .id = "FP3020",
    .kind = "environment",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_MACHINE | RULE_QUOTES_MONITOR,
    .proof = check_cards_unseen,
    .title = {.en = "Cards only in the fingerprint", .zh = "只在指纹中出现的卡"},
    .statement = {.en = "If the fingerprint of a CPU run lists accelerators, the monitors or "
                        "sys_info.log of the run must show them, too.",
                  .zh = "CPU 运行的指纹列有加速卡时，监控或 sys_info.log 中也必须有这些卡。"},
    .why = {.en = "A page lists the cards of the fingerprint, but the log of a CPU run does not "
                  "confirm them.",
            .zh = "页面会列出指纹中的卡，但 CPU 运行的日志无法证实。"},
    .how = {.en = "If the case is for CPUs (`cpu` in its id) and the fingerprint lists an "
                  "accelerator, the rule searches the monitors and sys_info.log for that "
                  "accelerator.",
            .zh = "用例编号含有 `cpu`、而指纹列有加速卡时，在监控与 sys_info.log 中查找该卡。"},
    .fix = {.en = "Seal the fingerprint that was taken during the run.",
            .zh = "封存运行时采集的指纹。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "fingerprint.json",
                .honest = "{\"key\": \"accelerator_model\", \"unknown\": \"no accelerator was found\"}",
                .changed = "{\"key\": \"accelerator_model\", \"value\": \"NVIDIA H100 80GB HBM3\"}"},
};
/* clang-format on */
