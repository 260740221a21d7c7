/* explain_recompute: the explanations of FP203x. What logs and monitors give beside the steps. */
#include "verifier/explain/explain_rules.h"

/* clang-format off */
const struct explanation explain_recompute[] = {
    {.id = "FP2032", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "Case scripts compute their figures with a batch, a length and a peak that are "
            "written into them; when the configuration is changed and the script is not, what "
            "they print is wrong.",
     .how = "The printed throughputs, Tokens/p/s and MFU are computed again from the samples, "
            "times and steps of the same log, within 0.1 % (MFU 0.5 %).",
     .fix = "State the recomputed figure, or correct the script and run again.",
     .honest = "Tokens/p/s:  17789.",
     .changed = "Tokens/p/s:  27789."},
    {.id = "FP2033", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "Time and throughput of a training that did not get where it should are no result "
            "of its case.",
     .how = "`converged` of the FINISHED event, or the line that says whether MMLU achieved "
            "its target.",
     .fix = "Run until the target is reached; state otherwise that it was not.",
     .honest = "\"converged\": true",
     .changed = "\"converged\": false"},
    {.id = "FP2034", .in = EXPLAIN_RUN, .file = "mem_monitor.log",
     .why = "Memory and power come from monitors, whose commands fail without a word: their "
            "file then holds an error text, or nothing.",
     .how = "Every monitor of the run must have readings, and no line that is none.",
     .fix = "Where a command is missing, install it; a line of a shape that is not known "
            "is one to report. Then run again.",
     .honest = "0.0265",
     .changed = "sh: free: not found"},
    {.id = NULL},
};
/* clang-format on */
