/*
 * llama-recipes, as the LoRA fine-tuning case runs it. A progress bar redraws its line with
 * carriage returns, several times a step; the step counts from 0 in every epoch, so the curve
 * counts on from 1 through all of them. The loss is divided by the accumulated batches, as the
 * script prints it.
 *
 *   Training Epoch: 1/3, step 12/3189 completed (loss: 1.6437):   0%|   | 12/3189 [00:10<…]
 *
 * Between them lines of loguru, "<time> | INFO     | __main__:train:120 - <text>", of which the
 * texts are read that give a figure, and at the end the results:
 *
 *   Max CUDA memory allocated was 21 GB
 *   Epoch 1: train_perplexity=5.1234, train_epoch_loss=1.6338, epoch time 123.4s
 *   MMLU5-shots Acc: 0.43
 *   MMLU: 0.43 achieve  the target:0.4.
 *   MMLU target is not achieved
 *   Key: avg_train_loss, Value: 1.77
 */
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"

/* Reads `<word> <number>/<number>`; advances *s behind it. */
static bool read_of(struct span *s, const char *word, double *value, double *of)
{
    struct span rest;
    if (!span_after(*s, word, &rest))
        return false;
    size_t n = span_number(rest, value);
    rest = span_from(rest, n);
    if (!n || !span_starts(rest, "/"))
        return false;
    rest = span_from(rest, 1);
    n = span_number(rest, of);
    *s = span_from(rest, n);
    return n > 0;
}

static bool read_llama_recipes_bar(struct log_reader *r, struct span s)
{
    double epoch, epochs, step, steps, loss;
    if (!read_of(&s, "Training Epoch: ", &epoch, &epochs) ||
        !read_of(&s, ", step ", &step, &steps) || !span_after(s, "(loss: ", &s) ||
        !span_number(s, &loss))
        return false;
    struct log_point p = log_point_at(r, (epoch - 1) * steps + step + 1);
    struct log *log = r->log;
    log_tail_goal(r, NAN, epochs * steps);
    log_set(&p, offsetof(struct log_point, loss), loss);
    if (log->n_points && log->points[log->n_points - 1].step == p.step)
        log->points[log->n_points - 1] = p; /* the bar was drawn again */
    else
        log_add_point(r, &p);
    return true;
}

/* Texts of loguru: what stands in front of a number, and the name for it. A text without a number
 * behind it sets `otherwise`. */
static const struct text {
    const char *before, *name;
    double otherwise;
} texts[] = {
    {"Max CUDA memory allocated was ", "Max CUDA memory allocated (GB)", NAN},
    {"Max CUDA memory reserved was ", "Max CUDA memory reserved (GB)", NAN},
    {"Peak active CUDA memory was ", "Peak active CUDA memory (GB)", NAN},
    {"train_perplexity=", "train_perplexity", NAN},
    {"train_epoch_loss=", "train_epoch_loss", NAN},
    {"epoch time ", "epoch time (s)", NAN},
    {"MMLU5-shots Acc: ", "MMLU5-shots Acc", NAN},
    {"MMLU: ", "MMLU", NAN},
    {"the target:", "MMLU target", NAN},
    {"MMLU target is not achieved", "MMLU achieved", 0},
};

static bool read_llama_recipes_text(struct log_reader *r, struct span s)
{
    bool known = false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct span rest;
        double value = texts[i].otherwise;
        if (!span_after(s, texts[i].before, &rest))
            continue;
        if (!span_number(rest, &value) && isnan(texts[i].otherwise))
            continue;
        log_add_value(r, span_of(texts[i].name), value);
        known = true;
    }
    if (span_find(s, " achieve ") < s.n && known)
        log_add_value(r, SPAN("MMLU achieved"), 1);
    return known;
}

/* "Key: avg_train_loss, Value: 1.77" */
static bool read_result(struct log_reader *r, struct span s)
{
    struct span rest = span_from(s, sizeof "Key: " - 1), name = span_cut(&rest, ',');
    double value;
    if (!span_after(rest, "Value: ", &rest) || name.n == 0)
        return false;
    if (span_starts(rest, "tensor("))
        rest = span_from(rest, sizeof "tensor(" - 1);
    if (!span_number(rest, &value))
        return false;
    log_add_value(r, name, value);
    return true;
}

static bool read_llama_recipes_line(struct log_reader *r, struct span s)
{
    struct span rest;
    if (span_starts(s, "Key: "))
        return read_result(r, s);
    if (span_starts(s, "Training Epoch: "))
        return read_llama_recipes_bar(r, s);
    /* loguru begins with the time, and its level stands between bars. */
    if (s.p[0] == '2')
        return memchr(s.p, '|', s.n) && span_after(s, " | ", &rest) &&
               span_after(rest, " - ", &rest) && read_llama_recipes_text(r, rest);
    return span_starts(s, "MMLU") && read_llama_recipes_text(r, s);
}

const struct log_format log_format_llama_recipes = {
    .name = "llama-recipes",
    .reads = "llama-recipes",
    .sample = "Training Epoch: 1/3, step 12/3189 completed (loss: 1.6437):   0%|   | 12/3189 "
              "[00:10<45:00]",
    .first = "KTM2",
    .steps = true,
    .read = read_llama_recipes_line,
};
