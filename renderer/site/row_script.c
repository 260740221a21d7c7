/*
 * All rows as scripts, for the filter of the results (templates/site/script/everywhere.js): where a
 * list has several pages, the page of results loads these by <script>, which works from a folder as
 * well, where a script may not read files. Each has the rows of PAGES_OF_SCRIPT pages; texts are
 * cut, so that no script is longer than 8 MiB.
 *
 * fpreportRows(NUMBER, STATES, ROWS): STATES is a line for each state (class, sign, word, meaning),
 * ROWS one for each row. Fields are parted by tabs, parts of a field by U+001F; of a figure they
 * are text, machine value, its form, whether an error contradicts it, its mark and its unit, of
 * what is no figure its word alone.
 */
#include "renderer/site/kinds.h"

#include "base/foreign.h"
#include "base/json/json.h"

#include <string.h>

#define PAGES_OF_SCRIPT 8
#define FIELD_MAX 96 /* bytes of one text: 21 of them are below 2 KiB, 2,000 rows below 4 MiB */

size_t site_row_scripts(const struct site_index *index)
{
    size_t pages = index->result_parts.n;
    return pages > 1 ? (pages + PAGES_OF_SCRIPT - 1) / PAGES_OF_SCRIPT : 0;
}

static const struct site_row *const *rows_of_script(const struct site_index *index, size_t i,
                                                    size_t *n)
{
    const struct site_parts *parts = &index->result_parts;
    size_t first = i * PAGES_OF_SCRIPT;
    *n = 0;
    for (size_t k = first; k < first + PAGES_OF_SCRIPT && k < parts->n; k++)
        *n += parts->items[k].n;
    return parts->items[first].rows;
}

static const char *script_name(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)index;
    return arena_printf(arena, "%zu", i + 1);
}

/* One line of a text, without what parts fields. */
static const char *field(struct sheet *s, const char *text)
{
    return foreign_line(s->arena, text, FIELD_MAX);
}

static const char *script_text(const struct view *v, const char *key)
{
    const struct view *found = view_get(v, key);
    return found && found->text ? found->text : "";
}

static bool flag_of(const struct view *v, const char *key)
{
    return view_is_true(view_get(v, key));
}

/* "precision · plan · changed settings" */
static const char *detail_of(struct sheet *s, const struct view *v)
{
    static const char *const keys[] = {"precision", "plan", "changed"};
    const char *all = "";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *one = script_text(v, keys[i]);
        all = *one ? arena_printf(s->arena, "%s%s%s", all, *all ? " · " : "", one) : all;
    }
    return field(s, all);
}

static void put_figure(struct sheet *s, struct buf *out, const struct view *f)
{
    buf_printf(out, "\t%s", field(s, script_text(f, "text")));
    if (!flag_of(f, "absent"))
        buf_printf(out, "\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s", script_text(f, "machine"),
                   field(s, script_text(f, "machine_form")), flag_of(f, "machine_wrong") ? "1" : "",
                   script_text(f, "mark"),
                   flag_of(f, "other_unit") ? field(s, script_text(f, "unit")) : "");
}

/* Of a failed row the rule and its message. */
static void put_why(struct sheet *s, struct buf *out, const struct view *v)
{
    const struct view *why = view_get(v, "why"), *pieces = why ? view_get(why, "message") : NULL;
    const char *said = "";
    for (size_t i = 0; pieces && i < pieces->n; i++)
        said = arena_printf(s->arena, "%s%s", said, script_text(pieces->items[i], "text"));
    buf_printf(out, "\t%s\x1f%s", why ? script_text(why, "rule") : "", field(s, said));
}

/* Criteria are parted by tabs in a page. */
static const char *criteria_of(struct sheet *s, const struct view *v)
{
    char *all = arena_strdup(s->arena, script_text(v, "criteria"));
    for (char *tab = all; (tab = strchr(tab, '\t'));)
        *tab = '\x1f';
    return all;
}

static void put_row_line(struct sheet *s, struct buf *out, const struct site_row *row)
{
    static const char *const texts[] = {
        "path",     "anchor",     "row_name",      "vendor", "vendor_name", "case",
        "model",    "model_name", "accelerator",   "card",   "cards",       "precision_cell",
        "group",    "recompute",  "configuration", "also",   NULL,          "date",
        "evidence", "layout",
    };
    static const char *const figures[] = {"rate", "mfu", "loss", "memory"};
    struct view *list = view_set_list(view_object(s->arena), "rows");
    const struct view *v = sheet_push_row(s, list, row, NULL);
    buf_printf(out, "%d", (int)row->entry->verdict->state);
    /* A page lets the software's lines break within words. */
    const char *software = *row->software ? row->software : sheet_t(s, "figure.none");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        buf_printf(out, "\t%s", field(s, texts[i] ? script_text(v, texts[i]) : software));
    buf_printf(out, "\t%s\t%s", detail_of(s, v), criteria_of(s, v));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        put_figure(s, out, view_get(v, figures[i]));
    buf_printf(out, "\t%s\x1f%s\x1f%s", script_text(v, "deviation"),
               script_text(v, "deviation_machine"), script_text(v, "deviation_mark"));
    put_why(s, out, v);
    buf_printf(out, "\t%s%s%s%s%s%s\n", flag_of(v, "reproduced") ? "r" : "",
               flag_of(v, "no_card") ? "c" : "", flag_of(v, "no_cards") ? "n" : "",
               flag_of(v, "no_precision") ? "p" : "", flag_of(v, "no_software") ? "s" : "",
               flag_of(v, "no_evidence") ? "e" : "");
}

static void put_states(struct sheet *s, struct buf *out)
{
    static const char *const keys[] = {"state", "state_icon", "state_word", "state_meaning"};
    for (int state = 0; state < SITE_STATES; state++) {
        struct view *v = view_object(s->arena);
        sheet_set_state(s, v, (enum state)state);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            buf_printf(out, "%s%s", k ? "\t" : state ? "\n" : "", script_text(v, keys[k]));
    }
}

static void set_script_string(struct sheet *s, const char *key, const char *text)
{
    struct buf quoted = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&quoted);
    json_string(&w, NULL, text);
    view_set_raw(s->view, key, quoted.data);
    buf_release(&quoted);
}

static void fill_row_script(struct sheet *s, size_t i)
{
    size_t n;
    const struct site_row *const *of = rows_of_script(s->index, i, &n);
    struct buf rows, states;
    buf_init(&rows, BUF_DEFAULT_MAX);
    buf_init(&states, BUF_DEFAULT_MAX);
    for (size_t r = 0; r < n; r++)
        put_row_line(s, &rows, of[r]);
    put_states(s, &states);
    view_set_printf(s->view, "number", "%zu", i + 1);
    set_script_string(s, "states", states.data);
    set_script_string(s, "rows", rows.data ? rows.data : "");
    buf_release(&rows);
    buf_release(&states);
}

const struct site_kind site_kind_row_script = {
    .name = "row_script",
    .path = "results/rows-{name}.js",
    .template = "site/rows.js",
    .count = site_row_scripts,
    .name_of = script_name,
    .fill = fill_row_script,
    .depends = SITE_ON_ROWS,
    .rows = rows_of_script,
};
