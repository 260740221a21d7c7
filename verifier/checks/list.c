#include "verifier/checks/list.h"

#include "verifier/checks/mlperf/mlperf_rule.h"
#include "verifier/foreign/foreign_page.h"
#include "verifier/proofs/proof.h"

/* clang-format off */
static const struct rule_kind kinds[] = {
    {"sums", {"数字与算式", "Numbers and sums"}},
    {"rates", {"吞吐量与 MFU", "Throughput and MFU"}},
    {"curves", {"损失曲线与目标", "Loss, curves and targets"}},
    {"memory", {"显存与监控", "Memory and monitors"}},
    {"plan", {"并行方案与批大小", "Parallel plan and batch sizes"}},
    {"environment", {"环境与硬件", "Environment and hardware"}},
    {"settings", {"配置与用例", "Configuration and case"}},
    {"page", {"页面的写法", "How the page is written"}},
    {"evidence", {"证据与日志", "Evidence and logs"}},
    {"signature", {"声明与签名", "Statement and signature"}},
    {"reproduction", {"复现", "Reproductions"}},
    {"challenge", {"抽查（challenge）", "Challenges"}},
};
/* clang-format on */
#define N_KINDS (sizeof kinds / sizeof *kinds)

const struct rule_kind *rule_kinds(size_t *n)
{
    *n = N_KINDS;
    return kinds;
}

/* clang-format off */
/* One line a rule: adding one is its file, this line, and its test. */
#define RULES(RULE)                                         \
    RULE(fp1001) /* cells/cell_count.c */                   \
    RULE(fp1003) /* cells/swapped_columns.c */              \
    RULE(fp1004) /* cells/numbers.c */                      \
    RULE(fp1005) /* page/empty_fields.c */                  \
    RULE(fp1006) /* copies/foreign_heading.c */             \
    RULE(fp1007) /* page/row_reference.c */                 \
    RULE(fp1008) /* cells/mfu_form.c */                     \
    RULE(fp1009) /* page/size.c */                          \
    RULE(fp1010) /* page/announced_metrics.c */             \
    RULE(fp1011) /* copies/doubled_rows.c */                \
    RULE(fp1012) /* page/substance.c */                     \
    RULE(fp1013) /* page/precision.c */                     \
    RULE(fp1014) /* page/reminders.c */                     \
    RULE(fp1015) /* page/merge_conflicts.c */               \
    RULE(fp1016) /* copies/figures_of_others.c */           \
    RULE(fp1018) /* cells/cell_forms.c */                   \
    RULE(fp1019) /* cells/half_figures.c */                 \
    RULE(fp1020) /* page/claims_in_words.c */               \
    RULE(fp1021) /* page/names_alike.c */                   \
    RULE(fp1030) /* page/tables_of_others.c */              \
    RULE(fp2001) /* loss/alignment.c */                     \
    RULE(fp2002) /* speed/throughput.c */                   \
    RULE(fp2003) /* speed/mfu.c */                          \
    RULE(fp2004) /* plan/global_batch.c */                  \
    RULE(fp2005) /* plan/world_size.c */                    \
    RULE(fp2006) /* cells/config_words.c */                 \
    RULE(fp2007) /* machine/memory.c */                     \
    RULE(fp2008) /* loss/target.c */                        \
    RULE(fp2009) /* loss/final_loss.c */                    \
    RULE(fp2010) /* cells/expression.c */                   \
    RULE(fp2011) /* speed/mfu_limit.c */                    \
    RULE(fp2012) /* machine/peak_memory.c */                \
    RULE(fp2013) /* speed/mfu_of_log.c */                   \
    RULE(fp2014) /* time/final_values.c */                  \
    RULE(fp2015) /* speed/scaling.c */                      \
    RULE(fp2016) /* speed/order_of_rates.c */               \
    RULE(fp2017) /* cells/bounds.c */                       \
    RULE(fp2018) /* cells/ratio_or_percentage.c */          \
    RULE(fp2019) /* speed/mfu_proportion.c */               \
    RULE(fp2020) /* loss/peer_loss.c */                     \
    RULE(fp2021) /* machine/memory_total.c */               \
    RULE(fp2022) /* speed/mfu_in_notes.c */                 \
    RULE(fp2023) /* plan/expression_cards.c */              \
    RULE(fp2024) /* loss/page_loss.c */                     \
    RULE(fp2025) /* loss/peer_scores.c */                   \
    RULE(fp2032) /* speed/printed_figures.c */              \
    RULE(fp2033) /* loss/target_reached.c */                \
    RULE(fp2034) /* machine/monitors.c */                   \
    RULE(fp2035) /* loss/dead_steps.c */                    \
    RULE(fp2036) /* loss/off_trend.c */                     \
    RULE(fp2037) /* loss/diverged.c */                      \
    RULE(fp2038) /* speed/beyond_hardware.c */              \
    RULE(fp2039) /* speed/odd_durations.c */                \
    RULE(fp2040) /* speed/printed_tflops.c */               \
    RULE(fp2041) /* speed/training_summary.c */             \
    RULE(fp3001) /* machine/card_of_rows.c */               \
    RULE(fp3002) /* machine/device.c */                     \
    RULE(fp3004) /* machine/named_memory.c */               \
    RULE(fp3005) /* plan/config_file.c */                   \
    RULE(fp3006) /* plan/strategy.c */                      \
    RULE(fp3007) /* plan/config_name.c */                   \
    RULE(fp3008) /* machine/config_card.c */                \
    RULE(fp3009) /* machine/heading_card.c */               \
    RULE(fp3010) /* plan/config_file_there.c */             \
    RULE(fp3011) /* plan/config_defaults.c */               \
    RULE(fp3012) /* page/model.c */                         \
    RULE(fp3013) /* machine/driver.c */                     \
    RULE(fp3014) /* machine/machine_of_others.c */          \
    RULE(fp3015) /* loss/peer_metrics.c */                  \
    RULE(fp3016) /* machine/machine_card.c */               \
    RULE(fp3017) /* page/paths.c */                         \
    RULE(fp3018) /* page/kind_of_case.c */                  \
    RULE(fp3019) /* page/spelling.c */                      \
    RULE(fp3020) /* machine/cards_unseen.c */               \
    RULE(fp3021) /* speed/odd_samples.c */                  \
    RULE(fp4001) /* evidence/archive.c */                   \
    RULE(fp4002) /* evidence/manifest.c */                  \
    RULE(fp4003) /* evidence/run_state.c */                 \
    RULE(fp4004) /* evidence/case.c */                      \
    RULE(fp4005) /* evidence/log.c */                       \
    RULE(fp4006) /* machine/environment.c */                \
    RULE(fp4007) /* time/clock.c */                         \
    RULE(fp4008) /* evidence/settings.c */                  \
    RULE(fp4009) /* evidence/run_files.c */                 \
    RULE(fp4010) /* evidence/run_json.c */                  \
    RULE(fp4011) /* loss/lonely_losses.c */                 \
    RULE(fp4012) /* time/finished.c */                      \
    RULE(fp4013) /* machine/measured.c */                   \
    RULE(fp4014) /* evidence/statement.c */                 \
    RULE(fp4015) /* evidence/signature.c */                 \
    RULE(fp4016) /* time/date.c */                          \
    RULE(fp4017) /* time/run_window.c */                    \
    RULE(fp4018) /* evidence/native_log.c */                \
    RULE(fp4019) /* copies/copied_run.c */                  \
    RULE(fp4020) /* evidence/adopted.c */                   \
    RULE(fp4021) /* evidence/log_arguments.c */             \
    RULE(fp4022) /* evidence/native_steps.c */              \
    RULE(fp4023) /* evidence/witnessed.c */                 \
    RULE(fp4024) /* time/one_clock.c */                     \
    RULE(fp4025) /* time/dated_lines.c */                   \
    RULE(fp4026) /* evidence/native_figures.c */            \
    RULE(fp4027) /* evidence/printed_lines.c */             \
    RULE(fp5001) /* reproductions/archive.c */               \
    RULE(fp5002) /* reproductions/case.c */                  \
    RULE(fp5003) /* copies/reproduction_copy.c */                  \
    RULE(fp5004) /* reproductions/record.c */                \
    RULE(fp5005) /* reproductions/outcome.c */               \
    RULE(fp5006) /* reproductions/replaced.c */              \
    RULE(fp6001) /* reproductions/challenge_answered.c */          \
    RULE(fp6002) /* reproductions/challenge_order.c */             \
    RULE(fp6003) /* reproductions/challenge_start.c */             \
    RULE(fp6004) /* reproductions/challenge_level.c */
/* clang-format on */

#define DECLARE(id) extern const struct rule rule_##id;
RULES(DECLARE)

#define ROW(id) &rule_##id,
static const struct rule *const rules[] = {RULES(ROW)};

#define N_RULES (sizeof rules / sizeof rules[0])

const struct rule *const *rules_all(size_t *n)
{
    *n = N_RULES;
    return rules;
}

const struct rule *rule_find(const char *id)
{
    for (size_t i = 0; i < N_RULES; i++)
        if (strcmp(rules[i]->id, id) == 0)
            return rules[i];
    return NULL;
}

const char *rule_severities(const struct rule *r, struct arena *arena)
{
    const char *text = severity_name(r->severity);
    unsigned left = r->also & ~RULE_ALSO(r->severity);
    for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTICE; s--) {
        if (!(left & RULE_ALSO(s)))
            continue;
        left &= ~RULE_ALSO(s);
        text = arena_printf(arena, "%s%s %s", text, left ? "," : " or",
                            severity_name((enum severity)s));
    }
    return text;
}

const char *rule_fix(const struct rule *r, const struct check_result *c)
{
    const struct sentence bare = {.text = c->message};
    for (const struct rule_case *x = r->cases; x && x->says; x++)
        if (sentence_says(c->sentence ? c->sentence : &bare, x->says))
            return x->fix.en;
    return r->fix.en;
}

static void push_rows(struct words **all, size_t *n, const struct words *row, struct arena *arena)
{
    for (; row && row->en; row++)
        *(struct words *)ARENA_PUSH(arena, *all, *n) = *row;
}

/* What rules quote of the rooms below them. */
static const struct words *const rooms[] = {
    file_messages,
    worker_messages,
    shape_messages,
    signing_messages,
    sealed_messages,
    record_messages,
    fact_reasons,
    log_messages,
    run_messages,
    claim_messages,
    proof_messages,
    foreign_messages,
    rcp_messages,
    mlperf_package_messages,
    mlperf_official_messages,
};

const struct words *rules_messages(struct arena *arena, size_t *n)
{
    struct words *all = NULL;
    *n = 0;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        push_rows(&all, n, rooms[i], arena);
    for (size_t i = 0; i < N_RULES; i++) {
        push_rows(&all, n, rules[i]->messages, arena);
        for (const struct words *const *of = rules[i]->quoted; of && *of; of++)
            push_rows(&all, n, *of, arena);
    }
    size_t n_mlperf;
    const struct mlperf_rule *const *mlperf = mlperf_rules(&n_mlperf);
    for (size_t i = 0; i < n_mlperf; i++)
        push_rows(&all, n, mlperf[i]->messages, arena);
    return all;
}
