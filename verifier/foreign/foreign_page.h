/*
 * foreign_page: pages of others whose tables are not the benchmark's, recomputed.
 *
 * Columns are known by their names (base/figures/foreign_table.h), and what a row says twice must
 * agree.
 *
 * Tables in English with model, card, count, batch, length, tokens/s and MFU (torchtitan,
 * llm-foundry, fms-fsdp, NeMo, Megatron Bridge):
 *
 *   sequences   replicas * micro batch * accumulation = global batch; replicas = cards / (TP PP CP)
 *   tokens      global batch * length = its tokens; tokens/s of a card * cards = tokens/s
 *   step        global batch * length / seconds of a step / cards = tokens/s of a card
 *   days        tokens / (tokens/s of a card * cards), as the header names both
 *   MFU         FLOP/s of a card / peak, where the row has them; else operations of a token *
 *               tokens/s of a card / peak, with 6 N or with attention, 6 N + 12 L d s (Chowdhery
 *               et al. 2022, appendix B), of a model of the records that has so many parameters
 *   operations  FLOP/s / tokens/s of a card, by the same conventions, or with causal attention,
 *               6 L d s, and without the embedding, 6 (N - V d) (Megatron-LM)
 *
 * FlagPerf's base/ and operation/ pages: the precision of a header and of the folder, the cards of
 * the server and of "(8卡平均)", the ratio of measured and nominal value, numbers that are none;
 * operations/s * time = 1, TFLOPS / FU the same peak in all cells, TFLOPS * time the same work by
 * both clocks; power's mean below its maximum, and within the TDP that the page names.
 *
 * FlagPerf's inference/ pages: a rate without I/O is not below the one with it, used memory not
 * above a card's, MFU = 2 N * tokens/s / peak of the row's precision.
 *
 * What agrees is said with the convention by which it does, what a page does not say is not
 * guessed. Each finding is a text in the arena with what it was made of (base/sentence.h).
 */
#pragma once

#include "base/diag.h"
#include "base/project/project.h"
#include "base/sentence.h"

/* Has the result a table of others? */
bool foreign_page_is(const struct result *r, struct arena *arena);

struct foreign_finding {
    enum severity
        severity; /* SEVERITY_NOTICE: by which convention a figure agrees, or that by none */
    int line;
    const char *message;
};

struct foreign_findings {
    struct foreign_finding *items;
    size_t n;
    const char *missing; /* what was not there where no table is understood; NULL: one is */
};

/* What they say, in both languages (base/sentence.h). */
extern const struct words foreign_messages[];

#define FOREIGN_FINDINGS_MAX 1000 /* further ones are left out */

void foreign_page_check(const struct project *p, const struct result *page, struct arena *arena,
                        struct foreign_findings *out);
