/*
 * answer: what a model's page begins with (private to renderer/site/): the highest figure of
 * the rows that may be compared, with its state, and of each card the best row, drawn.
 *
 * Each comparable group has its own pictures, one for each figure that its rows have; groups in
 * which something is verified come first, then those with more cards that state a figure. The first
 * gives the answer.
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

/* The answer in one line, and the row that gives it; NULL: nobody states a figure, which it says.
 */
const char *sheet_answer_of(struct sheet *s, const struct site_list *model,
                            const struct site_row **row);

/* {"answer": {"headline", "path", "anchor", state…, "state_meaning", "evidence", "why"} or false,
 *  "no_answer": that nobody states a figure,
 *  "pictures": [{"group", "anchor", "best", "open", "metrics": [{"key", "label", "svg",
 *               "lacking": [{"name", "path", "anchor", state…, "word"}]}]}]} */
void sheet_set_answer(struct sheet *s, const struct site_list *model);
