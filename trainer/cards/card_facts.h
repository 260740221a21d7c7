/*
 * card_facts: what the output of a card tool says for the fingerprint (base/cards/card_tool.h).
 */
#pragma once

#include "base/arena.h"
#include "base/cards/card_tool.h"
#include "base/err.h"
#include "trainer/cards/accelerator.h"
#include "trainer/cards/salt.h"

/* Puts what the output says into `out`, the rest of which stays as it is. Values of several cards
 * as nvml.h has them; a card of which anything is said is counted. False when it says nothing at
 * all, or is about cards of somebody else. */
bool card_facts_read(const struct card_tool *t, const char *output, struct arena *arena,
                     struct accelerator_facts *out);

/* A vendor's tool is asked, and what it says is kept without names (redact.h): the
 * machine's, those behind labels, and serial numbers of columns that a tool is known to have
 * (base/cards/). */

/* Append what argv (NULL-terminated) prints. -1 with the reason as tool_output() has it. */
int card_output(const char *const *argv, const struct salt *salt, struct buf *out, struct err *err);
