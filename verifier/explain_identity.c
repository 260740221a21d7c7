/* explain_identity: the explanations of FP3xxx. Who and what. */
#include "verifier/explain_rules.h"

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
     .how = "TP, sharding stage and card memory in 'config_TP1PP1SH2…' are compared with "
            "the strategy and the card of the row.",
     .fix = "Correct the name or the strategy.",
     .honest = "sharding=\"stage2\"",
     .changed = "sharding=\"stage3\""},
    {.id = "FP3008", .in = EXPLAIN_PAGE,
     .why = "Batch sizes of another card's configuration file are those of another run.",
     .how = "The card in the file's name is looked up in the records and compared with the "
            "environment's. Cards of the same vendor may share a file: a notice then.",
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
    {.id = NULL},
};
/* clang-format on */
