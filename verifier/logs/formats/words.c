/*
 * A log that no other format knows, where lines say their step and their loss in plain words.
 *
 *   [12:00:01] it=40/300 lr=1e-4 loss=2.51 tok/s=1300
 *   Epoch 0 Batch 50/225 - Loss: 3.2396 - perplexity: 25.5
 *
 * A number belongs to the words in front of it. All reports say the same words, and their steps
 * rise; otherwise nothing is read. Only step and loss are: the unit of a rate cannot be known here.
 * Where steps begin again with each epoch, the curve counts on, as in patterns.c. A validation's
 * loss is none of a training. Lines that say an epoch and no step, one line an epoch, are a curve
 * over epochs.
 */
#include "base/text.h"
#include "verifier/logs/log_format.h"

#define WORDS_LINE_MAX 2000
#define WORDS_REPORTS_MAX (1 << 16)
#define WORDS_REPORTS_MIN 2
#define WORD_MAX 20

/* What a number is: its rank among those of a line; of two the higher one counts. */
struct meaning {
    const char *word;
    int rank;
};

static const struct meaning step_words[] = {
    {"global_step", 4}, {"num_updates", 4}, {"step", 3},  {"steps", 3},     {"update", 3},
    {"updates", 3},     {"iter", 2},        {"iters", 2}, {"iteration", 2}, {"iterations", 2},
    {"it", 2},          {"batch", 1},       {"mb", 1},    {"minibatch", 1}, {NULL, 0},
};
static const struct meaning loss_words[] = {
    {"train_loss", 4}, {"train/loss", 4}, {"training_loss", 4}, {"loss/train", 4}, {"loss", 3},
    {"total_loss", 3}, {"lm_loss", 2},    {"xent", 2},          {NULL, 0},
};
#define RANK_OF_TRAINING 4
#define RANK_OF_A_LOSS 1 /* "mask_loss" */
/* A word in front of those that leaves them what they are; in front of others it changes them. */
static const char *const plain_words[] = {"global", "train", "training", "lm", "at", "the", NULL};
static const char *const mean_words[] = {"avg", "average", "mean", "running", "smoothed", NULL};
static const char *const checking_words[] = {"val",  "valid",   "validation", "validating",
                                             "eval", "dev",     "evaluation", "evaluating",
                                             "test", "testing", NULL};

struct report {
    double step, loss, epoch, per_epoch; /* NaN: not said */
    short rank;
    int line;
};

struct of_words {
    struct report *reports;
    size_t n, room;
    bool by_epoch;                                 /* their lines say no step */
    char step_word[WORD_MAX], loss_word[WORD_MAX]; /* of all reports */
    bool unsure;               /* a line says one of them twice, or reports say it in other words */
    char other_loss[WORD_MAX]; /* that stands beside it, where neither is the total; "" */
    int line;                  /* where it does */
};

/* A number of a line, and the two words in front of it, in lower case. */
struct worded {
    double value;
    char word[WORD_MAX], before[WORD_MAX];
    bool whole;   /* has digits only */
    double total; /* behind a '/', NaN */
    const char *end;
};

/* The best of its kind in a line. */
struct best {
    int rank;
    struct worded of;
    bool twice;           /* with another value */
    char other[WORD_MAX]; /* the word of that one */
};

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}

static char lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_listed_word(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

static int meaning_rank(const char *word, const struct meaning *words)
{
    while (words->word && strcmp(words->word, word) != 0)
        words++;
    return words->rank;
}

/* "mask_loss" is one, where nothing else is; "val_loss" is a validation's. */
static int loss_rank(const char *word)
{
    int rank = meaning_rank(word, loss_words);
    size_t n = strcspn(word, "_/");
    char first[WORD_MAX];
    if (rank || !text_ends(word, "_loss"))
        return rank;
    memcpy(first, word, n);
    first[n] = '\0';
    return is_listed_word(first, checking_words) ? 0 : RANK_OF_A_LOSS;
}

/* The word that ends at `end`, where it begins; empty when it is none, or too long. */
static size_t take_label_word(const char *line, size_t end, char out[WORD_MAX])
{
    size_t at = end;
    while (at && is_word_byte(line[at - 1]))
        at--;
    out[0] = '\0';
    if (end - at >= WORD_MAX || (at && text_is_digit(line[at - 1])))
        return at;
    for (size_t i = at; i < end; i++)
        out[i - at] = lower_letter(line[i]);
    out[end - at] = '\0';
    return at;
}

static void take_labels(const char *line, size_t at, struct worded *w)
{
    while (at && strchr(" \t:='\"([", line[at - 1]))
        at--;
    at = take_label_word(line, at, w->word);
    if (strcmp(w->word, "is") == 0 && at && line[at - 1] == ' ')
        at = take_label_word(line, at - 1, w->word);
    w->before[0] = '\0';
    if (at && line[at - 1] == ' ')
        take_label_word(line, at - 1, w->before);
}

/* The number at line[at], if one begins there, with its words. */
static bool take_worded(struct span s, size_t at, struct worded *w)
{
    struct span rest = span_from(s, at);
    if (at &&
        (is_word_byte(s.p[at - 1]) || text_is_digit(s.p[at - 1]) || strchr(".-+,", s.p[at - 1])))
        return false;
    size_t n = *rest.p == ' ' ? 0 : span_number(rest, &w->value);
    if (!n)
        return false;
    w->end = rest.p + n;
    w->whole = true;
    for (size_t i = 0; i < n; i++)
        w->whole = w->whole && text_is_digit(rest.p[i]);
    w->total = NAN;
    rest = span_trim(span_from(rest, n));
    if (w->whole && rest.n && rest.p[0] == '/' && !span_number(span_from(rest, 1), &w->total))
        w->total = NAN;
    take_labels(s.p, at, w);
    return w->word[0] != '\0';
}

/* Not the beginning of a longer one: 1,000 or 12:30, 2024-01. */
static bool ends_well(const struct worded *w, struct span s)
{
    struct span rest = {w->end, (size_t)(s.p + s.n - w->end)};
    return !(rest.n > 1 && strchr(",:-.", rest.p[0]) && text_is_digit(rest.p[1])) &&
           !(rest.n && (is_word_byte(rest.p[0]) && rest.p[0] != '/'));
}

static void keep_best(struct best *best, int rank, const struct worded *w)
{
    if (rank > best->rank)
        *best = (struct best){.rank = rank, .of = *w};
    else if (rank && rank == best->rank && w->value != best->of.value) {
        best->twice = true;
        strcpy(best->other, w->word);
    }
}

struct meant {
    struct best step, loss, epoch;
    bool checks; /* a validation's word stands in front of the loss */
};

static void take_meaning(struct meant *to, const struct worded *w, struct span s, bool checks)
{
    bool plain = !w->before[0] || is_listed_word(w->before, plain_words);
    bool mean = is_listed_word(w->before, mean_words);
    int step = w->whole && plain && ends_well(w, s) ? meaning_rank(w->word, step_words) : 0;
    int loss = plain || mean ? loss_rank(w->word) : 0;
    bool trains = strncmp(w->before, "train", 5) == 0 || loss == RANK_OF_TRAINING;
    keep_best(&to->step, step, w);
    keep_best(&to->epoch, w->whole && strcmp(w->word, "epoch") == 0, w);
    if (!loss || !(ends_well(w, s) || isnan(w->value)))
        return;
    to->checks = to->checks || (checks && !trains);
    keep_best(&to->loss, trains ? RANK_OF_TRAINING : loss, w);
}

/* Is the word that begins here one of a validation? */
static bool begins_check(struct span s, size_t at)
{
    char word[WORD_MAX];
    size_t end = at;
    if (!is_word_byte(s.p[at]) || (at && is_word_byte(s.p[at - 1])))
        return false;
    while (end < s.n && is_word_byte(s.p[end]))
        end++;
    take_label_word(s.p, end, word);
    return is_listed_word(word, checking_words);
}

static void scan_worded_line(struct span s, struct meant *to)
{
    bool checks = false;
    for (size_t at = 0; at < s.n; at++) {
        struct worded w;
        checks = checks || begins_check(s, at);
        if (take_worded(s, at, &w)) {
            take_meaning(to, &w, s, checks);
            at = (size_t)(w.end - s.p) - 1;
        }
    }
}

static void keep_worded_report(struct log_reader *r, struct of_words *at, const struct meant *said)
{
    struct report add = {.step = said->step.rank ? said->step.of.value : NAN,
                         .loss = said->loss.of.value,
                         .epoch = said->epoch.rank ? said->epoch.of.value : NAN,
                         .per_epoch = said->step.rank ? said->step.of.total : said->epoch.of.total,
                         .rank = r->rank,
                         .line = r->line};
    if (at->n == WORDS_REPORTS_MAX) { /* a curve without its end would be a wrong one */
        at->unsure = true;
        return;
    }
    if (at->n == at->room) {
        struct report *old = at->reports;
        at->room = at->room ? 2 * at->room : 16;
        at->reports = arena_array(r->arena, at->room, sizeof *at->reports);
        if (old)
            memcpy(at->reports, old, at->n * sizeof *old);
    }
    at->reports[at->n++] = add;
}

/* Does the line say a part of something else, as "[320/60000" in an epoch? */
static bool has_fraction_beside(struct span s, const struct worded *epoch)
{
    size_t n = 0;
    for (size_t i = 1; i + 1 < s.n; i++)
        n += s.p[i] == '/' && text_is_digit(s.p[i - 1]) && text_is_digit(s.p[i + 1]);
    return n > !isnan(epoch->total);
}

/* Never knows a line: what is kept counts at the end, when no other format knew one. */
static bool keep_worded_line(struct log_reader *r, struct span s)
{
    struct of_words *at = r->of_format;
    struct meant said = {.checks = false};
    if (r->log->known || at->unsure || s.n > WORDS_LINE_MAX)
        return false;
    scan_worded_line(s, &said);
    bool by_epoch = !said.step.rank && said.epoch.rank && !has_fraction_beside(s, &said.epoch.of) &&
                    (!at->n || at->by_epoch);
    if ((!said.step.rank && !by_epoch) || !said.loss.rank || said.checks)
        return false;
    const char *step_word = by_epoch ? "epoch" : said.step.of.word;
    if (!at->n || (at->by_epoch && !by_epoch)) { /* steps say more than epochs */
        at->n = 0;
        at->by_epoch = by_epoch;
        strcpy(at->step_word, step_word);
        strcpy(at->loss_word, said.loss.of.word);
    }
    if (said.loss.twice && said.loss.rank == RANK_OF_A_LOSS) {
        strcpy(at->other_loss, said.loss.other);
        at->line = r->line;
    }
    at->unsure = said.step.twice || said.loss.twice || said.epoch.twice ||
                 strcmp(at->step_word, step_word) != 0 ||
                 strcmp(at->loss_word, said.loss.of.word) != 0;
    keep_worded_report(r, at, &said);
    return false;
}

/* Do the steps begin again where the epoch rises, and nowhere else? */
static bool begins_again(const struct of_words *at, bool *rises)
{
    bool again = false;
    *rises = true;
    for (size_t i = 1; i < at->n; i++) {
        const struct report *a = &at->reports[i - 1], *b = &at->reports[i];
        bool next = b->epoch > a->epoch;
        again = again || (next && b->step <= a->step);
        if (!next && b->step <= a->step && !(b->step == a->step && b->loss == a->loss))
            *rises = false;
    }
    for (size_t i = 1; i < at->n && again; i++)
        if (at->reports[i].epoch > at->reports[i - 1].epoch &&
            at->reports[i].step > at->reports[i - 1].step)
            *rises = false;
    return again;
}

/* Does the log begin in the middle of an epoch, or behind one, of which nobody says how long it is,
 * or whether the first one is 0? A step that rises over epochs counts all of them. */
static bool begins_later(const struct of_words *at, bool again)
{
    const struct report *first = at->reports, *last = first + at->n - 1;
    bool from_start = first->step <= 2 * (first[1].step - first->step);
    if (meaning_rank(at->step_word, step_words) > 3 || !(first->epoch > 0))
        return false;
    return (again || last->epoch == first->epoch) && !(first->epoch == 1 && from_start);
}

static void add_worded_reports(struct log_reader *r, const struct of_words *at, bool again)
{
    const struct report *first = at->reports;
    double begins = 0, base = first->epoch;
    for (size_t i = 0; i < at->n; i++) {
        const struct report *x = &at->reports[i];
        if (again && i && x->epoch > x[-1].epoch)
            begins += x[-1].step;
        double whole = (x->epoch - base) * x->per_epoch;
        struct log_point p = log_point_at(r, x->step + (again ? isnan(whole) ? begins : whole : 0));
        log_set(&p, offsetof(struct log_point, loss), x->loss);
        p.rank = x->rank;
        p.line = x->line;
        log_add_point(r, &p);
    }
}

static void note_words(struct log_reader *r, const struct of_words *at)
{
    diags_add(r->diags, SEVERITY_NOTICE, r->log->file, at->reports->line, 0,
              "the log has no known format: fpreport read %zu lines by their words \"%s\" and "
              "\"%s\", and ignored the rest of these lines",
              at->n, arena_strdup(r->arena, at->step_word), arena_strdup(r->arena, at->loss_word));
}

static void note_several_losses(struct log_reader *r, const struct of_words *at)
{
    if (r->log->known || r->stopped || !at->other_loss[0])
        return;
    diags_add(r->diags, SEVERITY_NOTICE, r->log->file, at->line, 0,
              "the line has the losses \"%s\" and \"%s\", but no \"loss\" or \"total_loss\": "
              "fpreport cannot know which loss is trained, and reads none of them",
              arena_strdup(r->arena, at->loss_word), arena_strdup(r->arena, at->other_loss));
}

/* One loss each, in order. */
static void add_worded_epochs(struct log_reader *r, const struct of_words *at)
{
    for (size_t i = 1; i < at->n; i++)
        if (!(at->reports[i].epoch > at->reports[i - 1].epoch))
            return;
    for (size_t i = 0; i < at->n; i++) {
        r->line = at->reports[i].line;
        log_add_epoch(r, "words", at->reports[i].epoch, at->reports[i].per_epoch,
                      at->reports[i].loss);
    }
    r->log->known = at->n;
}

static void end_words(struct log_reader *r)
{
    const struct of_words *at = r->of_format;
    bool rises;
    note_several_losses(r, at);
    if (r->log->known || r->stopped || at->unsure || at->n < WORDS_REPORTS_MIN)
        return;
    if (at->by_epoch) {
        add_worded_epochs(r, at);
        note_words(r, at);
        return;
    }
    bool again = begins_again(at, &rises);
    if (!rises || begins_later(at, again))
        return;
    add_worded_reports(r, at, again);
    r->log->format = "words";
    r->log->known = at->n;
    note_words(r, at);
}

const struct log_format log_format_words = {
    .name = "words",
    .reads = "any other log whose lines state step and loss in words",
    .sample = "it=40/300 lr=1e-4 loss=2.51\nit=50/300 lr=1e-4 loss=2.47",
    .steps = true,
    .anywhere = true,
    .state_bytes = sizeof(struct of_words),
    .read = keep_worded_line,
    .end = end_words,
};
