/*
 * mmmu_report: a score of MMMU as a table and as JSON, which has every answer, too.
 */
#pragma once

#include "base/buf.h"
#include "trainer/score/mmmu_score.h"

struct mmmu_report {
    const char *case_id, *device, *precision;
    const struct mmmu_way *way;
    const struct mmmu *questions;
    const struct mmmu_prompts *prompts;
    const struct tokenizer *tokenizer;
    const struct scored_model *model;
    const struct mmmu_score *score;
};

void mmmu_report_text(const struct mmmu_report *r, struct buf *out);
void mmmu_report_json(const struct mmmu_report *r, struct buf *out);
