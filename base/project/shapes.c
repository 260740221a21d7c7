/* The field tables of vendors, accelerators and models (project.h). */
#include "base/project/project.h"

#include "base/cards/declared.h"
#include "base/project/bundle.h"
#include "base/records/challenge.h"
#include "base/store/checkpoint.h"

#include <string.h>

#define ALIASES(type)                                                                            \
    {                                                                                            \
        .key = "aliases", .kind = FIELD_TEXTS, FIELD_LIST_AT(type, aliases),                     \
        .doc = "other spellings of the name on pages; case, blanks and full-width forms do not " \
               "matter"                                                                          \
    }

static const struct field vendor_fields[] = {
    FIELD(ID, struct vendor, id, .required = true, .doc = "the name of the file"),
    FIELD(WORDS, struct vendor, name, .required = true, .doc = "name for readers"),
    FIELD(TEXT, struct vendor, heading,
          .doc =
              "words that stand before `配置与运行信息参考` in the titles of the vendor's pages"),
    FIELD(TEXT, struct vendor, url, .doc = "home page"),
    ALIASES(struct vendor),
    FIELD(OBJECT, struct vendor, card_tool, .shape = &declared_tool_shape,
          .doc = "the vendor's card tool (such as nvidia-smi), if fpreport does not know this "
                 "tool"),
};

const struct shape vendor_shape = SHAPE("vendor", struct vendor, vendor_fields,
                                        .doc = "A vendor record describes a vendor that "
                                               "submits results.",
                                        .schema = "fpreport.vendor/1");

static const char *const peak_precisions[] = {"fp64", "fp32", "tf32", "bf16",
                                              "fp16", "fp8",  "int8", NULL};
static const struct field peak_fields[] = {
    FIELD(CHOICE, struct peak, precision, .choices = peak_precisions, .required = true,
          .doc = "precision of the operands"),
    FIELD(REAL, struct peak, tflops, .required = true, .min = 0.001, .max = 1e6, .unit = "TFLOP/s",
          .doc = "dense peak rate of one card"),
    FIELD(TEXT, struct peak, source, .required = true, .doc = "publication that states this rate"),
};

static const struct shape peak_shape = SHAPE("peak", struct peak, peak_fields,
                                             .doc = "A peak is the peak rate of one card for one "
                                                    "precision.",
                                             .flat = true);

static const struct field accelerator_fields[] = {
    FIELD(ID, struct accelerator, id, .required = true, .doc = "the name of the file"),
    FIELD(ID, struct accelerator, vendor, .required = true, .doc = "id of the vendor"),
    FIELD(TEXT, struct accelerator, name, .required = true, .doc = "name that the vendor uses"),
    ALIASES(struct accelerator),
    FIELD(REAL, struct accelerator, memory_gib, .min = 0.001, .max = 1e5, .unit = "GiB",
          .doc = "memory of one card according to the vendor's data sheet"),
    FIELD(REAL, struct accelerator, board_watts, .min = 1, .max = 1e5, .unit = "W",
          .doc = "maximum power of one card according to the vendor's data sheet"),
    FIELD(COUNT, struct accelerator, ranks_per_card, .min = 1, .max = 64,
          .doc = "number of devices that the operating system shows for one card (default 1)"),
    FIELD_LIST(OBJECTS, struct accelerator, peaks, .shape = &peak_shape,
               .doc = "peak rate of one card for each precision"),
    FIELD(TEXT, struct accelerator, peak_note, .doc = "reason why a peak rate is missing"),
};

const struct shape accelerator_shape = SHAPE("accelerator", struct accelerator, accelerator_fields,
                                             .doc = "An accelerator record describes one kind of "
                                                    "accelerator card.",
                                             .schema = "fpreport.accelerator/1");

static const char *const positions[] = {"rope", "alibi", NULL};
static const char *const heads[] = {"free", "normed", NULL};
static const char *const tensor_names[] = {"llama", "baichuan", "llava", "llava_hf", NULL};

static const struct field vision_fields[] = {
    FIELD(COUNT, struct model_vision, layers, .required = true, .min = 1, .max = 1024,
          .doc = "transformer blocks"),
    FIELD(COUNT, struct model_vision, used_layers, .min = 1, .max = 1024,
          .doc = "number of blocks of the vision tower whose output goes to the projector "
                 "(default: all blocks except the last)"),
    FIELD(COUNT, struct model_vision, hidden, .required = true, .min = 1, .max = 65536,
          .doc = "width of the residual stream"),
    FIELD(COUNT, struct model_vision, heads, .required = true, .min = 1, .max = 1024,
          .doc = "attention heads"),
    FIELD(COUNT, struct model_vision, ffn, .required = true, .min = 1, .max = 262144,
          .doc = "width of the feed-forward part"),
    FIELD(COUNT, struct model_vision, image_size, .required = true, .min = 1, .max = 4096,
          .unit = "pixels", .doc = "side length of an image"),
    FIELD(COUNT, struct model_vision, patch_size, .required = true, .min = 1, .max = 4096,
          .unit = "pixels", .doc = "side length of a patch"),
    FIELD(REAL, struct model_vision, norm_eps, .min = 1e-12, .max = 1,
          .doc = "epsilon that layer norm adds to the variance (default 1e-5)"),
};

static const struct shape vision_shape =
    SHAPE("model_vision", struct model_vision, vision_fields,
          .doc = "A `model_vision` object states the dimensions of the CLIP vision tower of a "
                 "multimodal model; two linear layers project the tower's output.");

static const struct field model_shape_fields[] = {
    FIELD(COUNT, struct model_shape, vocabulary, .required = true, .min = 2, .max = 1e7,
          .doc = "tokens in the vocabulary"),
    FIELD(COUNT, struct model_shape, layers, .required = true, .min = 1, .max = 10000,
          .doc = "transformer blocks"),
    FIELD(COUNT, struct model_shape, hidden, .required = true, .min = 1, .max = 1e6,
          .doc = "width of the residual stream"),
    FIELD(COUNT, struct model_shape, heads, .required = true, .min = 1, .max = 10000,
          .doc = "attention heads"),
    FIELD(COUNT, struct model_shape, kv_heads, .min = 1, .max = 10000,
          .doc = "number of key and value heads (default: as many as attention heads)"),
    FIELD(COUNT, struct model_shape, ffn, .required = true, .min = 1, .max = 1e7,
          .doc = "width of the feed-forward part"),
    FIELD(COUNT, struct model_shape, context, .min = 1, .max = 1e8, .doc = "longest sequence"),
    FIELD(FLAG, struct model_shape, tied_embeddings,
          .doc = "true if the output matrix is also the embedding matrix"),
    FIELD(CHOICE, struct model_shape, position, .choices = positions,
          .doc = "position encoding of attention (default rope)"),
    FIELD(CHOICE, struct model_shape, head, .choices = heads,
          .doc = "with `normed`, the rows of the output matrix are divided by their lengths "
                 "(default `free`)"),
    FIELD(CHOICE, struct model_shape, names, .choices = tensor_names,
          .doc = "naming of the tensors in checkpoints (default llama)"),
    FIELD(REAL, struct model_shape, norm_eps, .min = 1e-12, .max = 1,
          .doc = "epsilon that RMS norm adds to the mean square (default 1e-5)"),
    FIELD(REAL, struct model_shape, rope_theta, .min = 1, .max = 1e9,
          .doc = "base of the rotary angles (default 10000)"),
    FIELD(OBJECT, struct model_shape, vision, .shape = &vision_shape,
          .doc = "dimensions of the vision tower (CLIP); if absent, the model reads only text"),
};

static const struct shape model_shape_inner =
    SHAPE("model_shape", struct model_shape, model_shape_fields,
          .doc = "A `model_shape` object states the dimensions of a Llama-like transformer.");

static const struct field model_fields[] = {
    FIELD(ID, struct model, id, .required = true, .doc = "the name of the file"),
    FIELD(WORDS, struct model, name, .required = true, .doc = "name for readers"),
    ALIASES(struct model),
    FIELD(REAL, struct model, nominal_parameters, .min = 1, .max = 1e15, .unit = "parameters",
          .doc = "number N in the formula of MFU: 7e9 for a 7B model; if absent, fpreport does not "
                 "check the MFU of this model"),
    FIELD(REAL, struct model, exact_parameters, .min = 1, .max = 1e15, .unit = "parameters",
          .doc = "exact number of all parameters"),
    FIELD(OBJECT, struct model, shape, .shape = &model_shape_inner,
          .doc = "dimensions of the model"),
    FIELD(TEXT, struct model, source,
          .doc = "publication that states the number N and the dimensions of the model"),
};

const struct shape model_shape_shape = SHAPE(
    "model", struct model, model_fields,
    .doc = "A model record describes a model that cases train.", .schema = "fpreport.model/1");

const struct shape *const project_shapes[] = {
    &vendor_shape,
    &accelerator_shape,
    &model_shape_shape,
    &case_shape,
    &result_shape,
    &reproduction_shape,
    &challenge_shape,
    &store_entry_shape,
    &checkpoint_shape,
    &mlperf_round_shape,
    &mlperf_record_shape,
    &bundle_shape,
    NULL,
};

const struct shape *project_shape(const char *name)
{
    for (const struct shape *const *s = project_shapes; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}
