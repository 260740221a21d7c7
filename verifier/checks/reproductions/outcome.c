#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_outcome(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_compared(a, t, REPRODUCTION_OUTCOME,
                                 "the reproduction agrees with the result");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the reproduction agrees with the result",
     .zh = "复现与结果一致"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5005 = {
    .id = "FP5005",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_ALL,
    .reproduction = check_reproduction_outcome,
    .title = {.en = "Reproduction and original result", .zh = "复现与原结果"},
    .statement = {.en = "The losses of a reproduction, and all its figures that can be compared, "
                        "must agree with the original result.",
                  .zh = "复现得到的损失，以及其他可比较的数字，必须与原结果一致。"},
    .why = {.en = "If a second run gives different losses or figures, the original result is "
                  "doubtful. A reproduction that disagrees gives only a warning, because the second "
                  "run may be the wrong one.",
            .zh = "第二次运行得到不同的损失或数字，原结果就值得怀疑。复现与原结果不符时只给出警告，"
                  "因为出错的也可能是第二次运行。"},
    .how = {.en = "If both runs used the native trainer on the same kind of device with the same "
                  "libraries and version, the losses of every step must be bit-identical. All other "
                  "pairs of runs must satisfy the alignment rule of the case. Two throughputs on "
                  "the same kind of accelerator may differ by 10 %; on different kinds, the rule "
                  "only reports the difference.",
            .zh = "两次运行都由内置训练器在同类设备上、用相同的库与版本完成时，每一步的损失必须逐位"
                  "相同。其他情况下，两次运行的损失必须符合用例的对齐规则。在同种加速卡上，两次运行"
                  "的吞吐量可以相差 10 %；在不同的加速卡上，只报告吞吐量的差异。"},
    .fix = {.en = "First compare the fingerprints of the two machines (`facts` in the record of the "
                  "reproduction), then compare the loss curves with `fpreport diff`.",
            .zh = "先比较两台机器的指纹（复现记录的 `facts`），再用 `fpreport diff` 比较损失曲线。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_SECOND_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 4.80594684"},
};
/* clang-format on */
