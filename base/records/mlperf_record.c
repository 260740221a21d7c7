#include "base/records/mlperf_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct field round_fields[] = {
    FIELD(ID, struct mlperf_round_record, round, .required = true,
          .doc = "the name of the file: `v5.1`"),
    FIELD(ID, struct mlperf_round_record, ruleset, .required = true,
          .doc = "name of the file with the rules of the round, in `records/mlperf/rules/`: "
                 "`5.1.0`"),
    FIELD(TEXT, struct mlperf_round_record, title, .required = true, .doc = "title on pages"),
    FIELD(DATE, struct mlperf_round_record, date, .doc = "date of publication"),
    FIELD(TEXT, struct mlperf_round_record, repository, .doc = "repository of the packages"),
    FIELD(TEXT, struct mlperf_round_record, commit,
          .doc = "commit of the repository from which the packages were read"),
};

const struct shape mlperf_round_shape =
    SHAPE("mlperf_round", struct mlperf_round_record, round_fields,
          .doc = "An `mlperf_round` record describes a round of MLPerf Training.",
          .schema = "fpreport.mlperf_round/1");

#define RUNS_MAX 10000

static const struct field mlperf_run_fields[] = {
    FIELD(TEXT, struct mlperf_run_record, log, .required = true, .doc = "name of the log file"),
    FIELD(REAL, struct mlperf_run_record, minutes, .unit = "min",
          .doc = "minutes from `run_start` to `run_stop`"),
    FIELD(REAL, struct mlperf_run_record, samples,
          .doc = "samples needed to converge, in the benchmark's unit; if absent, the run did not "
                 "converge"),
    FIELD(FLAG, struct mlperf_run_record, complies,
          .doc = "true if the log satisfies every rule of the round"),
    FIELD(FLAG, struct mlperf_run_record, kept, .doc = "true if the run counts in the score"),
};

static const struct shape mlperf_run_shape =
    SHAPE("mlperf_run", struct mlperf_run_record, mlperf_run_fields,
          .doc = "An `mlperf_run` object describes one run of an MLPerf benchmark.", .flat = true);

static const struct shape mlperf_value_shape;

static const struct field mlperf_value_fields[] = {
    FIELD(TEXT, struct mlperf_value_record, text, .required = true, .doc = "text, in English"),
    FIELD(TEXT, struct mlperf_value_record, format,
          .doc = "format of the value, if the value is itself a message; if absent, the value is a "
                 "number or a name"),
    FIELD_LIST(OBJECTS, struct mlperf_value_record, values, .shape = &mlperf_value_shape,
               .max = SENTENCE_VALUES_MAX, .doc = "values that the format contains"),
};

/* Values lie in values. */
static const struct shape mlperf_value_shape =
    SHAPE("mlperf_value", struct mlperf_value_record, mlperf_value_fields,
          .doc = "An `mlperf_value` object contains a value in a message of a rule.", .flat = true);

static const char *const mlperf_severities[] = {"notice", "warning", "error", NULL};
static const struct field mlperf_finding_fields[] = {
    FIELD(ID, struct mlperf_finding_record, rule, .required = true, .doc = "id of the rule"),
    FIELD(CHOICE, struct mlperf_finding_record, severity, .required = true,
          .choices = mlperf_severities, .doc = "severity of the message"),
    FIELD(TEXT, struct mlperf_finding_record, file, .doc = "file in the package"),
    {.key = "line",
     .kind = FIELD_COUNT,
     FIELD_AT(struct mlperf_finding_record, at),
     .doc = "line of the file"},
    FIELD(TEXT, struct mlperf_finding_record, message, .required = true,
          .doc = "message, in English"),
    FIELD(TEXT, struct mlperf_finding_record, format,
          .doc = "English format of the message, by which pages find the Chinese text"),
    FIELD_LIST(OBJECTS, struct mlperf_finding_record, values, .shape = &mlperf_value_shape,
               .max = SENTENCE_VALUES_MAX, .doc = "values that the format contains"),
};

static const struct shape mlperf_finding_shape =
    SHAPE("mlperf_finding", struct mlperf_finding_record, mlperf_finding_fields,
          .doc = "A finding is a problem that a rule found in an MLPerf package (`fpreport explain "
                 "FP7023` explains such a rule).",
          .flat = true);

static const char *const rcp_verdicts[] = {"PASS", "FAIL", "CANNOT", NULL};
static const struct field mlperf_score_fields[] = {
    FIELD(ID, struct mlperf_score_record, benchmark, .required = true, .doc = "name in the round"),
    FIELD(TEXT, struct mlperf_score_record, minutes,
          .doc = "published time to train; if absent, the system has no score"),
    FIELD(FLAG, struct mlperf_score_record, published,
          .doc = "true if `minutes` come from the published table of the round; if absent, they "
                 "come from the imported package"),
    FIELD(REAL, struct mlperf_score_record, factor, .doc = "factor in `scaling.json`"),
    FIELD(CHOICE, struct mlperf_score_record, rcp, .choices = rcp_verdicts,
          .doc = "outcome of the test against reference convergence points (RCP)"),
    FIELD(REAL, struct mlperf_score_record, batch_size, .doc = "`global_batch_size`"),
    FIELD(REAL, struct mlperf_score_record, samples,
          .doc = "mean number of samples that the runs needed to converge"),
    FIELD(REAL, struct mlperf_score_record, reference,
          .doc = "mean number of samples that the reference needed to converge"),
    FIELD(REAL, struct mlperf_score_record, least,
          .doc = "smallest mean number of samples that passes the test"),
    FIELD(REAL, struct mlperf_score_record, energy_j, .unit = "J", .doc = "mean energy of a run"),
    FIELD(PATH, struct mlperf_score_record, evidence,
          .doc = "path of the sealed logs in `records/`"),
    FIELD(SHA256, struct mlperf_score_record, evidence_sha256, .doc = "SHA-256 of that file"),
    FIELD_LIST(OBJECTS, struct mlperf_score_record, runs, .shape = &mlperf_run_shape,
               .max = RUNS_MAX, .doc = "runs, sorted by log name"),
    FIELD_LIST(OBJECTS, struct mlperf_score_record, findings, .shape = &mlperf_finding_shape,
               .max = RUNS_MAX, .doc = "problems that the rules found"),
};

static const struct shape mlperf_score_shape = SHAPE(
    "mlperf_score", struct mlperf_score_record, mlperf_score_fields,
    .doc = "An `mlperf_score` object contains the score of a system in one MLPerf benchmark.");

static const struct field mlperf_record_fields[] = {
    FIELD(ID, struct mlperf_record, round, .required = true, .doc = "same as in the path"),
    FIELD(ID, struct mlperf_record, package, .required = true,
          .doc = "folder of the submitter, same as in the path"),
    FIELD(ID, struct mlperf_record, system, .required = true, .doc = "the name of the file"),
    FIELD(ID, struct mlperf_record, ruleset, .required = true,
          .doc = "rules by which the scores were computed"),
    FIELD(TEXT, struct mlperf_record, submitter, .required = true, .doc = "name of the submitter"),
    FIELD(TEXT, struct mlperf_record, system_name, .doc = "name that the submitter uses"),
    FIELD(TEXT, struct mlperf_record, division, .required = true, .doc = "`closed` or `open`"),
    FIELD(TEXT, struct mlperf_record, availability, .doc = "`Available on-premise` …"),
    FIELD(TEXT, struct mlperf_record, accelerator, .doc = "name that the submitter uses"),
    FIELD(TEXT, struct mlperf_record, processor, .doc = "name that the submitter uses"),
    FIELD(TEXT, struct mlperf_record, framework, .doc = "name that the submitter uses"),
    FIELD(COUNT, struct mlperf_record, nodes, .doc = "number of machines"),
    FIELD(COUNT, struct mlperf_record, accelerators, .doc = "total number on all machines"),
    FIELD(COUNT, struct mlperf_record, processors, .doc = "total number on all machines"),
    FIELD_LIST(OBJECTS, struct mlperf_record, results, .shape = &mlperf_score_shape, .max = 100,
               .doc = "one entry per benchmark"),
};

const struct shape mlperf_record_shape =
    SHAPE("mlperf_result", struct mlperf_record, mlperf_record_fields,
          .doc = "An `mlperf_result` record contains the results of one system in a round of "
                 "MLPerf Training.",
          .schema = "fpreport.mlperf_result/1");

void mlperf_score_init(struct mlperf_score_record *to, const char *benchmark)
{
    *to = (struct mlperf_score_record){.benchmark = benchmark,
                                       .factor = NAN,
                                       .batch_size = NAN,
                                       .samples = NAN,
                                       .reference = NAN,
                                       .least = NAN,
                                       .energy_j = NAN};
}

bool mlperf_minutes_agree(const struct mlperf_score_record *stated, double recomputed)
{
    if (!stated->minutes || !isfinite(recomputed))
        return !stated->minutes && !isfinite(recomputed);
    return fabs(strtod(stated->minutes, NULL) - round(recomputed * 1000) / 1000) < 1e-6;
}

static struct mlperf_value_record *values_of_sentence(const struct sentence *made,
                                                      struct arena *arena)
{
    struct mlperf_value_record *values = arena_array(arena, made->n_values, sizeof *values);
    for (size_t i = 0; i < made->n_values; i++)
        values[i] =
            (struct mlperf_value_record){.text = made->values[i].text,
                                         .format = made->values[i].format,
                                         .values = values_of_sentence(&made->values[i], arena),
                                         .n_values = made->values[i].n_values};
    return values;
}

void mlperf_finding_note(struct mlperf_finding_record *to, const struct sentence *made,
                         struct arena *arena)
{
    if (!made)
        return;
    to->format = made->format;
    to->values = values_of_sentence(made, arena);
    to->n_values = made->n_values;
}

static struct sentence *sentences_of_values(const struct mlperf_value_record *values, size_t n,
                                            struct arena *arena)
{
    struct sentence *made = arena_array(arena, n, sizeof *made);
    for (size_t i = 0; i < n; i++)
        made[i] = (struct sentence){
            .text = values[i].text,
            .format = values[i].format,
            .values = sentences_of_values(values[i].values, values[i].n_values, arena),
            .n_values = values[i].n_values};
    return made;
}

const struct sentence *mlperf_finding_sentence(const struct mlperf_finding_record *f,
                                               struct arena *arena)
{
    if (!f->format)
        return NULL;
    struct sentence *made = arena_alloc(arena, sizeof *made);
    *made = (struct sentence){.text = f->message,
                              .format = f->format,
                              .values = sentences_of_values(f->values, f->n_values, arena),
                              .n_values = f->n_values};
    return made;
}
