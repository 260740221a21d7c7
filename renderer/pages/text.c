#include "renderer/pages/view.h"

#include "base/figures/labels.h"
#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/text.h"
#include "renderer/templates/escape.h"

#include <string.h>

const char *page_line(struct arena *arena, const char *text)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    escape_markdown_line(&b, text);
    return buf_text(&b, arena);
}

/* A blank always follows the cell in our tables, so a last backslash escapes nothing and is not
 * doubled: `\` is one of the ways to withhold a figure. */
const char *page_cell(struct arena *arena, const char *text)
{
    struct buf line = BUF_INIT(BUF_DEFAULT_MAX), cell = BUF_INIT(BUF_DEFAULT_MAX);
    escape_markdown_line(&line, text);
    buf_char(&line, ' ');
    escape_markdown_cell(&cell, line.data);
    buf_release(&line);
    return text_trim(arena, buf_text(&cell, arena));
}

static void add_indent(struct buf *out, size_t n)
{
    buf_printf(out, "%*s", (int)n, "");
}

static void add_contained(struct buf *out, const char *line, bool first)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    contain_line(&b, line, first);
    escape_markdown_line(out, b.data);
    buf_release(&b);
}

static const char *page_paragraph(struct arena *arena, const char *text, size_t indent,
                                  bool behind_label)
{
    size_t n;
    char **lines = text_lines(arena, text, &n);
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *line = text_trim(arena, lines[i]);
        if (i > 0) {
            buf_char(&b, '\n');
            add_indent(&b, line[0] ? indent : 0);
        }
        if (i == 0 && behind_label)
            escape_markdown_line(&b, line);
        else
            add_contained(&b, line, i == 0);
    }
    return buf_text(&b, arena);
}

const char *page_label(struct arena *arena, const char *text)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    contain_line(&b, text_trim(arena, page_line(arena, text)), true);
    return buf_text(&b, arena);
}

static const char *page_indented(struct arena *arena, const char *text, size_t indent)
{
    size_t n;
    char **lines = text_lines(arena, inert_text(arena, text), &n);
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++) {
        buf_str(&b, i ? "\n" : "");
        add_indent(&b, i && lines[i][0] ? indent : 0);
        escape_markdown_kept(&b, lines[i]);
    }
    return buf_text(&b, arena);
}

const char *page_block(struct arena *arena, const char *text)
{
    return page_indented(arena, text, 0);
}

const char *page_words(enum page_lang lang, const struct words *words)
{
    return lang == PAGE_EN && words->en ? words->en : words->zh;
}

/* The list that is being flattened: each bullet becomes a line with its own indentation. */
struct flat {
    struct arena *arena;
    struct view *list;
    enum page_lang lang;
    bool after_plain;
};

static const char *page_separator(struct flat *f, const char *label)
{
    const struct label *known = label_find(LABEL_ITEM, label);
    if (f->lang == PAGE_EN)
        return ": ";
    if (known)
        return known->separator;
    for (const char *s = label; *s; s++)
        if ((unsigned char)*s >= 0x80)
            return "：";
    return ": ";
}

static void add_items(struct flat *f, const struct item *items, size_t n, size_t indent);

/* A paragraph, code or the like is parted by blank lines from what is around it. */
static void add_item(struct flat *f, const struct item *item, size_t indent)
{
    struct view *v = view_push_object(f->list);
    bool first = f->list->n == 1; /* a blank line is there already */
    view_set_raw(v, "gap", !first && (item->plain || f->after_plain) ? "\n" : "");
    view_set_raw(v, "indent",
                 arena_printf(f->arena, "%*s%s", (int)indent, "", item->plain ? "" : "- "));
    const char *label = item->label && !item->plain ? item->label : "";
    const char *separator = label[0] ? page_separator(f, label) : "";
    bool empty = item->value[0] == '\0';
    const char *words = f->lang == PAGE_EN ? label_english(LABEL_ITEM, label, f->arena) : label;
    view_set_raw(v, "label", label[0] ? page_label(f->arena, words) : "");
    view_set_raw(v, "separator", empty ? text_trim(f->arena, separator) : separator);
    size_t inner = item->plain ? indent : indent + 2;
    const char *published =
        f->lang == PAGE_EN ? label_english(LABEL_PHRASE, item->value, f->arena) : item->value;
    const char *value = item->plain ? page_indented(f->arena, item->value, inner)
                                    : page_paragraph(f->arena, published, inner, label[0] != '\0');
    view_set_raw(v, "value", value);
    f->after_plain = item->plain;
    add_items(f, item->items, item->n_items, inner);
}

static void add_items(struct flat *f, const struct item *items, size_t n, size_t indent)
{
    for (size_t i = 0; i < n; i++)
        add_item(f, &items[i], indent);
}

void page_set_groups(struct view *at, const char *key, enum page_lang lang,
                     const struct group *groups, size_t n)
{
    struct arena *a = at->arena;
    struct view *list = view_set_list(at, key);
    for (size_t i = 0; i < n; i++) {
        struct view *g = view_push_object(list);
        const char *label = groups[i].label;
        view_set_raw(g, "label",
                     page_line(a, lang == PAGE_EN ? label_english(LABEL_GROUP, label, a) : label));
        struct flat f = {a, view_set_list(g, "items"), lang, false};
        add_items(&f, groups[i].items, groups[i].n_items, 2);
    }
}

/* When a value holds, as the sentence says it: before and after the name of the stage. */
static const struct {
    const char *when;
    struct words text;
} whens[] = {
    {"pretrain", {"pretrain阶段为", "pretrain: "}},
    {"finetune", {"finetune阶段为", "finetune: "}},
    {"alignment", {"精度对齐实验默认为", "alignment runs: "}},
};

static void add_value(struct buf *b, enum page_lang lang, const struct batch_value *v)
{
    static const char *const comma[] = {[PAGE_ZH] = "，", [PAGE_EN] = ", "};
    const struct words plain = {"本case默认为", "default: "};
    buf_str(b, comma[lang]);
    if (!v->when) {
        buf_str(b, page_words(lang, &plain));
        buf_str(b, v->value);
        return;
    }
    for (size_t i = 0; i < sizeof whens / sizeof *whens; i++) {
        if (strcmp(whens[i].when, v->when) == 0) {
            buf_str(b, page_words(lang, &whens[i].text));
            buf_str(b, v->value);
            return;
        }
    }
    buf_printf(b, lang == PAGE_EN ? "%s: %s" : "%s阶段为%s", v->when, v->value);
}

/* The sentence of a batch size that was not published as one. */
static const char *batch_sentence(struct arena *arena, enum page_lang lang,
                                  const struct batch_item *item)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    const struct label *l = item->symbol ? label_by_key(LABEL_SYMBOL, item->symbol) : NULL;
    const char *name = item->name ? item->name : l ? l->text.en : item->symbol;
    buf_str(&b, name ? name : "?");
    if (item->symbol)
        buf_printf(&b, lang == PAGE_EN ? ", short form %s" : "，简写为%s", item->symbol);
    if (l)
        buf_printf(&b, lang == PAGE_EN ? ", the %s" : "，即%s", page_words(lang, &l->remark));
    if (item->file)
        buf_printf(&b, lang == PAGE_EN ? ", from %s" : "，为%s中所写", item->file);
    for (size_t i = 0; i < item->n_values; i++)
        add_value(&b, lang, &item->values[i]);
    const char *text = page_paragraph(arena, b.data, 0, false);
    buf_release(&b);
    return text;
}

void page_set_batch(struct view *at, enum page_lang lang, const struct result *r)
{
    struct arena *a = at->arena;
    struct view *list = view_set_list(at, "batch");
    for (size_t i = 0; i < r->n_batch; i++) {
        const struct batch_item *item = &r->batch[i];
        const char *number = arena_printf(a, "  %zu. ", i + 1);
        const char *text = page_words(lang, &item->text);
        struct view *v = view_push_object(list);
        view_set_raw(v, "number", number);
        view_set_raw(v, "text",
                     text ? page_indented(a, text, strlen(number)) : batch_sentence(a, lang, item));
    }
}
