#include "verifier/checks/speed/throughputs.h"

const struct throughput throughputs[THROUGHPUTS] = {
    {"p_whole",
     {"raw_train_time", "train_time", NULL},
     {"throughput(ips)_raw", "throughput(sps)_raw", "throuhgput(ips)_raw"}},
    {"p_train",
     {"train_no_eval_time", "no_eval_time", NULL},
     {"throughput(ips)_no_eval", "throughput(sps)_no_eval", "throuhgput(ips)_no_eval"}},
    {"p_core",
     {"pure_training_computing_time", "pure_compute_time", NULL},
     {"throughput(ips)_pure_compute", "throughput(sps)_pure_compute",
      "throuhgput(ips)_pure_compute"}},
};

const struct log_value *throughput_value(const struct proof *p,
                                         const char *const names[THROUGHPUT_NAMES_MAX],
                                         const struct run_log **from)
{
    const struct log_value *v = NULL;
    for (size_t i = 0; i < THROUGHPUT_NAMES_MAX && names[i] && !v; i++)
        v = proof_value(p, names[i], from);
    return v;
}

bool throughput_divide(struct audit *a, const struct proof *p, const struct throughput *t,
                       struct recomputed *x)
{
    const struct run_log *from;
    const struct log_value *samples = proof_value(p, "num_trained_samples", &from);
    const struct log_value *seconds = throughput_value(p, t->seconds, &from);
    if (!samples || !seconds || !(seconds->value > 0))
        return false;
    double value = samples->value / seconds->value;
    *x = (struct recomputed){
        .key = t->column,
        .value = value,
        .decimals = 1,
        .derivation = sentence_say(a->arena, "%s / %s = %s (num_trained_samples / %s, line %d)",
                                   audit_number(a->arena, samples->value),
                                   audit_number(a->arena, seconds->value),
                                   audit_fixed(a->arena, value, 4), seconds->key, seconds->line),
        .file = from->log.file,
        .line = seconds->line};
    return true;
}

/* What the log prints, where it has not what it was made from. */
static bool take_printed(struct audit *a, const struct proof *p, const struct throughput *t,
                         struct recomputed *x)
{
    const struct run_log *from;
    const struct log_value *v = throughput_value(p, t->printed, &from);
    if (!v)
        return false;
    *x = (struct recomputed){.key = t->column,
                             .value = v->value,
                             .decimals = 1,
                             .derivation =
                                 sentence_say(a->arena, "%s (%s, line %d)",
                                              audit_number(a->arena, v->value), v->key, v->line),
                             .file = from->log.file,
                             .line = v->line};
    return true;
}

void throughputs_recompute(struct audit *a, const struct proof *p)
{
    /* Samples are counted from the first step of all, seconds from the first of the log. */
    const char *unsound = recompute_unsound(p), *why = unsound ? unsound : proof_unseen(a, p);
    for (size_t i = 0; i < THROUGHPUTS; i++) {
        const struct throughput *t = &throughputs[i];
        struct recomputed x;
        if (!why && (throughput_divide(a, p, t, &x) || take_printed(a, p, t, &x)))
            recompute_put_all(a, p, &x);
        else
            recompute_cannot_all(
                a, p, t->column,
                why ? why
                    : sentence_say(a->arena,
                                   "no FINISHED event contains both num_trained_samples and %s, "
                                   "and no event contains %s",
                                   t->seconds[0], t->printed[0]));
    }
}

/* clang-format off */
const struct words throughput_messages[] = {
    {.en = "raw_train_time",
     .zh = "raw_train_time"},
    {.en = "%s / %s = %s (num_trained_samples / %s, line %d)",
     .zh = "{1} / {2} = {3}（num_trained_samples / {4}，日志第 {5} 行）"},
    {.en = "%s (%s, line %d)",
     .zh = "{1}（{2}，日志第 {3} 行）"},
    {.en = "no FINISHED event contains both num_trained_samples and %s, and no event contains %s",
     .zh = "日志中没有同时含有 num_trained_samples 和 {1} 的 FINISHED 事件，也没有含有 {2} 的事件"},
    {NULL, NULL},
};
/* clang-format on */
