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
 * on a terminal (where the one behind is of a later step, the epoch tells which it is). Where no
 * bar is drawn again behind a report, and a new one stands in front of each, those are of their
 * steps. Else reports are counted on by the distance of the last two, at first by 1. A report that
 * several ranks print is one. A second training in the same log, as LLaVA's two stages are, counts
 * on behind the first: the dict with `train_runtime` ends one. It also tells, for a training of
 * which every report was counted, how many steps lie between two of them: train_runtime *
 * train_steps_per_second are N steps, and n reports, one every s steps, are floor(N / s); where one
 * s alone does that, the reports have steps. What remains counted is said in log.counted.
 */
#include "base/reals.h"
#include "verifier/logs/formats/huggingface_report.h"
#include "verifier/logs/formats/progress_bar.h"
#include "verifier/logs/formats/report_stride.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/log_order.h"

#define FRONT_SECONDS 0.2 /* of a step, from which on tqdm draws each */

/* Stretches of reports that say the same. */
struct same_reports {
    size_t n, run, common; /* that ended; reports of the last; what divides those that ended */
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
    double *front; /* of each of its points where the bar in front of it stands; NaN: none */
    size_t front_room;
    bool not_in_front; /* a bar in front of a report of this training is not of its step */
    struct same_reports same;
    int fall_line;      /* where the epoch fell; 0 */
    struct report like; /* the last one that no other said again */
};

static void begin_huggingface(struct log_reader *r)
{
    struct reports *h = r->of_format;
    h->stride = 1;
    h->epoch = NAN;
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

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void end_same_run(struct same_reports *s)
{
    s->common = common_divisor(s->run, s->common);
    s->n += s->run > 0;
    s->run = 0;
}

static bool says_the_same(const struct report *a, const struct report *b)
{
    bool same = a->has[KEY_LOSS] && isfinite(a->of[KEY_LOSS]) && a->of[KEY_LOSS] != 0;
    for (size_t i = 0; i < KEY_FINAL && same; i++)
        same = a->has[i] == b->has[i] && reals_same(a->of[i], b->of[i]);
    return same;
}

/* Several ranks print the report of a step: no two steps have the same norm of gradients. */
static bool is_of_another_rank(const struct report *a, const struct report *x)
{
    return says_the_same(a, x) && !isfinite(x->of[KEY_STEP]) && x->of[KEY_GRAD_NORM] > 0 &&
           isfinite(x->of[KEY_GRAD_NORM]);
}

/* What the callback of LLaMA-Factory rounds to. */
#define ROUNDED 1.01e-4

/* LLaMA-Factory's callback says each report behind a logger's words, rounded, and the trainer says
 * it again without. */
static bool is_again(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    const struct report *a = &h->like;
    if (is_of_another_rank(a, x))
        return true;
    if (!says_the_same(a, x))
        end_same_run(&h->same);
    h->same.run++;
    bool again = a->has[KEY_EPOCH] && a->of[KEY_EPOCH] == x->of[KEY_EPOCH] &&
                 a->prefixed != x->prefixed && !isfinite(x->of[KEY_STEP]) && !r->by_step &&
                 (fabs(a->of[KEY_LOSS] - x->of[KEY_LOSS]) <= ROUNDED ||
                  (isnan(a->of[KEY_LOSS]) && isnan(x->of[KEY_LOSS])));
    h->like = again ? (struct report){.ends = false} : *x;
    if (again && r->log->n_points)
        take_numbers(&r->log->points[r->log->n_points - 1], x);
    return again;
}

/* The place of the training's report `at`; those that nobody notes stay NaN. */
static double *front_of(struct log_reader *r, size_t at)
{
    struct reports *h = r->of_format;
    const double *old = h->front;
    size_t room = h->front_room;
    if (at >= room) {
        h->front_room = 2 * at + 16;
        h->front = arena_array(r->arena, h->front_room, sizeof *h->front);
        for (size_t i = 0; i < h->front_room; i++)
            h->front[i] = i < room ? old[i] : NAN;
    }
    return &h->front[at];
}

/* Where the bar in front of the report that is about to be added stands. */
static void note_front(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    bool off = isfinite(x->of[KEY_EPOCH]) ? !progress_is_at_epoch(h->at, h->total, x->of[KEY_EPOCH])
                                          : h->at == h->total;
    bool fast = h->elapsed < FRONT_SECONDS * h->at;
    if (r->log->n_points < h->begins)
        return;
    *front_of(r, r->log->n_points - h->begins) = h->bar ? h->at : NAN;
    h->not_in_front = h->not_in_front || (h->bar && (fast || off));
}

static void add_report(struct log_reader *r, const struct report *x)
{
    struct reports *h = r->of_format;
    if (!r->by_step)
        note_front(r, x);
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

/* Every report stands behind a bar that no other has in front of it, and none is drawn again behind
 * its report, as tqdm would: those in front are of their steps. Steps are so slow that each one
 * drew its bar, and the epochs do not say otherwise. */
static void take_fronts(struct log_reader *r)
{
    struct reports *h = r->of_format;
    size_t n = r->log->n_points > h->begins ? r->log->n_points - h->begins : 0;
    bool none_said =
        n && n <= h->front_room && !r->by_step && h->counted_here + h->confirmed_here == n;
    bool one_late = h->late && h->late == h->confirmed_here;
    if (!none_said || h->not_in_front || one_late)
        return;
    for (size_t i = 0; i < n; i++)
        if (!(h->front[i] > (i ? h->front[i - 1] : 0)))
            return;
    for (size_t i = 0; i < n; i++)
        r->log->points[h->begins + i].step = h->base + h->front[i];
    h->last = h->base + h->front[n - 1];
    h->counted -= h->counted_here;
    h->confirmed += h->counted_here;
    h->counted_here = h->late = 0;
}

/* All ranks print each report, which says no norm of its gradients: reports stand in stretches of
 * the same, whose lengths a number of ranks divides. */
static void take_one_of_each(struct log_reader *r)
{
    struct reports *h = r->of_format;
    size_t n = r->log->n_points - h->begins, kept = 0;
    end_same_run(&h->same);
    size_t each = h->same.common;
    if (each < 2 || h->same.n < 2 || r->by_step || h->counted_here != n || n % each)
        return;
    struct log_point *x = r->log->points + h->begins;
    for (size_t i = 0; i < n; i += each, kept++) {
        double step = x[kept].step;
        x[kept] = x[i];
        x[kept].step = step;
    }
    h->last = x[kept - 1].step;
    h->counted -= n - kept;
    h->counted_here = kept;
    r->log->n_points = h->begins + kept;
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
    take_one_of_each(r);
    take_fronts(r);
    find_stride(r, x);
    take_back_a_step(r);
    note_end_of_training(r, x);
    h->late = h->early = h->in_time = h->confirmed_here = 0;
    h->training = 0;
    h->begins = r->log->n_points;
    h->counted_here = 0;
    h->same = (struct same_reports){0, 0, 0};
    h->not_in_front = false;
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
    h->not_in_front = h->not_in_front || at == h->at;
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
    if (!huggingface_is_quoted(span_from(s, 1)))
        return false;
    huggingface_read_report(r, s, &x);
    x.prefixed = prefixed;
    if (x.has[KEY_LOSS] && !x.has[KEY_STEP])
        x.of[KEY_STEP] = huggingface_step_in_front(front);
    if (x.has[KEY_LOSS] && !is_again(r, &x))
        add_report(r, &x);
    if (x.of_epoch)
        log_add_epoch(r, "huggingface", x.of[KEY_EPOCH], NAN, x.of[KEY_OTHER_LOSS]);
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
    take_one_of_each(r);
    take_fronts(r);
    take_back_a_step(r);
    bool short_of = h->longest > 1.5 * (double)r->log->n_points;
    if (h->counted && !h->confirmed)
        r->log->counted = h->counted;
    if (h->counted && !h->confirmed && short_of)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, 0, 0,
                  "%zu %s no step number. fpreport numbers the reports in order of appearance; the "
                  "progress bar ends at %.15g.",
                  h->counted, h->counted == 1 ? "report gives" : "reports give", h->longest);
    if (h->counted && h->fall_line)
        diags_add(r->diags, SEVERITY_WARNING, r->log->file, h->fall_line, 0,
                  "the epoch number decreases, although no training ended before this line; "
                  "fpreport continues to number the reports without a step");
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
