#include "base/records/reproduction.h"

#include "base/sentence.h"

#include <string.h>

static const char *const besides[] = {"evidence", "reference", "none", NULL};
static const char *const rules[] = {"bits", "alignment", NULL};
static const char *const figure_outcomes[] = {"agrees", "differs", "reported", NULL};
static const char *const outcomes[] = {"reproduced", "not_reproduced", NULL};

static const struct field loss_fields[] = {
    {.key = "beside",
     .kind = FIELD_CHOICE,
     .choices = besides,
     .required = true,
     FIELD_AT(struct repeated_loss, beside),
     .doc = "compared with the evidence of the result, else with the case's reference"},
    {.key = "rule",
     .kind = FIELD_CHOICE,
     .choices = rules,
     FIELD_AT(struct repeated_loss, rule),
     .doc = "bits: every loss is the same; alignment: the rule of the case"},
    {.key = "steps",
     .kind = FIELD_COUNT,
     .unit = "steps",
     FIELD_AT(struct repeated_loss, steps),
     .doc = "that both curves have"},
    {.key = "identical",
     .kind = FIELD_COUNT,
     .unit = "steps",
     FIELD_AT(struct repeated_loss, identical),
     .doc = "of these, with the same loss to the last digit"},
    {.key = "from_step",
     .kind = FIELD_COUNT,
     .unit = "steps",
     FIELD_AT(struct repeated_loss, from_step),
     .doc = "first step of the alignment"},
    {.key = "mean_rel_error",
     .kind = FIELD_REAL,
     .unit = "ratio",
     FIELD_AT(struct repeated_loss, mean_rel_error),
     .doc = "of the alignment; absent: no finite figure"},
    {.key = "max_rel_error",
     .kind = FIELD_REAL,
     .unit = "ratio",
     FIELD_AT(struct repeated_loss, max_rel_error),
     .doc = "the same, at its largest"},
    {.key = "max_step",
     .kind = FIELD_REAL,
     .unit = "steps",
     FIELD_AT(struct repeated_loss, max_step),
     .doc = "where that is"},
    {.key = "limit",
     .kind = FIELD_REAL,
     .unit = "ratio",
     FIELD_AT(struct repeated_loss, limit),
     .doc = "of the mean"},
    {.key = "agrees",
     .kind = FIELD_FLAG,
     FIELD_AT(struct repeated_loss, agrees),
     .doc = "the rule holds"},
};

static const struct shape loss_shape = {.name = "repeated_loss",
                                        .doc = "The loss curve of a reproduction beside another.",
                                        .size = sizeof(struct repeated_loss),
                                        SHAPE_FIELDS(loss_fields)};

static const struct field figure_fields[] = {
    {.key = "name",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct repeated_figure, name),
     .doc = "key of its column: [columns](#columns)"},
    {.key = "stated",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct repeated_figure, stated),
     .doc = "as the result has it"},
    {.key = "measured",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct repeated_figure, measured),
     .doc = "what the new run gives"},
    {.key = "ratio",
     .kind = FIELD_REAL,
     .unit = "ratio",
     FIELD_AT(struct repeated_figure, ratio),
     .doc = "measured / stated"},
    {.key = "limit",
     .kind = FIELD_REAL,
     .unit = "ratio",
     FIELD_AT(struct repeated_figure, limit),
     .doc = "how far the ratio may be from 1; absent: not judged"},
    {.key = "outcome",
     .kind = FIELD_CHOICE,
     .choices = figure_outcomes,
     .required = true,
     FIELD_AT(struct repeated_figure, outcome),
     .doc = "reported: not judged"},
    {.key = "why",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct repeated_figure, why),
     .doc = "of the limit, or why there is none"},
};

const struct shape repeated_figure_shape = {.name = "repeated_figure",
                                            .doc = "A figure of the row, measured again.",
                                            .size = sizeof(struct repeated_figure),
                                            .flat = true,
                                            SHAPE_FIELDS(figure_fields)};

static const struct field fact_fields[] = {
    {.key = "key",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct repeated_fact, key),
     .doc = "of `fingerprint.json`"},
    {.key = "original",
     .kind = FIELD_TEXT,
     FIELD_AT(struct repeated_fact, original),
     .doc = "in the evidence of the result; absent: not known"},
    {.key = "here",
     .kind = FIELD_TEXT,
     FIELD_AT(struct repeated_fact, here),
     .doc = "in the new run; absent: not known"},
};

static const struct shape fact_shape = {.name = "repeated_fact",
                                        .doc = "A fact that two fingerprints do not share.",
                                        .size = sizeof(struct repeated_fact),
                                        .flat = true,
                                        SHAPE_FIELDS(fact_fields)};

static const struct field reproduction_fields[] = {
    {.key = "id",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct reproduction, id),
     .doc = "the name of the file: that of the new run"},
    {.key = "vendor",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct reproduction, vendor),
     .doc = "of the result"},
    {.key = "case",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct reproduction, case_id),
     .doc = "of the result"},
    {.key = "table",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 10000,
     FIELD_AT(struct reproduction, table),
     .doc = "which table of figures, from 1"},
    {.key = "row",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 10000,
     FIELD_AT(struct reproduction, row),
     .doc = "which of its rows, from 1"},
    {.key = "by",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct reproduction, by),
     .doc = "who ran it; the only thing here that no file can show"},
    {.key = "date",
     .kind = FIELD_DATE,
     .required = true,
     FIELD_AT(struct reproduction, date),
     .doc = "when the new run ended (UTC)"},
    {.key = "device",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct reproduction, device),
     .doc = "what it ran on, by its fingerprint"},
    {.key = "same_device",
     .kind = FIELD_FLAG,
     FIELD_AT(struct reproduction, same_device),
     .doc = "the evidence of the result was made on the same kind of device"},
    {.key = "archive",
     .kind = FIELD_PATH,
     .required = true,
     FIELD_AT(struct reproduction, archive),
     .doc = "the sealed new run, relative to `records/`"},
    {.key = "sha256",
     .kind = FIELD_SHA256,
     .required = true,
     FIELD_AT(struct reproduction, sha256),
     .doc = "of its bytes"},
    {.key = "original_sha256",
     .kind = FIELD_SHA256,
     FIELD_AT(struct reproduction, original_sha256),
     .doc = "of the evidence that it was compared with; absent: the row has none"},
    {.key = "outcome",
     .kind = FIELD_CHOICE,
     .choices = outcomes,
     .required = true,
     FIELD_AT(struct reproduction, outcome),
     .doc = "reproduced: the loss and every figure that is judged agree"},
    {.key = "loss",
     .kind = FIELD_OBJECT,
     .shape = &loss_shape,
     .required = true,
     FIELD_AT(struct reproduction, loss),
     .doc = "the loss curve"},
    {.key = "figures",
     .kind = FIELD_OBJECTS,
     .shape = &repeated_figure_shape,
     .required = true,
     FIELD_LIST_AT(struct reproduction, figures),
     .doc = "the figures of the row that the new run gives"},
    {.key = "facts",
     .kind = FIELD_OBJECTS,
     .shape = &fact_shape,
     FIELD_LIST_AT(struct reproduction, facts),
     .doc = "where the fingerprints differ"},
};

const struct shape reproduction_shape = {.name = "reproduction",
                                         .doc = "The case of a result, run again.",
                                         .schema = "fpreport.reproduction/1",
                                         .size = sizeof(struct reproduction),
                                         SHAPE_FIELDS(reproduction_fields)};

bool reproduction_is_reproduced(const struct reproduction *r)
{
    return strcmp(r->outcome, outcomes[0]) == 0;
}

const char *reproduction_loss_words(const struct reproduction *r, struct arena *arena)
{
    const struct repeated_loss *l = r->loss;
    if (!l->rule)
        return "there is no curve to compare the loss with";
    if (strcmp(l->rule, "bits") == 0 && l->agrees)
        return sentence_say(arena, "all %lld losses are the same bits", l->identical);
    if (strcmp(l->rule, "bits") == 0)
        return sentence_say(arena, "%lld of %lld losses are the same bits, expected all",
                            l->identical, l->steps);
    if (isnan(l->mean_rel_error))
        return sentence_say(arena,
                            "loss not aligned with the %s: no finite deviation from step "
                            "%lld on",
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
