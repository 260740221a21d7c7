#include "base/figures/labels.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* The rows of labels.h; included by labels.c only. */

/* clang-format off */
static const struct label sections[] = {
    {.key = "title", .text = {"配置与运行信息参考", "configuration and run information"},
     .spellings = {"配置和运行信息参考", "运行信息参考", "配置与运行信息"}},
    {.key = "environment", .text = {"环境配置", "Environment configuration"}},
    {.key = "run", .text = {"运行情况", "Run details"}},
    {.key = "batch", .text = {"输入批尺寸", "Input batch sizes"}},
    {.key = "general", .text = {"通用指标", "General figures"}},
    {.key = "performance", .text = {"性能指标", "Performance"}},
    {.key = "verification", .text = {"校验", "Verification"}},
};

static const struct label groups[] = {
    {.key = "platform", .text = {"软硬件环境", "Hardware and software environment"}},
    {.key = "hardware", .text = {"硬件环境", "Hardware environment"}},
    {.key = "software", .text = {"软件环境", "Software environment"}},
    {.key = "parallelism", .text = {"并行策略", "Parallel strategy"}},
    {.key = "optimization", .text = {"优化策略", "Optimization strategy"}},
    {.key = "dependencies", .text = {"依赖环境", "Dependency environment"}},
    {.key = "preparation", .text = {"运行前修改工作", "Changes made before the run"}},
};

#define ASCII_COLON ": "
#define WIDE_COLON "："
static const struct label items[] = {
    {.key = "machine", .separator = ASCII_COLON, .text = {"机器型号", "Machine"}},
    {.key = "machine_accelerator", .separator = ASCII_COLON,
     .text = {"机器、加速卡型号", "Machine and accelerator"}, .spellings = {"机器,加速卡型号"}},
    {.key = "accelerator", .separator = ASCII_COLON, .text = {"加速卡型号", "Accelerator"}},
    {.key = "cpu", .separator = ASCII_COLON, .text = {"CPU型号", "CPU"}},
    {.key = "network", .separator = ASCII_COLON,
     .text = {"多机网络类型、带宽", "Network between machines, bandwidth"}},
    {.key = "os", .separator = WIDE_COLON, .text = {"OS版本", "OS"}},
    {.key = "kernel", .separator = ASCII_COLON, .text = {"OS kernel版本", "OS kernel"}},
    {.key = "driver", .separator = WIDE_COLON, .text = {"加速卡驱动版本", "Accelerator driver"}},
    {.key = "docker", .separator = WIDE_COLON, .text = {"Docker 版本", "Docker"}},
    {.key = "image", .separator = WIDE_COLON,
     .text = {"Docker镜像和版本", "Docker image and version"}},
    {.key = "framework", .separator = WIDE_COLON, .text = {"训练框架版本", "Training framework"}},
    {.key = "compiler", .separator = WIDE_COLON, .text = {"训练编译器版本", "Training compiler"}},
    {.key = "dependencies", .separator = WIDE_COLON, .text = {"依赖软件版本", "Dependencies"}},
    {.key = "technique", .separator = WIDE_COLON, .text = {"并行技术", "Technique"}},
    {.key = "implementer", .separator = WIDE_COLON, .text = {"实施者", "Implemented by"}},
    {.key = "details", .separator = WIDE_COLON, .text = {"实施细节", "Details"}},
    {.key = "plan", .separator = WIDE_COLON, .text = {"优化方案", "Method"}},
    {.key = "plan_details", .separator = WIDE_COLON, .text = {"方案细节", "Method details"}},
};

static const struct label general_rows[] = {
    {.key = "task", .text = {"任务类别", "Task"}},
    {.key = "model", .text = {"模型", "Model"}},
    {.key = "dataset", .text = {"数据集", "Data set"}},
    {.key = "precision", .text = {"数据精度", "Precision"}},
    {.key = "hyperparameters", .text = {"超参修改", "Changed hyperparameters"}},
    {.key = "device", .text = {"硬件设备简称", "Device"}},
    {.key = "memory", .text = {"硬件存储使用", "Device memory used"},
     .remark = {"显存，单位为GiB", "in GiB per card"}},
    {.key = "e2e_time", .text = {"端到端时间", "End-to-end time"},
     .remark = {"含初始化", "including start-up"}},
    {.key = "p_whole", .text = {"总吞吐量", "Whole throughput"},
     .remark = {"训练样本数除以总时间", "samples divided by the whole time"}},
    {.key = "p_train", .text = {"训练吞吐量", "Training throughput"},
     .remark = {"不含评估时间", "without evaluation"}},
    {.key = "p_core", .text = {"计算吞吐量", "Compute throughput"},
     .remark = {"不含数据读写时间", "without data input and output"}},
    {.key = "result", .text = {"训练结果", "Training result"}},
    {.key = "changes", .text = {"额外修改项", "Further changes"}},
    {.key = "mfu", .text = {"计算使用率", "Model FLOPs utilization"}, .spellings = {"计算卡使用率"},
     .remark = {"按PaLM论文定义", "as the PaLM paper defines it"}},
    {.key = "throughput", .text = {"吞吐量", "Throughput"},
     .remark = {"单卡每秒token数", "tokens per second and card"}},
    {.key = "config", .text = {"配置文件", "Configuration file"}},
    {.key = "parallel", .text = {"并行策略", "Parallel strategy"}},
    {.key = "batch", .text = {"单卡批尺寸", "Batch size per card"}},
    {.key = "mmmu", .text = {"MMMU（val）结果", "MMMU (val) result"}},
    {.key = "mmlu", .text = {"MMLU结果", "MMLU result"}},
};

static const struct label general_columns[] = {
    {.key = "name", .text = {"指标名称", "Name"}},
    {.key = "value", .text = {"指标值", "Value"}},
    {.key = "remark", .text = {"特殊说明", "Remark"}},
};

static const struct label symbols[] = {
    {.key = "LBS", .text = {"local_batchsize", "local_batchsize"},
     .spellings = {"micro_batchsize", "batch_size_training"},
     .remark = {"每卡每步的批尺寸", "batch size of one card and step"}},
    {.key = "MPE", .text = {"seqlength", "seqlength"},
     .spellings = {"seq_length", "max_position_embedding"},
     .remark = {"序列长度", "sequence length"}},
    {.key = "GAS", .text = {"gradient_accumulate_steps", "gradient_accumulate_steps"},
     .spellings = {"gradient_accumulation_steps"},
     .remark = {"梯度累加步数", "gradient accumulation steps"}},
    {.key = "GBS", .text = {"global_batchsize", "global_batchsize"},
     .spellings = {"global_batch_size"},
     .remark = {"全局批尺寸", "global batch size"}},
    {.key = "TP", .text = {"tensor_parallel", "tensor_parallel"},
     .spellings = {"tensor_model_parallel_size"},
     .remark = {"张量并行数", "tensor parallel size"}},
    {.key = "PP", .text = {"pipeline_parallel", "pipeline_parallel"},
     .spellings = {"pipeline_model_parallel_size"},
     .remark = {"流水并行数", "pipeline parallel size"}},
};

static const struct label phrases[] = {
    {.key = "nlu", .text = {"自然语言理解", "natural language understanding"}},
    {.key = "nle", .text = {"自然语言编码", "natural language encoding"}},
    {.key = "multimodal", .text = {"多模态大模型", "large multimodal model"}},
    {.key = "image", .text = {"图像分类", "image classification"}},
    {.key = "detection", .text = {"图像目标检测", "object detection"}},
    {.key = "lm", .text = {"通用语言模型", "general language model"}},
    {.key = "text", .text = {"文本分类、文本生成", "text classification, text generation"}},
    {.key = "nlg", .text = {"自然语言理解、无条件文本生成、有条件文本生成",
     "natural language understanding, unconditional and conditional text generation"}},
    {.key = "none", .text = {"无", "none"}},
    {.key = "accuracy", .text = {"准确率", "accuracy"}},
    {.key = "vram", .text = {"通常称为“显存”,单位为GiB", "device memory, in GiB"},
     .spellings = {"显存，单位为GiB"}},
    {.key = "palm", .text = {"参见PaLM论文定义", "as the PaLM paper defines it"},
     .spellings = {"按PaLM论文定义"}},
    {.key = "tps", .text = {"平均单卡每秒处理的token数", "tokens per second and card, on average"}},
    {.key = "tps_card", .text = {"单卡每秒token数", "tokens per second and card"}},
    {.key = "saturate", .text = {"跑满硬件设备评测吞吐量所需特殊超参",
     "hyperparameters that throughput at full load needs"},
     .spellings = {"测满吞吐量所需的超参"}},
    {.key = "needed", .text = {"运行必要特殊超参", "hyperparameters that the run needs"},
     .spellings = {"为跑通而改的超参"}},
    {.key = "needed_oom", .text = {"运行必要特殊超参，例如需要改小seqlength避免OOM",
     "hyperparameters that the run needs, such as a shorter seqlength against OOM"}},
    {.key = "changed_oom", .text = {"为跑通或避免显存不足而改的超参",
     "hyperparameters that were changed for the run, or against running out of memory"}},
    {.key = "tokens", .text = {"如无特殊说明，训练前1亿个token",
     "the first 100 million tokens unless said otherwise"},
     .spellings = {"若无说明，为训练前1亿个token"}},
    {.key = "perf_init", .text = {"总时间+Perf初始化等时间", "whole time including start-up"}},
    {.key = "no_eval", .text = {"不包含每个epoch末尾的评估部分耗时",
     "without the evaluation at the end of each epoch"}},
    {.key = "no_io", .text = {"不包含数据IO部分的耗时", "without data input and output"}},
    {.key = "no_io_order", .text = {"不包含数据IO部分的耗时(p3>p2>p1)",
     "without data input and output (p3>p2>p1)"}},
    {.key = "p_whole_samples", .text = {"实际训练样本数除以总时间(performance_whole)",
     "samples divided by the whole time (performance_whole)"}},
    {.key = "p_whole_sequences", .text = {"实际训练序列数除以总时间(performance_whole)",
     "sequences divided by the whole time (performance_whole)"}},
    {.key = "p_whole_images", .text = {"实际训练图片数除以总时间(performance_whole)",
     "images divided by the whole time (performance_whole)"}},
    {.key = "train_throughput", .text = {"训练吞吐量", "training throughput"}},
    {.key = "acc_phases", .text = {"acc(推理/验证)", "acc (inference/validation)"}},
    {.key = "top1", .text = {"单位为top1分类准确率(acc1)", "top-1 accuracy (acc1)"}},
    {.key = "mlm", .text = {"分类准确率(mlm_accuracy)", "classification accuracy (mlm_accuracy)"}},
    {.key = "masked_lm", .text = {"masked_lm任务准确率(实际/目标)",
     "masked_lm accuracy (actual/target)"}},
    {.key = "fp16_form", .text = {"fp16实现方式", "how fp16 is done"}},
    {.key = "plan_form", .text = {"写作TPxPPyDPz，如TP2PP1DP4", "written TPxPPyDPz, as in TP2PP1DP4"},
     .spellings = {"格式为TPxPPyDPz，例如TP2PP1DP4"}},
    {.key = "mmlu", .text = {"MMLU准确率，5-shot", "MMLU accuracy, 5-shot"}},
    {.key = "mmmu", .text = {"MMMU（val）准确率", "MMMU (val) accuracy"}},
    {.key = "precisions", .text = {"fp32、amp、fp16或bf16", "fp32, amp, fp16 or bf16"},
     .spellings = {"可选fp32/amp/fp16/bf16"}},
    {.key = "map", .text = {"单位为平均目标检测正确率", "mean average precision"}},
};
/* clang-format on */

#define ROWS(array)                               \
    {                                             \
        (array), sizeof(array) / sizeof(*(array)) \
    }

static const struct {
    const struct label *rows;
    size_t n;
} sets[] = {
    [LABEL_SECTION] = ROWS(sections),
    [LABEL_GROUP] = ROWS(groups),
    [LABEL_ITEM] = ROWS(items),
    [LABEL_GENERAL] = ROWS(general_rows),
    [LABEL_COLUMN] = ROWS(general_columns),
    [LABEL_SYMBOL] = ROWS(symbols),
    [LABEL_PHRASE] = ROWS(phrases),
};

const struct label *labels_of(enum label_set set, size_t *n)
{
    *n = sets[set].n;
    return sets[set].rows;
}

const struct label *label_by_key(enum label_set set, const char *key)
{
    return text_find(sets[set].rows, sets[set].n, sizeof *sets[set].rows, key);
}

/* Spelling number i: the labels in both languages, then the others; NULL behind the last. */
static const char *spelling(const struct label *l, size_t i)
{
    return i == 0 ? l->text.zh : i == 1 ? l->text.en : l->spellings[i - 2];
}

bool label_is(const struct label *label, const char *text)
{
    for (size_t k = 0; spelling(label, k); k++)
        if (text_may_be_same(spelling(label, k), text) && text_same(spelling(label, k), text))
            return true;
    return false;
}

const struct label *label_find(enum label_set set, const char *text)
{
    for (size_t i = 0; i < sets[set].n; i++)
        if (label_is(&sets[set].rows[i], text))
            return &sets[set].rows[i];
    return NULL;
}

/* What remains of `text` in front of `ending`, both compared folded; NULL: it does not end so.
 * Only whole characters are cut off, so the prefix keeps its published spelling. */
static char *before_ending(const char *text, const char *ending, struct arena *arena)
{
    if (!text_ends(text_fold(arena, text), text_fold(arena, ending)))
        return NULL;
    for (size_t at = 0; text[at]; at++) {
        bool inside_character = ((unsigned char)text[at] & 0xC0) == 0x80;
        if (!inside_character && text_same(text + at, ending))
            return text_trim_n(arena, text, at);
    }
    return NULL;
}

const struct label *label_find_suffix(enum label_set set, const char *text, struct arena *arena,
                                      char **prefix)
{
    const struct label *best = NULL;
    size_t best_len = 0;
    for (size_t i = 0; i < sets[set].n; i++) {
        const struct label *l = &sets[set].rows[i];
        for (size_t k = 0; spelling(l, k); k++) {
            size_t len = strlen(spelling(l, k));
            char *rest = len > best_len ? before_ending(text, spelling(l, k), arena) : NULL;
            if (!rest)
                continue;
            best = l;
            best_len = len;
            if (prefix)
                *prefix = rest;
        }
    }
    return best;
}

bool label_within(const struct label *label, const char *text, struct arena *arena)
{
    const char *folded = text_fold(arena, text);
    for (size_t k = 0; spelling(label, k); k++)
        if (strstr(folded, text_fold(arena, spelling(label, k))))
            return true;
    return false;
}

const char *label_english(enum label_set set, const char *text, struct arena *arena)
{
    const struct label *l = label_find(set, text);
    if (l)
        return l->text.en;
    if (set != LABEL_SECTION && set != LABEL_GROUP)
        return text;
    char *prefix = NULL;
    l = label_find_suffix(set, text, arena, &prefix);
    if (!l)
        return text;
    char *label = arena_strdup(arena, l->text.en);
    if (prefix[0] && islower((unsigned char)label[1]))
        label[0] = (char)tolower((unsigned char)label[0]);
    return prefix[0] ? arena_printf(arena, "%s %s", prefix, label) : label;
}
