/*
 * foreign_row: what the files that judge tables of others share; nobody else includes it.
 *
 *   foreign_page.c       walks the texts and tables of a page, reads rows; FlagPerf's inference/
 *   foreign_training.c   trainings: batch, rates, MFU, operations of a token
 *   foreign_chips.c      FlagPerf's base/ and operation/
 */
#pragma once

#include "base/figures/figure.h"
#include "base/figures/foreign_table.h"
#include "base/project/project.h"
#include "base/records/result.h"
#include "verifier/foreign/foreign_page.h"

#define FOREIGN_COLUMNS_MAX 64
#define FOREIGN_MFU_SLACK 0.015 /* of the stated one: figures are rounded */

/* Where an unknown value lies. */
struct foreign_range {
    double low, high;
};

/* Rates of an operation as the first table of a page has them, for the tables behind it. */
struct foreign_operation {
    const char *name;
    const struct figure *cpu, *kernel; /* TFLOPS */
};

struct page_reader {
    const struct project *project;
    const struct result *page;
    const char *words;   /* of the page so far, as text_fold_words leaves them */
    const char *heading; /* the last one, in the same form */
    struct arena *arena;
    struct foreign_findings *findings;
    int line;
    double server_cards; /* FlagPerf: of the server; NaN */
    double servers;
    double tdp;                /* W of a card, as the list of the chip has it; NaN */
    struct foreign_range peak; /* TFLOPS, by operations' rates and their shares of it */
    struct foreign_operation *operations;
    size_t n_operations;
    enum foreign_column columns[FOREIGN_COLUMNS_MAX];
    const char *titles[FOREIGN_COLUMNS_MAX]; /* as text_fold leaves them */
    size_t n_columns;
    size_t understood; /* rows */
};

/* What a row says, by the first column of each kind. */
struct page_row {
    const struct figure *figure[FOREIGN_COLUMNS]; /* figure_missing where there is none */
    double of[FOREIGN_COLUMNS];                   /* its value; NaN */
    const char *text[FOREIGN_COLUMNS];            /* "" */
};

void foreign_note(struct page_reader *r, enum severity severity, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Half a unit in the last place of a figure, as a share of it. */
double foreign_slack(const struct figure *f);

/* A word of the text is an alias of the accelerator; NULL. */
const struct accelerator *foreign_card_of(const struct page_reader *r, const char *text);

/* In TFLOPS; NaN. */
double foreign_peak(const struct accelerator *card, const char *precision);

/* The model that the text names with most words; NULL. */
const struct model *foreign_model_of(const struct page_reader *r, const char *text);

/* Each is false where the row has nothing of its kind. */
bool foreign_judge_training(struct page_reader *r, const struct page_row *row);
bool foreign_judge_measured(struct page_reader *r, const struct page_row *row);
bool foreign_judge_operation(struct page_reader *r, const struct page_row *row);
bool foreign_judge_power(struct page_reader *r, const struct page_row *row);

/* Of the columns that were read last. */
void foreign_judge_titles(struct page_reader *r);

/* When the page was read: what its operations say of the peak. */
void foreign_judge_peak(struct page_reader *r);
