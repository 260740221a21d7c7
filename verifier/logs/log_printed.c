#include "verifier/logs/log_printed.h"

#include <ctype.h>
#include <math.h>

static const struct {
    const char *block, *words, *option; /* NULL: it is not printed so */
} prints[PRINTED_VALUES] = {
    [PRINTED_RANKS] = {"world_size", "world size: ", NULL},
    [PRINTED_DATA] = {"data_parallel_size", "data-parallel size: ", NULL},
    [PRINTED_TENSOR] = {"tensor_model_parallel_size",
                        "tensor-model-parallel size: ", "tensor-model-parallel-size"},
    [PRINTED_PIPELINE] = {"pipeline_model_parallel_size",
                          "pipeline-model-parallel size: ", "pipeline-model-parallel-size"},
    [PRINTED_CONTEXT] = {"context_parallel_size",
                         "context-parallel size: ", "context-parallel-size"},
    [PRINTED_GLOBAL_BATCH] = {"global_batch_size", NULL, "global-batch-size"},
    [PRINTED_MICRO_BATCH] = {"micro_batch_size", NULL, "micro-batch-size"},
    [PRINTED_LENGTH] = {"seq_length", NULL, "seq-length"},
    [PRINTED_LAYERS] = {"num_layers", NULL, "num-layers"},
    [PRINTED_HIDDEN] = {"hidden_size", NULL, "hidden-size"},
    [PRINTED_HEADS] = {"num_attention_heads", NULL, "num-attention-heads"},
    [PRINTED_STEPS] = {"train_iters", NULL, "train-iters"},
    [PRINTED_DECAY_STEPS] = {"lr_decay_iters", NULL, "lr-decay-iters"},
    [PRINTED_RATE] = {"lr", NULL, "lr"},
};

static const char *const reports[REPORTED_VALUES] = {
    [REPORTED_STEP] = "iteration ",
    [REPORTED_MS] = "elapsed time per iteration (ms): ",
    [REPORTED_SAMPLES] = "consumed samples: ",
    [REPORTED_BATCH] = "global batch size: ",
    [REPORTED_TFLOPS] = "throughput per GPU (TFLOP/s/GPU): ",
    [REPORTED_SCALE] = "loss scale: ",
};

#define DEEPSPEED_MARK "[config.py" /* whose world is Megatron's data-parallel ranks */
#define MOCK_MARK "mock_data ..."

#define SENTENCE_MAX 200 /* bytes of a line that is one */

const char *log_printed_name(enum printed x)
{
    return prints[x].block;
}

static bool is_of_argument(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* "name ....... 8": dots, two at least, between name and value. */
static struct span behind_dots(struct span s)
{
    size_t dots = 0;
    struct span rest = span_trim(s);
    while (rest.n && rest.p[0] == '.') {
        rest = span_from(rest, 1);
        dots++;
    }
    return dots > 1 && s.n && s.p[0] == ' ' ? rest : (struct span){s.p, 0};
}

/* "--name 8", "--name=8". */
static struct span behind_option(struct span line, struct span s)
{
    bool dashes = s.p - line.p >= 2 && s.p[-1] == '-' && s.p[-2] == '-';
    return dashes ? s : (struct span){s.p, 0};
}

static bool printed_number(struct span line, const char *name, int form, double *value)
{
    struct span left = line, rest;
    while (span_after(left, name, &rest)) {
        struct span at = {rest.p - strlen(name), 0};
        char before = at.p > line.p ? at.p[-1] : ' ';
        left = rest;
        if (form == 'o' ? !behind_option(line, (struct span){at.p, 1}).n : is_of_argument(before))
            continue;
        if (form == 'd')
            rest = behind_dots(rest);
        else if (form == 'o' && rest.n && !strchr(" =", rest.p[0]))
            continue;
        else if (form == 'o')
            rest = span_from(rest, rest.n > 0);
        if (rest.n && span_number(rest, value) && isfinite(*value) && *value > 0)
            return true;
    }
    return false;
}

bool log_printed_argument(struct span line, enum printed x, double *value)
{
    return span_find(line, DEEPSPEED_MARK) == line.n &&
           ((prints[x].block && printed_number(line, prints[x].block, 'd', value)) ||
            (prints[x].words && printed_number(line, prints[x].words, 'w', value)) ||
            (prints[x].option && printed_number(line, prints[x].option, 'o', value)));
}

bool log_printed_report(struct span line, double v[REPORTED_VALUES])
{
    struct span rest;
    if (span_find(line, reports[REPORTED_MS]) == line.n)
        return false;
    for (size_t i = 0; i < REPORTED_VALUES; i++)
        if (!span_after(line, reports[i], &rest) || !span_number(rest, &v[i]))
            v[i] = NAN;
    return !isnan(v[REPORTED_MS]) && !isnan(v[REPORTED_STEP]);
}

bool log_says_mock_data(struct span line)
{
    struct span rest;
    return span_after(line, MOCK_MARK, &rest) && span_find(rest, " True") < rest.n;
}

static bool starts_folded(struct span s, const char *word)
{
    size_t n = strlen(word);
    if (s.n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)s.p[i]) != word[i])
            return false;
    return true;
}

static bool has_folded(struct span s, const char *const *words)
{
    for (; s.n; s = span_from(s, 1))
        for (size_t i = 0; words[i]; i++)
            if (starts_folded(s, words[i]))
                return true;
    return false;
}

bool log_says_eight_bits(struct span line)
{
    static const char *const says[] = {" enabled", " training", " is on", NULL};
    static const char *const denies[] = {"not ",     "no ",     "disab", "false", "none",
                                         "support",  "availab", "off",   "?",     "warn",
                                         "deprecat", "_",       "=",     NULL};
    if (line.n > SENTENCE_MAX)
        return false;
    for (struct span s = line; s.n; s = span_from(s, 1))
        if (starts_folded(s, "fp8 ") && (s.p == line.p || !is_of_argument(s.p[-1])))
            return has_folded(span_from(s, 3), says) && !has_folded(line, denies);
    return false;
}
