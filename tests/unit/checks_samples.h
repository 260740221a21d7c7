/*
 * checks_samples: small pages that break one rule each, and honest ones beside them, for
 * test_checks.c and test_findings.c. The macros are the parts that pages are made of; each
 * sample says which rule must speak, how severe it is, and a part of what it says.
 */
#pragma once

#include "base/diag.h"

#define ENVIRONMENT(card)                                                                  \
    "### Nvidia GPU配置与运行信息参考\n#### 环境配置\n- ##### 硬件环境\n" \
    "  - 加速卡型号: " card "\n- ##### 软件环境\n  - OS版本：Ubuntu 20.04\n"
#define BATCH                                                                                          \
    "### 运行情况\n* 输入批尺寸\n"                                                            \
    "  1. local_batchsize，简写为LBS，为config_A100x1x8.py中所写，在本case中默认为1\n" \
    "  2. seqlength，简写为MPE，为config_A100x1x8.py中所写，在本case中默认为4096\n"    \
    "  3. gradient_accumulate_steps，简写为GAS，为ds.json中所写，在本case中默认为32\n\n"
#define GENERAL                                                                            \
    "* 通用指标\n\n| 指标名称 | 指标值 | 特殊说明 |\n| --- | --- | --- |\n" \
    "| 模型 | llama2_7b | |\n| 数据精度 | amp | |\n| 硬件设备简称 | nvidia A100 | |\n\n"
#define FIGURES "* 性能指标\n\n"
#define LLM                                                           \
    "| 配置 | parallel | fix_hp | token/p/s | loss | mem | MFU |\n" \
    "| --- | --- | --- | --- | --- | --- | --- |\n"
#define PAGE(rows) ENVIRONMENT("NVIDIA A100-SXM4-40GB") BATCH GENERAL FIGURES LLM rows

#define OLDER(rows)                                                                                                   \
    ENVIRONMENT("A100")                                                                                               \
    "\n### 运行情况\n| 训练资源 | 配置文件 | 运行时长(s) | 目标精度 | 收敛精度 | Steps数 | " \
    "性能(samples/s) |\n| --- | --- | --- | --- | --- | --- | --- |\n" rows

/* A page, and what a rule must say about it. `rule` NULL: no finding at all. */
static const struct sample {
    const char *page, *rule;
    enum severity severity;
    const char *says;
} samples[] = {
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 47.9% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {ENVIRONMENT(
         "A100") "### 运行情况\n* 输入批尺寸\n  1. seqlength，简写为MPE，在本case中默认为8192\n"
                 "  2. global_batchsize，在本case中默认为512，使得globalbatchsize=2M "
                 "tokens\n\n" FIGURES LLM "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP2004", SEVERITY_ERROR, "512 sequences * 8192 tokens per sequence = 4194304"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | OOM | \\* |\n"), NULL, SEVERITY_ERROR,
     NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 35.6.4 | 5.14 | 37/40 | / |\n"), "FP1004",
     SEVERITY_ERROR, "'35.6.4' is not a number"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | fast | 5.14 | 37/40 | / |\n"), "FP1004",
     SEVERITY_WARNING, "'fast' is not a figure"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / |\n"), "FP1001", SEVERITY_ERROR, "3 cells"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | | 37/40 | 3.20 | |\n"), "FP1003", SEVERITY_ERROR,
     "columns loss and mem are swapped"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | 37/40 | | 3.20 | / | |\n"), "FP1003", SEVERITY_ERROR,
     "belongs in column mem"},
    {PAGE("| A100单机8卡（1x8） | / | TP1PP1DP8 | | 3.20 | 37/40 | |\n"), "FP1003", SEVERITY_ERROR,
     "belongs in column parallel"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 57.9% |\n"), "FP2003",
     SEVERITY_ERROR, "6 * 7e9 * 3564 / 3.12e14 = 47.9769 %"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 48.15% |\n"), "FP2003",
     SEVERITY_WARNING, "48.15%"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 356400 | 5.14 | 37/40 | 47.98% |\n"), "FP2003",
     SEVERITY_ERROR, "prints a ratio with a percent sign"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 0.480 |\n"), "FP1008",
     SEVERITY_NOTICE, "reads this MFU as a ratio"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 0.480 |\n"
          "| A100两机8卡（2x8） | TP1PP1DP16 | / | 3564 | 5.15 | 37/40 | 0.480 |\n"
          "| A100四机8卡（4x8） | TP1PP1DP32 | / | 3563 | 5.16 | 37/40 | 0.480 |\n"),
     "FP1008", SEVERITY_NOTICE, "reads this MFU as a ratio; the same applies to the rows 2, 3"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 48.0% |\n"
          "| A100两机8卡（2x8） | TP1PP1DP16 | / | 3565 | 51.4 | 37/40 | 48.0% |\n"),
     "FP2024", SEVERITY_WARNING,
     "this row has a loss of 51.4, but another row has 5.14 (row 1): one of the two"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 5.14 | 37/40 | 147.9% |\n"), "FP2011",
     SEVERITY_ERROR, "is not between"},
    {PAGE("| A100单机8卡（1x8） | TP4PP1DP2 | GAS=128(GBS=1024=4M tokens) | / | / | / | / |\n"),
     "FP2004", SEVERITY_ERROR, "LBS 1 * GAS 128 * DP 2 = 256"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(globalbs=3M tokens) | / | / | / | / |\n"),
     "FP2004", SEVERITY_ERROR,
     "LBS 1 * GAS 128 * DP 8 = 1024 sequences * 4096 tokens per sequence = 4194304"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(globalbs=4M tokens) | / | / | / | / |\n"),
     NULL, SEVERITY_ERROR, NULL},
    /* MFU by a convention that the row names, a bound, and none at all. How much the attention adds
     * is not known without the shape of the model. */
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 53.5%(含attention) |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 53.0%(含attention) |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 40.4%(含attention) |\n"),
     "FP2003", SEVERITY_ERROR, "47.9769 %"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | LoRA | 3564 | 5.14 | 37/40 | 31.9% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | LoRA | 3564 | 5.14 | 37/40 | 67.9% |\n"), "FP2003",
     SEVERITY_ERROR, "4 * 7e9 * 3564"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | HFU | 3564 | 5.14 | 37/40 | 63.9% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | HFU | 3564 | 5.14 | 37/40 | 67.9% |\n"), "FP2003",
     SEVERITY_ERROR, "47.9769 %"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | >47% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | >67% |\n"), "FP2003",
     SEVERITY_ERROR, "47.9769 %"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 35640 | 5.14 | 37/40 | / |\n"), "FP2011",
     SEVERITY_ERROR, "exceeds what the card can reach"},
    /* Plans in words and outside of their column, memory without a total. */
    {PAGE("| A100单机8卡（1x8） | / | TP=3 | / | / | / | / |\n"), "FP2005", SEVERITY_ERROR,
     "needs a multiple of 3 ranks"},
    {PAGE("| A100单机8卡（1x8） | tensor 8, pipeline 8 | / | / | / | / | / |\n"), "FP2005",
     SEVERITY_ERROR, "needs a multiple of 64 ranks"},
    {PAGE("| A100单机8卡（1x8） | / | tensor_parallel=4, pipeline_parallel=4 | / | / | / | / |\n"),
     "FP2005", SEVERITY_ERROR, "needs a multiple of 16 ranks"},
    {PAGE("| A100单机8卡（1x8） | tensor=4, pipeline=2 | http=7 | / | / | / | / |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | DP8 | / | / | / | 47 | / |\n"), "FP2007", SEVERITY_WARNING,
     "exceeds the memory of the card"},
    {PAGE("| A100单机8卡（1x8） | DP8 | / | / | / | 37 | / |\n"), NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | DP8 | / | 3564 | 5.14 | 37/40 | 47.9% |\n"
          "| A100单机8卡（1x8） | DP8 | / | 3964 | 5.14 | 37/40 | 53.3% |\n"),
     "FP1011", SEVERITY_NOTICE, "'3564' in row 1"},
    /* The same count with K and M of 1000 and of 1024, and in binary units by name. */
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(GBS=1024=4.19M tokens) | / | / | / | / |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(GBS=4194K tokens) | / | / | / | / |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(GBS=1024=4Mi tokens) | / | / | / | / |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | GAS=128(GBS=1024=4.3M tokens) | / | / | / | / |\n"),
     "FP2004", SEVERITY_ERROR, "1024 sequences * 4096 tokens per sequence = 4194304"},
    /* Figures with what surrounds them. */
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3.56k | 5.14 | 37/40 | 47.9% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564±12 | 5.14±0.01 | 37/40 | 47.9%±0.2% |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 tokens/s/卡 | <b>5.14</b> | 37/40<br>峰值 | "
          "47.9%<sup>1</sup> |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | ~3564 | 约5.14 | 36~37/40 | ≈47.9% |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | ~57.9% |\n"), "FP2003",
     SEVERITY_ERROR, "stated as 57.9%"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | MFU 57.9% |\n"), "FP2003",
     SEVERITY_ERROR, "stated as 57.9%"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 / 9999 | 5.14 | 37/40 | / |\n"), "FP1018",
     SEVERITY_ERROR, "column token/p/s holds two numbers, '3564 / 9999'"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564~9999 | 5.14 | 37/40 | / |\n"), "FP1018",
     SEVERITY_WARNING, "two numbers"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564±900 | 5.14 | 37/40 | / |\n"), "FP1018",
     SEVERITY_WARNING, "two numbers"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 (9999 peak) | 5.14 | 37/40 | / |\n"),
     "FP1018", SEVERITY_WARNING, "a second number, 9999, "},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 (step 500) | 37/40<br>峰值 | "
          "47.9% (bf16) |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14% | 37/40 | / |\n"), "FP1018",
     SEVERITY_ERROR, "column loss holds a percentage, '5.14%'"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | /40 | / |\n"), "FP1019",
     SEVERITY_WARNING, "column mem holds '/40', half of a pair"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | | 5.14 | 37/40 | 47.9% |\n"), "FP1019",
     SEVERITY_WARNING, "an MFU of '47.9%' but no throughput"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 左右 | 5.14 | 37/40 | / |\n"), "FP1004",
     SEVERITY_WARNING, "is not a figure"},
    {PAGE("| A100单机8卡（1x8） | TP2PP1DP8 | / | / | / | / | / |\n"), "FP2005", SEVERITY_ERROR,
     "16 ranks"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n"
          "| A100单机8卡（2x8） | TP2PP1DP8 | / | / | / | / | / |\n"),
     "FP2006", SEVERITY_ERROR, "its brackets state (2x8)"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | 41/40 | / |\n"), "FP2007", SEVERITY_ERROR,
     "the used memory exceeds the total"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | 41/80 | / |\n"), "FP2007", SEVERITY_ERROR,
     "exceeds the memory of the card"},
    {PAGE("| H100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n"), "FP3001", SEVERITY_ERROR,
     "the row names 'H100'"},
    {PAGE("| A100单机8卡（1x8*80G） | TP1PP1DP8 | / | / | / | / | / |\n"), "FP3004", SEVERITY_ERROR,
     "80G"},
    {PAGE("| A100单机4卡（1x4） | TP1PP1DP4 | / | / | / | / | / |\n"), "FP3005", SEVERITY_WARNING,
     "the rows are for 1x4"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | 37/40 | / |\n~\n"), "FP1001",
     SEVERITY_WARNING, "found '~' below the table"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | 31000/40960 | / |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {ENVIRONMENT("加速卡型号 A100-SXM4-40GB") GENERAL FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     NULL, SEVERITY_NOTICE, NULL},
    {ENVIRONMENT("\u0410100") FIGURES LLM "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1021", SEVERITY_WARNING, "looks like"},
    {ENVIRONMENT("A100") FIGURES
     "| 配置 | precision | p_core |\n| --- | --- | --- |\n"
     "| A100单机单卡（1x1） | fp32 | 10.0 |\n| A100单机8卡（1x8） | fp32 | 200 |\n",
     "FP2015", SEVERITY_WARNING, "2.50 times the value on 1"},
    {ENVIRONMENT("加速卡型号: A100-SXM4-40GB") GENERAL FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1005", SEVERITY_NOTICE, "is repeated in the value"},
    {ENVIRONMENT("FooChip X1") BATCH GENERAL FIGURES LLM
     "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n",
     NULL, SEVERITY_ERROR, NULL},
    {ENVIRONMENT("NVIDIA H800-80GB") GENERAL FIGURES LLM
     "| H800单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n",
     "FP3002", SEVERITY_ERROR, "the general metrics table names 'nvidia A100'"},
    {ENVIRONMENT("NVIDIA H800-80GB") BATCH FIGURES LLM
     "| H800单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n",
     "FP3008", SEVERITY_NOTICE, "config_A100x1x8.py"},
    {ENVIRONMENT(
         "NVIDIA A100-SXM4-40GB") "### 运行情况\n* 输入批尺寸\n  1. "
                                  "local_batchsize，为config_BI-V100x1x8.py中所写\n" GENERAL FIGURES
                                      LLM "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3008", SEVERITY_WARNING, "config_BI-V100x1x8.py"},
    {"#### H800环境配置\n- ##### 硬件环境\n  - 加速卡型号: A100\n" FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3009", SEVERITY_NOTICE, "'H800环境配置'"},
    {ENVIRONMENT("NVIDIA A100-SXM4-80GB") "* 通用指标\n\n| 指标名称 | 指标值 |\n| --- | --- |\n"
                                          "| 硬件设备简称 | nvidia A100 (80G * 8) and (40G * 8) "
                                          "|\n\n" FIGURES LLM
                                          "| A100单机8卡（1x8*40G） | DP8 | / | / | / | / | / |\n",
     NULL, SEVERITY_ERROR, NULL},
    {ENVIRONMENT("A100") FIGURES
     "| 配置 | p_whole | p_train | p_core |\n| --- | --- | --- | --- |\n"
     "| A100单机8卡（1x8） | 9.6 | / | 9.5 |\n| A100单机8卡（1x8） | 9.60 | 9.58 | 9.8 |\n",
     "FP2016", SEVERITY_WARNING, "p_train is 9.58, and p_whole is 9.60"},
    {ENVIRONMENT("") FIGURES LLM "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n", "FP1005",
     SEVERITY_NOTICE, "加速卡型号"},
    {"### Metax GPU配置与运行信息参考\n#### 环境配置\n- ##### 硬件环境\n  - "
     "OS版本：Ubuntu\n" FIGURES LLM "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1006", SEVERITY_NOTICE, "metax"},
    {PAGE("| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n|\n"), "FP1001", SEVERITY_ERROR,
     "found '|' below the table"},
    {ENVIRONMENT("A100") FIGURES "下列第3组实验作为精度对齐所用实验。\n\n" LLM
                                 "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1007", SEVERITY_ERROR, "refers to row 3"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | precision | acc |\n| --- | --- | --- |\n"
                                 "| A100单机8卡（1x8） | fp32 | 0.647/0.655 |\n",
     "FP2008", SEVERITY_WARNING, "the target in the same cell is 0.655"},
    {ENVIRONMENT("A100") FIGURES
     "| 配置 | config | parallel_strategy | throughput |\n| --- | --- | --- | --- |\n"
     "| A100单机8卡（1x8） | config_TP2PP1SH2SP4A100x1x8 | sharding=\"stage2\" | / |\n",
     "FP3007", SEVERITY_ERROR, "tp2"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | throughput |\n| --- | --- |\n"
                                 "| A100单机8卡（1x8） | 17.23 * 2048 / 8 = 4415 tokens/s |\n",
     "FP2010", SEVERITY_ERROR, "gives 4410.88"},
    {ENVIRONMENT("A100") "* 通用指标\n\n| 指标名称 | 指标值 |\n| --- | --- |\n"
                         "| 训练结果 | val_loss,见“性能指标” |\n\n" FIGURES LLM
                         "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1010", SEVERITY_WARNING, "column val_loss, but no table has this column"},
    {ENVIRONMENT("A100") "* 通用指标\n\n| 指标名称 | 指标值 |\n| --- | --- |\n"
                         "| 训练结果 | lm loss,见“性能指标” |\n\n" FIGURES LLM
                         "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1010", SEVERITY_NOTICE, "the table calls the column loss"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 5.14 | 37/40 | / |\n"
          "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 5.14 | 37/40 | / |\n"),
     "FP1011", SEVERITY_WARNING, "identical to row 1"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n"
          "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n"),
     NULL, SEVERITY_NOTICE, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | | | | | |\n"), "FP1012", SEVERITY_NOTICE,
     "no row of the page"},
    {ENVIRONMENT("A100") GENERAL, "FP1012", SEVERITY_WARNING, "no performance table"},
    {ENVIRONMENT("A100") GENERAL FIGURES "| 配置 | precision | p_core |\n| --- | --- | --- |\n"
                                         "| A100单机8卡（1x8） | bf16 | 10.0 |\n",
     "FP1013", SEVERITY_WARNING, "the general metrics table states amp"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | -5.14 | 37/40 | / |\n"), "FP2017",
     SEVERITY_ERROR, "more than 0"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 0 | 5.14 | 37/40 | / |\n"), "FP2017",
     SEVERITY_ERROR, "more than 0"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | acc |\n| --- | --- |\n| A100单机8卡（1x8） | 173% |\n",
     "FP2017", SEVERITY_ERROR, "between 0 and 100"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | ppl |\n| --- | --- |\n| A100单机8卡（1x8） | 0.53 |\n",
     "FP2017", SEVERITY_ERROR, "at least 1"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | acc |\n| --- | --- |\n| A100单机8卡（1x8） | 0.84 |\n"
                                 "| A100单机单卡（1x1） | 84.1 |\n",
     "FP2018", SEVERITY_WARNING, "one is a ratio, the other a percentage"},
    {ENVIRONMENT("FooChip X1") FIGURES
     "| 配置 | token/p/s | MFU |\n| --- | --- | --- |\n| X1单机8卡（1x8） | 1000 | 20.0% |\n"
     "| X1单机8卡（1x8） | 1500 | 40.0% |\n",
     "FP2019", SEVERITY_ERROR, "in proportion to that row, MFU should be 30.00"},
    /* The first row is the one that no other agrees with. */
    {ENVIRONMENT("FooChip X1") FIGURES
     "| 配置 | token/p/s | MFU |\n| --- | --- | --- |\n| X1单机8卡（1x8） | 1000 | 40.0% |\n"
     "| X1单机8卡（1x8） | 1500 | 30.0% |\n| X1单机8卡（1x8） | 2000 | 40.0% |\n",
     "FP2019", SEVERITY_ERROR,
     "MFU is 40.0% at 1000 token/p/s, but 30.0% at 1500 token/p/s in row 2"},
    {ENVIRONMENT("FooChip X1") FIGURES
     "| 配置 | token/p/s | MFU |\n| --- | --- | --- |\n| X1单机8卡（1x8） | 1000 | 20.0% |\n"
     "| X1单机8卡（1x8） | 1504 | 30.2% |\n",
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | 6/25 | / |\n"), "FP2021",
     SEVERITY_WARNING, "differs from the card's memory of 40G"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | / | / | / |\n\n注：`MFU = 3564 * 7 * 10^9 "
          "* "
          "6 / (312 * 10^12) = 48.0%`\n"),
     NULL, SEVERITY_ERROR, NULL},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | / | / | / |\n\n注：`MFU = 3564 * 7 * 10^9 "
          "* "
          "6 / (312 * 10^12) = 58.0%`\n"),
     "FP2022", SEVERITY_ERROR, "evaluates to 47.977%, not 58.0%"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | / | / | / |\n\nMFU = 3000 * 42 * 10^9 / "
          "(312 * 10^12) = 40.4%\n"),
     "FP2022", SEVERITY_ERROR, "3000, which no table contains"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | throughput |\n| --- | --- |\n"
                                 "| A100单机8卡（1x8） | 17.23 * 2048 / 4 = 8821 tokens/s |\n",
     "FP2023", SEVERITY_WARNING, "uses 4 cards"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | memory |\n| --- | --- |\n"
                                 "| A100单机8卡（1x8） | 20\\*2 + 30\\*4 GB |\n",
     "FP2023", SEVERITY_WARNING, "uses 6 cards"},
    {ENVIRONMENT("MTT X3000 32GB") "* 通用指标\n\n| 指标名称 | 指标值 |\n| --- | --- |\n"
                                   "| 硬件设备简称 | X4000 |\n\n" FIGURES LLM
                                   "| X3000单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3002", SEVERITY_ERROR, "'X4000'"},
    {ENVIRONMENT("A100") "* 通用指标\n\n| 指标名称 | 指标值 |\n| --- | --- |\n"
                         "| 硬件设备简称 | A100 C500 |\n\n" FIGURES LLM
                         "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3002", SEVERITY_ERROR, "belongs to another vendor"},
    {ENVIRONMENT("A100\n- ##### 软件环境\n  - 加速卡驱动版本：2.2.0") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3013", SEVERITY_ERROR, "does not belong to nvidia cards"},
    {ENVIRONMENT("A100\n  - 机器型号: Metax C500") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3014", SEVERITY_ERROR, "a card of metax"},
    {ENVIRONMENT("A100\n  - 机器型号: NVIDIA HGX H800") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3016", SEVERITY_WARNING, "its card is"},
    {"见 training/metax/sample/README.md\n\n" ENVIRONMENT("A100") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3017", SEVERITY_WARNING, "training/metax"},
    /* The table that pages had before. */
    {OLDER("| 单机8卡 | config_A100x1x8 | 1315.42 | 0.67 | 0.6818 | 4689 | 355.63 |\n"), NULL,
     SEVERITY_ERROR, NULL},
    {OLDER("| 单机8卡 | config_A100x1x8 | | | | | |\n"), "FP1012", SEVERITY_NOTICE, "no row"},
    {OLDER("| 单机8卡 | config_A100x1x8 | | | | | 174.2 |\n"
           "| 2机16卡 | config_A100x2x8 | | | | | 271.93 |\n"),
     NULL, SEVERITY_ERROR, NULL},
    {OLDER("| 单机8卡 | config_A100x1x8 | N/A | 0.67 | |\n"), "FP1001", SEVERITY_ERROR,
     "the row has 5 cells"},
    {OLDER("| 单机8卡 | config_A100x1x8 | 3.6h | 0.67 | 0.68 | | |\n"), "FP1004", SEVERITY_WARNING,
     "another unit"},
    {OLDER("| 单机8卡 | config_A100x1x8 | 3.6.1 | 0.67 | 0.68 | | |\n"), "FP1004", SEVERITY_ERROR,
     "is not one number"},
    {OLDER("| 单机4卡 | config_A100x1x4 | 1315.42 | 0.67 | 0.6818 | 4689 | 355.63 |\n"
           "| 单机8卡 | config_A100x1x8 | 1315.42 | 0.67 | 0.6818 | 4689 | 355.63 |\n"),
     "FP1011", SEVERITY_ERROR, "the same figures as 单机4卡"},
    {OLDER("| 两机8卡 | config_A100x1x8 | / | | | | |\n"), "FP2006", SEVERITY_ERROR,
     "the words of the configuration state 两机8卡; the"},
    {OLDER("| 单机8卡 | config_A100x1x8 | | 0.67 | 0.66 | | |\n"), "FP2008", SEVERITY_WARNING,
     "its target is 0.67"},
    {OLDER("| 单机8卡 | config_A100x1x8 | 1685714500 | | | | |\n"), "FP2017", SEVERITY_ERROR,
     "at most a year"},
    {OLDER("| 单机8卡 | config_BI-V100x1x8 | / | | | | |\n"), "FP3008", SEVERITY_WARNING,
     "configurations like config_BI-V100x1x8"},
    {ENVIRONMENT("A100") "\n### 运行情况\n| 训练资源 | 目标loss | 收敛loss |\n| - | - | - |\n"
                         "| 单机8卡 | -5.98(fp32) | -6.00(fp32) |\n",
     NULL, SEVERITY_ERROR, NULL},
    {ENVIRONMENT("A100") FIGURES "| 配置 | p_core |\n| A100单机8卡（1x8） | 10.0 |\n", "FP1001",
     SEVERITY_ERROR, "found no separator row"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | e2e_time | p_whole | p_train |\n| - | - | - | - |\n"
                                 "| A100单机4卡（1x4） | 3317 | 91.5 | 91.9 |\n"
                                 "| A100单机8卡（1x8） | 3317 | 91.5 | 91.9 |\n",
     "FP1011", SEVERITY_ERROR,
     "the row for 8 cards has the same times and rates as the row for 4 cards"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | throughput | memory |\n| - | - | - |\n"
                                 "| LLaMA-7B | --- | --- |\n"
                                 "| A100单机8卡（1x8） | 1600 / 8 = 200 tokens/s | 33.5 * 8 GB |\n"
                                 "| LLaMA-13B | --- | --- |\n"
                                 "| A100单机8卡（1x8） | 1600 / 8 = 200 tokens/s | 33.5 * 8 GB |\n",
     "FP1011", SEVERITY_ERROR, "the row has the same figures as a row of another model (row 2)"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 5.14 | 37/40 | / |\n"
          "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 0.94 | 37/40 | / |\n"),
     "FP2024", SEVERITY_WARNING, "this row has a loss of 0.94, but another row has 5.14 (row 1)"},
    {ENVIRONMENT("A100") FIGURES
     "| 配置 | config | fix_hp | parallel_strategy | throughput |\n| - | - | - | - | - |\n"
     "| A100单机8卡（1x8） | config_TP2PP1SH2SP4A100x1x8 | per_device_bs=2, accumulate=128, "
     "(global "
     "bs = 4M tokens) | sharding=\"stage2\", sharding_degree=4, tensor_parallel_degree=2 | 16 * "
     "2048 "
     "/ 8 = 4096 tokens/s |\n",
     "FP2004", SEVERITY_ERROR, "1024 sequences * 2048 tokens per sequence = 2097152"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | 3564 | 5.14 | 37/40 | 96.0% |\n"), "FP2003",
     SEVERITY_WARNING, "follows from the peak of tf32"},
    {PAGE("| A100单机8卡卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n"), "FP2006", SEVERITY_NOTICE,
     "misspelled"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | / | / | / |\n\nTODO: 待补充\n"), "FP1014",
     SEVERITY_NOTICE, "the reminder 'TODO"},
    {ENVIRONMENT("FooChip®Q500 64G") FIGURES LLM
     "| Q550单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3001", SEVERITY_ERROR, "the row names 'Q550'"},
    {ENVIRONMENT("FooChip®Q500 64G") FIGURES LLM
     "| MXQ5000单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3001", SEVERITY_ERROR, "the row names 'MXQ5000'"},
    {ENVIRONMENT("FooChip®Q500 64G") FIGURES LLM
     "| MXQ500单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     NULL, SEVERITY_ERROR, NULL},
    {ENVIRONMENT("A100") FIGURES "| 配置 | precision | p_core |\n| - | - | - |\n"
                                 "| A100单机8卡（1x8） | fp23 | 10.0 |\n",
     "FP1013", SEVERITY_WARNING, "'fp23' is not a known precision"},
    {ENVIRONMENT("A100") FIGURES "| 配置 | precision | p_core |\n| - | - | - |\n"
                                 "| A100单机8卡（1x8） | fp16, level=\"O2\" | 10.0 |\n"
                                 "| A100单机4卡（1x4） | BF16+FP8 | 5.0 |\n",
     NULL, SEVERITY_ERROR, NULL},
    {ENVIRONMENT("A100") FIGURES "| 配置 | e2e_time |\n| - | - |\n| A100单机8卡（1x8） | 61 h |\n",
     "FP1004", SEVERITY_WARNING, "'61 h' is not a figure"},
    {PAGE("| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 2.61 | 37/40 | / |\n"
          "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 261 | 37/40 | / |\n"
          "| A100单机8卡（1x8） | TP1PP1DP8 | / | / | 2.49 | 37/40 | / |\n"),
     "FP2024", SEVERITY_WARNING, "the other rows of the table have 2.49 to 2.61"},
    {ENVIRONMENT("A100-SXM4-40GB\n  - 机器型号: NVIDIA DGX A100(80G)") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP3016", SEVERITY_WARNING, "DGX A100(80G)"},
    {"<<<<<<< HEAD\n\n" ENVIRONMENT("A100") FIGURES LLM
     "| A100单机8卡（1x8） | DP8 | / | / | / | / | / |\n",
     "FP1015", SEVERITY_ERROR, "the merge conflict mark"},
    {OLDER("| 单机8卡 | config_A100x1x8 | | 0.67 | 68.2 | | |\n"), "FP2018", SEVERITY_WARNING,
     "a ratio and a percentage"},
    {OLDER("| 单机4卡 | config_A100x1x4 | | | | | 180.07 |\n"
           "| 单机8卡 | config_A100x1x8 | | | | | 35.563 |\n"),
     "FP2015", SEVERITY_WARNING, "0.10 times the throughput"},
};
