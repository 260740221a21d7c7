#include "base/records/reproduction.h"

#include "base/sentence.h"

#include <string.h>

static const char *const besides[] = {"evidence", "reference", "none", NULL};
static const char *const rules[] = {"bits", "alignment", NULL};
static const char *const figure_outcomes[] = {"agrees", "differs", "reported", NULL};
static const char *const outcomes[] = {"reproduced", "not_reproduced", NULL};

static const struct field loss_fields[] = {
    FIELD(CHOICE, struct repeated_loss, beside, .choices = besides, .required = true,
          .doc = "the other curve: that of the vendor's submission, or else the case's reference "
                 "curve"),
    FIELD(CHOICE, struct repeated_loss, rule, .choices = rules,
          .doc = "rule for the comparison: `bits` (every loss must be the same to the last bit) or "
                 "`alignment` (the alignment rule of the case)"),
    FIELD(COUNT, struct repeated_loss, steps, .unit = "steps",
          .doc = "number of steps that are in both curves"),
    FIELD(COUNT, struct repeated_loss, identical, .unit = "steps",
          .doc = "number of steps whose losses are the same to the last digit"),
    FIELD(COUNT, struct repeated_loss, from_step, .unit = "steps",
          .doc = "first step whose losses are compared"),
    FIELD(REAL, struct repeated_loss, mean_rel_error, .unit = "ratio",
          .doc = "mean relative error of the losses; if absent, the error is not finite"),
    FIELD(REAL, struct repeated_loss, max_rel_error, .unit = "ratio",
          .doc = "largest relative error"),
    FIELD(REAL, struct repeated_loss, max_step, .unit = "steps",
          .doc = "step of the largest relative error"),
    FIELD(REAL, struct repeated_loss, limit, .unit = "ratio",
          .doc = "limit of the mean relative error"),
    FIELD(FLAG, struct repeated_loss, agrees,
          .doc = "true if the losses satisfy the rule of the comparison"),
};

static const struct shape loss_shape =
    SHAPE("repeated_loss", struct repeated_loss, loss_fields,
          .doc = "A `repeated_loss` object compares the loss curve of a reproduction with another "
                 "curve.");

static const struct field figure_fields[] = {
    FIELD(TEXT, struct repeated_figure, name, .required = true,
          .doc = "key of the number's column ([columns](#columns))"),
    FIELD(TEXT, struct repeated_figure, stated, .required = true,
          .doc = "value that the vendor states"),
    FIELD(TEXT, struct repeated_figure, measured, .required = true, .doc = "value of the new run"),
    FIELD(REAL, struct repeated_figure, ratio, .unit = "ratio", .doc = "measured / stated"),
    FIELD(REAL, struct repeated_figure, limit, .unit = "ratio",
          .doc = "largest allowed distance of the ratio from 1; if absent, the number has no "
                 "limit"),
    FIELD(CHOICE, struct repeated_figure, outcome, .choices = figure_outcomes, .required = true,
          .doc = "outcome of the comparison; `reported` means that the number has no limit and is "
                 "only shown"),
    FIELD(TEXT, struct repeated_figure, why, .required = true,
          .doc = "reason why the number has this limit, or has no limit"),
};

const struct shape repeated_figure_shape = SHAPE(
    "repeated_figure", struct repeated_figure, figure_fields,
    .doc = "A `repeated_figure` object contains a number of the reproduced table row, with its "
           "value in the new run.",
    .flat = true);

static const struct field fact_fields[] = {
    FIELD(TEXT, struct repeated_fact, key, .required = true,
          .doc = "key of the fact in `fingerprint.json`"),
    FIELD(TEXT, struct repeated_fact, original,
          .doc = "value of the fact in the vendor's submission; if absent, the value is unknown"),
    FIELD(TEXT, struct repeated_fact, here,
          .doc = "value of the fact in the new run; if absent, the value is unknown"),
};

static const struct shape fact_shape =
    SHAPE("repeated_fact", struct repeated_fact, fact_fields,
          .doc = "A `repeated_fact` object contains a fact that differs between the fingerprints "
                 "of the two runs.",
          .flat = true);

static const struct field reproduction_fields[] = {
    FIELD(ID, struct reproduction, id, .required = true,
          .doc = "name of this record's file, and of the new run"),
    FIELD(ID, struct reproduction, vendor, .required = true, .doc = "same as in the result"),
    {.key = "case",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct reproduction, case_id),
     .doc = "same as in the result"},
    FIELD(COUNT, struct reproduction, table, .required = true, .min = 1, .max = 10000,
          .doc = "number of the performance table in the result, counted from 1"),
    FIELD(COUNT, struct reproduction, row, .required = true, .min = 1, .max = 10000,
          .doc = "number of the row in this table, counted from 1"),
    FIELD(TEXT, struct reproduction, by, .required = true,
          .doc = "name of the person who ran the case again; no file can prove this name"),
    FIELD(DATE, struct reproduction, date, .required = true, .doc = "end of the new run (UTC)"),
    FIELD(TEXT, struct reproduction, device, .required = true,
          .doc = "device of the new run, from its fingerprint"),
    FIELD(FLAG, struct reproduction, same_device,
          .doc = "true if the vendor's run used the same kind of device as the new run"),
    FIELD(PATH, struct reproduction, archive, .required = true,
          .doc = "path of the sealed new run, relative to `records/`"),
    FIELD(SHA256, struct reproduction, sha256, .required = true, .doc = "SHA-256 of this file"),
    FIELD(SHA256, struct reproduction, original_sha256,
          .doc = "SHA-256 of the vendor's submission that was compared; if absent, the row has no "
                 "submission"),
    FIELD(CHOICE, struct reproduction, outcome, .choices = outcomes, .required = true,
          .doc = "outcome of the reproduction; `reproduced` means that the loss, and every number "
                 "with a limit, agree"),
    FIELD(OBJECT, struct reproduction, loss, .shape = &loss_shape, .required = true,
          .doc = "the loss curve"),
    FIELD_LIST(OBJECTS, struct reproduction, figures, .shape = &repeated_figure_shape,
               .required = true, .doc = "numbers of the table row that follow from the new run"),
    FIELD_LIST(OBJECTS, struct reproduction, facts, .shape = &fact_shape,
               .doc = "facts that differ between the two fingerprints"),
};

const struct shape reproduction_shape =
    SHAPE("reproduction", struct reproduction, reproduction_fields,
          .doc = "A reproduction record describes a second run of a result's case.",
          .schema = "fpreport.reproduction/1");

bool reproduction_is_reproduced(const struct reproduction *r)
{
    return strcmp(r->outcome, outcomes[0]) == 0;
}

const char *reproduction_loss_words(const struct reproduction *r, struct arena *arena)
{
    const struct repeated_loss *l = r->loss;
    if (!l->rule)
        return "no loss curve is available for comparison";
    if (strcmp(l->rule, "bits") == 0 && l->agrees)
        return sentence_say(arena, "all %lld losses are bit-identical", l->identical);
    if (strcmp(l->rule, "bits") == 0)
        return sentence_say(arena, "%lld of %lld losses are bit-identical, expected all of them",
                            l->identical, l->steps);
    if (isnan(l->mean_rel_error))
        return sentence_say(arena,
                            "loss not aligned with the %s: no finite deviation from step %lld on",
                            l->beside, l->from_step);
    return sentence_say(arena,
                        l->agrees ? "loss aligned with the %s: mean deviation %.4f %% from step "
                                    "%lld on (limit %g %%), at most %.4f %% at step %.0f"
                                  : "loss not aligned with the %s: mean deviation %.4f %% from "
                                    "step %lld on (limit %g %%), at most %.4f %% at step %.0f",
                        l->beside, 100 * l->mean_rel_error, l->from_step, 100 * l->limit,
                        100 * l->max_rel_error, l->max_step);
}

const struct repeated_figure *reproduction_figure(const struct reproduction *r, const char *name)
{
    for (size_t i = 0; i < r->n_figures; i++)
        if (strcmp(r->figures[i].name, name) == 0)
            return &r->figures[i];
    return NULL;
}
