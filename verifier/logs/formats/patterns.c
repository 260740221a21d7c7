/*
 * Frameworks whose report is one line of fixed words with numbers between them, each a row of the
 * table below. A row is the line itself, with a letter in braces where a number stands:
 *
 *   {s}        the step                           {l}  the loss
 *   {e} {z}    the epoch, from 1, from 0          {t} {m}  seconds, milliseconds of a step
 *   {i} {j}    the step in the epoch, 1 and 0     {r}  samples per second, of all cards
 *   {S}        the steps of an epoch              {-}  a number that is passed over
 *
 *   *          anything, up to the next place where the word behind it stands
 *   a blank    one or more blanks or tabs
 *
 * A row may begin anywhere in the line, but for one that begins with a number, and end before it
 * does. Numbers may have blanks in front of
 * them. Where a framework counts its steps in each epoch anew, the curve counts on from 1; where it
 * does not say how many steps an epoch has, by the last step of the epoch before.
 */
#include "verifier/logs/log_add.h"
#include "verifier/logs/log_format.h"

#include <math.h>
#include <string.h>

static const char *const patterns[] = {
    /* MindSpore's LossMonitor; MindFormers, new and old; MindYOLO */
    "epoch: {e} step: {i}, loss is {l}",
    "{ Epoch:[{e}/{-}], step:[{i}/{S}], loss: {l}, per_step_time: {m}ms",
    "Epoch:[{e}/{-}], step:[{i}/{S}], loss:[{l}/*], time:{m} ms",
    "Epoch {e}/{-}, Step {i}/{S},* loss: {l}",
    /* GPT-NeoX */
    "samples/sec: {r} | iteration {s}/{-} | elapsed time per iteration (ms): {m} |* lm_loss: {l}",
    /* DeepSpeed's pipeline engine */
    "steps: {s} loss: {l} iter time (s): {t} samples/sec: {r}",
    "steps: {s} loss: {l} iter time (s): {t}",
    /* torchtitan */
    "step:{s} loss:{l} ",
    /* NeMo: lines and bars */
    "Training epoch {-}, iteration *global_step: {s} *reduced_train_loss: {l} *in s: {t}",
    "Training epoch {-}, iteration *global_step: {s} *reduced_train_loss: {l}",
    "reduced_train_loss={l},* global_step={s}",
    /* Lightning's bar */
    "Epoch {z}:*| {i}/{S} [*loss={l}",
    "Epoch {z}: *% {i}/{S} [*loss={l}",
    "Epoch {z}:*| {i}/{S} [*loss_step={l}",
    /* mmengine (XTuner), mmcv */
    "Epoch(train) [{e}][{i}/{S}]* loss: {l}*time: {t}",
    "Epoch(train) [{e}][{i}/{S}]* loss: {l}",
    "Iter(train) [{s}/{-}]* loss: {l}",
    "Epoch [{e}][{i}/{S}]* time: {t},* loss: {l}",
    "Epoch [{e}][{i}/{S}]* loss: {l}",
    /* Paddle: OCR, detection, classification, language models without the trainer */
    "epoch: [{-}/{-}], global_step: {s},* loss: {l},",
    "Epoch: [{z}] [{j}/{S}] learning_rate:* loss: {l}",
    "[Train][Epoch {e}/{-}][Iter: {j}/{S}]* loss: {l}",
    "global step {s}, epoch: {-}, batch: {-}, loss: {l},",
    "global step {s}, loss: {l},",
    "epoch: [{-}/{-}], iter: {s},* loss: {l},",
    "[TRAIN] epoch: {-}, iter: {s}/{-}, loss: {l},",
    "iter: {s}, lr: {-}, 'loss': '{l}'",
    /* torchvision, MAE and what follows them; PyTorch's example; timm */
    "Epoch: [{z}] [{j}/{S}]* loss: {l} ({-}) * time: {t} ",
    "Epoch: [{z}] [{j}/{S}]* loss: {l} (",
    "Epoch: [{z}] [{j}/{S}]* closs: {l} (",
    "Epoch: [{z}][{j}/{S}]* Loss {l} (",
    "Train: {z} [{j}/{S} (*)] Loss: {l} (",
    /* fairseq */
    "epoch {-}:* loss={l},* num_updates={s},",
    /* TensorFlow's estimators and slim */
    "global step {s}: loss = {l} ({t} sec/step)",
    "loss = {l}, step = {s}",
    /* MaxText, NeMo AutoModel, torchtune, DLLogger, LitGPT in three generations */
    "completed step: {s}, seconds: {t},* loss: {l}",
    "step {s} | epoch {-} | loss {l} ",
    "Step {s} | loss:{l} ",
    "Training Iteration: {s} step_loss : {l} ",
    "iter {-} step {s} | loss train: {l}, *iter time: {m} ms",
    "iter {-} step {s}: loss {l}, iter time: {m}ms",
    "iter {-} | step {s}: loss {l}, iter time: {m} ms",
    /* nanoGPT, llm.c and their kin */
    "step {s}/{-} | step-time {t} sec | cross-entropy-loss {l} ",
    "iters: {i}, epoch: {e} | loss: {l}",
    "{s} | loss {l} | lr {-} | {m}ms",
    "iter {s}: loss {l}, time {m}ms",
    "step {s}/{-} | loss {l} ",
    "step {s}/{-}: train loss {l} ",
    "step {s} | loss: {l} ",
    "step {s}, loss: {l}",
    "Epoch:[{z}/{-}]({j}/{S}) loss:{l} ",
};

#define LETTERS 128 /* fields are indexed by their letter */

struct found {
    double value[LETTERS];
};

static size_t blanks(struct span s)
{
    size_t n = 0;
    while (n < s.n && (s.p[n] == ' ' || s.p[n] == '\t'))
        n++;
    return n;
}

/* Bytes of the pattern up to its next special one. */
static size_t literal(const char *p)
{
    size_t n = strcspn(p + 1, "{* ") + 1;
    return n;
}

/* A brace is never the last byte of a row. */
static bool is_field(const char *p)
{
    return p[0] == '{' && p[2] == '}';
}

static bool match_number(const char **p, struct span *s, struct found *out)
{
    double value;
    size_t n = span_number(*s, &value);
    out->value[(unsigned char)(*p)[1] % LETTERS] = value;
    *s = span_from(*s, n);
    *p += 3;
    return n > 0;
}

static bool match_literal(const char **p, struct span *s)
{
    size_t n = literal(*p);
    bool same = s->n >= n && memcmp(s->p, *p, n) == 0;
    *s = span_from(*s, n);
    *p += n;
    return same;
}

/* The pattern up to its next star, right at the start of s. Both are moved behind it. */
static bool match_here(const char **p, struct span *s, struct found *out)
{
    bool same = true;
    while (**p && **p != '*' && same) {
        if (is_field(*p)) {
            same = match_number(p, s, out);
        } else if (**p == ' ') {
            size_t n = blanks(*s);
            same = n > 0 || s->n == 0; /* the line was trimmed */
            *s = span_from(*s, n);
            (*p)++;
        } else {
            same = match_literal(p, s);
        }
    }
    return same;
}

/* The same at the first place where it matches; it begins with a word. */
static bool match_later(const char **p, struct span *s, struct found *out)
{
    bool blank = **p == ' ';
    const char *word = *p + blank, *hit;
    size_t n = literal(word);
    while (s->n && (hit = memmem(s->p, s->n, word, n))) {
        size_t at = (size_t)(hit - s->p);
        struct span rest = span_from(*s, at);
        *p = word;
        if ((!blank || at == 0 || blanks((struct span){hit - 1, 1})) && match_here(p, &rest, out)) {
            *s = rest;
            return true;
        }
        *s = span_from(*s, at + 1);
    }
    return false;
}

/* What stands between two stars is taken where it matches first and never sought again: a later
 * place leaves less of the line to what follows. So the time is linear in the line. */
static bool match(const char *pattern, struct span s, struct found *out)
{
    for (size_t i = 0; i < LETTERS; i++)
        out->value[i] = NAN;
    bool same = is_field(pattern) ? match_here(&pattern, &s, out) : match_later(&pattern, &s, out);
    while (same && *pattern) {
        pattern++;
        same = match_later(&pattern, &s, out);
    }
    return same;
}

/* Where epochs do not say how long they are. */
struct epochs {
    double epoch, step; /* of the last report */
    double begins;      /* steps in front of that epoch */
};

/* A step inside of its epoch becomes one of the whole training. */
static double step_of(struct log_reader *r, const struct found *f)
{
    struct epochs *at = r->of_format;
    double epoch = isnan(f->value['z']) ? f->value['e'] - 1 : f->value['z'];
    double step = isnan(f->value['j']) ? f->value['i'] : f->value['j'] + 1;
    if (!isnan(f->value['s']))
        return f->value['s'];
    if (!isnan(f->value['S']))
        return epoch * f->value['S'] + step;
    if (epoch > at->epoch)
        at->begins += at->step;
    at->epoch = epoch;
    at->step = step;
    return at->begins + step;
}

static void add_found(struct log_reader *r, const struct found *f)
{
    struct log_point p = log_point_at(r, step_of(r, f));
    log_set(&p, offsetof(struct log_point, loss), f->value['l']);
    p.seconds = isnan(f->value['m']) ? f->value['t'] : f->value['m'] / 1000;
    p.samples_per_s = f->value['r'];
    log_add_point(r, &p);
}

static bool read_line(struct log_reader *r, struct span s)
{
    struct found f;
    if (span_find(s, "oss") == s.n)
        return false;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (!match(patterns[i], s, &f))
            continue;
        add_found(r, &f);
        return true;
    }
    return false;
}

const struct log_format log_format_patterns = {
    .name = "patterns",
    .reads = "a table of other frameworks whose report is one line",
    .sample = "epoch: 1 step: 5, loss is 2.5",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct epochs),
    .read = read_line,
};
