/* What the vendor published, as it was published; figures with where they come from. */
#include "renderer/site/result/result.h"

#include "base/figures/labels.h"
#include "base/text.h"
#include "renderer/words/english.h"

#include <string.h>

/* What an English page says for it is looked for there alone. */
static void set_published_label(struct sheet *s, struct view *v, const char *key,
                                enum label_set set, const char *text)
{
    sheet_set_label(s, v, key, text,
                    s->lang == PAGE_EN ? label_english(set, text, s->arena) : text);
}

/* Bullets below bullets are rare and never deep: they become one indented list. */
static void push_published_items(struct sheet *s, struct view *list, const struct item *items,
                                 size_t n, int depth)
{
    for (size_t i = 0; i < n; i++) {
        struct view *v = view_push_object(list);
        const char *label = items[i].label ? items[i].label : "", *value = items[i].value;
        set_published_label(s, v, "label", LABEL_ITEM, label);
        set_published_label(s, v, "value", LABEL_PHRASE, value);
        view_set_flag(v, "missing", items[i].label && !*items[i].value && !items[i].n_items);
        view_set_flag(v, "withheld", items[i].label && strcmp(items[i].value, "/") == 0);
        view_set_flag(v, "inner", depth > 0);
        push_published_items(s, list, items[i].items, items[i].n_items, depth + 1);
    }
}

static void push_published_groups(struct sheet *s, struct view *list, const struct group *groups,
                                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct view *g = view_push_object(list);
        set_published_label(s, g, "label", LABEL_GROUP, groups[i].label);
        push_published_items(s, view_set_list(g, "items"), groups[i].items, groups[i].n_items, 0);
    }
}

static void set_published_environments(struct sheet *s, const struct result *r)
{
    struct view *list = view_set_list(s->view, "environments");
    for (size_t i = 0; i < r->n_environments; i++) {
        struct view *e = view_push_object(list);
        const char *title = r->environments[i].title;
        set_published_label(s, e, "title", LABEL_SECTION, title);
        push_published_groups(s, view_set_list(e, "groups"), r->environments[i].groups,
                              r->environments[i].n_groups);
    }
    push_published_groups(s, view_set_list(s->view, "strategies"), r->run_groups, r->n_run_groups);
    view_set_flag(s->view, "has_environment", r->n_environments > 0 || r->n_run_groups > 0);
}

static const char *batch_values(struct sheet *s, const struct batch_item *b)
{
    const char *all = "";
    for (size_t i = 0; i < b->n_values; i++) {
        const struct batch_value *v = &b->values[i];
        const char *one = v->when
                              ? sheet_fill(s, "batch.when", {"value", v->value}, {"when", v->when})
                              : v->value;
        all = arena_printf(s->arena, "%s%s%s", all, *all ? ", " : "", one);
    }
    return all;
}

static void set_performance(struct sheet *s, const struct site_entry *e)
{
    const struct result *r = e->result;
    struct view *list = view_set_list(s->view, "performance");
    int table = 0;
    for (size_t i = 0; i < r->n_performance; i++) {
        const struct block *b = &r->performance[i];
        struct view *v = view_push_object(list);
        bool figures = b->table && metrics_is_table(b->table);
        table += figures;
        sheet_set_note(s, v, "note", b->table ? NULL : sheet_words(s, b->text));
        if (b->table)
            view_set(v, "table", sheet_table(s, b->table, figures ? e->places : NULL, table));
        else
            view_set_flag(v, "table", false);
    }
    struct view *general = view_set_list(s->view, "general");
    if (r->general)
        view_push(general, sheet_table(s, r->general, NULL, 0));
}

/* Its tables are data, too (renderer/site/data/tables_result.c). */
static bool has_tables(const struct result *r)
{
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].table && r->performance[i].table->n_rows)
            return true;
    return r->general && r->general->n_rows;
}

void sheet_set_published(struct sheet *s, const struct site_entry *e)
{
    const char *title = e->result->title ? e->result->title : "";
    sheet_set_label(s, s->view, "published_title", title, english_title(s->arena, title));
    set_published_environments(s, e->result);
    const struct result *r = e->result;
    struct view *list = view_set_list(s->view, "batch");
    for (size_t i = 0; i < r->n_batch; i++) {
        const struct batch_item *b = &r->batch[i];
        struct view *v = view_push_object(list);
        view_set_text(v, "name", b->name ? b->name : b->symbol ? b->symbol : "");
        view_set_text(v, "symbol", b->symbol && b->name ? b->symbol : "");
        view_set_text(v, "values", batch_values(s, b));
        view_set_text(v, "file", b->file ? b->file : "");
        sheet_set_inline(s, v, "text", sheet_words(s, b->text));
    }
    view_set_flag(s->view, "has_batch", r->n_batch > 0);
    set_performance(s, e);
    list = view_set_list(s->view, "extras");
    for (size_t i = 0; i < r->n_extras; i++)
        sheet_set_note(s, view_push_object(list), "note", r->extras[i].text);
    sheet_set_note(s, s->view, "preamble", r->preamble);
    view_set_flag(s->view, "has_extras", r->n_extras > 0 || r->preamble);
    view_set_flag(s->view, "has_tables", has_tables(r));
}
