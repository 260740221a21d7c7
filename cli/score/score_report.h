/*
 * score_report: a score as a table and as JSON.
 */
#pragma once

#include "base/arena.h"
#include "trainer/score/score.h"

struct score_report {
    const char *case_id, *device, *precision;
    const struct mmlu_way *way;
    const struct mmlu *questions;
    const struct tokenizer *tokenizer;
    const struct scored_model *model;
    const struct score *score;
};

void score_report_text(const struct score_report *r, struct buf *out);
void score_report_json(const struct score_report *r, struct buf *out);

/* In per cent, with the standard error or that there is none, and a line's end. `one`: of what
 * there is then one only. */
void score_report_share(struct buf *out, const struct score_share *s, const char *one);
