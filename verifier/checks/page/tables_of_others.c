#include "verifier/claims/rule.h"
#include "verifier/foreign/foreign_page.h"

static void check_tables_of_others(struct audit *a)
{
    struct foreign_findings found;
    size_t errors = 0;
    if (!foreign_page_is(a->result, a->arena))
        return;
    foreign_page_check(a->project, a->result, a->arena, &found);
    for (size_t i = 0; i < found.n; i++) {
        const struct foreign_finding *f = &found.items[i];
        audit_fail_at(a, f->line, "%s", f->message)->severity = f->severity;
        errors += f->severity == SEVERITY_ERROR;
    }
    if (found.missing)
        audit_cannot(a, NULL, "%s", found.missing);
    else if (!errors)
        audit_pass(a, NULL, "the tables of other benchmarks are consistent");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the tables of other benchmarks are consistent",
     .zh = "其他基准的表格中，同一行的各个值相互一致"},
    {NULL, NULL},
};

const struct rule rule_fp1030 = {
    .id = "FP1030",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .page = check_tables_of_others,
    .title = {.en = "Tables of other benchmarks", .zh = "其他基准或框架的表格是否自相矛盾"},
    .statement = {.en = "If a table of another benchmark or framework states a value twice, "
                        "directly or by other values, the two values must agree.",
                  .zh = "如果其他基准或框架的表格两次给出同一个值（直接写出，或可由其他值算出），两"
                        "处的值必须一致。"},
    .why = {.en = "Pages of torchtitan, NeMo and FlagPerf's folders base/ and inference/ use table "
                  "columns of their own. A batch size, rate or MFU that contradicts the other "
                  "cells of its row is wrong in any benchmark.",
            .zh = "torchtitan、NeMo 以及 FlagPerf 的 base/ 和 inference/ 目录的页面，表格各有自己的"
                  "列。表格的批大小、吞吐量或 MFU 与同一行的其他单元格矛盾时，不论属于哪个基准，都"
                  "是错的。"},
    .how = {.en = "The rule recognises the columns of tables by their names. From replicas, "
                  "micro-batch and gradient accumulation, the rule computes the global batch. From "
                  "batch, length, step time and cards, the rule computes the throughput per card. "
                  "From throughput, model and peak, the rule computes the MFU, with or without "
                  "attention. In tables about a chip or a single operator, the rule compares the "
                  "numbers of cards, ratios, times and powers of a row with each other. If a "
                  "stated value agrees only with another formula (convention), the rule gives a "
                  "notice that names this formula.",
            .zh = "按列名识别表格的各列，再用同一行的其他值复算并核对以下各项。全局批大小由副本数、"
                  "微批大小和梯度累积步数复算。单卡吞吐量由批大小、序列长度、单步耗时和卡数复算。"
                  "MFU（含或不含注意力计算）由吞吐量、模型和峰值算力复算。在关于芯片或单个算子的表"
                  "格中，核对同一行的卡数、比值、时间和功耗是否一致。如果表格中的值按另一种计算约定"
                  "才与复算值相符，就给出提示，并写明是哪种约定。"},
    .fix = {.en = "Correct the cell that contradicts the other cells of its row. If the finding is "
                  "only a notice, you need not change anything.",
            .zh = "改正与同一行其他单元格矛盾的单元格。如果检查结果的级别只是“提示”，则无需改动页面"
                  "。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机8卡（1x8） | fp64 | 1440 / 8 = 180 tokens/s | 180 | 38.8% |\n",
                .changed = "| A100单机8卡（1x8） | fp64 | 1440 / 8 = 180 tokens/s | 180 | 38.8% |\n"
                           "\n"
                           "| Model | #-GPUs | GBS | MBS | TP | PP | CP | Tokens / sec / GPU |\n"
                           "| ----- | ------ | --- | --- | -- | -- | -- | ------------------ |\n"
                           "| LLAMA2_7B | 12 | 96 | 1 | 8 | 1 | 1 | 2000 |\n"},
};
/* clang-format on */
