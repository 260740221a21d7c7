/*
 * log_banner: what a training prints about its machine and itself before it trains.
 *
 * Launchers and frameworks print heads: nvidia-smi's and its twins' table, torch's collect_env, the
 * arguments of Megatron, FlagScale, NeMo and Paddle, DeepSpeed's configuration; our own trainer has
 * them in its INIT_START event (verifier/logs/formats/perflog.c). One const table says behind which
 * words what stands. Only the first lines of a log are looked at, and of each banner the first. A
 * value is a word, as it was printed. verifier/checks/evidence/log_arguments.c holds arguments to
 * the case.
 */
#pragma once

#include "base/lines/span.h"

enum log_banner {
    BANNER_DRIVER,    /* "535.54.03" */
    BANNER_RUNTIME,   /* of the driver: "12.2" */
    BANNER_CARD,      /* "NVIDIA A100-SXM4-40GB": the rest of its line */
    BANNER_RANKS,     /* "8" */
    BANNER_PRECISION, /* "torch.bfloat16" */
    BANNER_TORCH,     /* "2.1.0" */
    BANNER_DEEPSPEED, /* "0.11.1" */
    BANNER_COMMIT,    /* "26cd664" */
    /* Versions of what a framework is called by (verifier/runs/sys_info.h); what only shows that
     * it is there gives no version, but a word. */
    BANNER_MEGATRON,
    BANNER_FLAGSCALE,
    BANNER_NEMO,
    BANNER_NEMO_LINES,
    BANNER_TRANSFORMERS,
    BANNER_PADDLE,
    BANNER_PADDLENLP,
    BANNER_PADDLE_COMMIT,
    BANNER_DEVICE,    /* of our own trainer: "cpu", "cuda" */
    BANNER_LIBRARIES, /* of our own trainer: "CUDA 13.0, cuBLASLt 13.1.0, NCCL 2.28.3" */
    /* Sizes: whole numbers from 1. */
    BANNER_NODES,
    BANNER_TENSOR,
    BANNER_PIPELINE,
    BANNER_CONTEXT,
    BANNER_CHUNKS,
    BANNER_DATA, /* data-parallel ranks; without those that share a state (Paddle's sharding), */
    BANNER_SHARDING, /* which have sequences of their own, too, */
    BANNER_REPLICAS, /* and both together */
    BANNER_GLOBAL_BATCH,
    BANNER_MICRO_BATCH,
    BANNER_ACCUMULATION,
    BANNER_LAYERS,
    BANNER_HIDDEN,
    BANNER_HEADS,
    BANNER_KV_HEADS,
    BANNER_EXACT_LENGTH, /* tokens of each sequence: never a limit, as the next may be */
    BANNER_LENGTH,       /* tokens of a sequence */
    BANNER_RATE,         /* learning rate: "3e-4" */
    BANNER_BF16,         /* "True", "False" */
    BANNER_FP16,
    BANNER_FP8,  /* "hybrid", "e4m3", "None" */
    BANNER_RAMP, /* of a batch that grows: "[16,", "None" */
    BANNERS
};

struct log_banner_value {
    const char *value; /* NULL: not said */
    int line;
};

#define LOG_BANNER_LINES 20000
#define LOG_BANNER_MAX 120 /* bytes of a value */

struct log_reader;

/* A segment that no format knows. */
void log_banner(struct log_reader *r, struct span s);

/* The size that was printed; 0: none was. */
long long log_banner_size(const struct log_banner_value *banners, enum log_banner banner);

/* The value, unless there is one; what is too long or no plain text is passed over. */
void log_banner_set(struct log_reader *r, enum log_banner banner, struct span value);
