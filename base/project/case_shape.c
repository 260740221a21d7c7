/* The shape of a case: what is to be run, field by field (project.h). */
#include "base/project/project.h"

static const char *const case_precisions[] = {"fp32", "tf32", "bf16", "fp16", "amp", "fp8", NULL};

static const char *const data_kinds[] = {"generated",     "npy",      "megatron",
                                         "conversations", "external", NULL};

static const char *const data_orders[] = {"shuffled", "grouped", NULL};

static const struct field data_fields[] = {
    FIELD(CHOICE, struct case_data, kind, .choices = data_kinds, .required = true,
          .doc = "source of the training tokens; `external`: the vendor's program reads its own "
                 "data"),
    FIELD(TEXT, struct case_data, name, .doc = "name on pages: `openwebtext`"),
    FIELD(TEXT, struct case_data, path,
          .doc = "path of the data, relative to the case record: for `npy` a file, for `megatron` "
                 "without `.bin` and `.idx`, for `conversations` a folder"),
    FIELD(SHA256, struct case_data, sha256,
          .doc = "SHA-256 of the data: the file (`npy`), the .bin file (`megatron`), prepared.json "
                 "(`conversations`) or the generated text; `train` refuses other data"),
    FIELD(CHOICE, struct case_data, order, .choices = data_orders,
          .doc = "for `conversations`: `grouped` makes batches of samples of similar length, as "
                 "LLaVA does (default `shuffled`)"),
    FIELD(COUNT, struct case_data, tokens, .min = 1, .unit = "tokens",
          .doc = "for `generated`: number of tokens"),
};

static const struct shape data_shape = SHAPE("data", struct case_data, data_fields,
                                             .doc = "A `data` object describes the training data "
                                                    "of a case.");

static const struct field weights_fields[] = {
    FIELD(TEXT, struct case_weights, name, .doc = "name on pages: `meta-llama/Llama-2-7b-hf`"),
    FIELD(TEXT, struct case_weights, path,
          .doc = "path of the weights, relative to the case record: a folder in Hugging Face's "
                 "layout or a .safetensors file; if absent, `train --init` must name the weights"),
    FIELD(SHA256, struct case_weights, sha256,
          .doc = "SHA-256 of the weights as fp32 values, tensor after tensor; `train` refuses "
                 "other weights"),
    FIELD(TEXT, struct case_weights, projector,
          .doc = "file with the weights of the projector; if absent, they are in `path` or random"),
    FIELD(TEXT, struct case_weights, tower,
          .doc = "file with the weights of the vision tower; if absent, they are random"),
};

static const struct shape weights_shape =
    SHAPE("initial_weights", struct case_weights, weights_fields,
          .doc = "An `initial_weights` object names the initial weights for fpreport's own "
                 "trainer: the tensors of a Llama in safetensors, under their usual names.");

static const struct field parallel_fields[] = {
    FIELD(COUNT, struct case_parallel, tensor, .min = 1, .max = 1e6,
          .doc = "degree of tensor parallelism (TP, default 1)"),
    FIELD(COUNT, struct case_parallel, pipeline, .min = 1, .max = 1e6,
          .doc = "degree of pipeline parallelism (PP, default 1)"),
    FIELD(COUNT, struct case_parallel, data, .min = 1, .max = 1e6,
          .doc = "degree of data parallelism (DP, default 1)"),
    FIELD(COUNT, struct case_parallel, zero, .max = 3,
          .doc = "ZeRO level of fpreport's trainer: 1 divides the optimizer state among the ranks, "
                 "2 also the gradients, 3 also the weights"),
    FIELD(COUNT, struct case_parallel, chunks, .min = 1, .max = 16,
          .doc = "for fpreport's trainer: number of interleaved chunks of layers on each pipeline "
                 "stage (default 1)"),
    FIELD(TEXT, struct case_parallel, stage_layers,
          .doc = "for fpreport's trainer: number of layers of each chunk, such as \"9 9 10 10\" "
                 "(default: equal numbers)"),
};

static const struct shape parallel_shape =
    SHAPE("parallel", struct case_parallel, parallel_fields,
          .doc = "A `parallel` object states the parallel plan of a case; the number of ranks is "
                 "TP x PP x DP.",
          .flat = true);

static const struct field lora_fields[] = {
    FIELD(COUNT, struct case_lora, r, .required = true, .min = 1, .max = 65536,
          .doc = "rank of the adapters: number of rows of A and of columns of B"),
    FIELD(REAL, struct case_lora, alpha, .required = true, .min = 0, .max = 1e6,
          .doc = "the output of an adapter is multiplied by alpha / r"),
    FIELD(REAL, struct case_lora, dropout, .min = 0, .max = 1,
          .doc = "dropout rate of the input of A (default 0)"),
    FIELD(TEXTS, struct case_lora, targets, .required = true,
          .at_n = offsetof(struct case_lora, n_targets),
          .doc = "matrices that get an adapter: q_proj, k_proj, v_proj, gate_proj, up_proj"),
};

static const struct shape lora_shape =
    SHAPE("lora", struct case_lora, lora_fields,
          .doc = "A `lora` object describes the LoRA adapters of a case. If a case has a `lora` "
                 "object, fpreport trains only the adapters.",
          .flat = true);

#define OPTIMIZER_REAL(name, low, high, words)                     \
    {                                                              \
        .key = #name, .kind = FIELD_REAL, .min = low, .max = high, \
        FIELD_AT(struct case_optimizer, name), .doc = words        \
    }

static const char *const warmups_from[] = {"one", "zero", NULL};
static const char *const decays[] = {"layers", "matrices", "all", NULL};

static const struct field optimizer_fields[] = {
    OPTIMIZER_REAL(learning_rate, 1e-12, 1e3, "peak learning rate, reached after the warm-up"),
    OPTIMIZER_REAL(min_learning_rate, 0, 1e3,
                   "learning rate at the end of the cosine (default learning_rate / 10)"),
    FIELD(COUNT, struct case_optimizer, warmup_steps, .unit = "steps",
          .doc = "steps of linear warm-up"),
    FIELD(CHOICE, struct case_optimizer, warmup_from, .choices = warmups_from,
          .doc = "start of the warm-up: with `zero`, the learning rate of the first step is 0, as "
                 "in transformers and Megatron; with `one` (default), it is above 0"),
    OPTIMIZER_REAL(weight_decay, 0, 10, "decoupled weight decay of AdamW"),
    FIELD(CHOICE, struct case_optimizer, decays, .choices = decays,
          .doc = "tensors with weight decay: `layers` (default: all matrices except the "
                 "embedding), `matrices` (all matrices) or `all` (all tensors)"),
    OPTIMIZER_REAL(beta1, 0, 1, "AdamW"),
    OPTIMIZER_REAL(beta2, 0, 1, "AdamW"),
    OPTIMIZER_REAL(epsilon, 0, 1, "AdamW"),
    OPTIMIZER_REAL(clip_norm, 0, 1e9,
                   "limit of the global gradient norm; larger gradients are "
                   "scaled down to this norm"),
    OPTIMIZER_REAL(init_std, 0, 10, "standard deviation of the initial weights"),
};

static const struct shape optimizer_shape =
    SHAPE("optimizer", struct case_optimizer, optimizer_fields,
          .doc = "An `optimizer` object describes the optimizer of fpreport's trainer: AdamW with "
                 "warm-up and cosine decay.");

static const char *const throughput_ways[] = {"mean", "last", NULL};

static const struct field report_fields[] = {
    FIELD(COUNT, struct case_report, warmup_steps, .unit = "steps",
          .doc = "number of steps at the start that do not count in the throughput"),
    FIELD(CHOICE, struct case_report, throughput, .choices = throughput_ways,
          .doc = "steps for the throughput: all steps after the warm-up (`mean`, default) or only "
                 "the last step (`last`)"),
};

static const struct shape report_shape =
    SHAPE("report", struct case_report, report_fields,
          .doc = "A `report` object states how fpreport computes the numbers of a run from its "
                 "logs.",
          .flat = true);

static const struct field alignment_fields[] = {
    FIELD(COUNT, struct case_alignment, from_step, .min = 1, .unit = "steps",
          .doc = "first step whose losses are compared (default 21)"),
    FIELD(REAL, struct case_alignment, max_mean_rel_error, .min = 0, .max = 1, .unit = "ratio",
          .doc = "limit of the mean relative error (default 0.02)"),
    FIELD(PATH, struct case_alignment, reference,
          .doc = "path of the reference curve (CSV `step,loss`) or of a sealed reference run, "
                 "relative to `records/`"),
    FIELD(SHA256, struct case_alignment, reference_sha256, .doc = "SHA-256 of this file"),
    FIELD(WORDS, struct case_alignment, reference_note, .doc = "origin of the reference curve"),
};

static const struct shape alignment_shape =
    SHAPE("alignment", struct case_alignment, alignment_fields,
          .doc = "The alignment rule of a case limits the mean of |loss - reference| / |reference| "
                 "over the steps.");

static const char *const recomputes[] = {"none", "selective", "full", NULL};
static const char *const trainers[] = {"native", "command", NULL};
static const char *const stages[] = {"pretrain", "finetune", NULL};
static const char *const means[] = {"tokens", "ranks", NULL};
static const char *const case_targets[] = {"next", "inside", NULL};

static const struct field case_fields[] = {
    FIELD(ID, struct case_record, id, .required = true, .doc = "the name of the file"),
    FIELD(WORDS, struct case_record, title, .required = true, .doc = "title in one line"),
    FIELD(WORDS, struct case_record, task, .doc = "kind of task: `自然语言理解`"),
    FIELD(ID, struct case_record, model, .required = true, .doc = "id of the model"),
    FIELD(CHOICE, struct case_record, trainer, .choices = trainers, .required = true,
          .doc = "program that trains the case: fpreport's own trainer (`native`) or the vendor's "
                 "program (`command`)"),
    FIELD(OBJECT, struct case_record, data, .shape = &data_shape, .doc = "training data"),
    FIELD(OBJECT, struct case_record, initial_weights, .shape = &weights_shape,
          .doc = "for fpreport's trainer: initial weights; if absent, they are random and follow "
                 "from the seed"),
    FIELD(COUNT, struct case_record, sequence_length, .min = 1, .max = 1e8, .unit = "tokens",
          .doc = "sequence length (MPE in FlagPerf)"),
    FIELD(CHOICE, struct case_record, targets, .choices = case_targets,
          .doc =
              "for fpreport's trainer: the target of the last token in a sequence is the next "
              "token of the data (`next`, default), or the last token has no target (`inside`, as "
              "in DeepSpeed)"),
    FIELD(CHOICE, struct case_record, stage, .choices = stages,
          .doc = "for multimodal models in fpreport's trainer: train only the projector "
                 "(`pretrain`), or all weights except the vision tower (`finetune`, default)"),
    FIELD(CHOICE, struct case_record, mean, .choices = means,
          .doc = "for fpreport's trainer: the mean loss weights every target token equally "
                 "(`tokens`, default) or every micro-batch of a rank equally, as DeepSpeed does "
                 "(`ranks`)"),
    FIELD(COUNT, struct case_record, micro_batch, .min = 1, .max = 1e8, .unit = "sequences",
          .doc = "micro-batch size of a rank (LBS in FlagPerf)"),
    FIELD(COUNT, struct case_record, gradient_accumulation, .min = 1, .max = 1e8,
          .doc = "gradient accumulation steps (GAS in FlagPerf)"),
    FIELD(COUNT, struct case_record, steps, .min = 1, .max = 1e9, .unit = "steps",
          .doc = "number of optimizer steps"),
    FIELD(COUNT, struct case_record, seed, .doc = "seed of initial weights, data and data order"),
    FIELD(CHOICE, struct case_record, precision, .choices = case_precisions,
          .doc = "precision of the matrix products"),
    FIELD(ID, struct case_record, accelerator,
          .doc = "for `command`: the card on which the case runs, if fpreport does not know the "
                 "tool of this card"),
    FIELD(CHOICE, struct case_record, recompute, .choices = recomputes,
          .doc = "for fpreport's trainer: activation recomputation (default `none`)"),
    FIELD(OBJECT, struct case_record, parallel, .shape = &parallel_shape,
          .doc = "parallel plan (default: one rank)"),
    FIELD(OBJECT, struct case_record, lora, .shape = &lora_shape,
          .doc = "for fpreport's trainer: LoRA adapters; if absent, all weights are trained"),
    FIELD(OBJECT, struct case_record, optimizer, .shape = &optimizer_shape,
          .doc = "optimizer of fpreport's trainer"),
    FIELD(OBJECT, struct case_record, report, .shape = &report_shape,
          .doc = "how fpreport computes the numbers from the logs"),
    FIELD(REAL, struct case_record, mfu_factor, .min = 0.1, .max = 100,
          .doc = "factor in the formula of MFU: 6 for training (default), 4 for LoRA, 2 for LLaVA "
                 "pretraining"),
    FIELD(OBJECT, struct case_record, alignment, .shape = &alignment_shape,
          .doc = "reference curve for the losses, and limit of the deviation from this curve"),
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

const struct shape case_shape = SHAPE("case", struct case_record, case_fields,
                                      .doc = "A case record states all settings of a training that "
                                             "vendors use as a benchmark.",
                                      .schema = "fpreport.case/1", .check = check_case_shape);
