#include "verifier/checks.h"

#include <string.h>

/* clang-format off */
static const struct check checks[] = {
    {.id = "FP1001", .severity = SEVERITY_ERROR, .page = check_cell_count,
     .title = {"单元格个数", "Cells of a row"},
     .statement = "Every row of a figure table has as many cells as its header."},
    {.id = "FP1003", .severity = SEVERITY_ERROR, .claim = check_swapped,
     .title = {"列错位", "Swapped columns"},
     .statement = "No figure stands in a column that is not its own."},
    {.id = "FP1004", .severity = SEVERITY_ERROR, .claim = check_numbers,
     .title = {"数字", "Numbers"},
     .statement = "What stands in a column of figures is a figure, or says why there is none."},
    {.id = "FP1005", .severity = SEVERITY_NOTICE, .page = check_empty_fields,
     .title = {"空字段", "Empty fields"},
     .statement = "Every field of the environment has a value; '/' says that it is withheld."},
    {.id = "FP1006", .severity = SEVERITY_NOTICE, .page = check_foreign_heading,
     .title = {"标题中的厂商", "Vendor in headings"},
     .statement = "No heading names another vendor or another vendor's card."},
    {.id = "FP1007", .severity = SEVERITY_ERROR, .page = check_row_reference,
     .title = {"引用的行", "Rows referred to"},
     .statement = "A row that the text refers to by number is in the table."},
    {.id = "FP1008", .severity = SEVERITY_NOTICE, .claim = check_mfu_form,
     .title = {"MFU写法", "Form of MFU"},
     .statement = "MFU is printed as a percentage, with its sign."},
    {.id = "FP2003", .severity = SEVERITY_ERROR, .claim = check_mfu,
     .title = {"MFU", "MFU"},
     .statement = "MFU is factor * N * token/p/s / peak, to one unit in its last printed place."},
    {.id = "FP2004", .severity = SEVERITY_ERROR, .claim = check_global_batch,
     .title = {"全局批尺寸", "Global batch"},
     .statement = "The global batch is LBS * GAS * DP, and in tokens that times the length "
                  "(K = 1024, M = 1024 * 1024)."},
    {.id = "FP2005", .severity = SEVERITY_ERROR, .claim = check_world_size,
     .title = {"并行规模", "World size"},
     .statement = "TP * PP * DP is the number of cards, or of devices where a card shows several."},
    {.id = "FP2006", .severity = SEVERITY_ERROR, .claim = check_config_words,
     .title = {"配置写法", "Words of the configuration"},
     .statement = "Nodes and cards in words agree with the bracket (nodes x cards)."},
    {.id = "FP2007", .severity = SEVERITY_ERROR, .claim = check_memory,
     .title = {"存储", "Memory"},
     .statement = "Memory used is at most the total, and the total at most what the card has."},
    {.id = "FP2008", .severity = SEVERITY_WARNING, .claim = check_target,
     .title = {"目标", "Target"},
     .statement = "A score that is printed with its target reaches it."},
    {.id = "FP2010", .severity = SEVERITY_ERROR, .claim = check_expression,
     .title = {"算式", "Expressions"},
     .statement = "An expression gives the result that is printed behind it."},
    {.id = "FP2011", .severity = SEVERITY_ERROR, .claim = check_mfu_limit,
     .title = {"MFU上限", "Limit of MFU"},
     .statement = "MFU lies between 0 % and 100 %."},
    {.id = "FP3001", .severity = SEVERITY_ERROR, .page = check_accelerator,
     .title = {"表中的加速卡", "Card of the rows"},
     .statement = "The card that a row names is one that the environment names."},
    {.id = "FP3002", .severity = SEVERITY_ERROR, .page = check_device,
     .title = {"硬件设备简称", "Device"},
     .statement = "The device of the general table is the environment's card."},
    {.id = "FP3004", .severity = SEVERITY_ERROR, .claim = check_card_memory,
     .title = {"加速卡存储", "Memory of the card"},
     .statement = "The card memory that a row names is that of the environment's card."},
    {.id = "FP3005", .severity = SEVERITY_WARNING, .page = check_config_file,
     .title = {"配置文件", "Configuration file"},
     .statement = "The configuration file of the batch sizes is of a size that the table has."},
    {.id = "FP3006", .severity = SEVERITY_ERROR, .page = check_strategy,
     .title = {"并行策略", "Parallel strategy"},
     .statement = "A parallel plan named in the strategy fits a row of the table."},
    {.id = "FP3007", .severity = SEVERITY_ERROR, .claim = check_config_name,
     .title = {"配置名", "Name of the configuration"},
     .statement = "The sizes in a configuration's name are those of its row."},
};
/* clang-format on */

#define N_CHECKS (sizeof checks / sizeof checks[0])

const struct check *checks_all(size_t *n)
{
    *n = N_CHECKS;
    return checks;
}

const struct check *checks_find(const char *id)
{
    for (size_t i = 0; i < N_CHECKS; i++)
        if (strcmp(checks[i].id, id) == 0)
            return &checks[i];
    return NULL;
}

void checks_run(struct audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        a->check = &checks[i];
        if (checks[i].page)
            checks[i].page(a);
        for (size_t k = 0; checks[i].claim && k < a->n_claims; k++)
            checks[i].claim(a, &a->claims[k]);
    }
}
