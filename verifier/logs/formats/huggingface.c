/*
 * Hugging Face Trainer and what is built on it: a Python dict or a JSON object per report, and one
 * at the end of a training. Values may be strings, as newer versions print them, or NumPy's.
 *
 *   {'loss': 2.1025, 'learning_rate': 0.001, 'epoch': 0.01}
 *   {'loss': '1.53', 'grad_norm': np.float64(0.4), 'global_step/max_steps': '12/94'}
 *   {"current_steps": 10, "total_steps": 150, "loss": 1.2, "epoch": 0.2}
 *   {'train_runtime': 1234.5, 'train_samples_per_second': 451.9, 'train_loss': 2.10, 'epoch': 1.0}
 *    10%|███       | 250/2724 [9:14:53<91:10:34, 132.67s/it]
 *
 * So are JSON lines of others, whose keys have a path in front ("train/loss") or another name.
 *
 * The step is the one that the dict says, or the words in front of it ("step 120: {…}"). Else it is
 * that of the progress bar, when the bar was drawn in front of the report and behind it, as it is
 * on a terminal (where the one behind is of a later step, the epoch tells which it is); else
 * reports are counted on by the distance of the last two, at first by 1. A second training in the
 * same log, as LLaVA's two stages are, counts on behind the first: the dict with `train_runtime`
 * ends one. It also tells, for a training of which every report was counted, how many steps lie
 * between two of them: train_runtime * train_steps_per_second are N steps, and n reports, one every
 * s steps, are floor(N / s); where one s alone does that, the reports have steps. What remains
 * counted is said in log.counted.
 */
#include "verifier/logs/formats/progress_bar.h"
#include "verifier/logs/formats/report_stride.h"
#include "verifier/logs/log_add.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_tail.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum key {
    KEY_LOSS,
    KEY_STEP,
    KEY_EPOCH,
    KEY_GRAD_NORM,
    KEY_LEARNING_RATE,
    KEY_SECONDS,
    KEY_OTHER_LOSS, /* a loss where the dict says its step, too */
    KEY_ITER,       /* a step where the dict has no epoch: else it may count in the epoch */
    KEY_CARD_RATE,
    KEY_MEMORY,
    KEY_FINAL
};

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

/* What one dict says. */
struct report {
    double of[KEY_FINAL];
    bool has[KEY_FINAL];
    size_t row[KEY_FINAL];                      /* of known_keys, that said it */
    double runtime, steps_per_s, samples_per_s; /* NaN */
    bool ends;                                  /* a training */
    bool known;
    bool prefixed; /* a logger's words stand in front of it */
};

/* Where the reports are. */
struct reports {
    double base;           /* steps of the trainings that ended */
    double last, before;   /* step of the last report and of the one in front of it */
    double stride;         /* from report to report */
    double at, total;      /* where the last progress bar stands, and what it goes to */
    double elapsed;        /* and the seconds since it began; NaN */
    double training;       /* what the bar in front of the last report goes to; 0: there was none */
    double passed;         /* and the seconds that it said */
    size_t late;           /* reports whose bar behind is one step further than the one in front; */
    size_t early, in_time; /* those whose epoch is of the one in front, and of the one behind */
    double longest;        /* the most that one went to */
    double epoch;          /* of the last report; NaN */
    size_t counted;        /* reports that do not say their step, */
    size_t confirmed;      /* and others, for which a bar did, */
    size_t confirmed_here; /* of this training */
    size_t open;           /* the point + 1 whose step the next bar may say; 0 */
    bool bar;              /* a bar came behind the last report */
    size_t begins;         /* the first point of this training, */
    size_t counted_here;   /* and its reports that do not say their step */
    int fall_line;         /* where the epoch fell; 0 */
    struct report like;    /* the last one that no other said again */
};

static void begin_huggingface(struct log_reader *r)
{
    struct reports *h = r->of_format;
    h->stride = 1;
    h->epoch = NAN;
}

static bool is_quoted(struct span s)
{
    return span_starts(s, "'") || span_starts(s, "\"");
}

/* Drops what a number may be wrapped in. */
static struct span unwrapped(struct span s)
{
    static const char *const wraps[] = {"np.float64(", "np.float32(", "numpy.float64(", "tensor("};
    s = span_trim(s);
    if (is_quoted(s))
        s = span_from(s, 1);
    for (size_t i = 0; i < sizeof wraps / sizeof wraps[0]; i++)
        if (span_starts(s, wraps[i]))
            return span_from(s, strlen(wraps[i]));
    return s;
}

static void take_final(struct log_reader *r, struct span name, double value, struct report *out)
{
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
}

static void take_huggingface_value(struct log_reader *r, struct span name, double value,
                                   struct report *out)
{
    for (size_t i = 0; i < sizeof known_keys / sizeof known_keys[0]; i++) {
        enum key key = known_keys[i].key;
        if (!span_is(name, known_keys[i].name))
            continue;
        if (key == KEY_FINAL) {
            take_final(r, name, value, out);
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
    out->known = out->known || out->has[KEY_LOSS];
}

/* A string that stands as a value, so that nothing in it is taken for a key. */
static struct span behind_value(struct span s)
{
    struct span value = span_trim(s);
    if (!is_quoted(value))
        return s;
    struct span rest = span_from(value, 1);
    span_cut(&rest, value.p[0]);
    return rest;
}

static void read_dict(struct log_reader *r, struct span s, struct report *out)
{
    *out = (struct report){.runtime = NAN, .steps_per_s = NAN, .samples_per_s = NAN};
    for (size_t i = 0; i < KEY_FINAL; i++)
        out->of[i] = NAN;
    while (s.n) {
        if (!is_quoted(s)) {
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

/* "step 120: {", "[global_step=120] {": the step that stands in front of a dict; NaN. Not beside an
 * epoch, in which it may count. */
static double step_in_front(struct span s)
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

/* The step of a report that does not say it, and from where the next is counted. */
static double count_report_step(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    double step = isfinite(x->of[KEY_STEP]) ? h->base + x->of[KEY_STEP] : h->last + h->stride;
    h->counted += !isfinite(x->of[KEY_STEP]);
    h->counted_here += !isfinite(x->of[KEY_STEP]);
    h->before = h->last;
    h->last = step;
    return step;
}

static void note_fall(struct log_reader *r, double epoch)
{
    struct reports *h = r->of_format;
    if (epoch < h->epoch && !h->fall_line)
        h->fall_line = r->line;
    h->epoch = epoch;
}

static void take_numbers(struct log_point *p, const struct report *x)
{
    static const size_t at[KEY_FINAL] = {
        [KEY_LOSS] = offsetof(struct log_point, loss),
        [KEY_GRAD_NORM] = offsetof(struct log_point, grad_norm),
        [KEY_LEARNING_RATE] = offsetof(struct log_point, learning_rate),
        [KEY_SECONDS] = offsetof(struct log_point, seconds),
    };
    for (size_t i = 0; i < KEY_FINAL; i++)
        if (at[i] && x->has[i])
            log_set(p, at[i], x->of[i]);
}

/* What the callback of LLaMA-Factory rounds to. */
#define ROUNDED 1.01e-4

/* LLaMA-Factory's callback says each report behind a logger's words, rounded, and the trainer says
 * it again without. */
static bool is_again(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    const struct report *a = &h->like;
    bool again = a->has[KEY_EPOCH] && a->of[KEY_EPOCH] == x->of[KEY_EPOCH] &&
                 a->prefixed != x->prefixed && !isfinite(x->of[KEY_STEP]) && !r->by_step &&
                 (fabs(a->of[KEY_LOSS] - x->of[KEY_LOSS]) <= ROUNDED ||
                  (isnan(a->of[KEY_LOSS]) && isnan(x->of[KEY_LOSS])));
    h->like = again ? (struct report){.ends = false} : *x;
    if (again && r->log->n_points)
        take_numbers(&r->log->points[r->log->n_points - 1], x);
    return again;
}

static void add_report(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    struct log_point p = log_point_at(r, count_report_step(r, x));
    size_t added = r->added;
    take_numbers(&p, x);
    log_add_point(r, &p);
    note_fall(r, x->of[KEY_EPOCH]);
    if (h->bar) { /* that of the training: others are drawn elsewhere */
        log_tail_goal(r, h->at, h->total);
        h->training = h->total;
        h->passed = h->elapsed;
    }
    bool open = !isfinite(x->of[KEY_STEP]) && h->bar && !r->by_step && r->added > added;
    h->open = open ? r->log->n_points : 0;
    h->bar = false;
}

/* The reports of a training whose runtime is said (its steps a second to three digits). */
static void find_stride(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    size_t n = r->log->n_points - h->begins;
    double steps = x->runtime * x->steps_per_s, slack = x->runtime * 5.1e-4;
    if (!n || r->by_step || h->counted_here != n || !(steps > 0))
        return;
    double stride = report_stride(n, ceil(steps - slack), floor(steps + slack));
    for (size_t i = 0; stride > 0 && i < n; i++)
        r->log->points[h->begins + i].step = h->base + stride * (double)(i + 1);
    if (stride > 0) {
        h->last = h->base + stride * (double)n;
        h->counted -= n;
    }
}

/* Some print a report behind the bar of its step and draw the next step's bar behind it, where tqdm
 * would draw the same again: then all reports lie a step too far, the first one step behind the
 * distance of the others, or the last behind the bar's end, or as their epochs say. */
static void take_back_a_step(struct log_reader *r)
{
    struct reports *h = r->of_format;
    size_t n = r->log->n_points - h->begins;
    bool by_epoch = h->early && !h->in_time;
    if (!n || r->by_step || !h->late || h->late != h->confirmed_here || h->late + 1 < n)
        return;
    struct log_point *x = r->log->points + h->begins;
    if (!by_epoch && x[0].step != h->base + h->stride + 1 &&
        x[n - 1].step != h->base + h->training + 1)
        return;
    for (size_t i = 0; i < n; i++)
        x[i].step--;
    h->last--;
}

static void note_end_of_training(struct log_reader *r, const struct report *x)
{
    const struct reports *h = r->of_format;
    r->log->summary = (struct log_summary){x->runtime,       x->samples_per_s,
                                           x->steps_per_s,   h->training > 0 ? h->training : NAN,
                                           x->of[KEY_EPOCH], h->training > 0 ? h->passed : NAN,
                                           r->line};
}

static void end_training(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    find_stride(r, x);
    take_back_a_step(r);
    note_end_of_training(r, x);
    h->late = h->early = h->in_time = h->confirmed_here = 0;
    h->training = 0;
    h->begins = r->log->n_points;
    h->counted_here = 0;
    log_tail_goal(r, NAN, NAN);
    h->base = h->before = h->last;
    h->stride = 1;
    h->epoch = NAN;
    h->open = 0;
    h->bar = false;
}

/* The bar behind a report, of the same length as the one in front of it: that is its step. */
static void confirm(struct log_reader *r, double at)
{
    struct reports *h = r->of_format;
    bool is_behind = progress_is_at_epoch(at, h->total, h->epoch);
    double step = h->base + at;
    if (!isfinite(step))
        return;
    r->log->points[h->open - 1].step = step;
    h->stride = step > h->before ? step - h->before : h->stride;
    h->last = step;
    h->counted--;
    h->counted_here--;
    h->confirmed++;
    h->confirmed_here++;
    h->late += at == h->at + 1;
    h->early += at == h->at + 1 && !is_behind && progress_is_at_epoch(h->at, h->total, h->epoch);
    h->in_time += at == h->at + 1 && is_behind && !progress_is_at_epoch(h->at, h->total, h->epoch);
}

static void note_bar(struct log_reader *r, const struct progress_bar *bar)
{
    struct reports *h = r->of_format;
    double at = bar->at, of = bar->of;
    if (h->open && of == h->total)
        confirm(r, at);
    h->open = 0;
    h->bar = true;
    h->at = at;
    h->total = of;
    h->elapsed = bar->elapsed;
    if (of == r->goal.total)
        log_tail_goal(r, at, of);
    h->longest = of > h->longest ? of : h->longest;
}

static bool read_huggingface_line(struct log_reader *r, struct span s)
{
    struct report x;
    struct progress_bar bar;
    char end = s.p[s.n - 1];
    if (end != '}' && end != ']')
        return false;
    while (progress_bar_read(s, &bar, &s))
        note_bar(r, &bar);
    const char *begin = s.n ? memchr(s.p, '{', s.n) : NULL;
    if (end != '}' || !begin)
        return false;
    const struct span front = {s.p, (size_t)(begin - s.p)};
    bool prefixed = span_find(front, " - ") < front.n;
    s = span_from(s, (size_t)(begin - s.p));
    if (!is_quoted(span_from(s, 1)))
        return false;
    read_dict(r, s, &x);
    x.prefixed = prefixed;
    if (x.has[KEY_LOSS] && !x.has[KEY_STEP])
        x.of[KEY_STEP] = step_in_front(front);
    if (x.has[KEY_LOSS] && !is_again(r, &x))
        add_report(r, &x);
    if (x.has[KEY_CARD_RATE])
        log_add_value(r, SPAN(LOG_CARD_RATE), x.of[KEY_CARD_RATE]);
    if (x.has[KEY_MEMORY])
        log_note_memory(r, x.of[KEY_MEMORY]);
    if (x.ends)
        end_training(r, &x);
    return x.known;
}

static void end_huggingface(struct log_reader *r)
{
    const struct reports *h = r->of_format;
    take_back_a_step(r);
    bool short_of = h->longest > 1.5 * (double)r->log->n_points;
    if (h->counted && !h->confirmed)
        r->log->counted = h->counted;
    if (h->counted && !h->confirmed && short_of)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "%zu reports give no step number and were numbered in order of appearance; the "
                  "progress bar ends at %.15g",
                  h->counted, h->longest);
    if (h->counted && h->fall_line)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, h->fall_line, 0,
                  "the epoch number decreases although no training ended before it; the numbering "
                  "of reports without a step continues");
    if (h->counted && !h->confirmed && !short_of)
        log_note_counted(r);
}

const struct log_format log_format_huggingface = {
    .name = "huggingface",
    .reads = "Hugging Face Trainer and trainers based on it",
    .sample = "{'loss': 2.1025, 'learning_rate': 0.001, 'epoch': 0.01}",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct reports),
    .begin = begin_huggingface,
    .read = read_huggingface_line,
    .end = end_huggingface,
};
