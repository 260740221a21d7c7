/*
 * Programs that print a loss of each epoch, and none of a step.
 *
 *   Epoch 2/3                                                              Keras
 *   100/100 [======] - 3s 29ms/step - loss: 0.3123 - val_loss: 0.41
 *
 *   Epoch  GPU_mem  box_loss  cls_loss  dfl_loss  Instances  Size          ultralytics, YOLOv5
 *     1/3    2.83G     1.172     1.545     1.274         42   640: 100%|███| 8/8 [00:03<00:00]
 *
 * Keras draws the line of an epoch again and again, with backspaces or carriage returns; the one
 * counts that ends it, and the next, which may be of an evaluation, does not. Losses in
 * ultralytics' table are the columns behind the memory and in front of the objects; where none of
 * them is the total, their sum is what is trained, and that is said.
 */
#include "verifier/logs/log_format.h"

#define TABLE_COLUMNS_MAX 16
#define SUM_DIGITS 1e9 /* a sum of printed decimals is one */

struct epoch_log {
    double epoch, epochs; /* whose line of Keras comes; NaN: none */
    size_t first, losses; /* columns of ultralytics' losses, from 0; 0: no table */
    size_t total;         /* that of the total; 0: there is none */
    const char *names;    /* of the losses that were added up; NULL: none were */
    int line;             /* of the table's first row */
};

static void begin_epochs(struct log_reader *r)
{
    struct epoch_log *at = r->of_format;
    at->epoch = NAN;
}

/* "12/300" with whole numbers, and what stands behind it. */
static bool take_fraction(struct span s, double *at, double *of, struct span *rest)
{
    size_t n = span_number(s, at);
    if (!n || !(*at >= 0) || *at != floor(*at) || !span_starts(span_from(s, n), "/"))
        return false;
    s = span_from(s, n + 1);
    n = span_number(s, of);
    *rest = span_from(s, n);
    return n && *of == floor(*of) && *of >= *at;
}

/* --- Keras --- */

static void note_keras_epoch(struct epoch_log *at, struct span s)
{
    struct span rest;
    double epoch, epochs;
    if (!span_starts(s, "Epoch ") || !take_fraction(span_from(s, 6), &epoch, &epochs, &rest) ||
        rest.n)
        return;
    at->epoch = epoch;
    at->epochs = epochs;
}

/* What was drawn last. */
static struct span behind_backspaces(struct span s)
{
    size_t n = s.n;
    while (n && s.p[n - 1] != '\b')
        n--;
    return span_trim(span_from(s, n));
}

static bool read_keras_loss(struct log_reader *r, struct span s)
{
    struct epoch_log *at = r->of_format;
    struct span rest;
    double done, of, loss;
    s = behind_backspaces(s);
    if (isnan(at->epoch) || !take_fraction(s, &done, &of, &rest) || !span_starts(rest, " ") ||
        !span_after(rest, " - loss: ", &rest) || !span_number(rest, &loss))
        return false;
    if (done == of) {
        log_add_epoch(r, "epochs", at->epoch, at->epochs, loss);
        at->epoch = NAN;
    }
    return true;
}

/* --- ultralytics --- */

static struct span table_word(struct span *s)
{
    *s = span_trim(*s);
    return span_cut(s, ' ');
}

static bool is_word_of(struct span word, const char *const *words)
{
    while (*words && !span_is(word, *words))
        words++;
    return *words != NULL;
}

static void note_table_header(struct log_reader *r, struct span s)
{
    static const char *const memory[] = {"GPU_mem", "gpu_mem", NULL};
    static const char *const behind[] = {"Instances", "instances", "labels", "targets", NULL};
    static const char *const whole[] = {"total", "loss", "total_loss", NULL};
    struct epoch_log *at = r->of_format;
    const char *names = NULL;
    size_t total = 0, column = 2;
    struct span word;
    if (!span_starts(s, "Epoch ") || !table_word(&s).n || !is_word_of(table_word(&s), memory))
        return;
    for (; (word = table_word(&s)).n && !is_word_of(word, behind); column++) {
        if (column == TABLE_COLUMNS_MAX)
            return;
        total = is_word_of(word, whole) ? column : total;
        names = arena_printf(r->arena, "%s%s%.*s", names ? names : "", names ? " + " : "",
                             (int)word.n, word.p);
    }
    if (!word.n || column == 2)
        return;
    at->first = 2;
    at->losses = column - 2;
    at->total = total;
    at->names = total || column == 3 ? NULL : names;
}

static bool read_table_row(struct log_reader *r, struct span s)
{
    struct epoch_log *at = r->of_format;
    struct span rest, word;
    double epoch, epochs, value = 0, sum = 0;
    if (!at->losses || !take_fraction(s, &epoch, &epochs, &rest) || !span_starts(rest, " ") ||
        !table_word(&rest).n)
        return false;
    for (size_t i = at->first; i < at->first + at->losses; i++) {
        word = table_word(&rest);
        if (!word.n || span_number(word, &value) != word.n)
            return false;
        sum = at->total == i ? value : at->total ? sum : sum + value;
    }
    if (span_find(rest, "100%") < rest.n) {
        at->line = at->line ? at->line : r->line;
        log_add_epoch(r, "epochs", epoch, epochs, round(sum * SUM_DIGITS) / SUM_DIGITS);
    }
    return true;
}

/* Heads alone are no known lines: others print such words, too. */
static bool read_epochs_line(struct log_reader *r, struct span s)
{
    note_keras_epoch(r->of_format, s);
    note_table_header(r, s);
    return read_keras_loss(r, s) || read_table_row(r, s);
}

static void end_epochs(struct log_reader *r)
{
    const struct epoch_log *at = r->of_format;
    if (at->line && at->names && !r->log->n_points)
        log_note_sum(r, at->line, at->names);
}

const struct log_format log_format_epochs = {
    .name = "epochs",
    .reads = "Keras's progress, the tables of ultralytics and YOLOv5: a loss of each epoch",
    .sample = "Epoch 2/3\n100/100 [====] - 3s 29ms/step - loss: 0.3123 - val_loss: 0.41",
    .first = "E0123456789\b",
    .steps = true,
    .state_bytes = sizeof(struct epoch_log),
    .begin = begin_epochs,
    .read = read_epochs_line,
    .end = end_epochs,
};
