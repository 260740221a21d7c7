#include "verifier/logs/log_form.h"

#include "base/lines/decimal.h"

#include <stdlib.h>

#define BLOCK 16
#define NUMBER_MAX 48 /* bytes of a number; no fewer can be read where one is expected */
#define SURPRISES_MAX 100
#define LEARNT_MIN 100 /* lines that are learnt from, whether it helps or not */

struct token {
    size_t from, n; /* in the line */
    size_t at;      /* as log_number's */
    double scale;
    bool is_stamp;
    bool varies;  /* was seen with another text */
    size_t usual; /* how long the last one was; 0: that changes too often */
    size_t surprises;
};

typedef uint64_t block __attribute__((vector_size(BLOCK)));

/* A block of text, and ones where it counts. */
struct piece {
    block text, mask;
};

#define PIECES_MAX (LOG_FORM_MAX / BLOCK + LOG_NUMBERS_MAX + 2)

/* What is compared, in this many pieces, and the number behind it. */
struct part {
    size_t n, pieces;
    struct token *number; /* NULL: the line ends here */
};

/* A line of which it is known where its numbers are. */
struct sketch {
    char line[LOG_FORM_MAX]; /* with its end */
    size_t n;
    struct token tokens[LOG_NUMBERS_MAX];
    size_t n_tokens;
    struct log_said said;
    bool is_point;
    const char *format;
};

struct form {
    struct sketch like;
    struct piece pieces[PIECES_MAX]; /* of all parts, one behind the other */
    struct part parts[LOG_NUMBERS_MAX + 1];
    size_t room; /* more than a line of this form can need */
    size_t then; /* the form that was met behind this one */
};

struct log_forms {
    struct form *forms[LOG_FORMS];
    size_t n;
    size_t oldest; /* is replaced next */
    size_t last;   /* was met last */
    size_t learnt, met;
};

struct log_forms *log_forms_new(void)
{
    struct log_forms *s = memory_alloc(sizeof *s);
    *s = (struct log_forms){.n = 0};
    return s;
}

void log_forms_free(struct log_forms *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->forms[i]);
    free(s);
}

/* --- learning --- */

/* Numbers stand in the order of the line, apart, and end where no other number could go on. */
static bool place_tokens(struct sketch *s, const char *line, const struct log_draft *draft)
{
    size_t behind = 0;
    for (size_t i = 0; i < draft->n; i++) {
        const struct log_number *number = &draft->numbers[i];
        struct token *t = &s->tokens[i];
        *t = (struct token){.from = (size_t)(number->text.p - line),
                            .n = number->text.n,
                            .at = number->at,
                            .scale = number->scale,
                            .is_stamp = number->is_stamp,
                            .usual = number->text.n};
        if (t->from <= behind)
            return false;
        behind = t->from + t->n;
        if (!t->is_stamp && decimal_run(s->line + t->from, s->n - t->from) != t->n)
            return false;
    }
    s->n_tokens = draft->n;
    return true;
}

static bool same_between(const struct sketch *a, size_t a_from, const struct sketch *b,
                         size_t b_from, size_t a_to, size_t b_to)
{
    return a_to - a_from == b_to - b_from &&
           memcmp(a->line + a_from, b->line + b_from, a_to - a_from) == 0;
}

/* The same but for the text of its numbers? */
static bool same_but_numbers(const struct sketch *a, const struct sketch *b)
{
    size_t in_a = 0, in_b = 0;
    if (a->n_tokens != b->n_tokens || a->is_point != b->is_point || a->format != b->format)
        return false;
    for (size_t i = 0; i < a->n_tokens; i++) {
        const struct token *x = &a->tokens[i], *y = &b->tokens[i];
        if (x->at != y->at || x->scale != y->scale || x->is_stamp != y->is_stamp ||
            !same_between(a, in_a, b, in_b, x->from, y->from))
            return false;
        in_a = x->from + x->n;
        in_b = y->from + y->n;
    }
    return same_between(a, in_a, b, in_b, a->n, b->n);
}

/* What was seen to vary stays so. Returns whether more varies than before. */
static bool note_variation(struct sketch *s, const struct sketch *before)
{
    bool more = false;
    for (size_t i = 0; i < s->n_tokens; i++) {
        struct token *t = &s->tokens[i];
        const struct token *old = &before->tokens[i];
        t->varies = old->varies || !same_between(s, t->from, before, old->from, t->from + t->n,
                                                 old->from + old->n);
        more = more || t->varies != old->varies;
    }
    return more;
}

static struct piece *add_form_part(struct part *part, struct piece *to, const char *text, size_t n,
                                   struct token *number)
{
    static const unsigned char ones[BLOCK] = {255, 255, 255, 255, 255, 255, 255, 255,
                                              255, 255, 255, 255, 255, 255, 255, 255};
    *part = (struct part){n, (n + BLOCK - 1) / BLOCK, number};
    for (size_t at = 0; at < n; at += BLOCK, to++) {
        size_t bytes = n - at < BLOCK ? n - at : BLOCK;
        *to = (struct piece){.text = {0}};
        memcpy(&to->text, text + at, bytes);
        memcpy(&to->mask, ones, bytes);
    }
    return to;
}

static void make_parts(struct form *f)
{
    struct sketch *s = &f->like;
    struct piece *to = f->pieces;
    struct part *part = f->parts;
    size_t from = 0;
    for (size_t i = 0; i < s->n_tokens; i++) {
        struct token *t = &s->tokens[i];
        if (!t->varies)
            continue;
        to = add_form_part(part++, to, s->line + from, t->from - from, t);
        from = t->from + t->n;
    }
    add_form_part(part++, to, s->line + from, s->n - from, NULL);
    f->room = s->n + (size_t)(part - f->parts) * NUMBER_MAX + BLOCK;
}

/* Where a form goes that is not known yet. */
static size_t free_place(struct log_forms *s)
{
    if (s->n < LOG_FORMS) {
        s->forms[s->n] = memory_alloc(sizeof *s->forms[0]);
        return s->n++;
    }
    size_t place = s->oldest;
    s->oldest = (s->oldest + 1) % LOG_FORMS;
    return place;
}

static void keep_form(struct log_forms *s, struct sketch *made)
{
    size_t place = 0;
    while (place < s->n && !same_but_numbers(&s->forms[place]->like, made))
        place++;
    if (place == s->n) {
        place = free_place(s);
        s->forms[place]->then = place;
    } else if (!note_variation(made, &s->forms[place]->like)) {
        return; /* it was read in pieces, or had no room */
    }
    s->forms[place]->like = *made;
    make_parts(s->forms[place]);
    s->forms[s->last]->then = place;
    s->last = place;
    s->learnt++;
}

void log_forms_learn(struct log_forms *s, struct span line, const struct log_draft *draft,
                     const char *format)
{
    struct sketch made;
    made.n = line.n + 1;
    if (made.n > LOG_FORM_MAX || (s->learnt > LEARNT_MIN && s->learnt > s->met))
        return;
    memcpy(made.line, line.p, line.n);
    made.line[line.n] = '\n';
    made.said = draft->said;
    made.is_point = draft->is_point;
    made.format = format;
    if (place_tokens(&made, line.p, draft))
        keep_form(s, &made);
}

/* --- recognising --- */

static inline bool same_piece_bytes(const char *at, const struct piece *pieces, size_t n)
{
    block x = {0, 0};
    for (size_t i = 0; i < n; i++) {
        block here;
        memcpy(&here, at + i * BLOCK, sizeof here);
        x |= (here ^ pieces[i].text) & pieces[i].mask;
    }
    return (x[0] | x[1]) == 0;
}

/* Returns the number's length, or 0 when there is none. */
static inline size_t take_form_number(const struct token *t, const char *at, struct log_said *said)
{
    double value;
    if (t->at == LOG_OTHER)
        return decimal_run_window(at);
    if (t->is_stamp) {
        said->point.clock_ms = log_stamp_ms((struct span){at, NUMBER_MAX});
        return isnan(said->point.clock_ms) ? 0 : STAMP_LENGTH;
    }
    size_t n = decimal_read_window(at, &value);
    if (n == 0)
        n = decimal_read(at, NUMBER_MAX, &value);
    value *= t->scale;
    if (n)
        memcpy((char *)said + t->at, &value, sizeof value);
    return n;
}

/* Most numbers are as long as the one in their place before. Where that is only checked, reading
 * goes on behind the number while its digits are still looked at; a length that is measured has to
 * be waited for. */
static inline const char *pass_number(struct token *t, const char *at, struct log_said *said)
{
    size_t usual = t->usual;
    if (decimal_runs_window(at, usual))
        return t->at == LOG_OTHER || take_form_number(t, at, said) == usual ? at + usual : at;
    size_t n = take_form_number(t, at, said);
    if (usual)
        t->usual = ++t->surprises < SURPRISES_MAX ? n : 0;
    return at + n;
}

static const char *match_form(struct form *f, const char *at, const char *end,
                              struct log_said *said)
{
    const struct piece *pieces = f->pieces;
    const struct part *part = f->parts;
    if ((size_t)(end - at) < f->room || !same_piece_bytes(at, pieces, part->pieces))
        return NULL;
    *said = f->like.said;
    while (part->number) {
        const char *number = at + part->n;
        at = pass_number(part->number, number, said);
        pieces += part->pieces;
        part++;
        if (at == number || !same_piece_bytes(at, pieces, part->pieces))
            return NULL;
    }
    return isnan(said->rank) || log_is_rank(said->rank) ? at + part->n : NULL;
}

static bool try_form(struct log_forms *s, size_t i, const char *at, const char *end,
                     struct log_match *m)
{
    m->next = match_form(s->forms[i], at, end, &m->said);
    if (!m->next)
        return false;
    m->is_point = s->forms[i]->like.is_point;
    m->format = s->forms[i]->like.format;
    s->forms[s->last]->then = i;
    s->last = i;
    s->met++;
    return true;
}

bool log_forms_match(struct log_forms *s, const char *at, const char *end, struct log_match *m)
{
    if (s->n == 0)
        return false;
    size_t first = s->forms[s->last]->then;
    if (try_form(s, first, at, end, m))
        return true;
    for (size_t i = 0; i < s->n; i++)
        if (i != first && try_form(s, i, at, end, m))
            return true;
    return false;
}

size_t log_forms_met(const struct log_forms *s)
{
    return s->met;
}
