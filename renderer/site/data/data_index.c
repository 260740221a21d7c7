/*
 * data/index.json: every result with its state and history, and what the next site keeps of those
 * that have no record any more (read back by renderer/site/index/previous.c).
 */
#include "renderer/site/data/data.h"

#include "base/json/json.h"
#include "renderer/site/index/dates.h"

static void put_place_words(struct json_writer *w, int table, int row, const char *key,
                            const char *words, struct arena *arena)
{
    json_strings(w, {"place", arena_printf(arena, "%d.%d", table, row)}, {"key", key},
                 {"configuration", words});
}

static void put_row_changes(struct json_writer *w, const struct site_figure_changes *changes,
                            struct arena *arena)
{
    json_integer(w, "rows_added", (long long)changes->added);
    json_integer(w, "rows_removed", (long long)changes->removed);
    json_begin_array_flat(w, "rows");
    for (size_t i = 0; i < changes->n_rows; i++) {
        const struct site_row_change *c = &changes->rows[i];
        json_begin_object_flat(w, NULL);
        put_place_words(w, c->table, c->row, c->key, c->words, arena);
        json_string(w, "change", c->added ? "added" : "removed");
        json_begin_array_flat(w, "figures");
        for (size_t k = 0; k < c->n_figures; k++) {
            json_begin_object_flat(w, NULL);
            json_strings(w, {"figure", c->figures[k].name}, {"stated", c->figures[k].stated});
            json_end_object(w);
        }
        json_end_array(w);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_changes(struct json_writer *w, const struct site_figure_changes *figures,
                        struct arena *arena)
{
    json_integer(w, "changed", (long long)figures->total);
    json_begin_array_flat(w, "figures");
    for (size_t i = 0; i < figures->n; i++) {
        const struct site_figure_change *c = &figures->items[i];
        json_begin_object_flat(w, NULL);
        json_strings(w, {"place", arena_printf(arena, "%d.%d", c->table, c->row)},
                     {"figure", c->name}, {"value", c->stated ? "stated" : "recomputed"},
                     {"before", c->before}, {"now", c->now});
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_entry_history(struct json_writer *w, const struct site_entry *e,
                              struct arena *arena)
{
    json_begin_array_flat(w, "history");
    for (size_t i = 0; i < e->n_history; i++) {
        const struct site_moment *m = &e->history[i];
        json_begin_object_flat(w, NULL);
        json_strings(w, {"state", m->removed ? SITE_REMOVED : state_name(m->state)},
                     {"tool", m->tool}, {"rules", m->rules}, {"date", m->date});
        if (m->figures.total)
            put_changes(w, &m->figures, arena);
        if (m->figures.added + m->figures.removed)
            put_row_changes(w, &m->figures, arena);
        json_end_object(w);
    }
    json_end_array(w);
    if (e->revisions)
        json_integer(w, "revisions", (long long)e->revisions);
}

static void put_identity(struct json_writer *w, const struct site_entry *e)
{
    json_strings(w, {"id", e->verdict->id}, {"vendor", e->result->vendor},
                 {"case", e->result->case_id});
}

static void put_run_before(struct json_writer *w, const struct site_was_run *run,
                           struct arena *arena)
{
    json_begin_object_flat(w, NULL);
    json_strings(w, {"place", arena_printf(arena, "%d.%d", run->table, run->row)},
                 {"archive", run->archive}, {"sha256", run->sha256}, {"date", run->date});
    json_end_object(w);
}

static void put_runs(struct json_writer *w, const struct site_index *x, const struct site_entry *e,
                     struct arena *arena)
{
    size_t n = e->gone ? e->gone->n_runs : e->verdict->n_evidence;
    if (n == 0)
        return;
    json_begin_array_flat(w, "evidence");
    for (size_t i = 0; i < n; i++) {
        const struct row_evidence *run = e->gone ? NULL : &e->verdict->evidence[i];
        struct site_was_run now = {0};
        if (run)
            now = (struct site_was_run){run->table, run->row, run->archive, run->sha256,
                                        site_run_date(x, e, run, arena)};
        put_run_before(w, run ? &now : &e->gone->runs[i], arena);
    }
    json_end_array(w);
}

/* What the next site keeps of it, should its record go. */
static void put_kept(struct json_writer *w, const struct site_index *x, const struct site_entry *e,
                     struct arena *arena)
{
    put_runs(w, x, e, arena);
    const struct verdict *v = e->verdict;
    if (v->n_reproductions == 0)
        return;
    json_begin_array_flat(w, "reproductions");
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct reproduction *r = v->reproductions[i].record;
        bool agrees = v->reproductions[i].sound && reproduction_is_reproduced(r);
        json_begin_object_flat(w, NULL);
        json_strings(w, {"id", r->id},
                     {"place", arena_printf(arena, "%lld.%lld", r->table, r->row)}, {"by", r->by},
                     {"date", r->date}, {"outcome", agrees ? "reproduced" : "not_reproduced"},
                     {"archive", r->archive}, {"sha256", r->sha256});
        json_end_object(w);
    }
    json_end_array(w);
}

/* What the next site keeps of it: nobody else has it. */
static void put_gone(struct json_writer *w, const struct site_index *index,
                     const struct site_entry *e, struct arena *arena)
{
    json_begin_object_flat(w, NULL);
    put_identity(w, e);
    json_strings(w, {"state", e->unread ? state_name(e->verdict->state) : SITE_REMOVED},
                 {"last_published", e->gone->last});
    put_entry_history(w, e, arena);
    const struct withdrawal *x = e->gone->withdrawn;
    if (x) {
        json_begin_object_flat(w, "withdrawn");
        json_strings(w, {"date", x->date}, {"by", x->by}, {"reason_zh", x->reason.zh},
                     {"reason_en", x->reason.en});
        json_end_object(w);
    }
    put_kept(w, index, e, arena);
    json_begin_array_flat(w, "rows");
    for (size_t i = 0; i < e->gone->n_rows; i++) {
        const struct verdict_row *r = &e->gone->rows[i];
        json_begin_object_flat(w, NULL);
        put_place_words(w, r->table, r->row, r->key, r->configuration, arena);
        json_end_object(w);
    }
    json_end_array(w);
    json_begin_array_flat(w, "figures");
    for (size_t i = 0; i < e->gone->n_figures; i++) {
        const struct metric *m = &e->gone->figures[i];
        json_begin_object_flat(w, NULL);
        json_strings(w, {"place", arena_printf(arena, "%d.%d", m->table, m->row)},
                     {"figure", m->name}, {"stated", m->stated},
                     {"recomputed", figure_print(m->found, arena)});
        if (e->gone->judged) {
            json_strings(w, {"outcome", outcome_name(m->outcome)}, {"source", m->source});
        }
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

/* As pages take them: what is said in one language only is said in both. */
static void put_words(struct json_writer *w, const char *zh, const char *en, struct words text)
{
    json_strings(w, {zh, text.zh ? text.zh : text.en}, {en, text.en ? text.en : text.zh});
}

/* Who answers for the site, and under which terms its data may be used: what "About" says. */
static void put_site(struct json_writer *w, const struct site_settings *says)
{
    static const struct site_settings none;
    const struct site_settings *s = says ? says : &none;
    json_begin_object_flat(w, "site");
    put_words(w, "title_zh", "title_en", s->title);
    json_string(w, "url", s->url);
    put_words(w, "operator_zh", "operator_en", s->operator);
    json_string(w, "contact", s->contact);
    put_words(w, "licence_zh", "licence_en", s->licence);
    json_strings(w, {"licence_url", s->licence_url}, {"problems", s->problems});
    json_end_object(w);
}

void site_data_index(const struct site_index *index, struct buf *out)
{
    const struct site_settings *says = index->site->settings;
    struct json_writer w = JSON_WRITER_INIT(out);
    struct arena arena = ARENA_INIT;
    json_begin_object(&w, NULL);
    json_strings(&w, {"schema", "fpreport.index/1"}, {"tool", index->site->tool},
                 {"rules", index->site->rule_set}, {"date", says ? says->date : NULL});
    put_site(&w, says);
    json_begin_array(&w, "results");
    for (size_t i = 0; i < index->n_entries; i++) {
        const struct site_entry *e = &index->entries[i];
        json_begin_object_flat(&w, NULL);
        put_identity(&w, e);
        json_strings(&w, {"model", e->model_id}, {"state", state_name(e->verdict->state)});
        json_bool(&w, "reproduced", verdict_is_reproduced(e->verdict));
        put_entry_history(&w, e, &arena);
        json_strings(&w, {"verdict", arena_printf(&arena, "%sverify.json", e->path)},
                     {"record", arena_printf(&arena, "%srecord.json", e->path)});
        put_kept(&w, index, e, &arena);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_begin_array(&w, "removed");
    for (size_t i = 0; i < index->n_gone; i++)
        put_gone(&w, index, &index->gone[i], &arena);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
    arena_release(&arena);
}
