#include "base/records/mlperf_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct field round_fields[] = {
    FIELD(ID, struct mlperf_round_record, round, .required = true,
          .doc = "the name of the file: `v5.1`"),
    FIELD(ID, struct mlperf_round_record, ruleset, .required = true,
          .doc = "its rules, a file of `records/mlperf/rules/`: `5.1.0`"),
    FIELD(TEXT, struct mlperf_round_record, title, .required = true, .doc = "as pages call it"),
    FIELD(DATE, struct mlperf_round_record, date, .doc = "day of its publication"),
    FIELD(TEXT, struct mlperf_round_record, repository, .doc = "where its packages are published"),
    FIELD(TEXT, struct mlperf_round_record, commit, .doc = "of the repository that was read"),
};

const struct shape mlperf_round_shape =
    SHAPE("mlperf_round", struct mlperf_round_record, round_fields,
          .doc = "A round of MLPerf Training.", .schema = "fpreport.mlperf_round/1");

#define RUNS_MAX 10000

static const struct field mlperf_run_fields[] = {
    FIELD(TEXT, struct mlperf_run_record, log, .required = true, .doc = "name of its file"),
    FIELD(REAL, struct mlperf_run_record, minutes, .unit = "min",
          .doc = "from `run_start` to `run_stop`"),
    FIELD(REAL, struct mlperf_run_record, samples,
          .doc = "what it needed to converge, in the benchmark's measure of progress; absent: it "
                 "did not"),
    FIELD(FLAG, struct mlperf_run_record, complies,
          .doc = "its log satisfies every rule of the round"),
    FIELD(FLAG, struct mlperf_run_record, kept, .doc = "it is in the mean of the score"),
};

static const struct shape mlperf_run_shape =
    SHAPE("mlperf_run", struct mlperf_run_record, mlperf_run_fields, .doc = "One run, by its log.",
          .flat = true);

static const struct shape mlperf_value_shape;

static const struct field mlperf_value_fields[] = {
    FIELD(TEXT, struct mlperf_value_record, text, .required = true, .doc = "in English"),
    FIELD(TEXT, struct mlperf_value_record, format,
          .doc = "of a text of ours, as in the finding; absent: a figure or a name"),
    FIELD_LIST(OBJECTS, struct mlperf_value_record, values, .shape = &mlperf_value_shape,
               .max = SENTENCE_VALUES_MAX, .doc = "of that format"),
};

/* Values lie in values. */
static const struct shape mlperf_value_shape =
    SHAPE("mlperf_value", struct mlperf_value_record, mlperf_value_fields,
          .doc = "A value of a message.", .flat = true);

static const char *const mlperf_severities[] = {"notice", "warning", "error", NULL};
static const struct field mlperf_finding_fields[] = {
    FIELD(ID, struct mlperf_finding_record, rule, .required = true, .doc = "id of the rule"),
    FIELD(CHOICE, struct mlperf_finding_record, severity, .required = true,
          .choices = mlperf_severities, .doc = "how grave it is"),
    FIELD(TEXT, struct mlperf_finding_record, file, .doc = "what it is about, below the package"),
    {.key = "line",
     .kind = FIELD_COUNT,
     FIELD_AT(struct mlperf_finding_record, at),
     .doc = "of the file"},
    FIELD(TEXT, struct mlperf_finding_record, message, .required = true,
          .doc = "what was found, in English"),
    FIELD(TEXT, struct mlperf_finding_record, format,
          .doc = "of the message, by which pages find its Chinese"),
    FIELD_LIST(OBJECTS, struct mlperf_finding_record, values, .shape = &mlperf_value_shape,
               .max = SENTENCE_VALUES_MAX, .doc = "of that format"),
};

static const struct shape mlperf_finding_shape =
    SHAPE("mlperf_finding", struct mlperf_finding_record, mlperf_finding_fields,
          .doc = "A finding of the audit (`fpreport explain FP7023`).", .flat = true);

static const char *const rcp_verdicts[] = {"PASS", "FAIL", "CANNOT", NULL};
static const struct field mlperf_score_fields[] = {
    FIELD(ID, struct mlperf_score_record, benchmark, .required = true,
          .doc = "as the round names it"),
    FIELD(TEXT, struct mlperf_score_record, minutes,
          .doc = "time to train, as it is published; absent: there is no score"),
    FIELD(FLAG, struct mlperf_score_record, published,
          .doc = "`minutes` are those of the table that the round publishes; absent: what the "
                 "package gave when it was imported"),
    FIELD(REAL, struct mlperf_score_record, factor, .doc = "of `scaling.json`"),
    FIELD(CHOICE, struct mlperf_score_record, rcp, .choices = rcp_verdicts,
          .doc = "verdict of the test of reference convergence points"),
    FIELD(REAL, struct mlperf_score_record, batch_size, .doc = "`global_batch_size`"),
    FIELD(REAL, struct mlperf_score_record, samples, .doc = "mean that the runs needed"),
    FIELD(REAL, struct mlperf_score_record, reference, .doc = "mean that the reference needed"),
    FIELD(REAL, struct mlperf_score_record, least, .doc = "least mean that passes"),
    FIELD(REAL, struct mlperf_score_record, energy_j, .unit = "J", .doc = "of a run"),
    FIELD(PATH, struct mlperf_score_record, evidence, .doc = "sealed logs, below `records/`"),
    FIELD(SHA256, struct mlperf_score_record, evidence_sha256, .doc = "of that file"),
    FIELD_LIST(OBJECTS, struct mlperf_score_record, runs, .shape = &mlperf_run_shape,
               .max = RUNS_MAX, .doc = "by the names of their logs"),
    FIELD_LIST(OBJECTS, struct mlperf_score_record, findings, .shape = &mlperf_finding_shape,
               .max = RUNS_MAX, .doc = "what the audit found"),
};

static const struct shape mlperf_score_shape =
    SHAPE("mlperf_score", struct mlperf_score_record, mlperf_score_fields,
          .doc = "What a system reached in one benchmark.");

static const struct field mlperf_record_fields[] = {
    FIELD(ID, struct mlperf_record, round, .required = true, .doc = "as in the path"),
    FIELD(ID, struct mlperf_record, package, .required = true,
          .doc = "folder of the submitter, as in the path"),
    FIELD(ID, struct mlperf_record, system, .required = true, .doc = "the name of the file"),
    FIELD(ID, struct mlperf_record, ruleset, .required = true,
          .doc = "the rules that gave the figures"),
    FIELD(TEXT, struct mlperf_record, submitter, .required = true, .doc = "who submitted it"),
    FIELD(TEXT, struct mlperf_record, system_name, .doc = "as the submitter calls it"),
    FIELD(TEXT, struct mlperf_record, division, .required = true, .doc = "`closed` or `open`"),
    FIELD(TEXT, struct mlperf_record, availability, .doc = "`Available on-premise` …"),
    FIELD(TEXT, struct mlperf_record, accelerator, .doc = "as the submitter writes it"),
    FIELD(TEXT, struct mlperf_record, processor, .doc = "the same"),
    FIELD(TEXT, struct mlperf_record, framework, .doc = "the same"),
    FIELD(COUNT, struct mlperf_record, nodes, .doc = "machines"),
    FIELD(COUNT, struct mlperf_record, accelerators, .doc = "of all nodes"),
    FIELD(COUNT, struct mlperf_record, processors, .doc = "of all nodes"),
    FIELD_LIST(OBJECTS, struct mlperf_record, results, .shape = &mlperf_score_shape, .max = 100,
               .doc = "by benchmark"),
};

const struct shape mlperf_record_shape =
    SHAPE("mlperf_result", struct mlperf_record, mlperf_record_fields,
          .doc = "Results of one system in a round of MLPerf Training.",
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
