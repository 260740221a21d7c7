#include "verifier/mlperf/result/result.h"

#include "base/foreign.h"

/* What failed, of the first finding of the official rules. */
static const char *reason_of(const struct mlperf_log_facts *f)
{
    for (size_t i = 0; i < f->findings.n; i++) {
        const struct mlperf_finding *x = &f->findings.items[i];
        if (strcmp(x->rule, "FP7001") == 0 || strcmp(x->rule, "FP7002") == 0)
            return x->message;
    }
    return f->refused ? f->refused : "";
}

static void put_log_text(const struct mlperf_file *file, bool all, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const struct mlperf_log_facts *f = &file->facts.log;
    const char *shown = foreign_line(&scratch, file->shown, 0);
    if (!mlperf_log_complies(f))
        buf_printf(out, "FAIL %s: %s\n", shown, foreign_line(&scratch, reason_of(f), 300));
    else if (all)
        buf_printf(out, "SUCCESS %s\n", shown);
    arena_release(&scratch);
}

void mlperf_result_logs_text(const struct mlperf_result *r, bool all, struct buf *out)
{
    if (r->kind == MLPERF_RESULT_LOG)
        put_log_text(r->log, all, out);
    for (size_t i = 0; r->kind == MLPERF_RESULT_DIRECTORY && i < r->runs->n; i++)
        put_log_text(r->runs->runs[i].file, all, out);
}

/* Five digits, and no exponent of large numbers. */
static const char *short_number(struct arena *arena, double x)
{
    return arena_printf(arena, fabs(x) >= 1e5 ? "%.0f" : "%.5g", x);
}

static void put_directory_text(const struct mlperf_runs *r, struct arena *scratch, struct buf *out)
{
    buf_printf(out, ": %zu of %zu runs, ", r->n - r->n_failing,
               r->benchmark ? r->benchmark->runs : r->n);
    if (isfinite(r->score.unscaled))
        buf_printf(out, "%.3f min, ", r->score.unscaled);
    const struct rcp_test *t = &r->rcp;
    if (t->verdict == RCP_CANNOT)
        buf_str(out, "no RCP test");
    else if (isnan(t->least))
        buf_printf(out, "RCP %s", rcp_how_name(t->how));
    else
        buf_printf(out, "RCP %s %s %s %s", rcp_how_name(t->how), short_number(scratch, t->mean),
                   t->verdict == RCP_PASS ? ">=" : "<", short_number(scratch, t->least - t->slack));
    if (!isnan(r->stated_factor))
        buf_printf(out, ", factor %.7g", r->stated_factor);
    if (isfinite(r->score.minutes))
        buf_printf(out, ", score %.3f min", r->score.minutes);
    else
        buf_str(out, ", no score");
    if (isfinite(r->energy_j))
        buf_printf(out, ", %.0f J", r->energy_j);
    buf_char(out, '\n');
}

void mlperf_result_text(const struct mlperf_result *r, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    switch (r->kind) {
    case MLPERF_RESULT_LOG:
        buf_printf(out, "%s: official verdict %s (%s)", foreign_line(&scratch, r->log->shown, 0),
                   mlperf_log_complies(&r->log->facts.log) ? "SUCCESS" : "FAIL", r->rules->version);
        if (isfinite(r->log->facts.log.minutes))
            buf_printf(out, ", %.3f min", r->log->facts.log.minutes);
        buf_char(out, '\n');
        break;
    case MLPERF_RESULT_DIRECTORY:
        buf_str(out, foreign_line(&scratch, r->runs->directory->id, 0));
        put_directory_text(r->runs, &scratch, out);
        break;
    case MLPERF_RESULT_PACKAGE:
        buf_printf(
            out, "%s: official verdict %s (%s)\n",
            foreign_line(&scratch, *r->package->name ? r->package->name : r->package->shown, 0),
            r->official_success ? "SUCCESS" : "FOUND ERRORS", r->rules->version);
        break;
    case MLPERF_RESULT_RECORD:
        buf_printf(out, "%s/%s: %zu of %zu scores follow from sealed logs\n", r->record->package,
                   r->record->system, r->n_follow, r->record->n_results);
        break;
    }
    arena_release(&scratch);
}
