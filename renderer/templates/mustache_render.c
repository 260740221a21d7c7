#include "renderer/templates/mustache_tokens.h"

#include "base/text.h"

#include <string.h>

/* Every partial can open MUSTACHE_DEPTH_MAX sections of its own; in sum this is enough. */
#define STACK_MAX (4 * MUSTACHE_DEPTH_MAX)

struct renderer {
    const struct mustache_options *options;
    struct buf *out;
    struct err *err;
    const struct view *stack[STACK_MAX];
    size_t depth;
    size_t partials; /* open ones */
    size_t steps;    /* tokens so far */
};

/* One template being rendered: which, and what its lines are indented by. */
struct frame {
    const struct mustache *template;
    const char *indent;
};

static int render_range(struct renderer *r, const struct frame *f, size_t first, size_t last);

static int render_fault(struct renderer *r, const struct frame *f, const struct token *t,
                        const char *what)
{
    return err_set(r->err, ERR_INPUT, "%s:%d:%d: {{%s}}: %s", f->template->file, t->line, t->col,
                   t->text, what);
}

/* ---- strictness ------------------------------------------------------------------------ */

static bool is_reported(const struct diags *d, const char *file, const struct token *t)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->items[i].line == t->line && d->items[i].col == t->col &&
            strcmp(d->items[i].file, file) == 0)
            return true;
    return false;
}

/* Once per place, however often a section repeats it. */
static void complain_once(struct renderer *r, const struct frame *f, const struct token *t,
                          const char *what)
{
    struct diags *d = r->options->strict;
    if (d && !is_reported(d, f->template->file, t))
        diags_add(d, SEVERITY_WARNING, f->template->file, t->line, t->col, "{{%s}}: %s", t->text,
                  what);
}

/* ---- names ----------------------------------------------------------------------------- */

static const struct view *look_up(struct renderer *r, const struct frame *f, const struct token *t)
{
    if (t->n_parts == 0)
        return r->stack[r->depth - 1];
    const struct view *found = NULL;
    for (size_t i = r->depth; i > 0 && !found; i--)
        found = view_get_key(r->stack[i - 1], &t->parts[0]);
    if (!found)
        complain_once(r, f, t, "this name is in no context here");
    for (size_t i = 1; found && i < t->n_parts; i++) {
        found = view_get_key(found, &t->parts[i]);
        if (!found)
            complain_once(r, f, t, "no such member");
    }
    return found;
}

/* ---- tokens ---------------------------------------------------------------------------- */

static int render_value(struct renderer *r, const struct frame *f, const struct token *t)
{
    const struct view *value = look_up(r, f, t);
    if (!value)
        return 0;
    if (value->kind == VIEW_LIST || value->kind == VIEW_OBJECT)
        complain_once(r, f, t, "a list or object, expected text");
    else if (t->kind == TOKEN_RAW || value->kind == VIEW_RAW)
        buf_str(r->out, value->text);
    else if (r->options->text_max &&
             strnlen(value->text, r->options->text_max + 1) > r->options->text_max) {
        /* Its beginning, and how much there is more. */
        const char *text = value->text, *words = r->options->text_cut;
        size_t before = (size_t)text_cut(text, (int)r->options->text_max),
               place = strcspn(words, "{");
        f->template->escape(r->out, arena_strndup(value->arena, text, before));
        buf_add(r->out, words, place);
        buf_printf(r->out, "%zu", text_length(text + before));
        buf_str(r->out, words + place + strlen("{n}"));
    } else
        f->template->escape(r->out, value->text);
    return 0;
}

static int render_inside(struct renderer *r, const struct frame *f, size_t section,
                         const struct view *context)
{
    const struct token *t = &f->template->tokens[section];
    if (r->depth == STACK_MAX)
        return render_fault(r, f, t, "sections and partials nest too deep");
    r->stack[r->depth++] = context;
    int rc = render_range(r, f, section + 1, t->peer + 1);
    r->depth--;
    return rc;
}

static int render_section(struct renderer *r, const struct frame *f, size_t section)
{
    const struct token *t = &f->template->tokens[section];
    const struct view *value = look_up(r, f, t);
    if (t->kind == TOKEN_INVERTED)
        return view_is_true(value) ? 0 : render_range(r, f, section + 1, t->peer + 1);
    if (!view_is_true(value))
        return 0;
    if (value->kind != VIEW_LIST)
        return render_inside(r, f, section, value);
    for (size_t i = 0; i < value->n && !r->out->overflow; i++)
        if (render_inside(r, f, section, value->items[i]) < 0)
            return -1;
    return 0;
}

static int render_partial(struct renderer *r, const struct frame *f, const struct token *t)
{
    const struct mustache *partial =
        r->options->find ? r->options->find(r->options->self, t->text) : NULL;
    if (!partial) {
        complain_once(r, f, t, "there is no such partial");
        return 0;
    }
    if (r->partials == MUSTACHE_DEPTH_MAX)
        return render_fault(r, f, t, "partials nest more than 64 deep");
    struct buf indent = BUF_INIT(MUSTACHE_SOURCE_MAX);
    buf_str(&indent, f->indent);
    buf_str(&indent, t->indent);
    struct frame inner = {partial, indent.data};
    r->partials++;
    int rc = render_range(r, &inner, 0, partial->n);
    r->partials--;
    buf_release(&indent);
    return rc;
}

static int render_token(struct renderer *r, const struct frame *f, size_t i)
{
    const struct token *t = &f->template->tokens[i];
    bool empty = t->kind == TOKEN_LITERAL && (*t->text == '\n' || *t->text == '\r');
    if (t->starts_line && !empty)
        buf_str(r->out, f->indent);
    switch (t->kind) {
    case TOKEN_LITERAL:
        buf_add(r->out, t->text, t->len);
        break;
    case TOKEN_VALUE:
    case TOKEN_RAW:
        return render_value(r, f, t);
    case TOKEN_SECTION:
    case TOKEN_INVERTED:
        return render_section(r, f, i);
    case TOKEN_PARTIAL:
        return render_partial(r, f, t);
    case TOKEN_END:
        break;
    }
    return 0;
}

static int render_range(struct renderer *r, const struct frame *f, size_t first, size_t last)
{
    const struct token *tokens = f->template->tokens;
    for (size_t i = first; i < last && !r->out->overflow; i++) {
        if (++r->steps > MUSTACHE_STEPS_MAX)
            return err_set(r->err, ERR_INPUT,
                           "%s:%d:%d: sections and partials repeat without an end in sight",
                           f->template->file, tokens[i].line, tokens[i].col);
        if (render_token(r, f, i) < 0)
            return -1;
        if (tokens[i].kind == TOKEN_SECTION || tokens[i].kind == TOKEN_INVERTED)
            i = tokens[i].peer;
    }
    return 0;
}

int mustache_render(const struct mustache *template, const struct view *view,
                    const struct mustache_options *options, struct buf *out, struct err *err)
{
    static const struct mustache_options none;
    struct renderer r = {
        .options = options ? options : &none, .out = out, .err = err, .stack = {view}, .depth = 1};
    struct frame f = {template, ""};
    if (render_range(&r, &f, 0, template->n) < 0)
        return -1;
    return buf_check(out, template->file, err);
}
