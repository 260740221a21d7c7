#include "verifier/checks/rule_kinds.h"

/* clang-format off */
static const struct rule_kind kinds[] = {
    {"sums", {"数字与算式", "Numbers and sums"}},
    {"rates", {"吞吐量与MFU", "Throughput and MFU"}},
    {"curves", {"损失曲线与目标", "Loss, curves and targets"}},
    {"memory", {"显存与监控", "Memory and monitors"}},
    {"plan", {"并行方案与批尺寸", "Parallel plan and batch sizes"}},
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
