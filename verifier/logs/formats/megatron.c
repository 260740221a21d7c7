/*
 * Megatron-LM and FlagScale, one line per reported iteration. Since core_v0.6.0 with a time stamp:
 *
 *   [2024-05-06 10:11:12] iteration       21/     300 | consumed samples:        10752 |
 *   elapsed time per iteration (ms): 141732.4 | learning rate: 1.000000E-04 |
 *   global batch size:   512 | lm loss: 8.531234E+00 | loss scale: 1.0 | grad norm: 1.234 | …
 *
 * A loss that is not above 0 is left out: it was NaN, which the gradient then is as well, or all
 * iterations of the report were skipped.
 *
 * Where there is no "lm loss" the loss is called "loss", as ms-swift does for what is not a
 * language model's. Other fields come and go (consumed tokens, throughput per GPU, num zeros,
 * params norm, skipped samples), so fields are found by their names, never by their place.
 */
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"
#include "verifier/logs/log_say.h"

static const struct megatron_field {
    struct log_name name;
    size_t at;
    double scale;
} fields[] = {
    {LOG_NAME("lm loss"), LOG_SAID(point.loss), 1},
    {LOG_NAME("loss"), LOG_SAID(point.loss), 1},
    {LOG_NAME("elapsed time per iteration (ms)"), LOG_SAID(point.seconds), 1e-3},
    {LOG_NAME("elapsed time per iteration (s)"), LOG_SAID(point.seconds), 1},
    {LOG_NAME("consumed samples"), LOG_SAID(point.samples), 1},
    {LOG_NAME("global batch size"), LOG_SAID(batch), 1},
    {LOG_NAME("throughput per GPU (TFLOP/s/GPU)"), LOG_SAID(tflops), 1},
    {LOG_NAME("TFLOPs"), LOG_SAID(tflops), 1}, /* Megatron-DeepSpeed */
    {LOG_NAME("learning rate"), LOG_SAID(point.learning_rate), 1},
    {LOG_NAME("grad norm"), LOG_SAID(point.grad_norm), 1},
    {LOG_NAME("number of skipped iterations"), LOG_SAID(point.skipped), 1},
    {LOG_NAME("number of nan iterations"), LOG_SAID(nans), 1},
};

/* "iteration  21/  300" in front of the first '|'; false when it is something else. */
static bool read_iteration(struct log_reader *r, struct log_said *said, struct span head)
{
    double step, total;
    struct span rest = head;
    if (head.n && head.p[0] == '[') {
        span_cut(&rest, ']');
        rest = span_trim(rest);
    }
    if (!span_starts(rest, "iteration ") && !span_after(head, "iteration ", &rest))
        return false;
    if (span_starts(rest, "iteration "))
        rest = span_from(rest, sizeof "iteration " - 1);
    size_t n = span_number(rest, &step);
    struct span behind = span_trim(span_from(rest, n));
    if (n == 0 || !span_starts(behind, "/"))
        return false;
    if (span_number(span_trim(span_from(behind, 1)), &total))
        log_tail_goal(r, NAN, total);
    /* "[2024-05-06 10:11:12]"; the zone is not known, and does not matter for distances. */
    if (head.p[0] == '[')
        log_say_stamp(r, said, span_from(head, 1));
    return log_say_number(r, said, (struct span){rest.p, n}, LOG_SAID(point.step), 1);
}

static void take_megatron_field(struct log_reader *r, struct log_said *said, struct span name,
                                struct span text)
{
    bool again = said->point.has_loss && span_is(name, "loss"); /* behind the "lm loss" */
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && !again; i++)
        if (log_name_is(name, fields[i].name)) {
            if (!log_say_number(r, said, text, fields[i].at, fields[i].scale))
                said->point.has_loss |= fields[i].at == LOG_SAID(point.loss);
            return;
        }
    log_say_other(r, text);
}

static bool names_a_loss(struct span name)
{
    struct span rest;
    return span_is(name, "loss") || (span_after(name, " loss", &rest) && !rest.n);
}

/* What a report without a loss says; such lines are few, and are read one by one. */
static void judge_lossless(struct log_reader *r, struct log_said *said)
{
    struct log_point *p = &said->point;
    r->draft->unfit = true;
    p->has_loss = (p->has_grad_norm && isnan(p->grad_norm)) || p->skipped == 0;
}

static bool read_megatron_line(struct log_reader *r, struct span s)
{
    bool a_loss = false;
    struct span rest = s, head = span_cut(&rest, '|');
    struct log_said said = log_said_none(r);
    if (rest.n == 0 || !read_iteration(r, &said, head))
        return false;
    while (rest.n) {
        struct span field = span_cut(&rest, '|'), name = span_trim(span_cut(&field, ':'));
        take_megatron_field(r, &said, name, field);
        a_loss = a_loss || names_a_loss(name);
    }
    if (!a_loss)
        judge_lossless(r, &said);
    if (!said.point.has_loss && isnan(said.point.seconds))
        return false; /* others write "iteration 120/149 |", too */
    log_say(r, &said);
    return true;
}

const struct log_format log_format_megatron = {
    .name = "megatron",
    .reads = "Megatron-LM and FlagScale",
    .sample = " iteration       21/     300 | consumed samples:        10752 | elapsed time per "
              "iteration (ms): 141732.4 | lm loss: 8.531234E+00 |",
    .marks = LOG_MARK_BAR,
    .steps = true,
    .anywhere = true,
    .read = read_megatron_line,
};
