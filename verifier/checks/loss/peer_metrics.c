#include "verifier/checks/loss/peers.h"
#include "verifier/claims/rule.h"

/* Columns of scores that hold a figure, as " acc ppl ". */
static const char *score_keys(const struct audit *a, const struct result *r)
{
    const struct table **tables;
    const char *keys = " ";
    size_t n = result_figure_tables(r, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++) {
            const struct metrics_column *m = metrics_column(tables[i]->columns[k]);
            if (m && m->kind == COLUMN_SCORE && !strstr(keys, m->key))
                keys = arena_printf(a->arena, "%s%s ", keys, m->key);
        }
    return keys;
}

/* "acc" and "final_acc1" are one word in two spellings. */
static bool share_key(const char *keys, const char *others)
{
    for (const char *s = keys; *s; s++) {
        size_t n = strcspn(s, " ");
        for (const char *o = others; n && *o; o++) {
            size_t m = strcspn(o, " ");
            if (m && (memmem(s, n, o, m) || memmem(o, m, s, n)))
                return true;
            o += m ? m - 1 : 0;
        }
        s += n ? n - 1 : 0;
    }
    return false;
}

static void check_peer_metrics(struct audit *a)
{
    size_t n, compared = 0;
    const char *own = score_keys(a, a->result), *names = "";
    const struct result **all =
        strcmp(own, " ") != 0 ? project_case_results(a->project, a->result->case_id, &n) : NULL;
    for (size_t i = 0; all && i < n && compared < PEERS_MAX; i++) {
        const char *keys = score_keys(a, all[i]);
        if (strcmp(all[i]->vendor, a->result->vendor) == 0 || strcmp(keys, " ") == 0)
            continue;
        if (share_key(own, keys))
            return;
        compared++;
        names = arena_printf(a->arena, "%s%s%s%s", names, *names ? "; " : "", all[i]->vendor, keys);
    }
    if (!compared)
        return;
    struct check_result *r =
        audit_fail(a, NULL, "the result uses the metrics%s; other vendors use %s", own, names);
    r->severity = compared == 1 ? SEVERITY_NOTICE : r->severity;
    audit_expect(r, own, names);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the result uses the metrics%s; other vendors use %s",
     .zh = "本结果的得分所用的指标名称为{1}；其他厂商所用的指标名称为 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp3015 = {
    .id = "FP3015",
    .kind = "curves",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .needs_records = true,
    .page = check_peer_metrics,
    .title = {.en = "Metrics compared with other vendors", .zh = "得分的指标名称与其他厂商比较"},
    .statement = {.en = "A result must state a score under the same metric name that other vendors "
                        "use for the same case.",
                  .zh = "结果填报得分时，必须采用其他厂商对同一用例所用的指标名称。"},
    .why = {.en = "If all other vendors state a perplexity of 5.6 and one vendor states an accuracy "
                  "of 5.6, the column of that vendor has the wrong name.",
            .zh = "如果其他厂商都填报困惑度 5.6，只有一家厂商填报准确率 5.6，说明这家厂商的列名写错"
                  "了。"},
    .how = {.en = "The rule compares the names of the score columns with those in the records of "
                  "other vendors for the same case. Two metric names count as the same if one name "
                  "contains the other ('acc' and 'final_acc1'). If only one other vendor has a "
                  "record for the case, the rule gives only a notice.",
            .zh = "把得分列的名称与其他厂商的记录中同一用例的得分列名称比较。一个名称包含另一个名称"
                  "（如“acc”与“final_acc1”）时，两个名称算作相同。如果除本厂商外只有一家厂商填报过"
                  "同一用例，就只给出提示，不判错。"},
    .fix = {.en = "Use the metric name that the case specifies.",
            .zh = "填报得分时，采用用例规定的指标名称。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "acc(MMLU)",
                .changed = "ppl"},
};
/* clang-format on */
