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
     .zh = "复现与原结果一致"},
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
                  .zh = "复现得到的损失，以及其他可比较的数字，必须与原结果的损失和数字一致。"},
    .why = {.en = "If a second run gives different losses or figures, the original result is "
                  "doubtful. A reproduction that disagrees gives only a warning, because the fault "
                  "may be in the second run.",
            .zh = "复现（第二次运行）得到的损失或数字与原结果不同时，原结果就值得怀疑。复现与原结果"
                  "不符时只给出警告，因为出错的也可能是第二次运行。"},
    .how = {.en = "If both runs used the native trainer on the same kind of device with the same "
                  "libraries and version, the losses of every step must be bit-identical. All other "
                  "pairs of runs must satisfy the alignment rule of the case. Two throughputs on "
                  "the same kind of accelerator may differ by 10 %; on different kinds, the rule "
                  "only reports the difference.",
            .zh = "原运行与复现都使用 fpreport 内置训练器，且设备种类、库与版本都相同时，两次运行每"
                  "一步的损失必须逐位相同。两次运行的训练器、设备种类、库或版本不同时，损失只须符合"
                  "用例的对齐规则。原运行与复现的加速卡型号相同时，吞吐量最多可以相差 10 %。原运行"
                  "与复现的加速卡型号不同时，只列出吞吐量的差异，不判错。"},
    .fix = {.en = "First compare the fingerprints of the two machines (`facts` in the record of the "
                  "reproduction), then compare the loss curves with `fpreport diff`.",
            .zh = "先比较两台机器的指纹（复现记录的 `facts` 字段），再用 `fpreport diff` 比较两次运"
                  "行的损失曲线。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_SECOND_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 4.80594684"},
};
/* clang-format on */
