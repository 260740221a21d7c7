#include "base/figures/metrics.h"

#include "base/text.h"

#include <string.h>

/* clang-format off */
static const struct metrics_column columns[] = {
    {.key = "configuration", .kind = COLUMN_CONFIGURATION, .unit = "",
     .label = {"配置", "Configuration"}, .spellings = {"配置", "configuration"}},
    {.key = "config_name", .kind = COLUMN_CONFIG_NAME, .unit = "",
     .label = {"配置文件", "Config"}, .spellings = {"config", "配置文件"}},
    {.key = "precision", .kind = COLUMN_PRECISION, .unit = "",
     .label = {"精度", "Precision"}, .spellings = {"precision", "数据精度"}},
    {.key = "parallel", .kind = COLUMN_PARALLEL, .unit = "",
     .label = {"并行方案", "Parallel plan"}, .spellings = {"parallel"}},
    {.key = "strategy", .kind = COLUMN_STRATEGY, .unit = "",
     .label = {"并行策略", "Parallel strategy"}, .spellings = {"parallel_strategy", "并行策略"}},
    {.key = "hyperparameters", .kind = COLUMN_HYPERPARAMETERS, .unit = "",
     .label = {"超参修改", "Changed hyperparameters"}, .spellings = {"fix_hp", "超参修改"}},
    {.key = "token_per_s_per_card", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_HIGHER,
     .evidence = true, .unit = "token/p/s",
     .label = {"吞吐量", "Throughput"},
     .spellings = {"token/p/s", "tokens/p/s", "token/s/p", "tokens/s/p"}},
    {.key = "throughput", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "tokens/s",
     .label = {"吞吐量", "Throughput"}, .spellings = {"throughput", "吞吐量"}},
    {.key = "e2e_time", .kind = COLUMN_FIGURE, .range = RANGE_TIME,
     .better = DIRECTION_LOWER, .evidence = true,
     .unit = "s",
     .label = {"端到端时间", "End-to-end time"}, .spellings = {"e2e_time", "端到端时间"}},
    {.key = "p_whole", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "samples/s",
     .label = {"总吞吐量", "Whole throughput"}, .spellings = {"p_whole", "总吞吐量"}},
    {.key = "p_train", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "samples/s",
     .label = {"训练吞吐量", "Training throughput"}, .spellings = {"p_train", "训练吞吐量"}},
    {.key = "p_core", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "samples/s",
     .label = {"计算吞吐量", "Compute throughput"}, .spellings = {"p_core", "计算吞吐量"}},
    {.key = "loss", .kind = COLUMN_FIGURE, .range = RANGE_POSITIVE,
     .better = DIRECTION_LOWER, .evidence = true,
     .unit = "",
     .label = {"损失", "Loss"},
     .spellings = {"loss", "lm loss value", "lm loss", "final_loss", "train_loss"}},
    {.key = "val_loss", .kind = COLUMN_SCORE, .better = DIRECTION_LOWER, .evidence = true,
     .unit = "",
     .label = {"验证损失", "Validation loss"}, .spellings = {"val_loss"}},
    {.key = "ppl", .kind = COLUMN_SCORE, .range = RANGE_FROM_ONE,
     .better = DIRECTION_LOWER, .evidence = true, .unit = "",
     .label = {"困惑度", "Perplexity"}, .spellings = {"ppl", "perplexity"}},
    {.key = "aligned", .kind = COLUMN_FLAG, .evidence = true, .unit = "",
     .label = {"是否精度对齐", "Loss aligned"}, .spellings = {"是否精度对齐", "精度对齐", "aligned"}},
    {.key = "acc", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"准确率", "Accuracy"}, .spellings = {"acc", "accuracy", "final_acc"}},
    {.key = "acc1", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"top-1 准确率", "Top-1 accuracy"}, .spellings = {"acc1"}},
    {.key = "final_acc1", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"top-1 准确率", "Top-1 accuracy"}, .spellings = {"final_acc1"}},
    {.key = "acc_mmmu", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"MMMU 准确率", "MMMU accuracy"}, .spellings = {"acc(MMMU)", "MMMU"}},
    {.key = "acc_mmlu", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"MMLU 准确率", "MMLU accuracy"}, .spellings = {"acc(MMLU)", "MMLU"}},
    {.key = "mlm_acc", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"MLM 准确率", "MLM accuracy"},
     .spellings = {"mlm_acc", "mlm_accuracy", "final_mlm_accuracy"}},
    {.key = "lambada_acc", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"LAMBADA 准确率", "LAMBADA accuracy"}, .spellings = {"lambada_acc"}},
    {.key = "map", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"平均精度均值", "Mean average precision"}, .spellings = {"mAP", "map", "final_mAP"}},
    {.key = "map_bbox_segm", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"平均精度均值（框与分割）", "Mean average precision (boxes and masks)"},
     .spellings = {"map_bbox && map_segm", "map_bbox&map_segm"}},
    {.key = "auc", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"AUC", "AUC"}, .spellings = {"auc", "final_auc"}},
    {.key = "bleu", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"BLEU", "BLEU"}, .spellings = {"final_bleu", "bleu"}},
    {.key = "nuv", .kind = COLUMN_SCORE, .better = DIRECTION_HIGHER, .evidence = true, .unit = "",
     .label = {"nuv", "nuv"}, .spellings = {"final_nuv", "nuv"}},
    {.key = "rouge1", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"ROUGE-1", "ROUGE-1"}, .spellings = {"rouge1"}},
    {.key = "rouge2", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"ROUGE-2", "ROUGE-2"}, .spellings = {"rouge2"}},
    {.key = "rougel", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"ROUGE-L", "ROUGE-L"}, .spellings = {"rougeL"}},
    {.key = "rougelsum", .kind = COLUMN_SCORE, .range = RANGE_SHARE,
     .better = DIRECTION_HIGHER, .evidence = true,
     .unit = "",
     .label = {"ROUGE-Lsum", "ROUGE-Lsum"}, .spellings = {"rougeLsum"}},
    {.key = "memory", .kind = COLUMN_MEMORY, .range = RANGE_POSITIVE,
     .evidence = true, .unit = "GiB",
     .label = {"显存使用", "Memory"},
     .spellings = {"mem", "mem(actual/total)", "memory(actual/total)"}},
    {.key = "memory_total", .kind = COLUMN_MEMORY_TOTAL, .range = RANGE_POSITIVE,
     .evidence = true, .unit = "GB",
     .label = {"显存使用", "Memory"}, .spellings = {"memory"}},
    {.key = "mfu", .kind = COLUMN_MFU, .better = DIRECTION_HIGHER, .evidence = true, .unit = "%",
     .label = {"MFU", "MFU"}, .spellings = {"MFU", "计算使用率", "计算卡使用率"}},
};

/* Figures of evidence that pages have no column for. */
static const struct metrics_column extras[] = {
    {.key = "memory_typical", .kind = COLUMN_MEMORY, .better = DIRECTION_NONE, .unit = "GiB",
     .label = {"显存使用（中位数）", "Memory, typical"}},
    {.key = "machine_power", .kind = COLUMN_FIGURE, .better = DIRECTION_LOWER, .unit = "W",
     .label = {"整机功耗（最大）", "Power of a machine, largest"}},
    {.key = "card_power", .kind = COLUMN_FIGURE, .better = DIRECTION_LOWER, .unit = "W",
     .label = {"单卡功耗（平均）", "Power of a card, mean"}},
    {.key = "card_power_peak", .kind = COLUMN_FIGURE, .better = DIRECTION_LOWER, .unit = "W",
     .label = {"单卡功耗（最大）", "Power of a card, largest"}},
    {.key = "mfu_exact", .kind = COLUMN_MFU, .better = DIRECTION_HIGHER, .unit = "%",
     .label = {"MFU（精确）", "MFU, exact"}},
    {.key = "mfu_seen", .kind = COLUMN_MFU, .better = DIRECTION_HIGHER, .unit = "%",
     .label = {"MFU（精确，含视觉塔）", "MFU, exact, with the tower"}},
    {.key = "mfu_wall", .kind = COLUMN_MFU, .better = DIRECTION_HIGHER, .unit = "%",
     .label = {"MFU（按墙钟时间）", "MFU by wall time"}},
    {.key = "throughput_wall", .kind = COLUMN_FIGURE, .better = DIRECTION_HIGHER, .unit = "token/s",
     .label = {"吞吐量（按墙钟时间）", "Throughput by wall time"}},
    {.key = "target_reached", .kind = COLUMN_FLAG, .better = DIRECTION_NONE, .unit = "",
     .label = {"达到目标", "Target reached"}},
};
/* clang-format on */

#define N_COLUMNS (sizeof columns / sizeof columns[0])
#define N_EXTRAS (sizeof extras / sizeof extras[0])

const struct metrics_column *metrics_columns(size_t *n)
{
    *n = N_COLUMNS;
    return columns;
}

const struct metrics_column *metrics_column(const char *header)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        for (size_t k = 0; columns[i].spellings[k]; k++)
            if (text_may_be_same(header, columns[i].spellings[k]) &&
                text_same(header, columns[i].spellings[k]))
                return &columns[i];
    return NULL;
}

const struct metrics_column *metrics_by_key(const char *key)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (strcmp(columns[i].key, key) == 0)
            return &columns[i];
    for (size_t i = 0; i < N_EXTRAS; i++)
        if (strcmp(extras[i].key, key) == 0)
            return &extras[i];
    return NULL;
}

bool metrics_is_extra(const char *key)
{
    const struct metrics_column *c = metrics_by_key(key);
    return c >= extras && c < extras + N_EXTRAS;
}

bool metrics_is_numeric(enum column_kind kind)
{
    return kind >= COLUMN_FIGURE && kind != COLUMN_FLAG;
}

bool metrics_is_table(const struct table *table)
{
    if (table->n_columns == 0)
        return false;
    const struct metrics_column *first = metrics_column(table->columns[0]);
    if (!first || first->kind != COLUMN_CONFIGURATION)
        return false;
    for (size_t i = 1; i < table->n_columns; i++) {
        const struct metrics_column *c = metrics_column(table->columns[i]);
        if (c && metrics_is_numeric(c->kind))
            return true;
    }
    return false;
}
