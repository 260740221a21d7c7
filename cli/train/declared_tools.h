/*
 * declared_tools: the card tools that the vendors of the records declare, for the two commands that
 * run them, `train` and `fingerprint` (base/cards/declared.h).
 */
#pragma once

#include "cli/cli.h"
#include "trainer/cards/accelerator.h"

/* Of cli_records(). Where there are no records, none; a vendor whose record is wrong is left out,
 * with a warning, for a card is no reason not to train. */
struct declared_tools declared_tools(struct cli *cli);
