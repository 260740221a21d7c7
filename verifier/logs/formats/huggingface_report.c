#include "verifier/logs/formats/huggingface_report.h"

#include "verifier/logs/log_format.h"

/* Of one kind the first that the dict has counts, in this order. */
static const struct known_key {
    const char *name;
    enum key key;
} known_keys[] = {
    {"loss", KEY_LOSS},
    {"train/loss", KEY_LOSS},
    {"lm loss", KEY_OTHER_LOSS},
    {"lm_loss", KEY_OTHER_LOSS},
    {"train/lm_loss", KEY_OTHER_LOSS},
    {"loss/train/total", KEY_OTHER_LOSS},
    {"loss/train", KEY_OTHER_LOSS},
    {"train_loss", KEY_OTHER_LOSS},
    {"training_loss", KEY_OTHER_LOSS},
    {"train.loss", KEY_OTHER_LOSS},
    {"training/loss", KEY_OTHER_LOSS},
    {"train/CrossEntropyLoss", KEY_OTHER_LOSS},
    {"train/CE loss", KEY_OTHER_LOSS},
    {"reduced_train_loss", KEY_OTHER_LOSS},
    {"step", KEY_STEP},
    {"global_step", KEY_STEP},
    {"global_step/max_steps", KEY_STEP},
    {"current_steps", KEY_STEP},
    {"train/global_step", KEY_STEP},
    {"trainer/global_step", KEY_STEP},
    {"train/step", KEY_STEP},
    {"num_updates", KEY_STEP},
    {"iteration", KEY_STEP},
    {"Step", KEY_STEP},
    {"_step", KEY_STEP}, /* Weights & Biases' own count */
    {"iter", KEY_ITER},
    {"epoch", KEY_EPOCH},
    {"train/epoch", KEY_EPOCH},
    {"grad_norm", KEY_GRAD_NORM},
    {"train/grad_norm", KEY_GRAD_NORM},
    {"learning_rate", KEY_LEARNING_RATE},
    {"train/learning_rate", KEY_LEARNING_RATE},
    {"lr", KEY_LEARNING_RATE},
    {"step_time", KEY_SECONDS},
    {"step_time_s", KEY_SECONDS},
    {"iteration_time_s", KEY_SECONDS},
    {"tokens/train_per_sec_per_gpu", KEY_CARD_RATE}, /* axolotl */
    {"tokens_per_second_per_gpu", KEY_CARD_RATE},
    {"memory(GiB)", KEY_MEMORY}, /* ms-swift */
    {"memory/max_memory_allocated(GiB)", KEY_MEMORY},
    {"memory/max_allocated (GiB)", KEY_MEMORY}, /* axolotl */
    {"memory/max_mem_allocated(gib)", KEY_MEMORY},
    {"train_runtime", KEY_FINAL},
    {"train_samples_per_second", KEY_FINAL},
    {"train_steps_per_second", KEY_FINAL},
    {"train_tokens_per_second", KEY_FINAL},
};

bool huggingface_is_quoted(struct span s)
{
    return span_starts(s, "'") || span_starts(s, "\"");
}

/* Drops what a number may be wrapped in. */
static struct span unwrapped(struct span s)
{
    static const char *const wraps[] = {"np.float64(", "np.float32(", "numpy.float64(", "tensor("};
    s = span_trim(s);
    if (huggingface_is_quoted(s))
        s = span_from(s, 1);
    for (size_t i = 0; i < sizeof wraps / sizeof wraps[0]; i++)
        if (span_starts(s, wraps[i]))
            return span_from(s, strlen(wraps[i]));
    return s;
}

static void take_huggingface_value(struct log_reader *r, struct span name, double value,
                                   struct report *out)
{
    for (size_t i = 0; i < sizeof known_keys / sizeof known_keys[0]; i++) {
        enum key key = known_keys[i].key;
        if (!span_is(name, known_keys[i].name))
            continue;
        if (key == KEY_FINAL) {
            out->known = true;
            log_add_value(r, name, value);
            if (span_is(name, "train_runtime")) {
                out->ends = true;
                out->runtime = value;
            } else if (span_is(name, "train_steps_per_second")) {
                out->steps_per_s = value;
            } else if (span_is(name, "train_samples_per_second")) {
                out->samples_per_s = value;
            }
        } else if (!out->has[key] || i < out->row[key]) {
            out->of[key] = value;
            out->has[key] = true;
            out->row[key] = i;
        }
        return;
    }
}

/* What the keys mean together. */
static void settle_report(struct log_reader *r, struct report *out)
{
    if (!out->has[KEY_STEP] && out->has[KEY_ITER] && !out->has[KEY_EPOCH]) {
        out->of[KEY_STEP] = out->of[KEY_ITER];
        out->has[KEY_STEP] = true;
    }
    if (out->has[KEY_OTHER_LOSS] && out->ends)
        log_add_value(r, SPAN("train_loss"), out->of[KEY_OTHER_LOSS]);
    else if (out->has[KEY_OTHER_LOSS] && !out->has[KEY_LOSS] && out->has[KEY_STEP]) {
        out->of[KEY_LOSS] = out->of[KEY_OTHER_LOSS];
        out->has[KEY_LOSS] = true;
    }
    double epoch = out->of[KEY_EPOCH];
    out->of_epoch = out->has[KEY_OTHER_LOSS] && !out->has[KEY_LOSS] && !out->has[KEY_STEP] &&
                    !out->ends && epoch >= 0 && epoch == floor(epoch);
    out->known = out->known || out->has[KEY_LOSS] || out->of_epoch;
}

/* A string that stands as a value, so that nothing in it is taken for a key. */
static struct span behind_value(struct span s)
{
    struct span value = span_trim(s);
    if (!huggingface_is_quoted(value))
        return s;
    struct span rest = span_from(value, 1);
    span_cut(&rest, value.p[0]);
    return rest;
}

void huggingface_read_report(struct log_reader *r, struct span s, struct report *out)
{
    *out = (struct report){.runtime = NAN, .steps_per_s = NAN, .samples_per_s = NAN};
    for (size_t i = 0; i < KEY_FINAL; i++)
        out->of[i] = NAN;
    while (s.n) {
        if (!huggingface_is_quoted(s)) {
            s = span_from(s, 1);
            continue;
        }
        struct span rest = span_from(s, 1), name = span_cut(&rest, s.p[0]);
        double value;
        s = span_trim(rest);
        if (!span_starts(s, ":"))
            continue;
        s = span_from(s, 1);
        if (span_number(unwrapped(s), &value))
            take_huggingface_value(r, name, value, out);
        s = behind_value(s);
    }
    settle_report(r, out);
}

double huggingface_step_in_front(struct span s)
{
    static const char *const words[] = {"step", "Step", "iteration", "Iteration", "iter", "Iter"};
    double step = NAN;
    if (span_find(s, "poch") < s.n)
        return NAN;
    for (size_t i = 0; i < sizeof words / sizeof *words && isnan(step); i++)
        for (struct span at = s, rest; isnan(step) && span_after(at, words[i], &rest); at = rest) {
            size_t n = 0;
            while (n < rest.n && n < 3 && strchr(" :=[#", rest.p[n]))
                n++;
            struct span number = span_from(rest, n);
            bool digit = n && number.n && number.p[0] >= '0' && number.p[0] <= '9';
            size_t length = digit ? span_number(number, &step) : 0;
            bool ends = length < number.n && strchr(" /:,])|", number.p[length]);
            if (!length || !ends || step != floor(step))
                step = NAN;
        }
    return step;
}
