#include "verifier/checks/rule_kinds.h"

#include <string.h>

/* clang-format off */
static const struct rule_kind kinds[] = {
    {"sums", {"数字与算式", "Numbers and sums"},
     "FP1003 FP1004 FP1008 FP2010 FP2017 FP2018 FP2023"},
    {"rates", {"吞吐量与MFU", "Throughput and MFU"},
     "FP2002 FP2003 FP2011 FP2013 FP2015 FP2016 FP2019 FP2022"},
    {"curves", {"损失曲线与目标", "Loss, curves and targets"},
     "FP2001 FP2008 FP2009 FP2014 FP2020 FP2024 FP2025 FP2032 FP2033 FP3015 FP4011"},
    {"memory", {"存储与监控", "Memory and monitors"},
     "FP2007 FP2012 FP2021 FP2034 FP3004"},
    {"plan", {"并行方案与批尺寸", "Parallel plan and batch sizes"},
     "FP1009 FP2004 FP2005 FP2006 FP3006"},
    {"environment", {"环境与硬件", "Environment and hardware"},
     "FP3001 FP3002 FP3009 FP3012 FP3013 FP3014 FP3016 FP3019 FP4006 FP4013"},
    {"settings", {"配置与用例", "Configuration and case"},
     "FP1013 FP3005 FP3007 FP3008 FP3010 FP3011 FP3017 FP3018 FP4004 FP4008"},
    {"page", {"页面的写法", "How the page is written"},
     "FP1001 FP1005 FP1006 FP1007 FP1010 FP1011 FP1012 FP1014 FP1015 FP1016"},
    {"evidence", {"证据与日志", "Evidence and logs"},
     "FP4001 FP4002 FP4003 FP4005 FP4007 FP4009 FP4010 FP4012 FP4016"},
    {"signature", {"声明与签名", "Statement and signature"},
     "FP4014 FP4015"},
    {"reproduction", {"重现", "Reproductions"},
     "FP5001 FP5002 FP5003 FP5004 FP5005 FP5006"},
    {"challenge", {"挑战", "Challenges"},
     "FP6001 FP6002 FP6003 FP6004"},
};
/* clang-format on */
#define N_KINDS (sizeof kinds / sizeof *kinds)

const struct rule_kind *rule_kinds(size_t *n)
{
    *n = N_KINDS;
    return kinds;
}

const struct rule_kind *rule_kind_of(const char *rule)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (*rule && strstr(kinds[i].rules, rule))
            return &kinds[i];
    return NULL;
}
