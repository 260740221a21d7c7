/*
 * sample_columns: samples of cards that stand in columns under a header, which names them.
 *
 *   # gpu   pwr gtemp    sm   mem    fb          nvidia-smi dmon
 *   index, power.draw [W], memory.used [MiB]     nvidia-smi, hl-smi: --query-… --format=csv
 *   #Entity   FBUSD  POWER  GPUTL                dcgmi dmon
 *   GPU  POWER  GPU_T  GFX%  VRAM_USED           amd-smi monitor
 *   Timestamp, DeviceId, GPU Power (W)           xpu-smi dump
 *   device,Temperature (Sensor edge) (C)         rocm-smi --csv
 *   device,VRAM Total Used Memory (B)            rocm-smi --showmeminfo vram --csv
 *
 * Which columns are there, and in which order, is what the header says. A number may have its unit
 * behind it. A column of another name is passed over; the header itself is found by two known names
 * at least, one of them of a reading. Nothing here keeps the lines.
 */
#pragma once

#include "base/cards/card_tool.h"

#define SAMPLE_COLUMNS_MAX 64

struct sample_columns {
    bool commas; /* between the columns; else blanks */
    size_t n;
    signed char field[SAMPLE_COLUMNS_MAX]; /* enum card_field_id; -1: none of ours */
    double scale[SAMPLE_COLUMNS_MAX];      /* to the unit of the field */
    const char *vendor;                    /* whose header it is */
};

/* Is this line, which is trimmed, such a header? */
bool sample_columns_header(struct span line, struct sample_columns *out);

/* Is this the name, which is in lower case? */
bool sample_name_is(struct span s, const char *name);

/* What a column of this name holds. */
struct sample_column {
    enum card_field_id field;
    double scale;
    const char *vendor; /* that alone names it so; NULL */
};
bool sample_column_find(struct span name, struct sample_column *out);

/* The number in a cell, with its unit or without; NaN where it is not known. False: it is something
 * else. */
bool sample_cell_read(struct span cell, enum card_field_id field, double *value);

/* The readings of a line below it; false when it is none of its columns' lines. */
bool sample_columns_read(const struct sample_columns *c, struct span line,
                         struct card_reading *out);
