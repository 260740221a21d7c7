/* explain_identity: the explanations of FP3xxx. Who and what. */
#include "verifier/explain/explain_rules.h"

/* clang-format off */
const struct explanation explain_identity[] = {
    {.id = "FP3001", .in = EXPLAIN_PAGE,
     .why = "A row of another card than the environment's is either another card's result "
            "or has another card's environment.",
     .how = "The name in the configuration is looked up in the records and compared with "
            "the environment's accelerators.",
     .fix = "Correct the row, or add the environment that it ran in.",
     .honest = "| A100单机单卡（1x1）",
     .changed = "| BI-V150单机单卡（1x1）"},
    {.id = "FP3002", .in = EXPLAIN_PAGE,
     .why = "The general table and the environment name the same card in two places, of "
            "which one is often left over from another page.",
     .how = "Row 硬件设备简称 is looked up in the records and compared with the environment's "
            "accelerators.",
     .fix = "Correct the one that is wrong.",
     .honest = "| 硬件设备简称 | NVIDIA A100-SXM4-40GB",
     .changed = "| 硬件设备简称 | Iluvatar Bi-150"},
    {.id = "FP3004", .in = EXPLAIN_PAGE,
     .why = "A card is sold with several sizes of memory, and batch sizes depend on it.",
     .how = "'*40G' in a configuration is compared with the memory of the card that the "
            "page names.",
     .fix = "Name the card that was used.",
     .honest = "（1x8*40G）",
     .changed = "（1x8*80G）"},
    {.id = "FP3005", .in = EXPLAIN_PAGE,
     .why = "Batch sizes of a configuration file of another size are those of another run.",
     .how = "The size in the file's name (config_A100x1x8) is looked for among the rows.",
     .fix = "Name the file that was used.",
     .honest = "config_A100x1x8.py",
     .changed = "config_A100x4x8.py"},
    {.id = "FP3006", .in = EXPLAIN_PAGE,
     .why = "A plan that fits no row was not the plan of any of them.",
     .how = "The product of the plan in the strategy (实施细节) is looked for among the cards "
            "of the rows.",
     .fix = "Name the plan of each row in the column parallel.",
     .honest = "实施细节：TP2PP1DP4",
     .changed = "实施细节：TP4PP4DP4"},
    {.id = "FP3007", .in = EXPLAIN_PAGE,
     .why = "The name of a configuration is read as a summary of it.",
     .how = "TP, PP, sharding stage and degree, and card memory in 'config_TP1PP1SH2…' are compared with "
            "the strategy and the card of the row.",
     .fix = "Correct the name or the strategy.",
     .honest = "sharding=\"stage2\"",
     .changed = "sharding=\"stage3\""},
    {.id = "FP3008", .in = EXPLAIN_PAGE,
     .why = "Batch sizes of another card's configuration file are those of another run.",
     .how = "The card in the file's name is looked up in the records and compared with the "
            "environment's. Cards of the same vendor may share a file: a notice then. In the "
            "table that pages had before, a card that no record knows is reported, too.",
     .fix = "Name the file that was used.",
     .honest = "config_A100x1x8.py",
     .changed = "config_BI-V150x1x8.py"},
    {.id = "FP3009", .in = EXPLAIN_PAGE,
     .why = "A heading with another card shows where a block was copied from.",
     .how = "Cards of the vendor are looked for in the headings of the environment and "
            "compared with its accelerators.",
     .fix = "Correct the heading, and read the block below it again.",
     .honest = "A100硬件环境",
     .changed = "H800硬件环境"},
    {.id = "FP3010", .in = EXPLAIN_PAGE,
     .why = "A reader repeats a result with the configuration that the page names; "
            "where there is none of that name, the name was left over from another "
            "page.",
     .how = "Only with a FlagPerf checkout (--flagperf DIR, or the one that the page "
            "lies in): config_… names are looked for in training/VENDOR/CASE/config.",
     .fix = "Name the file that was used.",
     .honest = "config_A100x1x8.py",
     .changed = "config_A100x2x8.py"},
    {.id = "FP3011", .in = EXPLAIN_PAGE,
     .why = "A default that the configuration does not have was not the default of the "
            "run.",
     .how = "Only with a FlagPerf checkout: simple assignments of the configuration "
            "file that the page names (of the only one of that size, when there is no "
            "such file) are compared with the batch sizes of the page. The file is read "
            "as text, never executed.",
     .fix = "Correct the page or the configuration.",
     .honest = "默认为2",
     .changed = "默认为4"},
    {.id = "FP3012", .in = EXPLAIN_PAGE,
     .why = "A result under the name of one case with the model of another belongs to "
            "neither.",
     .how = "The row 模型 is compared with the case: by the records of the models, by "
            "size ('7b'), and by the names of the families that there are cases of. How "
            "a name is spelled does not matter.",
     .fix = "Correct the row, or move the page to its case.",
     .honest = "| llama2_7b ",
     .changed = "| llama2_13b "},
    {.id = "FP3013", .in = EXPLAIN_PAGE,
     .why = "Each vendor counts its drivers in a way of its own; another vendor's "
            "version shows whose environment was copied.",
     .how = "NVIDIA counts its drivers like 384.145 and 470.129.06, and has none below "
            "71; from 390 on such a version is no other vendor's.",
     .fix = "State the driver that the run used.",
     .honest = "470.129.06",
     .changed = "2.2.0"},
    {.id = "FP3014", .in = EXPLAIN_PAGE,
     .why = "An environment of another vendor's machine or card is another page's "
            "environment.",
     .how = "The values of machine and accelerator are looked up in the records. Such a "
            "block is not compared with the rows when the page has one of its own.",
     .fix = "Remove the block, or state the machine that the run used.",
     .honest = "加速卡型号: NVIDIA A100-SXM4-40GB",
     .changed = "加速卡型号: Iluvatar Bi-150"},
    {.id = "FP3015", .in = EXPLAIN_PAGE,
     .why = "When all others state a perplexity and one an accuracy of the same size, a "
            "column has the wrong name.",
     .how = "The columns of scores are compared with those of other vendors' records of "
            "the case; one name within another ('acc', 'final_acc1') counts as the "
            "same. Against a single other vendor it is a notice.",
     .fix = "Name the metric as the case does.",
     .honest = "acc(MMLU)",
     .changed = "ppl"},
    {.id = "FP3016", .in = EXPLAIN_PAGE,
     .why = "The name of a machine often has the name of its card in it.",
     .how = "Machine and card of an environment are both looked up in the records.",
     .fix = "Correct the one that is wrong.",
     .honest = "NVIDIA DGX A100",
     .changed = "NVIDIA DGX H800"},
    {.id = "FP3017", .in = EXPLAIN_PAGE,
     .why = "A path into another vendor's or model's folder was left over from the page "
            "that was copied, and takes the reader there.",
     .how = "training/VENDOR/ and ../benchmarks/MODEL/ in texts and links are compared "
            "with the result's.",
     .fix = "Correct the path.",
     .honest = "依赖软件版本：无",
     .changed = "依赖软件版本：见training/iluvatar/llama2_7b-megatron/config/requirements.txt"},
    {.id = "FP3018", .in = EXPLAIN_PAGE,
     .why = "A general table that was copied from another case states that case's task, data "
            "set or score.",
     .how = "For each family of models there are words for its task, its data set and its "
            "score. What has none of the own words, but one of another family's, is reported; a "
            "task only as a notice. What nobody's words are in is not judged.",
     .fix = "State what the case trains, on what, and how it is scored.",
     .honest = "自然语言理解",
     .changed = "图像目标检测"},
    {.id = "FP3019", .in = EXPLAIN_PAGE,
     .why = "A name with a slip in it is found by no search, and is compared with nothing here.",
     .how = "Machine, card and device that no record knows are held to the names of the "
            "vendor's cards: one letter more or less, two neighbours exchanged, a blank within "
            "a word. The row 模型 is held to the case in the same way.",
     .fix = "Correct the spelling.",
     .honest = "加速卡型号: NVIDIA A100-SXM4-40GB",
     .changed = "加速卡型号: NVIDIA A010-SXM4-40GB"},
    {.id = NULL},
};
/* clang-format on */
