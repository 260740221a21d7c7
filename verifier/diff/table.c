#include "verifier/diff/table.h"

#include "base/columns.h"
#include "base/json/json.h"

#include <stdio.h>

#define PLAN_COLUMNS 12

void diff_table_text(const struct diff *diffs, size_t n, struct buf *out)
{
    diff_text_side("reference", diffs[0].reference, out);
    buf_printf(out, "steps from %d on, the limit of the mean is %.15g %%\n\n",
               diffs[0].rule.from_step, 100 * diffs[0].rule.limit);
    buf_printf(out, "  %-*s %8s %9s %9s %9s\n", PLAN_COLUMNS, "plan", "steps", "mean %", "max %",
               "at step");
    for (size_t i = 0; i < n; i++) {
        const struct diff *d = &diffs[i];
        struct arena scratch = ARENA_INIT;
        const struct alignment *a = &d->alignment;
        buf_printf(out, "%s\n  ", d->run->name);
        const char *plan = diff_side_plan(d->run, &scratch);
        columns_pad(out, plan ? plan : "-", PLAN_COLUMNS);
        if (a->steps)
            buf_printf(out, "%8zu %9.4f %9.4f %9.15g  %s\n", a->steps, 100 * a->mean_rel_error,
                       100 * a->max_rel_error, a->max_step, a->aligned ? "aligned" : "not aligned");
        else
            buf_printf(out, "%8d %9s %9s %9s  %s\n", 0, "-", "-", "-", "cannot");
        arena_release(&scratch);
    }
    for (size_t i = 0; i < n; i++) {
        if (!diffs[i].n_notices)
            continue;
        buf_printf(out, "\n%s\n", diffs[i].run->name);
        diff_text_notices(&diffs[i], out);
    }
}

void diff_table_json(const struct diff *diffs, size_t n, struct buf *out)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.diffs/1");
    json_string(&w, "tool", FPREPORT_VERSION);
    diff_json_side("reference", diffs[0].reference, &w);
    json_begin_array(&w, "diffs");
    for (size_t i = 0; i < n; i++) {
        json_begin_object(&w, NULL);
        diff_json_members(&diffs[i], false, &w);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
