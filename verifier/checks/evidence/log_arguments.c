/*
 * FP4021: the arguments that a framework prints before it trains, held to the case that was run and
 * to its model. What the case does not state is not asked; nor is what a log prints as "auto".
 */
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <stdlib.h>

/* A printed rate has as many digits as it was given with. */
#define PRINTED_RATE_SLACK 1e-6

struct asked {
    struct audit *a;
    const struct proof *p;
    const struct run_log *log; /* that is looked at */
    size_t compared, wrong;
};

/* As an argument is called, and what it should be; 0 and NaN: the case does not say. */
struct argument {
    enum log_banner banner;
    const char *name;
    double expected;
};

static void find_argument(struct asked *q, int line, const char *name, const char *found,
                          const char *by, const char *expected)
{
    struct check_result *r =
        proof_report(q->a, q->p, q->log->name, OUTCOME_FAIL,
                     sentence_say(q->a->arena, "the log prints %s %s, but %s has %s", name, found,
                                  by, expected));
    r->line = line;
    audit_expect(r, found, expected);
    q->wrong++;
}

static void compare_number(struct asked *q, const struct argument *x, const char *by)
{
    const struct log_banner_value *b = &q->log->log.banners[x->banner];
    char *end;
    double found = b->value ? strtod(b->value, &end) : NAN;
    if (!(x->expected > 0) || !b->value || *end || !(found > 0))
        return;
    q->compared++;
    if (fabs(found - x->expected) > PRINTED_RATE_SLACK * x->expected)
        find_argument(q, b->line, x->name, b->value, by, audit_number(q->a->arena, x->expected));
}

static void compare_with_case(struct asked *q)
{
    const struct case_record *c = q->p->kase;
    const struct argument of_case[] = {
        {BANNER_EXACT_LENGTH, "seq_length", (double)c->sequence_length},
        {BANNER_MICRO_BATCH, "micro_batch_size", (double)c->micro_batch},
        {BANNER_ACCUMULATION, "gradient_accumulation_steps", (double)c->gradient_accumulation},
        {BANNER_GLOBAL_BATCH, "global_batch_size", c->parallel ? case_sequences(c) : 0},
        {BANNER_RATE, "lr", c->optimizer ? c->optimizer->learning_rate : NAN},
    };
    for (size_t i = 0; i < sizeof of_case / sizeof *of_case; i++)
        compare_number(q, &of_case[i], "the case");
}

static void compare_with_model(struct asked *q)
{
    const struct model *m = project_find_model(q->a->project, q->p->kase->model);
    const struct model_shape *shape = m ? m->shape : NULL;
    if (!shape)
        return;
    const struct argument of_model[] = {
        {BANNER_LAYERS, "num_layers", (double)shape->layers},
        {BANNER_HIDDEN, "hidden_size", (double)shape->hidden},
        {BANNER_HEADS, "num_attention_heads", (double)shape->heads},
        {BANNER_KV_HEADS, "num_query_groups", (double)shape->kv_heads},
    };
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model; i++)
        compare_number(q, &of_model[i], "the model of the case");
}

static bool says_nothing(const char *value)
{
    return !value || text_same(value, "None") || text_same(value, "null") ||
           text_same(value, "False");
}

/* Mixed precision is any, but for the one of eight bits. */
static void compare_precision(struct asked *q)
{
    static const struct {
        enum log_banner banner;
        const char *name;
    } kinds[] = {{BANNER_FP8, "fp8"}, {BANNER_BF16, "bf16"}, {BANNER_FP16, "fp16"}};
    const char *ran = q->p->kase->precision;
    bool mixed = ran && (strstr(ran, "amp") || strstr(ran, "mix"));
    for (size_t i = 0; ran && i < sizeof kinds / sizeof *kinds; i++) {
        const struct log_banner_value *b = &q->log->log.banners[kinds[i].banner];
        bool said = b->value && (i || !says_nothing(b->value)), on = !says_nothing(b->value);
        if (!said || (mixed && i))
            continue;
        q->compared++;
        if (on != (strstr(ran, kinds[i].name) != NULL))
            find_argument(q, b->line, kinds[i].name, b->value, "the case", ran);
    }
}

/* What the last step counts beside what the arguments say; a batch that grows is less for a while.
 */
static void compare_batch_of_steps(struct asked *q)
{
    const struct log *log = &q->log->log;
    double said = (double)log_banner_size(log->banners, BANNER_GLOBAL_BATCH);
    size_t n = log->n_points;
    if (!said || n < 2 || !says_nothing(log->banners[BANNER_RAMP].value))
        return;
    const struct log_point *x = &log->points[n - 1], *before = x - 1;
    double each = (x->samples - before->samples) / (x->step - before->step);
    if (!(x->step > before->step) || !(each > 0))
        return;
    q->compared++;
    if (each != said)
        find_argument(q, log->banners[BANNER_GLOBAL_BATCH].line, "global_batch_size",
                      log->banners[BANNER_GLOBAL_BATCH].value, "the last step of the log",
                      audit_number(q->a->arena, each));
}

static void check_log_arguments(struct audit *a, struct proof *p)
{
    struct asked q = {a, p, NULL, 0, 0};
    if (!p->opened || !p->kase || p->kase_assumed)
        return;
    for (size_t i = 0; i < p->n_logs; i++) {
        q.log = p->logs[i];
        compare_with_case(&q);
        compare_with_model(&q);
        compare_precision(&q);
        compare_batch_of_steps(&q);
    }
    if (q.compared && !q.wrong)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "the arguments in the log agree with the case");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log prints %s %s, but %s has %s",
     .zh = "日志打印的 {1} 为 {2}，但{3:said}的对应值为 {4}"},
    {.en = "the case",
     .zh = "用例"},
    {.en = "the model of the case",
     .zh = "用例的模型"},
    {.en = "the last step of the log",
     .zh = "日志最后一步"},
    {.en = "the arguments in the log agree with the case",
     .zh = "日志打印的框架参数与用例一致"},
    {NULL, NULL},
};

const struct rule rule_fp4021 = {
    .id = "FP4021",
    .kind = "settings",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE,
    .proof = check_log_arguments,
    .title = {.en = "Framework arguments in the log", .zh = "日志打印的框架参数"},
    .statement = {.en = "The layers, sizes, batch sizes, sequence length, learning rate and "
                        "precision that the framework prints in the log must be those of the case "
                        "and its model.",
                  .zh = "框架在日志中打印的层数、维度、批大小、序列长度、学习率与精度，必须与用"
                        "例及用例的模型一致。"},
    .why = {.en = "A model with half the layers, or with sequences of a quarter of the length, "
                  "trains several times as fast, but its MFU is still computed for the full model.",
            .zh = "如果实际训练的模型只有一半的层数，或序列长度只有四分之一，训练速度会快几倍，"
                  "而 MFU 仍按完整的模型计算。"},
    .how = {.en = "Megatron, FlagScale and DeepSpeed print these arguments at the head of a log: "
                  "`num_layers`, `hidden_size`, `num_attention_heads`, `num_query_groups`, "
                  "`seq_length`, `micro_batch_size`, `global_batch_size`, "
                  "`gradient_accumulation_steps`, `lr`, `bf16`, `fp16` and `fp8`. The rule compares "
                  "the printed arguments with the case and with the sizes of its model. The rule "
                  "also compares the printed global batch size with the sample count of the last "
                  "step. An argument that the case does not state is not checked.",
            .zh = "Megatron、FlagScale 与 DeepSpeed 在日志开头打印以下参数：`num_layers`、"
                  "`hidden_size`、`num_attention_heads`、`num_query_groups`、`seq_length`、"
                  "`micro_batch_size`、`global_batch_size`、`gradient_accumulation_steps`、`lr`、"
                  "`bf16`、`fp16` 与 `fp8`。这条规则将日志打印的参数与用例及用例模型的各项尺寸比较"
                  "，还将打印的全局批大小与最后一步的样本数比较。框架打印了参数而用例没有规定该参数"
                  "时，不检查该参数。"},
    .fix = {.en = "Run the case with the settings that the case states, or make a new case with the "
                  "settings that you used.",
            .zh = "按用例规定的设置重新运行。如果要保留实际使用的设置，就为这些设置新建一个用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"TRAIN_END\"",
                .changed = "  seq_length ...................... 16\n"
                           "[PerfLog] {\"event\": \"TRAIN_END\""},
};
/* clang-format on */
