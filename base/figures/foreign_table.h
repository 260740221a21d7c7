/*
 * foreign_table: columns of the tables that other benchmarks and frameworks publish.
 *
 * Pages of torchtitan, llm-foundry, fms-fsdp, NeMo and Megatron Bridge have tables in English with
 * model, cards, batch, length, tokens/s and MFU; FlagPerf's base/, operation/ and inference/ pages
 * have tables of their own. The first column of none of them is a configuration, so they are no
 * tables of figures by metrics.h. Importer and verifier know them by the headers listed here.
 */
#pragma once

#include "base/figures/pipe_table.h"

enum foreign_column {
    FOREIGN_NONE,
    /* trainings of others */
    FOREIGN_MODEL,
    FOREIGN_PARAMETERS,
    FOREIGN_CARDS,
    FOREIGN_CARD,
    FOREIGN_LENGTH,
    FOREIGN_MICRO,
    FOREIGN_ACCUMULATION,
    FOREIGN_GLOBAL,
    FOREIGN_GLOBAL_TOKENS,
    FOREIGN_TENSOR,
    FOREIGN_PIPELINE,
    FOREIGN_CONTEXT,
    FOREIGN_STEP_SECONDS,
    FOREIGN_CARD_RATE,
    FOREIGN_RATE,
    FOREIGN_FLOPS,
    FOREIGN_TFLOPS,
    FOREIGN_MFU,
    FOREIGN_DAYS, /* to train so many tokens on so many cards, as the header says */
    /* FlagPerf's base/ and operation/ */
    FOREIGN_NAME, /* of a row */
    FOREIGN_MEASURED,
    FOREIGN_NOMINAL,
    FOREIGN_RATIO,
    FOREIGN_CPU_TFLOPS,
    FOREIGN_KERNEL_TFLOPS,
    FOREIGN_CPU_SHARE,
    FOREIGN_KERNEL_SHARE,
    FOREIGN_CPU_TIME,
    FOREIGN_KERNEL_TIME,
    FOREIGN_CPU_RATE,
    FOREIGN_KERNEL_RATE,
    FOREIGN_SYSTEM_MEAN_POWER,
    FOREIGN_SYSTEM_MAX_POWER,
    FOREIGN_CARD_MEAN_POWER,
    FOREIGN_CARD_MAX_POWER,
    FOREIGN_CARD_TDP,
    /* FlagPerf's inference/ */
    FOREIGN_PRECISION,
    FOREIGN_VAL_WHOLE,
    FOREIGN_VAL_CORE,
    FOREIGN_INFER_WHOLE,
    FOREIGN_INFER_CORE,
    FOREIGN_MEMORY,
    FOREIGN_COLUMNS, /* how many kinds */
};

/* By a header as published; FOREIGN_NONE when it is not known. */
enum foreign_column foreign_column(const char *header, struct arena *arena);

/* Has the table a column of figures listed here, and one more that is known? Tables of figures by
 * metrics.h are none. */
bool foreign_table_is(const struct table *table, struct arena *arena);
