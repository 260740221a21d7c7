/*
 * foreign_page: pages of others whose tables are not the benchmark's, read without a record.
 *
 * Tables in English with model, card, count, batch, length, tokens/s and MFU (torchtitan,
 * llm-foundry, fms-fsdp): columns are known by their names, and what a row says twice must agree.
 *
 *   sequences   cards * micro batch * accumulation = global batch
 *   tokens      global batch * length = its tokens; tokens/s of a card * cards = tokens/s
 *   MFU         FLOP/s of a card / peak, where the row has them; else operations of a token *
 *               tokens/s of a card / peak, with 6 N or with attention, 6 N + 12 L d s (Chowdhery
 *               et al. 2022, appendix B), of a model of the records that has so many parameters
 *
 * FlagPerf's base/ and operation/ pages: the precision of a header and of the folder, the cards of
 * the server and of "(8卡平均)", the ratio of measured and nominal value, numbers that are none.
 *
 * What agrees is said with the convention by which it does, what a page does not say is not
 * guessed. Findings are diagnostics with the line.
 */
#ifndef VERIFIER_CLAIMS_FOREIGN_PAGE_H
#define VERIFIER_CLAIMS_FOREIGN_PAGE_H

#include "base/bytes.h"
#include "base/diag.h"
#include "base/project/project.h"

/* False when no table is understood; *missing is then what was not there. */
bool foreign_page_check(const struct project *p, const char *file, struct bytes text,
                        struct arena *arena, struct diags *diags, const char **missing);

#endif
