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
                     "the cards of the fingerprint are seen by the monitors, too");
        return;
    }
    struct check_result *r = proof_report(
        a, p, NULL, OUTCOME_FAIL,
        sentence_say(
            a->arena,
            "the run was on the processor, and of the cards that the fingerprint names (%s) "
            "neither a monitor nor sys_info.log shows one",
            card));
    audit_expect(r, card, "no card, or one that is seen");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run was on the processor, and of the cards that the fingerprint names (%s) neither "
           "a monitor nor sys_info.log shows one",
     .zh = "运行是在处理器上进行的，而指纹所写的卡（{1}），监控与 sys_info.log 都没有显示"},
    {.en = "no card, or one that is seen",
     .zh = "没有卡，或者能看到的卡"},
    {.en = "the cards of the fingerprint are seen by the monitors, too",
     .zh = "指纹中的卡，监控也能看到"},
    {NULL, NULL},
};

const struct rule rule_fp3020 = {
    .id = "FP3020",
    .kind = "environment",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_MACHINE | RULE_QUOTES_MONITOR,
    .proof = check_cards_unseen,
    .title = {.en = "Cards that nothing shows", .zh = "无从看到的卡"},
    .statement = {.en = "Cards that the fingerprint of a run on the processor names are seen by "
                        "its monitors or sys_info.log.",
                  .zh = "在处理器上进行的运行，其指纹所写的卡能从监控或 sys_info.log 中看到。"},
    .why = {.en = "A page lists the cards of the fingerprint; the log of a run on the processor "
                  "says nothing of them.",
            .zh = "页面会列出指纹中的卡，而在处理器上运行的日志对它们只字不提。"},
    .how = {.en = "Where the case key says cpu and the fingerprint names an accelerator, the "
                  "monitors and sys_info.log are asked for one.",
            .zh = "用例键写着 cpu 而指纹写有加速卡时，在监控与 sys_info.log 中查找加速卡。"},
    .fix = {.en = "Seal the fingerprint that was taken with the run.",
            .zh = "封存随运行采集的指纹。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "fingerprint.json",
                .honest = "{\"key\": \"accelerator_model\", \"unknown\": \"no accelerator was found\"}",
                .changed = "{\"key\": \"accelerator_model\", \"value\": \"NVIDIA H100 80GB HBM3\"}"},
};
/* clang-format on */
