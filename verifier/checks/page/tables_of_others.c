#include "verifier/claims/audit.h"
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
        audit_report(a, OUTCOME_FAIL, NULL, f->line, "%s", f->message)->severity = f->severity;
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
     .zh = "其他基准的表格前后一致"},
    {NULL, NULL},
};

const struct rule rule_fp1030 = {
    .id = "FP1030",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .page = check_tables_of_others,
    .title = {.en = "Tables of other benchmarks", .zh = "其他基准的表格"},
    .statement = {.en = "Where a table of another benchmark or framework states a value twice, "
                        "both values must agree.",
                  .zh = "其他基准或框架的表格中，重复给出的值必须互相一致。"},
    .why = {.en = "Pages of torchtitan, NeMo and FlagPerf's base/ and inference/ have their own "
                  "columns. If a batch size, rate or MFU contradicts its row, it is wrong in any "
                  "benchmark.",
            .zh = "torchtitan、NeMo 以及 FlagPerf 的 base/、inference/ 页面各有自己的列；批大小、"
                  "吞吐量或 MFU 与同一行矛盾时，在任何基准中都是错的。"},
    .how = {.en = "Columns are recognised by name. Replicas, micro-batch and gradient accumulation "
                  "give the global batch. Batch, length, step time and cards give the rate of a "
                  "card. Rate, model and peak give the MFU, with or without attention. In tables "
                  "about a chip or a single operator, the numbers of cards, ratios, times and "
                  "powers of a row are compared with each other. If a figure agrees only under "
                  "another convention, a notice names that convention.",
            .zh = "按名称识别各列。副本数、微批与梯度累积步数得出全局批大小；批大小、长度、单步耗时"
                  "与卡数得出单卡吞吐量；吞吐量、模型与峰值得出 MFU（含或不含注意力）。对芯片与算子"
                  "，比较同一行的卡数、比值、时间与功耗。数字只在另一种约定下相符时，给出提示并写明"
                  "该约定。"},
    .fix = {.en = "Correct the cell that contradicts the others. A notice needs no change.",
            .zh = "更正与其他单元格矛盾的单元格。提示无需处理。"},
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
