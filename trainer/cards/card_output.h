/*
 * card_output: a vendor's tool is asked, and what it says is kept without names (redact.h): the
 * machine's, those behind labels, and serial numbers of columns that a tool is known to have
 * (base/cards/).
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "trainer/cards/salt.h"

/* Append what argv (NULL-terminated) prints. -1 with the reason as tool_output() has it. */
int card_output(const char *const *argv, const struct salt *salt, struct buf *out, struct err *err);
