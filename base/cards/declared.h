/*
 * declared: a card tool that a record declares, for a vendor whose tool is not in the table.
 *
 *   records/vendors/acme.json
 *     "card_tool": {
 *       "command": ["acme-smi", "--table"],
 *       "facts": ["*Driver: {driver} *", "| {#} {model} |*{memory} MiB |"],
 *       "cards": ["|* {celsius}C {watts}W | {used}/{memory} MiB | {busy}% |"]
 *     }
 *
 * The command is a program that is found in PATH and a fixed list of arguments. No shell sees it,
 * and its time and output have the limits of every card tool (trainer/cards/tool.h). Only `train`
 * and `fingerprint` run it. What a monitor keeps of it is not the tool's output but one line of
 * each card in a form of ours, so that whoever verifies needs neither the tool nor the record:
 *
 *   <vendor>_cards_monitor.log   31C 57W 15MiB 40536MiB 0% 12%
 *
 * which are temperature, power, memory in use, memory, utilisation, share of memory in use; "-" for
 * what the tool did not say.
 */
#pragma once

#include "base/cards/card_tool.h"
#include "base/json/shape.h"

#define DECLARED_FILE_END "_cards_monitor.log"
#define DECLARED_ARGUMENT_MAX 200 /* bytes */

struct declared_tool {
    int line;
    const char **command;
    size_t n_command;
    const char **facts;
    size_t n_facts;
    const char *begins; /* the field with which a card begins; NULL: "model" */
    const char **cards;
    size_t n_cards;
    const char **more;
    size_t n_more;
};

/* Its check holds the command and the patterns to the limits above. */
extern const struct shape declared_tool_shape;

/* The row for it. Texts are borrowed from the record. */
const struct card_tool *declared_tool_row(const struct declared_tool *d, const char *vendor,
                                          struct arena *arena);

/* The row by which such a monitor file is read. */
extern const struct card_tool card_tool_declared;

/* One line for a card, as above. */
void declared_tool_print(const struct card_reading *x, struct buf *out);
