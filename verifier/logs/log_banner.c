#include "verifier/logs/log_banner.h"

#include "verifier/logs/log.h"

#include <stdlib.h>

/* What stands behind the words, and how. */
enum place {
    WORD,    /* a word */
    REST,    /* the rest of the line, up to a bracket */
    SETTING, /* the words are a name of its own: "name ..... 8", "name: 8", "'name': 8", "name=8" */
    VERSION, /* the same, and the value is a version: "name==1.2.0" */
    ARGUMENT, /* the same without quotes, which configurations of models have: "name ..... 8" */
    DOTTED,   /* "name ..... 8" alone, as Megatron and DeepSpeed print their arguments */
    SWITCHED, /* as SETTING, where it is switched on: "name: True", "name ..... enabled=True" */
    MARK,     /* the words themselves */
};

static const struct banner_row {
    enum log_banner banner;
    const char *words; /* anywhere in the line */
    enum place place;
} rows[] = {
    {BANNER_DRIVER, "Driver Version: ", WORD},        /* nvidia-smi, ixsmi, xpu-smi, mthreads-gmi */
    {BANNER_DRIVER, "Nvidia driver version: ", WORD}, /* torch.utils.collect_env */
    {BANNER_RUNTIME, "CUDA Version: ", WORD},
    {BANNER_CARD, "GPU 0: ", REST},             /* nvidia-smi -L, collect_env */
    {BANNER_RANKS, "world size: ", WORD},       /* Megatron; LLaMA-Factory */
    {BANNER_RANKS, "world_size", SETTING},      /* Megatron, DeepSpeed, Paddle */
    {BANNER_RANKS, "dist_world_size", SETTING}, /* deepspeed's launcher */
    {BANNER_RANKS, "MEMBER: 1/", WORD},         /* Lightning, and so NeMo */
    {BANNER_RANKS, "registered. Starting with ", WORD},
    {BANNER_NODES, "num_nodes", SETTING}, /* NeMo */
    {BANNER_NODES, "nnodes", SETTING},    /* launchers, FlagScale */
    {BANNER_TENSOR, "tensor-model-parallel size: ", WORD},
    {BANNER_TENSOR, "tensor_model_parallel_size", SETTING}, /* Megatron, FlagScale, NeMo */
    {BANNER_TENSOR, "tensor_parallel_degree", SETTING},     /* Paddle's trainer */
    {BANNER_TENSOR, "mp_degree", SETTING},                  /* Paddle's fleet */
    {BANNER_PIPELINE, "pipeline-model-parallel size: ", WORD},
    {BANNER_PIPELINE, "pipeline_model_parallel_size", SETTING},
    {BANNER_PIPELINE, "pipeline_parallel_degree", SETTING},
    {BANNER_PIPELINE, "pp_degree", SETTING},
    {BANNER_CONTEXT, "context-parallel size: ", WORD},
    {BANNER_CONTEXT, "context_parallel_size", SETTING},
    {BANNER_CONTEXT, "context_parallel_degree", SETTING},
    {BANNER_CONTEXT, "sep_parallel_degree", SETTING},
    {BANNER_CHUNKS, "virtual_pipeline_model_parallel_size", SETTING},
    {BANNER_CHUNKS, "virtual_pp_degree", SETTING},
    {BANNER_DATA, "data-parallel size: ", WORD},
    {BANNER_DATA, "data_parallel_size", SETTING},
    {BANNER_DATA, "data_parallel_degree", SETTING},
    {BANNER_DATA, "dp_degree", SETTING},
    {BANNER_SHARDING, "sharding_parallel_degree", SETTING},
    {BANNER_SHARDING, "sharding_degree", SETTING},
    {BANNER_REPLICAS, "dataset_world_size", SETTING},   /* Paddle's trainer */
    {BANNER_GLOBAL_BATCH, "train_batch_size", SETTING}, /* DeepSpeed */
    {BANNER_GLOBAL_BATCH, "global_batch_size", SETTING},
    {BANNER_GLOBAL_BATCH, "(w. parallel, distributed & accumulation) = ", WORD}, /* transformers */
    {BANNER_MICRO_BATCH, "train_micro_batch_size_per_gpu", SETTING},
    {BANNER_MICRO_BATCH, "micro_batch_size", SETTING},
    {BANNER_MICRO_BATCH, "batch size per device = ", WORD},
    {BANNER_ACCUMULATION, "gradient_accumulation_steps", SETTING},
    {BANNER_ACCUMULATION, "Gradient Accumulation steps = ", WORD},
    {BANNER_LENGTH, "seq_length", SETTING},     /* Megatron, FlagScale */
    {BANNER_LENGTH, "max_seq_length", SETTING}, /* Paddle, trl */
    {BANNER_LENGTH, "cutoff_len", SETTING},     /* LLaMA-Factory */
    {BANNER_LENGTH, "seq_len", SETTING},        /* torchtitan */
    {BANNER_LENGTH, "model_max_length", SETTING},
    {BANNER_LAYERS, "num_layers", ARGUMENT},
    {BANNER_HIDDEN, "hidden_size", ARGUMENT},
    {BANNER_HEADS, "num_attention_heads", ARGUMENT},
    {BANNER_KV_HEADS, "num_query_groups", ARGUMENT},
    {BANNER_EXACT_LENGTH, "seq_length", ARGUMENT},
    {BANNER_RATE, "lr", DOTTED},
    {BANNER_RATE, "optimizer_params ............. {'lr': ", WORD},
    {BANNER_BF16, "bf16", DOTTED},
    {BANNER_BF16, "bf16", SWITCHED},
    {BANNER_BF16, "bfloat16_enabled", SWITCHED},
    {BANNER_BF16, "bfloat16_config", SWITCHED},
    {BANNER_FP16, "fp16", DOTTED},
    {BANNER_FP16, "fp16", SWITCHED},
    {BANNER_FP16, "fp16_enabled", SWITCHED},
    {BANNER_FP16, "float16_config", SWITCHED},
    {BANNER_FP8, "fp8", DOTTED},
    {BANNER_FP8, "fp8_format", ARGUMENT},
    {BANNER_RAMP, "rampup_batch_size", DOTTED},
    {BANNER_PRECISION, "params_dtype ...", WORD},
    {BANNER_TORCH, "PyTorch version: ", WORD},
    {BANNER_TORCH, "torch version ...", WORD}, /* ds_report */
    {BANNER_DEEPSPEED, "DeepSpeed info: version=", WORD},
    {BANNER_DEEPSPEED, "deepspeed info ...", WORD}, /* ds_report */
    {BANNER_DEEPSPEED, "deepspeed", VERSION},       /* pip freeze, and so the following */
    {BANNER_MEGATRON, "megatron-core version", VERSION},
    {BANNER_MEGATRON, "megatron-core", VERSION},
    {BANNER_MEGATRON, "megatron_core", VERSION},
    {BANNER_FLAGSCALE, "FlagScale", MARK},
    {BANNER_FLAGSCALE, "flagscale", MARK},
    {BANNER_NEMO, "nemo_version", VERSION},
    {BANNER_NEMO, "nemo_toolkit", VERSION},
    {BANNER_NEMO, "NeMo version", VERSION},
    {BANNER_NEMO_LINES, "[NeMo I ", MARK},
    {BANNER_TRANSFORMERS, "transformers_version", VERSION}, /* its configurations */
    {BANNER_TRANSFORMERS, "transformers version", VERSION},
    {BANNER_TRANSFORMERS, "Transformers version", VERSION},
    {BANNER_TRANSFORMERS, "transformers", VERSION},
    {BANNER_PADDLE, "paddle version", VERSION},
    {BANNER_PADDLE, "paddlepaddle version", VERSION},
    {BANNER_PADDLE, "PaddlePaddle version", VERSION},
    {BANNER_PADDLE, "paddlepaddle-gpu", VERSION},
    {BANNER_PADDLE, "paddlepaddle", VERSION},
    {BANNER_PADDLE_COMMIT, "paddle commit id", SETTING},
    {BANNER_PADDLENLP, "paddlenlp version", VERSION},
    {BANNER_PADDLENLP, "PaddleNLP version", VERSION},
    {BANNER_PADDLENLP, "paddlenlp", VERSION},
    {BANNER_COMMIT, "Git info for Megatron: git_hash=", WORD},
};

static bool is_plain_banner(struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20 || (unsigned char)s.p[i] > 0x7e)
            return false;
    return s.n > 0 && s.n <= LOG_BANNER_MAX;
}

void log_banner_set(struct log_reader *r, enum log_banner banner, struct span value)
{
    struct log_banner_value *b = &r->log->banners[banner];
    if (!b->value && is_plain_banner(value))
        *b = (struct log_banner_value){arena_strndup(r->arena, value.p, value.n), r->line};
}

/* Up to a blank or what separates. */
static struct span word_of(struct span s)
{
    size_t n = 0;
    while (n < s.n && !strchr(" \t,|})'\"", s.p[n]))
        n++;
    return (struct span){s.p, n};
}

static bool is_size(struct span s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n > 0 && n == s.n && n <= 9 && s.p[0] != '0';
}

long long log_banner_size(const struct log_banner_value *banners, enum log_banner banner)
{
    const char *value = banners[banner].value;
    return value && is_size(span_of(value)) ? atoll(value) : 0;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* What stands behind a name that is no part of a longer one. */
static bool find_setting(struct span s, const char *name, enum place place, struct span *value)
{
    const char *separators = place == ARGUMENT ? " .:=\t" : place == DOTTED ? " ." : "'\" .:=\t";
    for (struct span at = s, rest; span_after(at, name, &rest); at = rest) {
        const char *begin = rest.p - strlen(name);
        size_t n = 0;
        while (n < rest.n && strchr(separators, rest.p[n]))
            n++;
        if ((begin > s.p && is_of_name(begin[-1])) || n == 0 ||
            (place == DOTTED && span_find((struct span){rest.p, n}, "..") == n))
            continue;
        *value = span_from(rest, n);
        return true;
    }
    return false;
}

/* "2.1", "0.14.3+abc"; "v" in front of it goes. */
static bool is_version(struct span *s)
{
    if (s->n > 1 && s->p[0] == 'v')
        *s = span_from(*s, 1);
    return s->n > 2 && s->p[0] >= '0' && s->p[0] <= '9' && memchr(s->p, '.', s->n);
}

/* "True", "enabled=True"; what is "auto" or switched off says nothing. */
static bool is_switched_on(struct span *s)
{
    static const char enabled[] = "enabled=";
    if (span_starts(*s, enabled))
        *s = span_from(*s, strlen(enabled));
    return span_is(*s, "True") || span_is(*s, "true");
}

static bool is_there(struct span s, const struct banner_row *row, struct span *value)
{
    if (row->place != WORD && row->place != REST && row->place != MARK) {
        if (!find_setting(s, row->words, row->place, value))
            return false;
        *value = word_of(*value);
        return row->place == VERSION    ? is_version(value)
               : row->place == SWITCHED ? is_switched_on(value)
                                        : true;
    }
    if (!span_after(s, row->words, value))
        return false;
    if (row->place == MARK) {
        *value = span_of(row->words);
        return true;
    }
    while (value->n && strchr(" .", value->p[0]))
        *value = span_from(*value, 1);
    if (row->place == REST)
        value->n = span_find(*value, " (");
    *value = row->place == REST ? span_trim(*value) : word_of(*value);
    return true;
}

static bool is_of_sizes(enum log_banner banner)
{
    return banner == BANNER_RANKS || (banner >= BANNER_NODES && banner <= BANNER_EXACT_LENGTH);
}

void log_banner(struct log_reader *r, struct span s)
{
    struct span value;
    if (!s.n || r->segments > LOG_BANNER_LINES)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum log_banner banner = rows[i].banner;
        if (r->log->banners[banner].value || !is_there(s, &rows[i], &value))
            continue;
        if (!is_of_sizes(banner) || is_size(value))
            log_banner_set(r, banner, value);
    }
}
