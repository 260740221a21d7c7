#include "verifier/mlperf/result/result.h"

#include "base/files/file.h"

#include <stdio.h>

/* A double as it is; null where there is none. */
static void put_double_or_null(struct json_writer *w, const char *key, double x)
{
    char text[40];
    if (!isfinite(x)) {
        json_null(w, key);
        return;
    }
    snprintf(text, sizeof text, "%.17g", x);
    json_number_text(w, key, text);
}

static void put_log_json(const struct mlperf_file *file, const char *key, struct json_writer *w)
{
    const struct mlperf_log_facts *f = &file->facts.log;
    json_begin_object_flat(w, key);
    json_string(w, "file", path_base(file->path));
    json_string(w, "benchmark", f->benchmark);
    json_string(w, "verdict", mlperf_log_complies(f) ? "SUCCESS" : "FAIL");
    json_integer(w, "messages", (long long)f->n_messages);
    json_integer(w, "warnings", (long long)f->n_warnings);
    put_double_or_null(w, "minutes", f->minutes);
    put_double_or_null(w, "samples", f->samples);
    json_string(w, "status", f->status);
    json_end_object(w);
}

static void put_directory_json(const struct mlperf_runs *r, struct json_writer *w)
{
    json_string(w, "system", r->directory->system);
    json_string(w, "benchmark", r->directory->name);
    json_string(w, "division", r->system ? r->system->division : NULL);
    json_integer(w, "runs", (long long)r->n);
    if (r->benchmark)
        json_integer(w, "runs_required", (long long)r->benchmark->runs);
    else
        json_null(w, "runs_required");
    json_integer(w, "failing", (long long)r->n_failing);
    json_string(w, "seeds", rcp_verdict_name(r->seeds));
    put_double_or_null(w, "energy_j", r->energy_j);
    const struct rcp_test *t = &r->rcp;
    json_begin_object_flat(w, "rcp");
    json_string(w, "verdict", rcp_verdict_name(t->verdict));
    json_string(w, "how", rcp_how_name(t->how));
    put_double_or_null(w, "batch_size", t->batch_size);
    put_double_or_null(w, "mean", t->mean);
    put_double_or_null(w, "reference_mean", t->reference_mean);
    put_double_or_null(w, "minimum", t->least);
    put_double_or_null(w, "factor", t->factor);
    put_double_or_null(w, "stated_factor", r->stated_factor);
    json_end_object(w);
    json_begin_object_flat(w, "score");
    put_double_or_null(w, "minutes", r->score.minutes);
    put_double_or_null(w, "unscaled", r->score.unscaled);
    json_end_object(w);
    json_begin_array(w, "logs");
    for (size_t i = 0; i < r->n; i++)
        put_log_json(r->runs[i].file, NULL, w);
    json_end_array(w);
}

void mlperf_result_json(const struct mlperf_result *r, struct json_writer *w)
{
    static const char *const kinds[] = {"log", "directory", "package", "record"};
    json_begin_object(w, "mlperf");
    json_string(w, "kind", kinds[r->kind]);
    json_string(w, "ruleset", r->rules->version);
    json_string(w, "rules_sha256", r->rules->sha256);
    if (r->points)
        json_string(w, "rcps_sha256", r->points->sha256);
    if (r->package || r->record)
        json_string(w, "organisation", r->package ? r->package->name : r->record->package);
    if (r->kind == MLPERF_RESULT_LOG)
        put_log_json(r->log, "log", w);
    else if (r->kind == MLPERF_RESULT_DIRECTORY)
        put_directory_json(r->runs, w);
    else if (r->kind == MLPERF_RESULT_RECORD)
        json_string(w, "system", r->record->system);
    else
        json_string(w, "official", r->official_success ? "SUCCESS" : "FOUND ERRORS");
    json_end_object(w);
}
