#include "verifier/claims/rule.h"
#include "verifier/proofs/recompute.h"

struct power {
    double watts, samples, cards;
};

/* Mean over the cards of each card's mean. */
static struct power card_power(const struct proof *p)
{
    struct power sum = {0, 0, 0};
    for (size_t i = 0; i < p->n_monitors && !proof_on_processor(p); i++) {
        const struct run_monitor *m = p->monitors[i];
        for (size_t k = 0; k < m->monitor.n_cards; k++) {
            const struct monitor_series *w = &m->monitor.cards[k].watts;
            sum.watts += w->n ? w->mean : 0;
            sum.samples += (double)w->n;
            sum.cards += w->n > 0;
        }
    }
    return sum;
}

static void put_watts(struct audit *a, const struct proof *p, const char *key, double watts,
                      const struct monitor_place *at, const char *derivation)
{
    const struct recomputed x = {.key = key,
                                 .value = watts,
                                 .decimals = 1,
                                 .derivation = derivation,
                                 .file = at->file,
                                 .line = at->line};
    if (isfinite(watts))
        recompute_put_all(a, p, &x);
    else
        recompute_cannot_all(a, p, key,
                             "no monitor contains readings from which the figure could "
                             "be computed");
}

static void check_monitored_power(struct audit *a, struct proof *p)
{
    if (recompute_unsound(p))
        return;
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *m = p->monitors[i];
        for (size_t j = 0; j < m->faults.n; j++)
            audit_fail_at(a, m->faults.items[j].line, "%s", m->faults.items[j].message)->file =
                m->monitor.file;
        if (m->faults.n == 0)
            audit_report(a, OUTCOME_PASS, NULL, 0, "%zu readings in %zu samples of the %s monitor",
                         m->monitor.readings, m->monitor.stamps, m->monitor.kind)
                ->file = m->monitor.file;
    }
    struct power card = card_power(p);
    const struct monitor_peaks *m = &p->peaks;
    const struct monitor_place mean_at = {m->watts_at.file, 0}; /* of all lines */
    put_watts(a, p, "machine_power", m->machine_watts, &m->machine_at,
              sentence_say(a->arena, "%s W (largest sample of the machine)",
                           audit_number(a->arena, m->machine_watts)));
    put_watts(a, p, "card_power", card.watts / card.cards, &mean_at,
              sentence_say(a->arena,
                           "%s / %s = %s (sum of the means of the cards / cards, %s samples)",
                           audit_fixed(a->arena, card.watts, 4), audit_number(a->arena, card.cards),
                           audit_fixed(a->arena, card.watts / card.cards, 4),
                           audit_number(a->arena, card.samples)));
    put_watts(a, p, "card_power_peak", m->card_watts, &m->watts_at,
              sentence_say(a->arena, "%s W (largest sample of a card)",
                           audit_number(a->arena, m->card_watts)));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "no monitor contains readings from which the figure could be computed",
     .zh = "监控文件中没有计算这个数字所需的功耗读数"},
    {.en = "%zu readings in %zu samples of the %s monitor",
     .zh = "{3} 监控文件的 {2} 次采样中共有 {1} 个读数"},
    {.en = "%s W (largest sample of the machine)",
     .zh = "{1} W（整机功耗采样的最大值）"},
    {.en = "%s / %s = %s (sum of the means of the cards / cards, %s samples)",
     .zh = "{1} / {2} = {3}（各卡平均功耗之和 / 卡数，共 {4} 次采样）"},
    {.en = "%s W (largest sample of a card)",
     .zh = "{1} W（单卡功耗采样的最大值）"},
    {NULL, NULL},
};

const struct rule rule_fp2034 = {
    .id = "FP2034",
    .kind = "memory",
    .since = "2026.2",
    .severity = SEVERITY_NOTICE,
    .quotes = RULE_QUOTES_MONITOR,
    .proof = check_monitored_power,
    .title = {.en = "Monitor files with readings", .zh = "监控文件应有读数"},
    .statement = {.en = "Every monitor file of a run must contain readings.",
                  .zh = "运行的每个监控文件都必须含有读数。"},
    .why = {.en = "The stated memory and power come from monitor files. If a monitor command fails, "
                  "the training run continues, but the monitor file is empty or contains only an "
                  "error message.",
            .zh = "页面填报的显存与功耗取自监控文件。监控命令失败时，训练仍会继续，但监控文件是空的"
                  "，或只有错误信息。"},
    .how = {.en = "No monitor file of the run may be empty, and every line of a monitor file must "
                  "be a reading.",
            .zh = "运行的监控文件都不得为空，监控文件的每一行都必须是读数。"},
    .fix = {.en = "Install the missing monitor command, and run the case again. If fpreport does "
                  "not recognise the format of a line, report this line to the fpreport project.",
            .zh = "安装缺少的监控命令，然后重新运行用例。如果 fpreport 不识别监控文件中某一行的格式"
                  "，请把这一行反馈给 fpreport 项目。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "mem_monitor.log",
                .honest = "0.0265",
                .changed = "sh: free: not found"},
};
/* clang-format on */
