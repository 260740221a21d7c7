/* The field tables of vendors, accelerators and models (project.h). */
#include "base/project/project.h"

#include "base/cards/declared.h"
#include "base/records/challenge.h"
#include "base/store/checkpoint.h"

#include <string.h>

#define ALIASES(type)                                                                     \
    {                                                                                     \
        .key = "aliases", .kind = FIELD_TEXTS, FIELD_LIST_AT(type, aliases),              \
        .doc = "other spellings on pages; case, blanks and full-width forms do not count" \
    }

static const struct field vendor_fields[] = {
    {.key = "id",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct vendor, id),
     .doc = "the name of the file"},
    {.key = "name",
     .kind = FIELD_WORDS,
     .required = true,
     FIELD_AT(struct vendor, name),
     .doc = "as readers know it"},
    {.key = "heading",
     .kind = FIELD_TEXT,
     FIELD_AT(struct vendor, heading),
     .doc = "words in front of `配置与运行信息参考` in page titles"},
    {.key = "url", .kind = FIELD_TEXT, FIELD_AT(struct vendor, url), .doc = "home page"},
    ALIASES(struct vendor),
    {.key = "card_tool",
     .kind = FIELD_OBJECT,
     .shape = &declared_tool_shape,
     FIELD_AT(struct vendor, card_tool),
     .doc = "for a vendor whose tool fpreport does not know"},
};

const struct shape vendor_shape = {.name = "vendor",
                                   .doc = "Who submits results.",
                                   .schema = "fpreport.vendor/1",
                                   .size = sizeof(struct vendor),
                                   SHAPE_FIELDS(vendor_fields)};

static const char *const peak_precisions[] = {"fp64", "fp32", "tf32", "bf16",
                                              "fp16", "fp8",  "int8", NULL};
static const struct field peak_fields[] = {
    {.key = "precision",
     .kind = FIELD_CHOICE,
     .choices = peak_precisions,
     .required = true,
     FIELD_AT(struct peak, precision),
     .doc = "of the operands"},
    {.key = "tflops",
     .kind = FIELD_REAL,
     .required = true,
     .min = 0.001,
     .max = 1e6,
     .unit = "TFLOP/s",
     FIELD_AT(struct peak, tflops),
     .doc = "dense peak of one card"},
    {.key = "source",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct peak, source),
     .doc = "where the figure is published"},
};

static const struct shape peak_shape = {.name = "peak",
                                        .doc = "Peak rate of one card for one precision.",
                                        .size = sizeof(struct peak),
                                        .flat = true,
                                        SHAPE_FIELDS(peak_fields)};

static const struct field accelerator_fields[] = {
    {.key = "id",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct accelerator, id),
     .doc = "the name of the file"},
    {.key = "vendor",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct accelerator, vendor),
     .doc = "id of its vendor"},
    {.key = "name",
     .kind = FIELD_TEXT,
     .required = true,
     FIELD_AT(struct accelerator, name),
     .doc = "as the vendor calls it"},
    ALIASES(struct accelerator),
    {.key = "memory_gib",
     .kind = FIELD_REAL,
     .min = 0.001,
     .max = 1e5,
     .unit = "GiB",
     FIELD_AT(struct accelerator, memory_gib),
     .doc = "memory of one card, as the vendor names it"},
    {.key = "ranks_per_card",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 64,
     FIELD_AT(struct accelerator, ranks_per_card),
     .doc = "devices that one card shows itself as; absent: 1"},
    {.key = "peaks",
     .kind = FIELD_OBJECTS,
     .shape = &peak_shape,
     FIELD_LIST_AT(struct accelerator, peaks),
     .doc = "peak rates per precision"},
    {.key = "peak_note",
     .kind = FIELD_TEXT,
     FIELD_AT(struct accelerator, peak_note),
     .doc = "why a peak is not given"},
};

const struct shape accelerator_shape = {.name = "accelerator",
                                        .doc = "One kind of card.",
                                        .schema = "fpreport.accelerator/1",
                                        .size = sizeof(struct accelerator),
                                        SHAPE_FIELDS(accelerator_fields)};

static const char *const positions[] = {"rope", "alibi", NULL};
static const char *const heads[] = {"free", "normed", NULL};
static const char *const tensor_names[] = {"llama", "baichuan", NULL};

static const struct field model_shape_fields[] = {
    {.key = "vocabulary",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 2,
     .max = 1e7,
     FIELD_AT(struct model_shape, vocabulary),
     .doc = "tokens in the vocabulary"},
    {.key = "layers",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 10000,
     FIELD_AT(struct model_shape, layers),
     .doc = "transformer blocks"},
    {.key = "hidden",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 1e6,
     FIELD_AT(struct model_shape, hidden),
     .doc = "width of the residual stream"},
    {.key = "heads",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 10000,
     FIELD_AT(struct model_shape, heads),
     .doc = "attention heads"},
    {.key = "kv_heads",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 10000,
     FIELD_AT(struct model_shape, kv_heads),
     .doc = "key and value heads; absent: as many as heads"},
    {.key = "ffn",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 1e7,
     FIELD_AT(struct model_shape, ffn),
     .doc = "width of the feed-forward part"},
    {.key = "context",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e8,
     FIELD_AT(struct model_shape, context),
     .doc = "longest sequence"},
    {.key = "tied_embeddings",
     .kind = FIELD_FLAG,
     FIELD_AT(struct model_shape, tied_embeddings),
     .doc = "the output matrix is the embedding matrix"},
    {.key = "position",
     .kind = FIELD_CHOICE,
     .choices = positions,
     FIELD_AT(struct model_shape, position),
     .doc = "how attention knows where a token stands; absent: rope"},
    {.key = "head",
     .kind = FIELD_CHOICE,
     .choices = heads,
     FIELD_AT(struct model_shape, head),
     .doc = "normed: rows of the output matrix are divided by their lengths; absent: free"},
    {.key = "names",
     .kind = FIELD_CHOICE,
     .choices = tensor_names,
     FIELD_AT(struct model_shape, names),
     .doc = "of the tensors in its checkpoints; absent: llama"},
    {.key = "norm_eps",
     .kind = FIELD_REAL,
     .min = 1e-12,
     .max = 1,
     FIELD_AT(struct model_shape, norm_eps),
     .doc = "added to the mean square; absent: 1e-5"},
    {.key = "rope_theta",
     .kind = FIELD_REAL,
     .min = 1,
     .max = 1e9,
     FIELD_AT(struct model_shape, rope_theta),
     .doc = "base of the rotation's angles; absent: 10000"},
};

static const struct shape model_shape_inner = {.name = "model_shape",
                                               .doc = "Dimensions of a Llama-like transformer.",
                                               .size = sizeof(struct model_shape),
                                               SHAPE_FIELDS(model_shape_fields)};

static const struct field model_fields[] = {
    {.key = "id",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct model, id),
     .doc = "the name of the file"},
    {.key = "name",
     .kind = FIELD_WORDS,
     .required = true,
     FIELD_AT(struct model, name),
     .doc = "as readers know it"},
    ALIASES(struct model),
    {.key = "nominal_parameters",
     .kind = FIELD_REAL,
     .min = 1,
     .max = 1e15,
     .unit = "parameters",
     FIELD_AT(struct model, nominal_parameters),
     .doc = "N of the MFU formula: 7e9 for a 7B model; absent: no MFU is checked"},
    {.key = "exact_parameters",
     .kind = FIELD_REAL,
     .min = 1,
     .max = 1e15,
     .unit = "parameters",
     FIELD_AT(struct model, exact_parameters),
     .doc = "all parameters counted"},
    {.key = "shape",
     .kind = FIELD_OBJECT,
     .shape = &model_shape_inner,
     FIELD_AT(struct model, shape),
     .doc = "its dimensions"},
    {.key = "source",
     .kind = FIELD_TEXT,
     FIELD_AT(struct model, source),
     .doc = "where N and the dimensions are published"},
};

const struct shape model_shape_shape = {.name = "model",
                                        .doc = "What is trained.",
                                        .schema = "fpreport.model/1",
                                        .size = sizeof(struct model),
                                        SHAPE_FIELDS(model_fields)};

const struct shape *const project_shapes[] = {
    &vendor_shape,       &accelerator_shape, &model_shape_shape, &case_shape,       &result_shape,
    &reproduction_shape, &challenge_shape,   &store_entry_shape, &checkpoint_shape, NULL,
};

const struct shape *project_shape(const char *name)
{
    for (const struct shape *const *s = project_shapes; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}
