/*
 * The page that finds: what has a page of its own as a list that can be read, and all results as
 * lines of text for the script. Ten thousand results as elements are 60,000 of them, which a
 * telephone lays out at every letter; as text they are one, and a result's line names vendor, model
 * and accelerator by number.
 *
 * The text has three parts with an empty line between, fields parted by tabs:
 *
 *     state  icon  word  word in the other language  more       of each state, in their order;
 *                                                                the last is of what is removed
 *
 *     id  name  other names …                                    of each model, vendor, accelerator
 *     1 8  configuration  other …                                of each that rows run on: numbers
 *                                                                of machines and of all cards
 *
 *     vendor  case  state  model  accelerator  configurations  title  other …    of each result
 *
 * Vendor, state, model and accelerator count lines from 0, "" where there is none; configurations
 * are several with blanks between; a title `"` is that of the line before.
 */
#include "renderer/site/history/history.h"
#include "renderer/site/sheet/kind.h"

#include "base/foreign.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define CONFIGURATION_MAX 64 /* bytes of what a row runs on */

/* ---- other names: an entity is found by what its record calls it, in either language -------- */

static const char *in_other_language(const struct sheet *s, struct words w)
{
    const char *other = s->lang == PAGE_EN ? w.zh : w.en;
    return other ? sheet_short(s, other) : "";
}

/* Spellings that differ in case or white space are one name. */
#define NAMES_MAX 24
struct names {
    const char *items[NAMES_MAX];
    size_t n;
};

static void add_searched_name(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (text_same(names->items[i], name))
            return;
    if (*name && names->n < NAMES_MAX)
        names->items[names->n++] = name;
}

struct entity {
    const char *id, *kind, *shown; /* kind: "model", "vendor", "accelerator" */
    struct words name;
    const char *const *aliases;
    size_t n_aliases;
    bool bare; /* no record: its id is nobody's name for it */
};

static struct entity of_vendor(const struct sheet *s, const struct site_list *list)
{
    const struct vendor *v = list->record;
    struct entity e = {.id = list->id, .kind = "vendor", .shown = list->id};
    if (!v)
        return e;
    e.name = v->name;
    e.shown = sheet_short(s, sheet_words(s, v->name));
    e.aliases = v->aliases;
    e.n_aliases = v->n_aliases;
    return e;
}

static struct entity of_model(const struct sheet *s, const struct site_list *list)
{
    const struct model *m = list->record;
    if (!m)
        return (struct entity){.id = list->id, .kind = "model", .shown = list->called};
    return (struct entity){.id = list->id,
                           .kind = "model",
                           .shown = sheet_short(s, sheet_words(s, m->name)),
                           .name = m->name,
                           .aliases = m->aliases,
                           .n_aliases = m->n_aliases};
}

static struct entity of_accelerator(const struct sheet *s, const struct site_list *list)
{
    const struct accelerator *a = list->record;
    if (!a)
        return (struct entity){.id = list->id,
                               .kind = "accelerator",
                               .shown = sheet_short(s, list->called),
                               .bare = true};
    const char *other = sheet_other_card(s, a);
    return (struct entity){.id = list->id,
                           .kind = "accelerator",
                           .shown = sheet_short(s, sheet_card(s, a)),
                           .name = {other, other},
                           .aliases = a->aliases,
                           .n_aliases = a->n_aliases};
}

/* In the order of the numbers that lines of results name them by. */
static const struct {
    struct entity (*entity)(const struct sheet *s, const struct site_list *list);
    const char *word;
} kinds[] = {
    {of_model, "kind.model"},
    {of_vendor, "kind.vendor"},
    {of_accelerator, "kind.accelerator"},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static const struct site_list *searched_lists(const struct site_index *x, size_t kind, size_t *n)
{
    const struct site_list *const lists[N_KINDS] = {x->models, x->vendors, x->accelerators};
    const size_t counts[N_KINDS] = {x->n_models, x->n_vendors, x->n_accelerators};
    *n = counts[kind];
    return lists[kind];
}

/* The name that is shown, the one in the other language, id and aliases; [0] is the first. */
static void all_names(const struct sheet *s, struct names *names, const struct entity *e)
{
    *names = (struct names){{NULL}, 0};
    add_searched_name(names, e->shown);
    add_searched_name(names, in_other_language(s, e->name));
    if (!e->bare)
        add_searched_name(names, e->id);
    for (size_t i = 0; i < e->n_aliases; i++)
        add_searched_name(names, sheet_short(s, e->aliases[i]));
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static struct view *push_page(struct sheet *s, struct view *list, const char *href,
                              const char *name, const char *more)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "href", href);
    view_set_text(v, "name", name);
    view_set_text(v, "name_lang", sheet_foreign(s, name));
    view_set_text(v, "more", more);
    view_set_text(v, "other", "");
    view_set_text(v, "hidden", "");
    return v;
}

static void push_entity(struct sheet *s, struct view *list, const struct entity *e,
                        const char *word)
{
    const char *more = sheet_t(s, word), *other = "";
    struct names names;
    all_names(s, &names, e);
    for (size_t i = 1; i < names.n; i++) {
        /* Is the name in the other language than the page? A Latin name is of either. */
        const char *name = names.items[i];
        bool foreign = s->lang == PAGE_EN ? text_has_han(name)
                                          : text_same(name, in_other_language(s, e->name));
        const char **to = foreign ? &other : &more;
        *to = arena_printf(s->arena, "%s%s%s", *to, **to ? " · " : "", names.items[i]);
    }
    const char *href = arena_printf(s->arena, "%s/%s/index.html", e->kind, e->id);
    view_set_text(push_page(s, list, href, e->shown, more), "other", other);
}

/* What a rule is found by beside its name: its title in the other language, and what its
 * explanation says in this one. */
static const char *searched_rule_text(struct sheet *s, const struct site_rule *r)
{
    const struct words more[] = {r->why, r->how, r->fix};
    const char *text = arena_printf(s->arena, "%s %s %s", in_other_language(s, r->title),
                                    sheet_words(s, r->kind_title), sheet_words(s, r->statement));
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        text = arena_printf(s->arena, "%s %s", text, sheet_words(s, more[i]));
    return text;
}

static void list_pages(struct sheet *s, struct view *list)
{
    for (size_t k = 0; k < N_KINDS; k++) {
        size_t n;
        const struct site_list *lists = searched_lists(s->index, k, &n);
        for (size_t i = 0; i < n; i++) {
            const struct entity e = kinds[k].entity(s, &lists[i]);
            push_entity(s, list, &e, kinds[k].word);
        }
    }
    for (size_t i = 0; i < s->site->n_rules; i++) {
        const struct site_rule *r = &s->site->rules[i];
        struct view *v = push_page(s, list, arena_printf(s->arena, "rules/index.html#%s", r->id),
                                   arena_printf(s->arena, "%s %s", r->id, sheet_words(s, r->title)),
                                   sheet_t(s, "kind.rule"));
        view_set_text(v, "hidden", searched_rule_text(s, r));
    }
}

/* ---- the lines --------------------------------------------------------------------------------
 */

static void put_entity(struct sheet *s, const struct entity *e, struct buf *out)
{
    struct names names;
    all_names(s, &names, e);
    buf_str(out, e->id);
    for (size_t a = 0; a < names.n; a++)
        buf_printf(out, "\t%s", names.items[a]);
    buf_char(out, '\n');
}

static void put_names(struct sheet *s, struct buf *out)
{
    for (size_t k = 0; k < N_KINDS; k++) {
        size_t n;
        const struct site_list *lists = searched_lists(s->index, k, &n);
        for (size_t i = 0; i < n; i++) {
            const struct entity e = kinds[k].entity(s, &lists[i]);
            put_entity(s, &e, out);
        }
    }
    /* Vendors of which only results are left that are gone: they have no page. */
    for (size_t i = s->index->n_vendors; i < s->index->n_feeds; i++) {
        const struct entity e = of_vendor(s, &s->index->feeds[i]);
        put_entity(s, &e, out);
    }
}

/* "17": the line of the list with this id among all; "": there is none. */
static const char *number_in_list(struct sheet *s, size_t kind, const char *id)
{
    size_t before = 0, n = 0;
    for (size_t k = 0; k < kind; k++) {
        searched_lists(s->index, k, &n);
        before += n;
    }
    const struct site_list *lists = searched_lists(s->index, kind, &n);
    const struct site_list *found = site_list_find(lists, n, id);
    return found ? sheet_number(s, before + (size_t)(found - lists)) : "";
}

static const char *vendor_number(struct sheet *s, const char *id)
{
    const struct site_index *x = s->index;
    size_t before = x->n_models + x->n_vendors + x->n_accelerators;
    for (size_t i = x->n_vendors; i < x->n_feeds; i++)
        if (strcmp(x->feeds[i].id, id) == 0)
            return sheet_number(s, before + i - x->n_vendors);
    return number_in_list(s, 1, id);
}

/* What rows run on, each text once and in the order of bytes: "A100单机8卡（1x8）". */
struct configurations {
    const struct site_row **rows;
    const struct site_entry **named_by; /* the last result whose line has it */
    size_t n, before;                   /* lines that stand before them */
};

static int by_configuration(const void *x, const void *y)
{
    const struct site_row *a = *(const struct site_row *const *)x,
                          *b = *(const struct site_row *const *)y;
    return strcmp(a->configuration, b->configuration);
}

static struct configurations configurations_of(struct sheet *s)
{
    const struct site_index *x = s->index;
    size_t n = 0;
    struct configurations c = {.rows = arena_array(s->arena, x->n_rows, sizeof *c.rows),
                               .before = x->n_models + x->n_accelerators + x->n_feeds};
    for (size_t i = 0; i < x->n_rows; i++)
        if (*x->rows[i]->configuration)
            c.rows[n++] = x->rows[i];
    if (n)
        qsort(c.rows, n, sizeof *c.rows, by_configuration);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_configuration(&c.rows[i], &c.rows[i - 1]) != 0)
            c.rows[c.n++] = c.rows[i];
    c.named_by = arena_array(s->arena, c.n, sizeof *c.named_by);
    return c;
}

/* Numbers of machines and cards stand in a field of their own: "8 cards" asks for them, and no text
 * of a record is taken for one. */
static void put_configurations(struct sheet *s, struct buf *out, const struct configurations *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct site_row *r = c->rows[i];
        struct names names = {{NULL}, 0};
        add_searched_name(&names, foreign_line(s->arena, r->configuration, CONFIGURATION_MAX));
        add_searched_name(&names, foreign_line(s->arena, sheet_configuration(s, r->configuration),
                                               CONFIGURATION_MAX));
        if (r->cards)
            buf_printf(out, "%ld %ld", r->nodes, r->nodes * r->cards);
        for (size_t k = 0; k < names.n; k++)
            buf_printf(out, "\t%s", names.items[k]);
        buf_char(out, '\n');
    }
}

/* "bf16 fp8": what its rows say, each once. */
static const char *searched_precisions(struct sheet *s, const struct site_entry *e)
{
    struct names names = {{NULL}, 0};
    const char *all = "";
    for (size_t i = 0; i < e->n_rows; i++)
        add_searched_name(&names, foreign_line(s->arena, e->rows[i]->precision, CONFIGURATION_MAX));
    for (size_t i = 0; i < names.n; i++)
        all = arena_printf(s->arena, "%s%s%s", all, i ? " " : "", names.items[i]);
    return all;
}

/* A result that is gone has no rows, and so no card. */
static const char *put_searched_result(struct sheet *s, struct buf *out, const struct site_entry *e,
                                       const struct configurations *c, const char *before)
{
    const struct words none = {NULL, NULL}, title = e->case_record ? e->case_record->title : none;
    const char *id = e->n_rows ? e->rows[0]->card_id : NULL;
    const char *card = e->n_rows && !id ? e->rows[0]->card : "";
    const char *model = e->model_id ? e->model_id : e->model ? e->model->id : "";
    const char *titles =
        arena_printf(s->arena, "%s\t%s\t%s%s%s", sheet_short(s, sheet_words(s, title)),
                     in_other_language(s, title), searched_precisions(s, e), *card ? "\t" : "",
                     sheet_short(s, card));
    buf_printf(out, "%s\t%s\t%d\t%s\t%s\t", vendor_number(s, e->result->vendor), e->result->case_id,
               e->gone && !e->unread ? SITE_STATES : (int)e->verdict->state,
               number_in_list(s, 0, model), id ? number_in_list(s, 2, id) : "");
    /* "4 17", each once, in the order of the rows. */
    const char *between = "";
    for (size_t i = 0; i < e->n_rows && c->n; i++) {
        const struct site_row **at =
            bsearch(&e->rows[i], c->rows, c->n, sizeof *c->rows, by_configuration);
        if (!at || c->named_by[at - c->rows] == e)
            continue;
        c->named_by[at - c->rows] = e;
        buf_printf(out, "%s%zu", between, c->before + (size_t)(at - c->rows));
        between = " ";
    }
    buf_printf(out, "\t%s\n", before && strcmp(before, titles) == 0 ? "\"" : titles);
    return titles;
}

static void fill_search(struct sheet *s, size_t i)
{
    (void)i;
    struct buf lines = BUF_INIT(BUF_DEFAULT_MAX);
    list_pages(s, view_set_list(s->view, "pages"));
    struct sheet other = {.strings = s->strings, .lang = s->lang == PAGE_EN ? PAGE_ZH : PAGE_EN};
    for (int state = 0; state <= SITE_STATES; state++) {
        struct view *v = view_object(s->arena), *w = view_object(s->arena);
        if (state < SITE_STATES) {
            sheet_set_state(s, v, (enum state)state);
            sheet_set_state(&other, w, (enum state)state);
        } else {
            sheet_set_removed(s, v);
            sheet_set_removed(&other, w);
        }
        const char *also = state == STATE_FAILED ? sheet_t(s, "search.failed") : "";
        buf_printf(&lines, "%s\t%s\t%s\t%s%s%s\n", view_get(v, "state")->text,
                   view_get(v, "state_icon")->text, view_get(v, "state_word")->text,
                   view_get(w, "state_word")->text, *also ? "\t" : "", also);
    }
    buf_char(&lines, '\n');
    put_names(s, &lines);
    const struct configurations c = configurations_of(s);
    put_configurations(s, &lines, &c);
    buf_char(&lines, '\n');
    const char *before = NULL;
    for (size_t k = 0; k < s->index->n_entries; k++)
        before = put_searched_result(s, &lines, &s->index->entries[k], &c, before);
    for (size_t k = 0; k < s->index->n_gone; k++)
        before = put_searched_result(s, &lines, &s->index->gone[k], &c, before);
    sheet_set_whole(s->view, "lines", lines.data);
    buf_release(&lines);
    view_set_text(s->view, "all_count",
                  sheet_fill(s, "home.all", {"n", sheet_number(s, s->index->n_rows)}));
}

const struct site_kind site_kind_search = {
    .name = "search",
    .path = "search/index.html",
    .template = "site/search.html",
    .title = "search.title",
    .description = "search.description",
    .fill = fill_search,
    .depends = SITE_ON_OUTLINE,
};
