/* The shape of a case: what is to be run, field by field (project.h). */
#include "base/project/project.h"

static const char *const case_precisions[] = {"fp32", "tf32", "bf16", "fp16", "amp", "fp8", NULL};

static const char *const data_kinds[] = {"generated", "npy", "megatron", "external", NULL};

static const struct field data_fields[] = {
    {.key = "kind",
     .kind = FIELD_CHOICE,
     .choices = data_kinds,
     .required = true,
     FIELD_AT(struct case_data, kind),
     .doc = "where tokens come from; external: the command brings its own"},
    {.key = "name",
     .kind = FIELD_TEXT,
     FIELD_AT(struct case_data, name),
     .doc = "as pages call it: `openwebtext`"},
    {.key = "path",
     .kind = FIELD_TEXT,
     FIELD_AT(struct case_data, path),
     .doc = "npy: the file; megatron: what stands before `.bin` and `.idx`; relative to the case"},
    {.key = "sha256",
     .kind = FIELD_SHA256,
     FIELD_AT(struct case_data, sha256),
     .doc = "of the file (npy), of the .bin (megatron) or of the generated text; training refuses "
            "other data"},
    {.key = "tokens",
     .kind = FIELD_COUNT,
     .min = 1,
     .unit = "tokens",
     FIELD_AT(struct case_data, tokens),
     .doc = "generated: how many"},
};

static const struct shape data_shape = {.name = "data",
                                        .doc = "What it is trained on.",
                                        .size = sizeof(struct case_data),
                                        SHAPE_FIELDS(data_fields)};

static const struct field weights_fields[] = {
    {.key = "name",
     .kind = FIELD_TEXT,
     FIELD_AT(struct case_weights, name),
     .doc = "as pages call them: `meta-llama/Llama-2-7b-hf`"},
    {.key = "path",
     .kind = FIELD_TEXT,
     FIELD_AT(struct case_weights, path),
     .doc = "a folder in Hugging Face's layout or a .safetensors file, relative to the case; "
            "absent: `--init` names it"},
    {.key = "sha256",
     .kind = FIELD_SHA256,
     FIELD_AT(struct case_weights, sha256),
     .doc = "of their values as fp32, tensor after tensor; training refuses other weights"},
};

static const struct shape weights_shape = {.name = "initial_weights",
                                           .doc = "What a native training begins with: a Llama's "
                                                  "tensors by their usual names in safetensors.",
                                           .size = sizeof(struct case_weights),
                                           SHAPE_FIELDS(weights_fields)};

static const struct field parallel_fields[] = {
    {.key = "tensor",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e6,
     FIELD_AT(struct case_parallel, tensor),
     .doc = "TP; absent: 1"},
    {.key = "pipeline",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e6,
     FIELD_AT(struct case_parallel, pipeline),
     .doc = "PP; absent: 1"},
    {.key = "data",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e6,
     FIELD_AT(struct case_parallel, data),
     .doc = "DP; absent: 1"},
    {.key = "zero",
     .kind = FIELD_COUNT,
     .max = 3,
     FIELD_AT(struct case_parallel, zero),
     .doc =
         "native: level of ZeRO; 1 divides the optimizer's state, 2 the gradients, 3 the weights, "
         "too"},
    {.key = "chunks",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 16,
     FIELD_AT(struct case_parallel, chunks),
     .doc = "native: chunks of layers on each stage, whose passes are interleaved; absent: 1"},
    {.key = "stage_layers",
     .kind = FIELD_TEXT,
     FIELD_AT(struct case_parallel, stage_layers),
     .doc = "native: layers of each chunk in turn, \"9 9 10 10\"; absent: alike"},
};

static const struct shape parallel_shape = {.name = "parallel",
                                            .doc = "The parallel plan; world size is the product.",
                                            .size = sizeof(struct case_parallel),
                                            .flat = true,
                                            SHAPE_FIELDS(parallel_fields)};

static const struct field lora_fields[] = {
    {.key = "r",
     .kind = FIELD_COUNT,
     .required = true,
     .min = 1,
     .max = 65536,
     FIELD_AT(struct case_lora, r),
     .doc = "rows of A, columns of B"},
    {.key = "alpha",
     .kind = FIELD_REAL,
     .required = true,
     .min = 0,
     .max = 1e6,
     FIELD_AT(struct case_lora, alpha),
     .doc = "the product counts alpha / r times"},
    {.key = "dropout",
     .kind = FIELD_REAL,
     .min = 0,
     .max = 1,
     FIELD_AT(struct case_lora, dropout),
     .doc = "share of A's input that is dropped; absent: 0"},
    {.key = "targets",
     .kind = FIELD_TEXTS,
     .required = true,
     FIELD_AT(struct case_lora, targets),
     .at_n = offsetof(struct case_lora, n_targets),
     .doc = "matrices that have one: q_proj, k_proj, v_proj, gate_proj, up_proj"},
};

static const struct shape lora_shape = {.name = "lora",
                                        .doc = "Adapters, which are trained in the model's place.",
                                        .size = sizeof(struct case_lora),
                                        .flat = true,
                                        SHAPE_FIELDS(lora_fields)};

#define OPTIMIZER_REAL(name, low, high, words)                     \
    {                                                              \
        .key = #name, .kind = FIELD_REAL, .min = low, .max = high, \
        FIELD_AT(struct case_optimizer, name), .doc = words        \
    }

static const char *const decays[] = {"layers", "matrices", "all", NULL};

static const struct field optimizer_fields[] = {
    OPTIMIZER_REAL(learning_rate, 1e-12, 1e3, "peak learning rate, reached after the warm-up"),
    OPTIMIZER_REAL(min_learning_rate, 0, 1e3, "where the cosine ends"),
    {.key = "warmup_steps",
     .kind = FIELD_COUNT,
     FIELD_AT(struct case_optimizer, warmup_steps),
     .unit = "steps",
     .doc = "linear warm-up"},
    OPTIMIZER_REAL(weight_decay, 0, 10, "AdamW, decoupled"),
    {.key = "decays",
     .kind = FIELD_CHOICE,
     .choices = decays,
     FIELD_AT(struct case_optimizer, decays),
     .doc = "what weight decay is for: matrices but the embedding (layers), all matrices, or all "
            "tensors; absent: layers"},
    OPTIMIZER_REAL(beta1, 0, 1, "AdamW"),
    OPTIMIZER_REAL(beta2, 0, 1, "AdamW"),
    OPTIMIZER_REAL(epsilon, 0, 1, "AdamW"),
    OPTIMIZER_REAL(clip_norm, 0, 1e9, "gradients are scaled down to this global norm"),
    OPTIMIZER_REAL(init_std, 0, 10, "standard deviation of the initial weights"),
};

static const struct shape optimizer_shape = {.name = "optimizer",
                                             .doc = "AdamW with warm-up and cosine decay.",
                                             .size = sizeof(struct case_optimizer),
                                             SHAPE_FIELDS(optimizer_fields)};

static const char *const throughput_ways[] = {"mean", "last", NULL};

static const struct field report_fields[] = {
    {.key = "warmup_steps",
     .kind = FIELD_COUNT,
     .unit = "steps",
     FIELD_AT(struct case_report, warmup_steps),
     .doc = "steps at the start that throughput leaves out"},
    {.key = "throughput",
     .kind = FIELD_CHOICE,
     .choices = throughput_ways,
     FIELD_AT(struct case_report, throughput),
     .doc = "over the mean of the other steps, or of the last one; absent: mean"},
};

static const struct shape report_shape = {.name = "report",
                                          .doc = "How figures are taken from the logs.",
                                          .size = sizeof(struct case_report),
                                          .flat = true,
                                          SHAPE_FIELDS(report_fields)};

static const struct field alignment_fields[] = {
    {.key = "from_step",
     .kind = FIELD_COUNT,
     .min = 1,
     .unit = "steps",
     FIELD_AT(struct case_alignment, from_step),
     .doc = "first step that counts; absent: 21"},
    {.key = "max_mean_rel_error",
     .kind = FIELD_REAL,
     .min = 0,
     .max = 1,
     .unit = "ratio",
     FIELD_AT(struct case_alignment, max_mean_rel_error),
     .doc = "limit; absent: 0.02"},
    {.key = "reference",
     .kind = FIELD_PATH,
     FIELD_AT(struct case_alignment, reference),
     .doc = "reference curve (CSV `step,loss`) or sealed run, relative to `records/`"},
    {.key = "reference_sha256",
     .kind = FIELD_SHA256,
     FIELD_AT(struct case_alignment, reference_sha256),
     .doc = "of its bytes"},
    {.key = "reference_note",
     .kind = FIELD_WORDS,
     FIELD_AT(struct case_alignment, reference_note),
     .doc = "what made the reference"},
};

static const struct shape alignment_shape = {
    .name = "alignment",
    .doc = "Mean over the steps of |loss - reference| / |reference|.",
    .size = sizeof(struct case_alignment),
    SHAPE_FIELDS(alignment_fields)};

static const char *const recomputes[] = {"none", "selective", "full", NULL};
static const char *const trainers[] = {"native", "command", NULL};
static const char *const case_targets[] = {"next", "inside", NULL};

static const struct field case_fields[] = {
    {.key = "id",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct case_record, id),
     .doc = "the name of the file"},
    {.key = "title",
     .kind = FIELD_WORDS,
     .required = true,
     FIELD_AT(struct case_record, title),
     .doc = "in one line"},
    {.key = "task",
     .kind = FIELD_WORDS,
     FIELD_AT(struct case_record, task),
     .doc = "kind of task: `自然语言理解`"},
    {.key = "model",
     .kind = FIELD_ID,
     .required = true,
     FIELD_AT(struct case_record, model),
     .doc = "id of the model"},
    {.key = "trainer",
     .kind = FIELD_CHOICE,
     .choices = trainers,
     .required = true,
     FIELD_AT(struct case_record, trainer),
     .doc = "native: fpreport trains it; command: the vendor's own program"},
    {.key = "data",
     .kind = FIELD_OBJECT,
     .shape = &data_shape,
     FIELD_AT(struct case_record, data),
     .doc = "what it is trained on"},
    {.key = "initial_weights",
     .kind = FIELD_OBJECT,
     .shape = &weights_shape,
     FIELD_AT(struct case_record, initial_weights),
     .doc = "native: given weights; absent: drawn from the seed"},
    {.key = "sequence_length",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e8,
     .unit = "tokens",
     FIELD_AT(struct case_record, sequence_length),
     .doc = "MPE"},
    {.key = "targets",
     .kind = FIELD_CHOICE,
     .choices = case_targets,
     FIELD_AT(struct case_record, targets),
     .doc = "native: of a sequence's last token, the token behind it (next) or none (inside, as "
            "DeepSpeed's trainers); absent: next"},
    {.key = "micro_batch",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e8,
     .unit = "sequences",
     FIELD_AT(struct case_record, micro_batch),
     .doc = "LBS, per rank"},
    {.key = "gradient_accumulation",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e8,
     FIELD_AT(struct case_record, gradient_accumulation),
     .doc = "GAS"},
    {.key = "steps",
     .kind = FIELD_COUNT,
     .min = 1,
     .max = 1e9,
     .unit = "steps",
     FIELD_AT(struct case_record, steps),
     .doc = "optimizer steps"},
    {.key = "seed",
     .kind = FIELD_COUNT,
     FIELD_AT(struct case_record, seed),
     .doc = "of initial weights, data and their order"},
    {.key = "precision",
     .kind = FIELD_CHOICE,
     .choices = case_precisions,
     FIELD_AT(struct case_record, precision),
     .doc = "arithmetic of the matrix products"},
    {.key = "recompute",
     .kind = FIELD_CHOICE,
     .choices = recomputes,
     FIELD_AT(struct case_record, recompute),
     .doc = "native: activations that are computed again, not kept; absent: none"},
    {.key = "parallel",
     .kind = FIELD_OBJECT,
     .shape = &parallel_shape,
     FIELD_AT(struct case_record, parallel),
     .doc = "parallel plan; absent: one rank"},
    {.key = "lora",
     .kind = FIELD_OBJECT,
     .shape = &lora_shape,
     FIELD_AT(struct case_record, lora),
     .doc = "native: adapters; absent: all weights are trained"},
    {.key = "optimizer",
     .kind = FIELD_OBJECT,
     .shape = &optimizer_shape,
     FIELD_AT(struct case_record, optimizer),
     .doc = "native trainer only"},
    {.key = "report",
     .kind = FIELD_OBJECT,
     .shape = &report_shape,
     FIELD_AT(struct case_record, report),
     .doc = "how figures are taken from the logs"},
    {.key = "mfu_factor",
     .kind = FIELD_REAL,
     .min = 0.1,
     .max = 100,
     FIELD_AT(struct case_record, mfu_factor),
     .doc = "6 training, 4 LoRA, 2 LLaVA pretraining; absent: 6"},
    {.key = "alignment",
     .kind = FIELD_OBJECT,
     .shape = &alignment_shape,
     FIELD_AT(struct case_record, alignment),
     .doc = "against which curve, how close"},
};

/* Throughput is taken from the steps behind the warm-up: there must be some. */
static void check_case_shape(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct case_record *c = value;
    const struct json *report = json_get(json_get(at, "report"), "warmup_steps");
    if (report && c->steps && c->report->warmup_steps >= c->steps)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, report->line, report->col,
                  "found %lld, expected less than the %lld steps of the case",
                  c->report->warmup_steps, c->steps);
}

const struct shape case_shape = {.name = "case",
                                 .doc = "What is to be run.",
                                 .schema = "fpreport.case/1",
                                 .size = sizeof(struct case_record),
                                 .check = check_case_shape,
                                 SHAPE_FIELDS(case_fields)};
