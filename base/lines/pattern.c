#include "base/lines/pattern.h"

#include "base/lines/decimal.h"

#include <math.h>

enum op_kind { OP_BYTES, OP_BLANK, OP_FIELD, OP_ANY, OP_END };

struct op {
    enum op_kind kind;
    struct span bytes; /* OP_BYTES */
    /* OP_FIELD */
    enum pattern_kind what;
    int field;    /* in the table of names, or PASSED */
    char stop;    /* the byte behind it, which a word ends at; 0 */
    char written; /* 'K', ',' or 0 */
};

#define PASSED (-1)
#define KEYS_MAX 16

struct pattern {
    struct op *ops; /* ends with OP_END */
    uint32_t fields;
    uint16_t keys[KEYS_MAX]; /* of what must be in a line (key_of) */
    size_t n_keys;
};

/* --- compiling --- */

struct compiler {
    const char *text, *at;
    const struct pattern_names *names;
    struct arena *arena;
    struct err *err;
    struct pattern *p;
    size_t n;
};

static int refuse_pattern(struct compiler *c, const char *found, const char *expected)
{
    return err_set(c->err, ERR_INPUT, "byte %zu of the pattern \"%.*s\": found %s, expected %s",
                   (size_t)(c->at - c->text) + 1, PATTERN_MAX, c->text, found, expected);
}

static struct op *add_op(struct compiler *c, enum op_kind kind)
{
    struct op *op = ARENA_PUSH(c->arena, c->p->ops, c->n);
    *op = (struct op){.kind = kind, .field = PASSED};
    return op;
}

/* What stands behind the colon. */
static int compile_writing(struct compiler *c, struct op *op, struct span writing)
{
    op->written = writing.n == 1 ? writing.p[0] : '\0';
    if (op->what == PATTERN_TEXT && op->written == 'w')
        op->what = PATTERN_WORD;
    else if (writing.n && !(op->what == PATTERN_NUMBER && strchr("K,", op->written)))
        return refuse_pattern(c, "a way of writing that this field has not",
                              "{number:K}, {number:,} or {text:w}");
    return 0;
}

static int name_field(struct compiler *c, struct op *op, struct span name)
{
    op->what = span_is(name, "#") ? PATTERN_NUMBER : PATTERN_WORD;
    if (span_is(name, "#") || span_is(name, "-"))
        return 0;
    for (size_t i = 0; i < c->names->n; i++)
        if (span_is(name, c->names->rows[i].name)) {
            if (c->p->fields & UINT32_C(1) << i)
                return refuse_pattern(c, "a field for the second time", "each field once");
            c->p->fields |= UINT32_C(1) << i;
            op->what = c->names->rows[i].kind;
            op->field = (int)i;
            return 0;
        }
    const char *list = "{#}, {-}";
    for (size_t i = 0; i < c->names->n; i++)
        list = arena_printf(c->arena, "%s, {%s}", list, c->names->rows[i].name);
    return refuse_pattern(c, "an unknown field", list);
}

/* A byte that stands for itself; runs of them are one op. */
static void compile_byte(struct compiler *c)
{
    size_t doubled = c->at[0] == '{' || c->at[0] == '*';
    struct op *last = c->n ? &c->p->ops[c->n - 1] : NULL;
    c->at += doubled;
    if (last && last->kind == OP_BYTES && last->bytes.p + last->bytes.n == c->at) {
        last->bytes.n++;
    } else {
        last = add_op(c, OP_BYTES);
        last->bytes = (struct span){c->at, 1};
    }
    c->at++;
}

static int compile_next(struct compiler *c)
{
    char at = *c->at;
    if ((unsigned char)at < ' ')
        return refuse_pattern(c, "a control character", "printable text");
    if (at == '{' && c->at[1] != '{') {
        /* "{name}" or "{name:K}". */
        struct span rest = span_of(c->at + 1), inside = span_cut(&rest, '}');
        struct span writing = inside, name = span_cut(&writing, ':');
        if (c->at[1 + inside.n] != '}')
            return refuse_pattern(c, "a field without an end", "'}', or \"{{\" for a brace");
        if (c->n && c->p->ops[c->n - 1].kind == OP_FIELD)
            return refuse_pattern(c, "a field behind a field", "a byte between them");
        struct op *op = add_op(c, OP_FIELD);
        if (name_field(c, op, name) < 0 || compile_writing(c, op, writing) < 0)
            return -1;
        c->at += inside.n + 2;
        if (*c->at && !strchr(" *|", *c->at))
            op->stop = *c->at;
        return 0;
    }
    if (at == '*' && c->at[1] != '*') {
        add_op(c, OP_ANY);
        c->at++;
    } else if (at == ' ') {
        add_op(c, OP_BLANK);
        c->at += strspn(c->at, " ");
    } else {
        compile_byte(c);
    }
    return 0;
}

/* --- what must be in a line --- */

#define KEY_BITS 10
#define KEYS ((size_t)1 << KEY_BITS)

/* Three bytes that stand one behind the other. */
static inline uint16_t three_bytes(const char *p)
{
    uint32_t bytes = (uint32_t)(unsigned char)p[0] << 16 | (uint32_t)(unsigned char)p[1] << 8 |
                     (uint32_t)(unsigned char)p[2];
    return (uint16_t)(bytes * UINT32_C(2654435761) >> (32 - KEY_BITS));
}

int pattern_compile(const char *text, const struct pattern_names *names, struct arena *arena,
                    struct pattern **out, struct err *err)
{
    struct compiler c = {text, text, names, arena, err, NULL, 0};
    c.p = arena_alloc(arena, sizeof *c.p);
    if (strnlen(text, PATTERN_MAX + 1) > PATTERN_MAX)
        return err_set(err, ERR_INPUT, "found a pattern of more than %d bytes", PATTERN_MAX);
    if (!*text)
        return err_set(err, ERR_INPUT, "found an empty pattern, expected the pattern of a line");
    while (*c.at)
        if (compile_next(&c) < 0)
            return -1;
    add_op(&c, OP_END);
    struct pattern *p = c.p;
    for (const struct op *op = p->ops; op->kind != OP_END; op++)
        for (size_t i = 0; op->kind == OP_BYTES && i + 3 <= op->bytes.n; i++)
            if (p->n_keys < KEYS_MAX)
                p->keys[p->n_keys++] = three_bytes(op->bytes.p + i);
    *out = c.p;
    return 0;
}

uint32_t pattern_fields(const struct pattern *p)
{
    return p->fields;
}

double pattern_number(const struct pattern_found *f, size_t field)
{
    return f->has & UINT32_C(1) << field ? f->number[field] : NAN;
}

/* --- matching --- */

struct match {
    const char *begin, *at, *end; /* the line, and where it is read */
    struct pattern_found *found;
};

static inline bool is_pattern_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool is_rule(char c)
{
    return c == '|' || c == '/';
}

/* May a blank of the pattern stand here for none? */
static bool may_be_no_blank(const struct match *m)
{
    return m->at == m->begin || m->at == m->end || is_rule(*m->at) || is_rule(m->at[-1]);
}

static bool match_blank(struct match *m)
{
    const char *from = m->at;
    while (m->at < m->end && is_pattern_blank(*m->at))
        m->at++;
    return m->at > from || may_be_no_blank(m);
}

/* Bytes that are left, but not more than a field may have, and one. */
static size_t field_room(const struct match *m, size_t max)
{
    size_t left = (size_t)(m->end - m->at);
    return left < max + 1 ? left : max + 1;
}

static size_t word_length(const struct match *m, char stop)
{
    size_t n = 0, left = field_room(m, PATTERN_TEXT_MAX);
    while (n < left && !is_pattern_blank(m->at[n]) && m->at[n] != '|' &&
           (!stop || m->at[n] != stop))
        n++;
    return n;
}

static size_t text_length(const struct match *m)
{
    const char *p = m->at;
    size_t n = 0, left = field_room(m, PATTERN_TEXT_MAX);
    while (n < left && p[n] != '|' && p[n] != '\t' &&
           !(p[n] == ' ' && (p + n + 1 >= m->end || p[n + 1] == ' ' || p[n + 1] == '|')))
        n++;
    return n;
}

static size_t digits_length(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] >= '0' && p[i] <= '9')
        i++;
    return i;
}

/* "11.4K" */
static size_t read_scaled(struct span s, double *value)
{
    static const struct {
        char letter;
        double times;
    } scales[] = {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}, {'T', 1e12}};
    size_t n = span_number(s, value);
    for (size_t i = 0; n && n < s.n && i < sizeof scales / sizeof *scales; i++)
        if (s.p[n] == scales[i].letter) {
            *value *= scales[i].times;
            return n + 1;
        }
    return n;
}

/* "45,538.5": one to three digits, groups of three, a fraction. Without a comma any number. */
static size_t read_grouped(struct span s, double *value)
{
    char digits[DECIMAL_MAX + 1];
    size_t n = digits_length(s.p, s.n < 4 ? s.n : 4), kept = n;
    if (n == 0 || n > 3 || n == s.n || s.p[n] != ',')
        return span_number(s, value);
    memcpy(digits, s.p, n);
    while (n + 3 < s.n && kept + 3 < DECIMAL_MAX && s.p[n] == ',' &&
           digits_length(s.p + n + 1, 3) == 3) {
        memcpy(digits + kept, s.p + n + 1, 3);
        kept += 3;
        n += 4;
    }
    size_t fraction = n < s.n && s.p[n] == '.' ? 1 + digits_length(s.p + n + 1, s.n - n - 1) : 0;
    if (fraction <= 1 || kept + fraction > DECIMAL_MAX)
        fraction = 0;
    memcpy(digits + kept, s.p + n, fraction);
    return decimal_read(digits, kept + fraction, value) == kept + fraction ? n + fraction : 0;
}

/* A number, or a word for one that is not known. */
static size_t read_reading(struct span s, double *value)
{
    static const char *const unknown[] = {"[N/A]", "N/A", "NA", "--", "-"};
    *value = NAN;
    if (s.n && (s.p[0] == '-' || (s.p[0] >= '0' && s.p[0] <= '9'))) {
        size_t n = span_number(s, value);
        if (n)
            return n;
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (span_starts(s, unknown[i]))
            return strlen(unknown[i]);
    return 0;
}

/* Bytes of the field; *value is set where it is a number. */
static size_t field_length(const struct op *op, const struct match *m, double *value)
{
    struct span rest = {m->at, (size_t)(m->end - m->at)};
    size_t n;
    switch (op->what) {
    case PATTERN_NUMBER:
        return op->written == 'K'   ? read_scaled(rest, value)
               : op->written == ',' ? read_grouped(rest, value)
                                    : span_number(rest, value);
    case PATTERN_READING:
        return read_reading(rest, value);
    case PATTERN_COUNT:
        n = digits_length(m->at, field_room(m, DECIMAL_MAX));
        return n && n <= DECIMAL_MAX && decimal_read(m->at, n, value) == n ? n : 0;
    case PATTERN_WORD:
        n = word_length(m, op->stop);
        return n <= PATTERN_TEXT_MAX ? n : 0;
    case PATTERN_TEXT:
        n = text_length(m);
        return n <= PATTERN_TEXT_MAX ? n : 0;
    }
    return 0;
}

static bool match_field(const struct op *op, struct match *m)
{
    double value = NAN;
    size_t n = field_length(op, m, &value);
    if (n == 0)
        return false;
    if (op->field != PASSED) {
        m->found->has |= UINT32_C(1) << op->field;
        m->found->text[op->field] = span_trim((struct span){m->at, n});
        m->found->number[op->field] = value;
    }
    m->at += n;
    return true;
}

static bool match_bytes(const struct op *op, struct match *m)
{
    if ((size_t)(m->end - m->at) < op->bytes.n || memcmp(m->at, op->bytes.p, op->bytes.n) != 0)
        return false;
    m->at += op->bytes.n;
    return true;
}

static bool ends_part(const struct op *op)
{
    return op->kind == OP_ANY || op->kind == OP_END;
}

/* The part, right here; true with *behind at its end. The last part ends with the line. */
static bool match_part(const struct op *op, struct match *m, const struct op **behind)
{
    for (; !ends_part(op); op++)
        if (!(op->kind == OP_BYTES   ? match_bytes(op, m)
              : op->kind == OP_BLANK ? match_blank(m)
                                     : match_field(op, m)))
            return false;
    *behind = op;
    return op->kind == OP_ANY || m->at == m->end;
}

/* Where, from `at` on, the part may begin next; NULL: nowhere. */
static const char *next_begin(const struct op *op, const struct match *m, const char *at)
{
    const struct op *bytes = op->kind == OP_BLANK ? op + 1 : op;
    if (at >= m->end)
        return NULL;
    return bytes->kind == OP_BYTES
               ? memmem(at, (size_t)(m->end - at), bytes->bytes.p, bytes->bytes.n)
               : at;
}

/* A field begins where a number or word does, a blank with the first of its run. */
static bool may_begin(const struct op *op, const struct match *m)
{
    char before = m->at > m->begin ? m->at[-1] : ' ';
    bool digit = (before >= '0' && before <= '9') || before == '.';
    if (op->kind == OP_BLANK)
        return !is_pattern_blank(before) || m->at == m->begin;
    if (op->kind != OP_FIELD)
        return true;
    if (op->what == PATTERN_WORD || op->what == PATTERN_TEXT)
        return !is_pattern_blank(*m->at) &&
               (is_pattern_blank(before) || before == '|' || m->at == m->begin);
    return !is_pattern_blank(*m->at) && !digit;
}

/* The part at the first place where it matches. */
static bool match_part_later(const struct op *op, struct match *m, const struct op **behind)
{
    const struct op *first = op;
    const char *at = m->at;
    if (ends_part(op)) {
        *behind = op;
        return true;
    }
    for (; (at = next_begin(op, m, at)); at++) {
        bool blank = op->kind == OP_BLANK && op[1].kind == OP_BYTES;
        m->at = at;
        first = blank ? op + 1 : op;
        if (blank ? !(may_be_no_blank(m) || is_pattern_blank(at[-1])) : !may_begin(op, m))
            continue;
        if (match_part(first, m, behind))
            return true;
    }
    return false;
}

bool pattern_match(const struct pattern *p, struct span line, struct pattern_found *out)
{
    struct match m = {line.p, line.p, line.p + line.n, out};
    const struct op *op = p->ops;
    out->has = 0;
    if (!ends_part(op) && !match_part(op, &m, &op))
        return false;
    while (op->kind == OP_ANY)
        if (!match_part_later(op + 1, &m, &op))
            return false;
    return true;
}

struct pattern_words pattern_words(const struct pattern *p, struct span line)
{
    struct pattern_words w = {0, 0, {NULL, 0}};
    for (const struct op *op = p->ops; op->kind != OP_END; op++) {
        if (op->kind != OP_BYTES || op->bytes.n < 2)
            continue;
        bool found = memmem(line.p, line.n, op->bytes.p, op->bytes.n) != NULL;
        w.of++;
        w.found += found;
        if (!found && !w.missing.n)
            w.missing = op->bytes;
    }
    return w;
}

/* --- sets --- */

struct pattern_set {
    struct pattern **patterns;
    size_t n;
};

/* Longer lines are not looked through: every pattern is tried. */
#define LOOKED_THROUGH_MAX 4096

struct words {
    uint64_t bits[KEYS / 64];
    bool all;
};

int pattern_set_new(const char *const *texts, size_t n, const struct pattern_names *names,
                    struct arena *arena, struct pattern_set **out, struct err *err)
{
    struct pattern_set *s = arena_alloc(arena, sizeof *s);
    s->patterns = arena_array(arena, n, sizeof *s->patterns);
    s->n = n;
    for (size_t i = 0; i < n; i++)
        if (pattern_compile(texts[i], names, arena, &s->patterns[i], err) < 0)
            return -1;
    *out = s;
    return 0;
}

static void look_through(struct span line, struct words *w)
{
    *w = (struct words){.all = line.n > LOOKED_THROUGH_MAX};
    for (size_t i = 0; !w->all && i + 3 <= line.n; i++) {
        uint16_t key = three_bytes(line.p + i);
        w->bits[key / 64] |= UINT64_C(1) << key % 64;
    }
}

static bool may_match(const struct pattern *p, const struct words *w)
{
    for (size_t i = 0; i < p->n_keys; i++)
        if (!(w->bits[p->keys[i] / 64] >> p->keys[i] % 64 & 1))
            return w->all;
    return true;
}

size_t pattern_set_match(const struct pattern_set *s, struct span line, size_t from,
                         struct pattern_found *out)
{
    struct words w;
    look_through(line, &w);
    for (size_t i = from; i < s->n; i++)
        if (may_match(s->patterns[i], &w) && pattern_match(s->patterns[i], line, out))
            return i;
    return PATTERN_NONE;
}
