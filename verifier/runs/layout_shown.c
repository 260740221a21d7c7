#include "verifier/runs/layout_shown.h"

/* As it is printed, or as the sizes of batches have it. */
static long long shown_replicas(const struct run_log *const *logs, size_t n)
{
    long long all = run_logs_size(logs, n, BANNER_REPLICAS),
              data = run_logs_size(logs, n, BANNER_DATA);
    long long global = run_logs_size(logs, n, BANNER_GLOBAL_BATCH);
    long long each =
        run_logs_size(logs, n, BANNER_MICRO_BATCH) * run_logs_size(logs, n, BANNER_ACCUMULATION);
    if (all)
        return all;
    long long sharding = run_logs_size(logs, n, BANNER_SHARDING);
    if (data)
        return data * (sharding > 0 ? sharding : 1);
    return each && global % each == 0 ? global / each : 0;
}

void layout_of_logs(const struct run_log *const *logs, size_t n, struct layout *out,
                    struct arena *arena)
{
    struct layout_source said = {
        LAYOUT_BY_LOG,
        {[LAYOUT_RANKS] = run_logs_size(logs, n, BANNER_RANKS),
         [LAYOUT_NODES] = run_logs_size(logs, n, BANNER_NODES),
         [LAYOUT_TENSOR] = run_logs_size(logs, n, BANNER_TENSOR),
         [LAYOUT_PIPELINE] = run_logs_size(logs, n, BANNER_PIPELINE),
         [LAYOUT_CONTEXT] = run_logs_size(logs, n, BANNER_CONTEXT),
         [LAYOUT_CHUNKS] = run_logs_size(logs, n, BANNER_CHUNKS),
         [LAYOUT_DATA] = shown_replicas(logs, n)},
    };
    layout_add(out, &said, arena);
    char seen[RUN_NUMBER_MAX / 8 + 1] = {0};
    long long ranks = 0;
    for (size_t i = 0; i < n; i++) {
        const struct run_place *place = &logs[i]->place;
        if (place->rank < 0 || place->rank > RUN_NUMBER_MAX || place->node_log)
            continue;
        char *at = &seen[place->rank / 8], bit = (char)(1 << place->rank % 8);
        ranks += !(*at & bit);
        *at = (char)(*at | bit);
    }
    if (ranks > 1) /* a launcher may leave all that ranks print in the log of the first */
        layout_add(out, &(struct layout_source){LAYOUT_BY_RANK_LOGS, {[LAYOUT_RANKS] = ranks}},
                   arena);
}

void layout_of_monitors(const struct monitor_peaks *peaks, struct layout *out, struct arena *arena)
{
    layout_add(out,
               &(struct layout_source){LAYOUT_BY_MONITORS,
                                       {[LAYOUT_RANKS] = (long long)peaks->busy_cards}},
               arena);
}

void layout_of_run(const char *run, struct layout *l, struct arena *arena)
{
    struct err unread = ERR_INIT; /* whoever verifies it says what cannot be read */
    struct diags quiet = DIAGS_INIT(arena);
    struct run_tree t;
    if (run_tree_open(run, NULL, arena, &quiet, &t, &unread) < 0 || t.n_rounds == 0)
        return;
    const struct run_round *r = &t.rounds[0];
    layout_of_logs(r->all_logs, r->n_all_logs, l, arena);
    layout_of_monitors(&r->peaks, l, arena);
}
