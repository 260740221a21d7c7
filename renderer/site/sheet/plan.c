#include "renderer/site/sheet/plan.h"

#include "base/figures/metrics.h"
#include "renderer/charts/plan.h"

#include <strings.h>

/* The number behind these two letters, in any case; 1 when they are not there. */
static long plan_size(const char *text, const char *letters)
{
    for (; *text; text++)
        if (strncasecmp(text, letters, 2) == 0 && text[2] >= '1' && text[2] <= '9') {
            long size = 0;
            for (text += 2; *text >= '0' && *text <= '9' && size < CHART_PLAN_WORLD_MAX; text++)
                size = size * 10 + (*text - '0');
            return size;
        }
    return 1;
}

static const char *plan_cell(const struct site_row *row)
{
    for (size_t c = 0; row->of && c < row->of->n_columns; c++) {
        const struct metrics_column *column = metrics_column(row->of->columns[c]);
        const struct row *cells = &row->of->rows[row->row - 1];
        if (column && column->kind == COLUMN_PARALLEL && c < cells->n_cells)
            return cells->cells[c].text;
    }
    return NULL;
}

bool site_plan_of(const struct site_row *row, struct site_plan *out)
{
    const char *cell = plan_cell(row);
    const struct case_record *c = row->entry->case_record;
    *out =
        (struct site_plan){.tp = 1, .pp = 1, .dp = 1, .machines = row->nodes, .cards = row->cards};
    if (cell) {
        out->tp = plan_size(cell, "TP");
        out->pp = plan_size(cell, "PP");
        out->dp = plan_size(cell, "DP");
    } else if (c && c->parallel) {
        out->tp = c->parallel->tensor > 0 ? (long)c->parallel->tensor : 1;
        out->pp = c->parallel->pipeline > 0 ? (long)c->parallel->pipeline : 1;
        out->dp = c->parallel->data > 0 ? (long)c->parallel->data : 1;
    }
    return out->tp > 1 || out->pp > 1 || out->dp > 1;
}
