#include "renderer/templates/mustache_tokens.h"

#include "base/text.h"

#include <string.h>

#define DELIMITER_MAX 16

struct compiler {
    struct mustache *out;
    struct arena *arena;
    const char *source, *at, *end;
    const char *flushed; /* what lies before it has become tokens, or vanished */
    char open[DELIMITER_MAX], close[DELIMITER_MAX];
    bool line_begins;    /* the next token is the first of its line */
    const char *counted; /* where line and col are; see position() */
    int line, col;
    size_t sections[MUSTACHE_DEPTH_MAX]; /* open ones, as token numbers */
    size_t depth;
};

/* One tag as it stands in the source. */
struct tag {
    const char *begin, *after; /* with delimiters */
    char sigil;                /* one of "#^/>!={&", or 0 for a plain value */
    const char *body;          /* what is inside, without sigil and white space around it */
    size_t len;
    int line, col;
};

static int compile_fault(const struct compiler *c, int line, int col, struct err *err,
                         const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static int compile_fault(const struct compiler *c, int line, int col, struct err *err,
                         const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    err_vset(err, ERR_INPUT, fmt, ap);
    va_end(ap);
    return err_prefix(err, "%s:%d:%d", c->out->file, line, col);
}

/* Line and column of a place that is not before the last one asked for. */
static void position(struct compiler *c, const char *at, int *line, int *col)
{
    for (; c->counted < at; c->counted++) {
        if (*c->counted == '\n') {
            c->line++;
            c->col = 1;
        } else {
            c->col += ((unsigned char)*c->counted & 0xC0) != 0x80;
        }
    }
    *line = c->line;
    *col = c->col;
}

static bool is_tag_space(char ch)
{
    return text_is_blank(ch) || ch == '\n' || ch == '\r';
}

static const char *find_tag_mark(const struct compiler *c, const char *from, const char *what)
{
    return memmem(from, (size_t)(c->end - from), what, strlen(what));
}

/* ---- tokens ---------------------------------------------------------------------------- */

static struct token *token_add(struct compiler *c, enum token_kind kind)
{
    struct token *token = ARENA_PUSH(c->arena, c->out->tokens, c->out->n);
    token->kind = kind;
    token->starts_line = c->line_begins;
    token->indent = "";
    c->line_begins = false;
    return token;
}

/* Everything up to `until` becomes literals, one per line. */
static void flush(struct compiler *c, const char *until)
{
    while (c->flushed < until) {
        const char *newline = memchr(c->flushed, '\n', (size_t)(until - c->flushed));
        const char *stop = newline ? newline + 1 : until;
        struct token *token = token_add(c, TOKEN_LITERAL);
        token->len = (size_t)(stop - c->flushed);
        token->text = arena_strndup(c->arena, c->flushed, token->len);
        c->line_begins = newline != NULL;
        c->flushed = stop;
    }
}

static void split_name(struct compiler *c, struct token *token)
{
    const char *name = token->text;
    if (strcmp(name, ".") == 0)
        return;
    for (const char *dot; name; name = dot ? dot + 1 : NULL) {
        dot = strchr(name, '.');
        size_t len = dot ? (size_t)(dot - name) : strlen(name);
        *(struct view_key *)ARENA_PUSH(c->arena, token->parts, token->n_parts) =
            view_key(arena_strndup(c->arena, name, len));
    }
}

static int add_named(struct compiler *c, const struct tag *tag, enum token_kind kind,
                     struct err *err)
{
    const char *name = arena_strndup(c->arena, tag->body, tag->len);
    if (!*name || strcspn(name, " \t\r\n") != tag->len)
        return compile_fault(c, tag->line, tag->col, err, "tag %.*s: found '%s', expected a name",
                             (int)(tag->after - tag->begin), tag->begin, name);
    struct token *token = token_add(c, kind);
    token->text = name;
    token->line = tag->line;
    token->col = tag->col;
    if (kind != TOKEN_PARTIAL)
        split_name(c, token);
    return 0;
}

/* ---- tags ------------------------------------------------------------------------------ */

static int compile_section(struct compiler *c, const struct tag *tag, struct err *err)
{
    if (c->depth == MUSTACHE_DEPTH_MAX)
        return compile_fault(c, tag->line, tag->col, err, "sections nest more than %d deep",
                             MUSTACHE_DEPTH_MAX);
    c->sections[c->depth++] = c->out->n;
    return add_named(c, tag, tag->sigil == '#' ? TOKEN_SECTION : TOKEN_INVERTED, err);
}

static char sigil_of(const struct token *section)
{
    return section->kind == TOKEN_SECTION ? '#' : '^';
}

static int compile_end(struct compiler *c, const struct tag *tag, struct err *err)
{
    if (add_named(c, tag, TOKEN_END, err) < 0)
        return -1;
    size_t number = c->out->n - 1;
    const char *name = c->out->tokens[number].text;
    if (c->depth == 0)
        return compile_fault(c, tag->line, tag->col, err, "found {{/%s}}, but no section is open",
                             name);
    struct token *section = &c->out->tokens[c->sections[--c->depth]];
    if (strcmp(section->text, name) != 0)
        return compile_fault(c, tag->line, tag->col, err,
                             "found {{/%s}}, expected {{/%s}} for the section {{%c%s}} at %d:%d",
                             name, section->text, sigil_of(section), section->text, section->line,
                             section->col);
    section->peer = number;
    return 0;
}

static bool set_delimiter(char *to, const char *from, size_t len)
{
    if (len == 0 || len >= DELIMITER_MAX || memchr(from, '=', len))
        return false;
    memcpy(to, from, len);
    to[len] = '\0';
    return true;
}

static int compile_delimiters(struct compiler *c, const struct tag *tag, struct err *err)
{
    size_t first = 0, gap;
    while (first < tag->len && !is_tag_space(tag->body[first]))
        first++;
    for (gap = first; gap < tag->len && is_tag_space(tag->body[gap]);)
        gap++;
    size_t last = tag->len - gap;
    bool spaced = false;
    for (size_t i = gap; i < tag->len; i++)
        spaced |= is_tag_space(tag->body[i]);
    if (spaced || !set_delimiter(c->open, tag->body, first) ||
        !set_delimiter(c->close, tag->body + gap, last))
        return compile_fault(c, tag->line, tag->col, err, "found '%.*s', expected two delimiters",
                             (int)tag->len, tag->body);
    return 0;
}

static int compile_inheritance(struct compiler *c, const struct tag *tag, struct err *err)
{
    return compile_fault(c, tag->line, tag->col, err,
                         "template inheritance ({{%c…}}) is not supported", tag->sigil);
}

static const struct {
    char sigil;
    char closer;          /* must stand before the closing delimiter */
    bool takes_line;      /* vanishes with its line when it stands alone */
    enum token_kind kind; /* that it becomes; TOKEN_LITERAL: none */
    int (*compile)(struct compiler *, const struct tag *, struct err *); /* NULL: nothing more */
} tags[] = {
    {'\0', '\0', false, TOKEN_VALUE, NULL},
    {'&', '\0', false, TOKEN_RAW, NULL},
    {'{', '}', false, TOKEN_RAW, NULL},
    {'#', '\0', true, TOKEN_SECTION, compile_section},
    {'^', '\0', true, TOKEN_INVERTED, compile_section},
    {'/', '\0', true, TOKEN_END, compile_end},
    {'>', '\0', true, TOKEN_PARTIAL, NULL},
    {'!', '\0', true, TOKEN_LITERAL, NULL},
    {'=', '=', true, TOKEN_LITERAL, compile_delimiters},
    {'<', '\0', false, TOKEN_LITERAL, compile_inheritance},
    {'$', '\0', false, TOKEN_LITERAL, compile_inheritance},
};

/* The row of the tag whose inside begins at `inside`. */
static size_t tag_row(const struct compiler *c, const char *inside)
{
    for (size_t i = 1; i < sizeof tags / sizeof *tags; i++)
        if (inside < c->end && *inside == tags[i].sigil)
            return i;
    return 0;
}

static int tag_read(struct compiler *c, struct tag *tag, size_t *row, struct err *err)
{
    const char *inside = tag->begin + strlen(c->open);
    while (inside < c->end && is_tag_space(*inside))
        inside++;
    *row = tag_row(c, inside);
    char close[DELIMITER_MAX + 1] = {tags[*row].closer};
    strcpy(close + (tags[*row].closer != 0), c->close);
    const char *body = inside + (*row > 0), *stop = find_tag_mark(c, body, close);
    position(c, tag->begin, &tag->line, &tag->col);
    if (!stop)
        return compile_fault(c, tag->line, tag->col, err, "tag %s is not closed, expected %s",
                             c->open, close);
    tag->sigil = tags[*row].sigil;
    tag->after = stop + strlen(close);
    while (body < stop && is_tag_space(*body))
        body++;
    while (stop > body && is_tag_space(stop[-1]))
        stop--;
    tag->body = body;
    tag->len = (size_t)(stop - body);
    return 0;
}

/* If only white space shares the line with the tag: from where to where the line goes. */
static bool stands_alone(const struct compiler *c, const struct tag *tag, const char **begin,
                         const char **after)
{
    const char *b = tag->begin, *a = tag->after;
    while (b > c->source && text_is_blank(b[-1]))
        b--;
    while (a < c->end && text_is_blank(*a))
        a++;
    if (b > c->source && b[-1] != '\n')
        return false;
    if (a < c->end && *a == '\r' && a + 1 < c->end)
        a++;
    if (a < c->end && *a++ != '\n')
        return false;
    *begin = b;
    *after = a;
    return true;
}

static int compile_tag(struct compiler *c, struct err *err)
{
    struct tag tag = {.begin = c->at};
    const char *begin = c->at, *after;
    size_t row;
    if (tag_read(c, &tag, &row, err) < 0)
        return -1;
    after = tag.after;
    bool alone = tags[row].takes_line && stands_alone(c, &tag, &begin, &after);
    flush(c, begin);
    bool line_begins = c->line_begins;
    if (alone)
        c->line_begins = false;
    size_t n = c->out->n;
    int rc = tags[row].compile                 ? tags[row].compile(c, &tag, err)
             : tags[row].kind != TOKEN_LITERAL ? add_named(c, &tag, tags[row].kind, err)
                                               : 0;
    if (rc < 0)
        return -1;
    if (alone && tag.sigil == '>')
        c->out->tokens[n].indent = arena_strndup(c->arena, begin, (size_t)(tag.begin - begin));
    if (alone)
        c->line_begins = line_begins;
    c->at = c->flushed = after;
    return 0;
}

static int compile_template(struct compiler *c, struct err *err)
{
    for (const char *open; (open = find_tag_mark(c, c->at, c->open));) {
        c->at = open;
        if (compile_tag(c, err) < 0)
            return -1;
    }
    flush(c, c->end);
    if (c->depth == 0)
        return 0;
    const struct token *section = &c->out->tokens[c->sections[c->depth - 1]];
    int line, col;
    position(c, c->end, &line, &col);
    return compile_fault(c, section->line, section->col, err,
                         "section {{%c%s}} is not closed, expected {{/%s}} before the end at %d:%d",
                         sigil_of(section), section->text, section->text, line, col);
}

int mustache_compile(struct mustache **out, const char *file, const char *source, size_t len,
                     mustache_escape *escape, struct arena *arena, struct err *err)
{
    if (len > MUSTACHE_SOURCE_MAX)
        return err_set(err, ERR_INPUT, "%s: %zu bytes, expected at most %zu", file, len,
                       MUSTACHE_SOURCE_MAX);
    struct mustache *template = arena_alloc(arena, sizeof *template);
    template->file = arena_strdup(arena, file);
    template->escape = escape;
    struct compiler c = {.out = template,
                         .arena = arena,
                         .source = source,
                         .counted = source,
                         .line = 1,
                         .col = 1,
                         .at = source,
                         .flushed = source,
                         .end = source + len,
                         .open = "{{",
                         .close = "}}",
                         .line_begins = true};
    if (memchr(source, '\0', len))
        return err_set(err, ERR_INPUT, "%s: holds a NUL byte, expected text", file);
    if (compile_template(&c, err) < 0)
        return -1;
    *out = template;
    return 0;
}
