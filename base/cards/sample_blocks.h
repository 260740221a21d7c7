/*
 * sample_blocks: samples of cards that are a block of each card, one reading a line.
 *
 *   GPU 0000:01:00.0                            nvidia-smi -q
 *       FB Memory Usage
 *           Total                       : 1995 MiB
 *           Used                        : 1934 MiB
 *
 *   {"card0": {"GPU use (%)": "0",              rocm-smi --json, on one line or on many
 *              "VRAM Total Memory (B)": "21458059264"}}
 *
 *   GPU: 0                                     amd-smi metric
 *       POWER:
 *           SOCKET_POWER: 20 W
 *
 *   {"gpu": 0, "mem_usage": {"used_vram":      amd-smi metric --json, amd-smi monitor --json
 *     {"value": 26, "unit": "MB"}}}
 *
 * The names in rocm-smi's JSON are those of the columns of rocm-smi --csv
 * (base/cards/sample_columns.h). Cards of nvidia-smi have their order for a number; where the first
 * one comes again, a sample begins. Of the parts of a card (MIG) what the whole card says counts,
 * which stands below them.
 */
#pragma once

#include "base/cards/card_tool.h"

struct sample_blocks {
    struct card_reading now; /* of the block */
    const char *vendor;      /* whose block is open; NULL: none is */
    struct span first;       /* the place of the first card of a sample, of nvidia-smi */
    struct span section;     /* of its block; in JSON the key of the object around a value */
    double *in_unit;         /* the reading that the next unit is of; NULL */
    int depth;               /* objects of the block that are open */
    size_t cards;            /* of its sample */
    int line;                /* where the block that was read last begins */
    int begins;              /* and the open one */
};

/* The next of what is read: *line is trimmed, and is `number` of the file. With the end of a block
 * that has a reading *out is what it says, *vendor whose it is, and the answer CARD_LINE_CARD; what
 * is left of the line, to be read next, stays in *line. */
enum card_line sample_blocks_read(struct sample_blocks *b, struct span *line, int number,
                                  struct card_reading *out, const char **vendor);

/* The block that was open at the end of the file; false: none was. */
bool sample_blocks_end(struct sample_blocks *b, struct card_reading *out, const char **vendor);
