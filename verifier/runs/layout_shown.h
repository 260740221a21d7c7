/*
 * layout_shown: how many ranks and cards a run had and by which plan, as its logs and monitors show
 * it (base/records/layout.h): what the framework printed, the logs of single ranks, the cards that
 * were busy.
 */
#pragma once

#include "base/records/layout.h"
#include "verifier/runs/run_tree.h"

/* Behind what the layout has. */
void layout_of_logs(const struct run_log *const *logs, size_t n, struct layout *out,
                    struct arena *arena);
void layout_of_monitors(const struct monitor_peaks *peaks, struct layout *out, struct arena *arena);

/* Both, of the first round of a run directory; nothing where it cannot be read. */
void layout_of_run(const char *run, struct layout *l, struct arena *arena);
