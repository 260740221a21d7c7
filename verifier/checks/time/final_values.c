#include "verifier/checks/speed/throughputs.h"
#include "verifier/claims/rule.h"

/* Columns whose figure a log prints at its end, under these names, the best first. */
#define NAMES_MAX 5

static const struct final_value {
    const char *column, *names[NAMES_MAX];
    int decimals;
    bool always; /* most logs have it: that this one has not is said without a claim, too */
} final_values[] = {
    {"e2e_time", {"e2e_time"}, 1, true},
    {"acc", {"final_accuracy", "acc", "final_acc", "final_mlm_accuracy", "final_acc1"}, 4, false},
    {"acc1", {"final_acc1", "acc1"}, 4, false},
    {"final_acc1", {"final_acc1"}, 4, false},
    {"mlm_acc", {"final_mlm_accuracy"}, 4, false},
    {"lambada_acc", {"final_lambada_acc", "lambada_acc", "final_accuracy", "acc"}, 4, false},
    {"map", {"final_mAP", "final_accuracy"}, 4, false},
    {"auc", {"final_auc", "best_auc"}, 4, false},
    {"bleu", {"final_bleu", "bleu", "final_acc"}, 4, false},
    {"nuv", {"final_nuv"}, 4, false},
    {"acc_mmmu", {"MMMU"}, 4, false},
    {"acc_mmlu", {"MMLU", "MMLU5-shots Acc"}, 4, false},
    {"rouge1", {"rouge1"}, 2, false},
    {"rouge2", {"rouge2"}, 2, false},
    {"rougel", {"rougeL"}, 2, false},
    {"rougelsum", {"rougeLsum"}, 2, false},
    {"val_loss", {"val_loss", "best_validation_loss"}, 4, false},
    {"ppl", {"final_ppl", "ppl", "eval_ppl", "final_ppl_accuracy"}, 4, false},
};

/* A score that is printed as actual/target: its target is the one that the log names. */
static void judge_target(struct audit *a, const struct proof *p, const struct claim *c,
                         const char *column)
{
    const struct metric *m = c ? audit_metric(a, c, column) : NULL;
    const struct run_log *from;
    const struct log_value *target = m ? proof_value(p, "target score", &from) : NULL;
    const struct figure f = m ? *m->says : figure_missing;
    if (!target || f.kind != FIGURE_PAIR)
        return;
    bool same = fabs(f.second - target->value) <= figure_last_place(f.second_decimals) * (1 + 1e-9);
    struct check_result *r =
        audit_judge(a, same, c,
                    same ? "%s: the target %s agrees with the log"
                         : "%s: the target is stated as %s, but the log has another target",
                    column, audit_number(a->arena, f.second));
    audit_expect(r, audit_number(a->arena, f.second), audit_number(a->arena, target->value));
    if (!same) {
        r->file = from->log.file;
        r->line = target->line;
    }
}

static void put_final(struct audit *a, const struct proof *p, const struct final_value *f)
{
    const char *unseen = proof_unseen(a, p);
    const struct run_log *from = NULL;
    if (unseen) { /* the time and the scores of part of a training */
        recompute_cannot_all(a, p, f->column, unseen);
        return;
    }
    const struct log_value *v = NULL;
    const char *looked = "";
    for (size_t k = 0; k < NAMES_MAX && f->names[k] && !v; k++) {
        v = proof_value(p, f->names[k], &from);
        looked = arena_printf(a->arena, "%s%s%s", looked, k ? ", " : "", f->names[k]);
    }
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        const struct recomputed x = {
            .key = f->column,
            .value = v ? v->value : NAN,
            .decimals = f->decimals,
            .derivation = v ? sentence_say(a->arena, "%s (%s, line %d)",
                                           audit_number(a->arena, v->value), v->key, v->line)
                            : NULL,
            .file = from ? from->log.file : NULL,
            .line = v ? v->line : 0};
        judge_target(a, p, c, f->column);
        /* A name that stands in for another is one figure, not two, where nothing is stated. */
        if (v && (c || strcmp(v->key, f->names[0]) == 0))
            recompute_put(a, c, &x);
        else if (!v && (c || f->always))
            recompute_cannot(a, c, f->column,
                             sentence_say(a->arena,
                                          "no log ends with the stated value (searched for %s)",
                                          looked));
    }
}

/* Boxes && masks. */
static void put_both_maps(struct audit *a, const struct proof *p)
{
    const struct run_log *from;
    const struct log_value *box = proof_value(p, "final_map_bbox", &from);
    const struct log_value *mask = proof_value(p, "final_map_segm", &from);
    const char *key = "map_bbox_segm";
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        if (c && (!box || !mask))
            recompute_cannot(a, c, key, "no log ends with final_map_bbox and final_map_segm");
        if (!box || !mask)
            continue;
        const struct recomputed x = {
            .key = key,
            .value = box->value,
            .second = mask->value,
            .decimals = 4,
            .pair = true,
            .derivation = sentence_say(a->arena, "%s (%s, line %d), %s (%s, line %d)",
                                       audit_number(a->arena, box->value), box->key, box->line,
                                       audit_number(a->arena, mask->value), mask->key, mask->line),
            .file = from->log.file,
            .line = box->line};
        recompute_put(a, c, &x);
    }
}

static void check_final_values(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    size_t n = sizeof final_values / sizeof final_values[0];
    for (size_t i = 0; i < n && !unsound; i++)
        put_final(a, p, &final_values[i]);
    for (size_t i = 0; i < n && unsound; i++)
        recompute_cannot_all(a, p, final_values[i].column, unsound);
    throughputs_recompute(a, p);
    if (!unsound)
        put_both_maps(a, p);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "e2e_time",
     .zh = "e2e_time"},
    {.en = "%s: the target %s agrees with the log",
     .zh = "{1}：填报的目标 {2} 与日志中的目标一致"},
    {.en = "%s: the target is stated as %s, but the log has another target",
     .zh = "{1}：填报的目标为 {2}，但日志中的目标不是这个值"},
    {.en = "%s (%s, line %d)",
     .zh = "{1}（日志第 {3} 行的 {2}）"},
    {.en = "no log ends with the stated value (searched for %s)",
     .zh = "没有任何日志在末尾写有要核对的值（查找的名称：{1}）"},
    {.en = "no log ends with final_map_bbox and final_map_segm",
     .zh = "没有任何日志在末尾写有 final_map_bbox 和 final_map_segm"},
    {.en = "%s (%s, line %d), %s (%s, line %d)",
     .zh = "{1}（日志第 {3} 行的 {2}），{4}（日志第 {6} 行的 {5}）"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {throughput_messages, NULL};

const struct rule rule_fp2014 = {
    .id = "FP2014",
    .kind = "curves",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN,
    .proof = check_final_values,
    .title = {.en = "Values at the end of the log", .zh = "页面填报的值与日志末尾的值"},
    .statement = {.en = "The times, throughputs and scores that a page states must equal the final "
                        "values of the log.",
                  .zh = "页面填报的时间、吞吐量和得分，必须等于日志末尾的值。"},
    .why = {.en = "Training scripts print their results at the end of the log. A page that states "
                  "other values than the log does not describe the run of this log.",
            .zh = "训练脚本在日志末尾打印训练结果。如果页面填报的值与日志末尾的值不同，说明页面写的"
                  "不是这次运行。"},
    .how = {.en = "The rule compares the stated times and scores with the values of the same name "
                  "in the FINISHED event or the last log lines, to one unit in the last printed "
                  "digit. p_whole, p_train and p_core are num_trained_samples divided by "
                  "raw_train_time, train_no_eval_time and pure_training_computing_time. If the "
                  "FINISHED event lacks num_trained_samples or one of these times, the rule uses "
                  "the throughput that the event prints.",
            .zh = "把页面填报的时间和得分，与日志末尾（FINISHED 事件或最后几行）的同名值比较，最多"
                  "允许相差一个末位单位。吞吐量 p_whole、p_train 和 p_core 分别等于 "
                  "num_trained_samples 除以 raw_train_time、train_no_eval_time 和 "
                  "pure_training_computing_time。如果 FINISHED 事件缺少计算吞吐量所需的样本数或时间"
                  "，就采用该事件打印的吞吐量。"},
    .fix = {.en = "State on the page the values that the log prints at its end.",
            .zh = "填报日志末尾打印的时间、吞吐量和得分。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"17789.9\", \"3.6\"",
                .changed = "\"17789.9\", \"2.9\""},
};
/* clang-format on */
