#include "verifier/mlperf/result/explain.h"

static void explain_time(const struct mlperf_runs *r, struct buf *out)
{
    size_t k = r->benchmark ? r->benchmark->drop : 0;
    double factor = isnan(r->stated_factor) ? 1 : r->stated_factor;
    buf_str(out, "minutes of a run: (time_ms of run_stop - time_ms of run_start) / 60000\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_log_facts *log = r->runs[i].log;
        buf_printf(out, "  %-28s %14.0f - %14.0f  %12.6f min  %s\n",
                   path_base(r->runs[i].file->path), log->stop_ms, log->start_ms, log->minutes,
                   r->scored[i].kept       ? "kept"
                   : r->scored[i].complies ? "dropped: among the fastest or slowest"
                                           : "dropped: does not comply, counts as slowest");
    }
    buf_printf(
        out, "sorted; the %zu fastest and the %zu slowest go, failing runs (%zu) as the slowest\n",
        k, k, r->n_failing);
    if (isnan(r->score.unscaled))
        buf_str(out, "no score: too few runs are left, or too many fail\n");
    else
        buf_printf(out,
                   "mean of %zu: %.10g min\n%s: %.10g\ntime_to_train = %.10g * %.10g = %.10g min\n",
                   r->score.n_kept, r->score.unscaled,
                   isnan(r->stated_factor) ? "no scaling.json, factor" : "factor of scaling.json",
                   factor, r->score.unscaled, factor, r->score.minutes);
}

static void explain_samples(const struct mlperf_runs *r, struct buf *out)
{
    buf_printf(out, "what each run needed to converge (%s), without the least and the largest:\n",
               r->logged && r->logged->by_samples ? "samples" : "as logged by its evaluations");
    for (size_t i = 0; i < r->n; i++)
        buf_printf(out, "  %-28s %.10g%s\n", path_base(r->runs[i].file->path),
                   r->runs[i].log->samples,
                   isinf(r->runs[i].log->samples) ? ": did not converge" : "");
    buf_printf(out, "S = samples_to_converge = %.10g\n", r->rcp.mean);
}

static void put_way(const struct mlperf_runs *r, unsigned way, const char *words, struct buf *out)
{
    struct rcp_test t;
    if (!r->points)
        return;
    rcp_check(&r->rcp_runs, r->points, way, &t);
    buf_printf(out, "  %-40s %s %s, least mean %.10g, factor %.10g\n", words,
               rcp_verdict_name(t.verdict), rcp_how_name(t.how), t.least, t.factor);
}

static void explain_factor(const struct mlperf_runs *r, struct buf *out)
{
    const struct rcp_test *t = &r->rcp;
    if (t->verdict == RCP_CANNOT) {
        buf_str(out, "there is no RCP test: the division of the system is not closed\n");
        return;
    }
    explain_samples(r, out);
    buf_printf(out, "batch size %.10g: %s\n", t->batch_size, rcp_how_name(t->how));
    if (isnan(t->least))
        return;
    buf_printf(out, "reference mean m = %.10g, deviation s = %.10g\n", t->reference_mean,
               t->deviation);
    if (t->deviation == 0)
        buf_printf(out, "least mean = m = %.10g\n", t->least);
    else
        buf_printf(out,
                   "least mean = m - t * s * sqrt(1/%g + 1/%g), t = %.6f of %g degrees of freedom\n"
                   "           = %.10g - %.6f * %.10g * %.6f = %.10g\n",
                   t->n_reference, t->n_submission, t->t, t->degrees, t->reference_mean, t->t,
                   t->deviation, sqrt(1 / t->n_reference + 1 / t->n_submission), t->least);
    buf_printf(out, "S %s least mean - slack: %.10g %s %.10g - %g: %s\n",
               t->verdict == RCP_PASS ? ">=" : "<", t->mean, t->verdict == RCP_PASS ? ">=" : "<",
               t->least, t->slack, rcp_verdict_name(t->verdict));
    if (t->verdict == RCP_PASS)
        buf_printf(out, "rcp_factor = max(1, m / S) = max(1, %.10g / %.10g) = %.10g\n",
                   t->reference_mean, t->mean, t->factor);
    buf_str(out, "by the official tool, and by the words of the policy:\n");
    put_way(r, 0, "official tool", out);
    put_way(r, RCP_WAY_ENVELOPE, "pruning steps back after a deletion", out);
    put_way(r, RCP_WAY_DEVIATION, "deviation without the dropped runs", out);
    put_way(r, RCP_WAY_NO_SLACK, "without slack", out);
}

static void explain_rate(const struct mlperf_runs *r, struct buf *out)
{
    double rate = r->rcp.mean / r->score.unscaled / 60;
    if (!r->logged || !r->logged->by_samples || !isfinite(rate)) {
        buf_str(out,
                "there is no rate: progress is not counted in samples, or there is no score\n");
        return;
    }
    buf_printf(out,
               "samples_per_s = mean samples to converge / unscaled minutes / 60\n"
               "              = %.10g / %.10g / 60 = %.10g\n",
               r->rcp.mean, r->score.unscaled, rate);
    double n = r->system ? r->system->nodes * r->system->accelerators_per_node : NAN;
    if (n > 0)
        buf_printf(out, "per accelerator: %.10g / (%g nodes * %g) = %.10g\n", rate,
                   r->system->nodes, r->system->accelerators_per_node, rate / n);
    else
        buf_str(out, "the system does not say how many accelerators it has\n");
}

static void explain_energy(const struct mlperf_runs *r, struct buf *out)
{
    buf_str(out, "energy of a run: sum over nodes of W * s * conversion_eff, scaled to the run,\n"
                 "and over switches of conversion_eff * interconnect_power_est * s\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct mlperf_run_of *run = &r->runs[i];
        if (isnan(run->energy_j))
            buf_printf(out, "  %-28s none: %s\n", path_base(run->file->path), run->no_energy);
        else
            buf_printf(out, "  %-28s %.10g J%s\n", path_base(run->file->path), run->energy_j,
                       r->scored[i].kept ? ", kept" : "");
    }
    if (isnan(r->energy_j))
        buf_printf(out, "energy: none: %s\n", r->no_energy);
    else
        buf_printf(out, "energy = mean of the kept runs * %.10g = %.10g J\n",
                   isnan(r->stated_factor) ? 1 : r->stated_factor, r->energy_j);
}

static void explain_time_of_log(const struct mlperf_log_facts *f, struct buf *out)
{
    if (isnan(f->minutes))
        buf_str(out, "there is no time: the log has no run_start or no run_stop\n");
    else
        buf_printf(out,
                   "time_to_train of a run = (time_ms of run_stop - time_ms of run_start) / 60000\n"
                   "                       = (%.0f - %.0f) / 60000 = %.10g min\n",
                   f->stop_ms, f->start_ms, f->minutes);
}

static void explain_samples_of_log(const struct mlperf_log_facts *f, struct buf *out)
{
    if (!isfinite(f->samples))
        buf_str(out, "the run did not converge: no run_stop with the status success stands behind "
                     "an evaluation\n");
    else
        buf_printf(out,
                   "samples_to_converge = %.10g, as the last evaluation before a run_stop with the "
                   "status success counts it\n",
                   f->samples);
}

/* Of a log alone; the other figures are those of a directory of runs. */
static const struct {
    const char *name;
    void (*explain)(const struct mlperf_log_facts *f, struct buf *out);
} log_metrics[] = {
    {"time_to_train", explain_time_of_log},
    {"samples_to_converge", explain_samples_of_log},
};

static const struct {
    const char *name;
    void (*explain)(const struct mlperf_runs *r, struct buf *out);
} metrics[] = {
    {"time_to_train", explain_time},
    {"rcp_factor", explain_factor},
    {"samples_to_converge", explain_samples},
    {"samples_per_s", explain_rate},
    {"samples_per_s_per_accelerator", explain_rate},
    {"energy", explain_energy},
};

bool mlperf_explain(const struct mlperf_result *r, const char *metric, struct buf *out)
{
    if (r->kind == MLPERF_RESULT_LOG) {
        for (size_t i = 0; i < sizeof log_metrics / sizeof *log_metrics; i++)
            if (strcmp(log_metrics[i].name, metric) == 0) {
                log_metrics[i].explain(&r->log->facts.log, out);
                return true;
            }
        return false;
    }
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, metric) == 0) {
            metrics[i].explain(r->runs, out);
            return true;
        }
    return false;
}

const char *mlperf_explain_metrics(struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", metrics[i].name);
    return text;
}
