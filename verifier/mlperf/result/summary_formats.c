/* summary_formats: the table of summary.h as CSV, JSON and text. */
#include "verifier/mlperf/result/summary.h"

#include "base/columns.h"
#include "base/foreign.h"
#include "base/text.h"

#define REPOSITORY "https://github.com/mlcommons/training_results_v"

static const char *summary_number(struct arena *arena, double x)
{
    char text[32];
    if (!isfinite(x))
        return "";
    json_number_format(text, x);
    return arena_strdup(arena, text);
}

/* "5.1" of "5.1.0" */
static const char *round_of(const struct mlperf_summary *s, struct arena *arena)
{
    const char *version = s->rules->version;
    size_t n = strlen(version);
    return arena_strndup(arena, version, text_ends(version, ".0") ? n - 2 : n);
}

/* ---- columns beside the minutes ------------------------------------------------------------ */

typedef const char *column_fn(const struct mlperf_summary *s, const struct mlperf_summary_row *row,
                              struct arena *arena);

#define COLUMN(name, value)                                                                       \
    static const char *name(const struct mlperf_summary *s, const struct mlperf_summary_row *row, \
                            struct arena *arena)                                                  \
    {                                                                                             \
        (void)s;                                                                                  \
        (void)row;                                                                                \
        (void)arena;                                                                              \
        return value;                                                                             \
    }
COLUMN(division, text_or_empty(row->facts->division))
COLUMN(submitter, text_or_empty(row->facts->submitter))
COLUMN(system_name, text_or_empty(row->facts->system_name))
COLUMN(nodes, summary_number(arena, row->facts->nodes))
COLUMN(processor, text_or_empty(row->facts->processor))
COLUMN(processors, summary_number(arena, row->facts->nodes * row->facts->processors_per_node))
COLUMN(accelerator, text_or_empty(row->facts->accelerator))
COLUMN(accelerators, summary_number(arena, row->facts->nodes * row->facts->accelerators_per_node))
COLUMN(framework, text_or_empty(row->facts->framework))
COLUMN(private_id, "")
COLUMN(details, arena_printf(arena, REPOSITORY "%s/blob/main/%s/systems/%s.json",
                             round_of(s, arena), text_or_empty(row->facts->submitter), row->system))
COLUMN(code, arena_printf(arena, REPOSITORY "%s/blob/main/%s/benchmarks", round_of(s, arena),
                          text_or_empty(row->facts->submitter)))

static const char *availability(const struct mlperf_summary *s,
                                const struct mlperf_summary_row *row, struct arena *arena)
{
    const char *means = mlperf_availability(row->facts->status);
    (void)s;
    (void)arena;
    return means ? means : text_or_empty(row->facts->status);
}

static const char *notes(const struct mlperf_summary *s, const struct mlperf_summary_row *row,
                         struct arena *arena)
{
    const char *hardware = text_or_empty(row->facts->hw_notes),
               *software = text_or_empty(row->facts->sw_notes);
    (void)s;
    return arena_printf(arena, "%s%s%s", hardware, *hardware && *software ? ";" : "", software);
}

static const struct {
    const char *name;
    column_fn *value;
} before[] =
    {
        {"division", division},
        {"availability", availability},
        {"submitter", submitter},
        {"system", system_name},
        {"number_of_nodes", nodes},
        {"host_processor_model_name", processor},
        {"host_processors_count", processors},
        {"accelerator_model_name", accelerator},
        {"accelerators_count", accelerators},
        {"framework", framework},
        {"notes", notes},
        {"private_id", private_id},
},
  behind[] = {
      {"details_url", details},
      {"code_url", code},
};
#define N_OF(array) (sizeof(array) / sizeof *(array))

static double minutes_of(const struct mlperf_summary_row *row, size_t benchmark)
{
    return row->runs[benchmark] ? row->runs[benchmark]->score.minutes : NAN;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void put_csv(struct buf *out, bool first, const char *text, struct arena *arena)
{
    text = foreign_line(arena, text, 0);
    buf_str(out, first ? "" : ",");
    if (!strpbrk(text, ",\"")) {
        buf_str(out, text);
        return;
    }
    buf_char(out, '"');
    for (; *text; text++)
        buf_str(out, *text == '"' ? "\"\"" : (char[2]){*text, '\0'});
    buf_char(out, '"');
}

static void write_summary_csv(const struct mlperf_summary *s, struct arena *arena, struct buf *out)
{
    size_t n = s->rules ? s->rules->n_benchmarks : 0;
    for (size_t i = 0; i < N_OF(before); i++)
        put_csv(out, i == 0, before[i].name, arena);
    for (size_t b = 0; b < n; b++)
        put_csv(out, false, s->rules->benchmarks[b].name, arena);
    for (size_t i = 0; i < N_OF(behind); i++)
        put_csv(out, false, behind[i].name, arena);
    buf_char(out, '\n');
    for (size_t r = 0; r < s->n; r++) {
        for (size_t i = 0; i < N_OF(before); i++)
            put_csv(out, i == 0, before[i].value(s, &s->rows[r], arena), arena);
        for (size_t b = 0; b < n; b++)
            put_csv(out, false, summary_number(arena, minutes_of(&s->rows[r], b)), arena);
        for (size_t i = 0; i < N_OF(behind); i++)
            put_csv(out, false, behind[i].value(s, &s->rows[r], arena), arena);
        buf_char(out, '\n');
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_benchmark(const struct mlperf_runs *r, struct json_writer *w)
{
    double size = r->rcp.batch_size;
    json_begin_object_flat(w, r->directory->name);
    json_number(w, "time_to_train", r->score.minutes);
    json_number(w, "Energy", r->energy_j);
    json_number(w, "GBS", size);
    json_number(w, "samples_to_converge", r->rcp.mean);
    /* As the official table in detail calls it. */
    json_string(w, "RCP",
                r->rcp.verdict == RCP_PASS                              ? "Pass"
                : r->rcp.how == RCP_INTERPOLATED                        ? "Interp. Fail"
                : r->rcp.how == RCP_MISSING                             ? "Missing"
                : r->rcp.how == RCP_NONE || r->rcp.how == RCP_NOT_ASKED ? "No RCP"
                                                                        : "Fail");
    json_number(w, "rcp_scaling_factor", r->rcp.factor);
    json_end_object(w);
}

static void write_summary_json(const struct mlperf_summary *s, struct arena *arena, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.summary/1");
    json_string(&w, "ruleset", s->rules ? s->rules->version : NULL);
    json_begin_array(&w, "rows");
    for (size_t r = 0; r < s->n; r++) {
        const struct mlperf_summary_row *row = &s->rows[r];
        json_begin_object(&w, NULL);
        for (size_t i = 0; i < N_OF(before); i++)
            json_string(&w, before[i].name, before[i].value(s, row, arena));
        json_begin_object(&w, "results");
        for (size_t b = 0; b < s->rules->n_benchmarks; b++)
            if (row->runs[b])
                put_benchmark(row->runs[b], &w);
        json_end_object(&w);
        for (size_t i = 0; i < N_OF(behind); i++)
            json_string(&w, behind[i].name, behind[i].value(s, row, arena));
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void write_summary_text(const struct mlperf_summary *s, struct arena *arena, struct buf *out)
{
    for (size_t r = 0; r < s->n; r++) {
        const struct mlperf_summary_row *row = &s->rows[r];
        buf_printf(out, "%s, %s (%s, %s): %s x %s\n",
                   foreign_line(arena, submitter(s, row, arena), 0),
                   foreign_line(arena, system_name(s, row, arena), 0), division(s, row, arena),
                   availability(s, row, arena), accelerators(s, row, arena),
                   foreign_line(arena, accelerator(s, row, arena), 0));
        for (size_t b = 0; b < s->rules->n_benchmarks; b++) {
            if (!row->runs[b])
                continue;
            buf_str(out, "    ");
            columns_pad(out, s->rules->benchmarks[b].name, 20);
            if (isfinite(minutes_of(row, b)))
                buf_printf(out, "%10.3f min\n", minutes_of(row, b));
            else
                buf_str(out, "  no score\n");
        }
    }
}

const struct mlperf_summary_format mlperf_summary_formats[] = {
    {"text", write_summary_text},
    {"csv", write_summary_csv},
    {"json", write_summary_json},
    {NULL, NULL},
};
