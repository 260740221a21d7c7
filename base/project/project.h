/*
 * project: everything under records/, loaded.
 *
 *   records/vendors/<id>.json        who submits
 *   records/accelerators/<id>.json   cards: peak TFLOP/s per precision with its source, memory
 *   records/models/<id>.json         nominal N, exact N, shape
 *   records/cases/<id>.json          what is to be run, and the alignment rule
 *   records/results/<vendor>/<case>.json   the claims (base/records/result.h)
 *   records/reproductions/<vendor>/<case>/<id>.json   runs made again (base/records/reproduction.h)
 *   records/mlperf/rounds/<round>.json, records/mlperf/results/<round>/<package>/<system>.json
 *                                    results of MLPerf Training (base/records/mlperf_record.h)
 *   records/evidence/…, records/references/…  sealed submissions and reference curves (bytes)
 *
 * A file that is malformed adds its diagnostics and is left out; the rest is loaded. An id must
 * equal its file name. Lists are sorted by id. A record that names another one which is not there
 * (a result its case, a case its model …) is loaded with a warning.
 */
#pragma once

#include "base/files/held.h"
#include "base/lookup.h"
#include "base/records/mlperf_record.h"
#include "base/records/reproduction.h"
#include "base/records/result.h"

#include <math.h>

struct declared_tool;

struct vendor {
    int line;
    const char *id;
    struct words name;
    const char *heading; /* words in front of "配置与运行信息参考": "Nvidia GPU" */
    const char *url;
    const char **aliases;
    size_t n_aliases;
    struct declared_tool *card_tool; /* base/cards/declared.h; NULL: none */
};

struct peak {
    int line;
    const char *precision; /* "fp32" "tf32" "bf16" "fp16" "fp8" */
    double tflops;         /* dense */
    const char *source;    /* where the figure is published */
};

struct accelerator {
    int line;
    const char *id, *vendor, *name;
    const char **aliases; /* other spellings, compared with text_same */
    size_t n_aliases;
    double memory_gib;        /* per card, as the vendor names it; NaN: not known */
    double board_watts;       /* the same: most that a card draws */
    long long ranks_per_card; /* 1, or 2 where one card shows itself as two devices */
    struct peak *peaks;
    size_t n_peaks;
    const char *peak_note; /* why a peak is missing ("withheld by the vendor") */
};

/* A tower that sees, of a model that has one. */
struct model_vision {
    int line;
    long long layers, used_layers, hidden, heads, ffn, image_size, patch_size;
    double norm_eps; /* NaN: 1e-5 */
};

struct model_shape {
    int line;
    long long vocabulary, layers, hidden, heads, kv_heads, ffn, context;
    bool tied_embeddings;
    const char *position;        /* "rope" "alibi"; NULL: rope */
    const char *head;            /* "free" "normed"; NULL: free, or tied */
    const char *names;           /* of a checkpoint's tensors: "llama" "baichuan" "llava"
                                    "llava_hf"; NULL: llama */
    struct model_vision *vision; /* NULL: it does not see */
    double norm_eps, rope_theta; /* NaN: 1e-5, 10000 */
};

struct model {
    int line;
    const char *id;
    struct words name;
    const char **aliases;
    size_t n_aliases;
    double nominal_parameters; /* N of the MFU convention: 7e9; NaN: not known */
    double exact_parameters;   /* NaN: not known */
    struct model_shape *shape;
    const char *source;
};

struct case_data {
    int line;
    const char *kind; /* "generated" "npy" "megatron" "conversations" "external" */
    const char *path; /* npy: file; megatron: prefix of .bin and .idx; relative to the case file */
    const char *sha256;
    long long tokens;  /* generated: how many */
    const char *name;  /* how pages call it: "openwebtext" */
    const char *order; /* of conversations: "shuffled" "grouped"; NULL: shuffled */
};

/* What a native training begins with instead of weights that are drawn from its seed. */
struct case_weights {
    int line;
    const char *name;              /* how pages call them: "meta-llama/Llama-2-7b-hf" */
    const char *path;              /* relative to the case file; NULL: --init says where they are */
    const char *sha256;            /* of their values (trainer/training/model_files.h) */
    const char *projector, *tower; /* paths of what a model that sees has beside; NULL */
};

struct case_parallel {
    int line;
    long long tensor, pipeline, data;
    long long zero;           /* level of ZeRO among the data-parallel ranks */
    long long chunks;         /* of layers on each stage */
    const char *stage_layers; /* "9 9 10 10": of each chunk in turn; NULL: alike */
};

struct case_lora {
    int line;
    long long r;
    double alpha, dropout; /* NaN: 0 */
    const char **targets;  /* "q_proj" "k_proj" "v_proj" "gate_proj" "up_proj" */
    size_t n_targets;
};

struct case_optimizer {
    int line;
    double learning_rate, min_learning_rate, weight_decay, beta1, beta2, epsilon, clip_norm,
        init_std;
    long long warmup_steps;
    const char *warmup_from; /* "one" "zero"; NULL: one */
    const char *decays;      /* "layers" "matrices" "all"; NULL: layers */
};

struct case_report {
    int line;
    long long warmup_steps; /* steps at the start that throughput leaves out */
    const char *throughput; /* "mean" over the rest, or "last" iteration */
};

struct case_alignment {
    int line;
    long long from_step;
    double max_mean_rel_error; /* ratio: 0.02 */
    const char *reference;     /* curve CSV or submission, relative to records/; NULL: none */
    const char *reference_sha256;
    struct words reference_note; /* what the reference is and how it was made */
};

struct case_record {
    int line;
    const char *id;
    struct words title, task;
    const char *model;   /* id */
    const char *trainer; /* "native" or "command" */
    struct case_data *data;
    struct case_weights *initial_weights; /* NULL: drawn from the seed */
    long long sequence_length, micro_batch, gradient_accumulation, steps, seed;
    const char *targets; /* "next" "inside"; NULL: next */
    const char *stage;   /* of a model that sees: "pretrain" "finetune"; NULL: another */
    const char *mean;    /* of losses: "tokens" "ranks"; NULL: tokens */
    const char *precision;
    const char *accelerator; /* id: a command's cards, where no tool shows them; NULL */
    const char *recompute;   /* "none" "selective" "full"; NULL: none */
    struct case_parallel *parallel;
    struct case_lora *lora; /* NULL: all weights are trained */
    struct case_optimizer *optimizer;
    struct case_report *report;
    double mfu_factor; /* 6 training, 4 LoRA, 2 LLaVA pretraining; NaN: 6 */
    struct case_alignment *alignment;
    const char *file; /* set by the loader: where it was read from */
};

extern const struct shape vendor_shape, accelerator_shape, model_shape_shape, case_shape;

/* Every kind of record file, in the order of docs/FIELDS.md; ends with NULL. */
extern const struct shape *const project_shapes[];

/* By its name, as "accelerator"; NULL when there is none. */
const struct shape *project_shape(const char *name);

struct duplicates;

/* One of the names of an accelerator. */
enum spelling_kind { SPELLING_NAME, SPELLING_ID, SPELLING_ALIAS };
struct spelling {
    const char *text; /* by text_fold_words */
    size_t n;         /* its bytes */
    const struct accelerator *of;
    enum spelling_kind kind;
};

/* One of the names of a card or a model, and what it looks like (looks.h). */
struct name_looks {
    const char *looks, *name;
};

struct name_list {
    struct name_looks *items;
    size_t n;
};

struct retraining;
/* One of the names of a vendor. */
struct vendor_name {
    const char *text; /* by text_fold; 3 bytes or more */
    const struct vendor *of;
};

struct signers;
struct store;

/* Files that are in the evidence of several vendors' results of a case (verifier/proofs/rivals.h).
 */
struct rival;
struct sketch;

struct shard;

struct rivals {
    struct rival *items; /* sorted */
    size_t n, n_places;
    struct sketch *sketches; /* of all evidence that has a rival (verifier/proofs/runs.h) */
    size_t n_sketches;
    const char **whole; /* cases of which all files are in it, those of one vendor, too */
    size_t n_whole;
};

struct project {
    const char *root;     /* the folder that holds vendors/, cases/ … */
    const char *flagperf; /* a FlagPerf checkout, whose configurations results name; NULL: none */
    const struct signers
        *signers;              /* whose signatures count (base/signing/signers.h); NULL: nobody's */
    const struct store *store; /* archive of submissions (base/store/store.h); NULL: none */
    const struct retraining
        *retraining;   /* that submissions are held to (base/records/challenge.h); NULL */
    const char *dated; /* the day of the publication, as site.json says it; NULL: it does not */
    struct arena *arena;
    const struct shard *shard; /* whose cases and results alone are loaded (shard.h); NULL: all */
    const struct held_files *held; /* what is below `root`, which names no folder; NULL: one */
    struct vendor *vendors;
    size_t n_vendors;
    struct accelerator *accelerators;
    size_t n_accelerators;
    struct model *models;
    size_t n_models;
    size_t n_lent_cards, n_lent_models; /* the last ones of both: project_lend */
    struct case_record *cases;
    size_t n_cases;
    struct result *results;
    size_t n_results;
    const struct result **by_case; /* all results, sorted by case, then vendor */
    const struct result **peers;   /* the same, with those given in place of their records */
    size_t n_peers;
    const struct duplicates
        *duplicates;      /* of the peers (verifier/claims/duplicates.h); NULL: not looked for */
    struct rivals rivals; /* set by verifier/proofs/runs.h */
    const struct case_record **by_id; /* all cases */
    struct spelling *spellings;       /* of all accelerators, sorted */
    size_t n_spellings;
    struct vendor_name *vendor_names; /* of all vendors, in their order */
    size_t n_vendor_names;
    struct name_list card_names, model_names; /* in the order of the records */
    struct lookup vendors_by_id, models_by_id;
    size_t spellings_from[257];         /* by the first byte */
    struct reproduction *reproductions; /* by vendor, case, id */
    size_t n_reproductions;
    struct mlperf_round_record *mlperf_rounds; /* by name */
    size_t n_mlperf_rounds;
    struct mlperf_record *mlperf_results; /* by path */
    size_t n_mlperf_results;
};

/* Files of one folder of records: all cases, or the results of one vendor. */
#define RECORDS_FOLDER_MAX ((size_t)2000000)

/* Load all records below `root`. Returns -1 (with diagnostics) when any file was left out. */
int project_load(const char *root, struct project *p, struct arena *arena, struct diags *diags);

/* As project_load, of one shard (base/project/shard.h): the cases, results and reproductions of the
 * others are not read, and those of MLPerf are the first shard's. */
int project_load_shard(const char *root, const struct shard *shard, struct project *p,
                       struct arena *arena, struct diags *diags);

/* As project_load, of records in memory; `root` is their name in messages. */
int project_load_held(const char *root, const struct held_files *held, struct project *p,
                      struct arena *arena, struct diags *diags);

/* Without results and reproductions: what holds in every project. */
int project_load_known_things(const char *root, struct project *p, struct arena *arena,
                              struct diags *diags);

/* The vendors alone. */
int project_load_vendors(const char *root, struct project *p, struct arena *arena,
                         struct diags *diags);

/* The accelerators alone, and what finds them. */
int project_load_accelerators(const char *root, struct project *p, struct arena *arena,
                              struct diags *diags);

/* The accelerators and the models, not indexed. */
int project_load_cards_and_models(const char *root, struct project *p, struct arena *arena,
                                  struct diags *diags);

/* Add from `root` each accelerator and model of which a loaded project has no name, behind its own.
 * Returns -1 when the machine could not read them, which alone is said. */
int project_lend(struct project *p, const char *root, struct diags *diags);

bool project_is_lent_card(const struct project *p, const struct accelerator *a);
bool project_is_lent_model(const struct project *p, const struct model *m);

/* By exact id; NULL when there is none. */
const struct vendor *project_vendor(const struct project *p, const char *id);
const struct case_record *project_case(const struct project *p, const char *id);
const struct model *project_model(const struct project *p, const char *id);
const struct result *project_result(const struct project *p, const char *vendor,
                                    const char *case_id);

/* By "vendor/case"; NULL. */
const struct result *project_result_by_name(const struct project *p, const char *name,
                                            struct arena *arena);

/* By id, name or alias as a page spells it (text_same); NULL when nothing or more than one
 * fits. An accelerator is also found inside longer text ("NVIDIA A100-SXM4-40GB", "曦云®C500
 * 64G"): the longest alias that occurs as a whole word wins; `vendor` narrows it, or NULL. Where
 * several claim it (project_cards_check), it is the one whose name it is, else whose id, else the
 * first: a further claim never makes a card unknown. */
const struct model *project_find_model(const struct project *p, const char *text);
const struct accelerator *project_find_accelerator(const struct project *p, const char *text,
                                                   const char *vendor);

/* The same among all vendors' cards, but of those that claim one spelling this vendor's. */
const struct accelerator *project_find_card(const struct project *p, const char *text,
                                            const char *own);

/* A size of a plan (TP, PP, DP, GAS) as a factor: 0, which a plan does not name, stands for 1. */
static inline double plan_factor(long long size)
{
    return size ? (double)size : 1;
}

/* Sequences in one step: LBS * GAS * DP, where GAS or DP that the case does not name is 1; 0 when
 * it names no LBS. */
double case_sequences(const struct case_record *c);

/* Where the cosine ends: a tenth of `peak`, the highest learning rate, where the case is silent. */
static inline double case_least_rate(const struct case_optimizer *o, double peak)
{
    return isnan(o->min_learning_rate) ? peak / 10 : o->min_learning_rate;
}

/* All peers of this case, sorted by vendor: *n of them from the returned one on. */
const struct result **project_case_results(const struct project *p, const char *case_id, size_t *n);

/* Make the tables for looking things up again, after records were added; p->by_case becomes
 * p->peers, too. */
void project_index(struct project *p);

/* Results that are looked at together are compared with each other: each becomes a peer, in place
 * of the record of its vendor and case. The first of two with the same vendor and case counts. */
void project_give(struct project *p, const struct result *const *given, size_t n);

/* The model of a case: as its record says, else the one that its id begins with, up to the first
 * '-' ("llama2_7b-deepspeed"); NULL when it is not known. */
const struct model *project_case_model(const struct project *p, const char *case_id);

/* The model that a result trained: its case's, or the one that the general metrics table of its
 * page names in the row 模型; NULL when it is not known. */
const struct model *project_result_model(const struct project *p, const struct result *r);
