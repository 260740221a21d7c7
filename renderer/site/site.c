#include "renderer/site/site.h"

#include "renderer/output/ordered.h"
#include "renderer/output/reuse.h"
#include "renderer/site/data/data.h"
#include "renderer/site/index/dates.h"
#include "renderer/site/kinds.h"
#include "renderer/site/result/badge.h"
#include "renderer/site/shared.h"
#include "renderer/site/sheet/reuse.h"

#include <string.h>

/* One page that is to be made. */
struct page_job {
    const struct site_kind *kind;
    size_t i;
    enum page_lang lang;
};

/* What a worker compiled for itself. */
struct desk {
    struct templates templates[PAGE_LANGS];
    struct arena arena;
};

struct output {
    const struct site *site;
    const struct site_index *index;
    const struct strings *strings;
    const struct messages *messages;
    const struct cairo_library *cairo; /* NULL: no pictures of links */
    struct page_job *jobs;
    size_t n_jobs;
    struct desk *desks; /* one a worker */
};

/* Where files go while they are made. */
struct sink {
    file_sink *emit;
    void *self;
};

/* What {{t.…}} is looked up in, when the templates of one language are compiled. */
struct language {
    const struct strings *strings;
    enum page_lang lang;
};

static const char *constant(const void *self, const char *name)
{
    const struct language *l = self;
    return strings_get(l->strings, l->lang, name);
}

/* The way from a page back to the top: "../" for each folder of its path. */
static const char *way_up(const char *path, struct arena *arena)
{
    const char *way = "";
    for (; *path; path++)
        if (*path == '/')
            way = arena_printf(arena, "../%s", way);
    return way;
}

/* What every page has: where it is, what it is called in the other language, who made it. */
static void set_frame(struct sheet *s, const struct site_kind *kind, const char *path)
{
    const struct site_settings *settings = s->site->settings;
    struct view *v = s->view;
    const char *lang = page_lang_name(s->lang);
    const char *here = kind->root ? path : arena_printf(s->arena, "%s/%s", lang, path);
    const char *root = way_up(here, s->arena);
    view_set_text(v, "root", root);
    view_set_text(v, "base", kind->root ? root : arena_printf(s->arena, "%s%s/", root, lang));
    view_set_text(v, "here", path);
    view_set_text(v, "kind", kind->name);
    view_set_text(v, "site_title", site_title(s));
    view_set_text(v, "url", settings && settings->url ? settings->url : "");
    view_set_text(v, "problems", settings && settings->problems ? settings->problems : "");
    view_set_text(v, "tool", s->site->tool);
    view_set_text(v, "rule_set", s->site->rule_set);
    site_set_navigation(s, v, kind);
}

static int emit_rendered(struct desk *desk, struct sheet *s, const char *path, const char *template,
                         const struct sink *to, struct err *err)
{
    struct buf html = BUF_INIT(BUF_DEFAULT_MAX);
    if (s->missing)
        return err_set(err, ERR_INPUT, "%s: no string \"%s\" for %s", STRINGS_FILE, s->missing,
                       page_lang_name(s->lang));
    int rc = templates_render(&desk->templates[s->lang], template, s->view, &html, err);
    if (rc == 0)
        rc = buf_check(&html, path, err);
    if (rc == 0)
        rc = to->emit(to->self, path, html.data, html.len, err);
    buf_release(&html);
    return rc;
}

/* Where a page goes. */
static const char *site_page_path(const struct output *o, const struct page_job *job,
                                  struct arena *arena)
{
    const char *path = site_kind_path(job->kind, o->index, job->i, arena);
    return job->kind->root ? path : arena_printf(arena, "%s/%s", page_lang_name(job->lang), path);
}

static int make_page(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                     struct err *err)
{
    const struct output *o = context;
    const struct page_job *job = &o->jobs[i];
    const struct site_kind *kind = job->kind;
    struct arena arena = ARENA_INIT;
    struct sheet s = {.site = o->site,
                      .index = o->index,
                      .strings = o->strings,
                      .messages = o->messages,
                      .lang = job->lang,
                      .arena = &arena,
                      .view = view_object(&arena)};
    set_frame(&s, kind, site_kind_path(kind, o->index, job->i, &arena));
    view_set_text(s.view, "share", o->cairo ? site_share_path(kind, o->index, job->i, &arena) : "");
    if (kind->title)
        sheet_set_title(&s, sheet_t(&s, kind->title), sheet_t(&s, kind->description));
    if (kind->data)
        view_set_text(s.view, "data", kind->data);
    if (kind->fill)
        kind->fill(&s, job->i);
    int rc = emit_rendered(&o->desks[worker], &s, site_page_path(o, job, &arena), kind->template,
                           &(struct sink){emit, self}, err);
    arena_release(&arena);
    return rc;
}

static bool is_page_kept(const struct output *o, const struct page_job *job,
                         const struct site_keys *keys)
{
    struct arena arena = ARENA_INIT;
    if (!o->site->reuse)
        return false;
    const struct reuse_key key = site_key_page(job->kind, o->index, job->i, keys);
    bool kept = reuse_keeps(o->site->reuse, site_page_path(o, job, &arena), &key);
    arena_release(&arena);
    return kept;
}

static void list_jobs(struct output *o, enum page_lang lang, const struct site_keys *keys,
                      struct arena *arena)
{
    for (size_t k = 0; site_kinds[k]; k++) {
        if (site_kinds[k]->root && lang != PAGE_EN)
            continue;
        size_t pages = site_kind_count(site_kinds[k], o->index);
        for (size_t i = 0; i < pages; i++) {
            const struct page_job job = {site_kinds[k], i, lang};
            if (!is_page_kept(o, &job, keys))
                *(struct page_job *)ARENA_PUSH(arena, o->jobs, o->n_jobs) = job;
        }
    }
}

/* Style sheet and script, which a project may override like any template. */
static int emit_assets(struct output *o, struct arena *arena, const struct sink *to,
                       struct err *err)
{
    static const char *const assets[] = {"style.css",
                                         "site.js",
                                         "icon.svg",
                                         "verify.sh",
                                         "data/schema/table.schema.json",
                                         "data/schema/list.schema.json",
                                         "data/schema/tables.schema.json",
                                         "data/schema/index.schema.json"};
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        struct sheet s = {.lang = PAGE_EN, .arena = arena, .view = view_object(arena)};
        const char *template = arena_printf(arena, "site/%s", assets[i]);
        if (emit_rendered(&o->desks[0], &s, assets[i], template, to, err) < 0)
            return -1;
    }
    return 0;
}

static int render_pages(struct output *o, struct arena *arena, const struct sink *to,
                        struct err *err)
{
    const struct site_keys keys = site_keys_of(o->index, arena);
    for (int lang = 0; lang < PAGE_LANGS; lang++)
        list_jobs(o, (enum page_lang)lang, &keys, arena);
    if (ordered_emit(o->n_jobs, make_page, o, to->emit, to->self, err) < 0 ||
        emit_assets(o, arena, to, err) < 0 ||
        site_badges_emit(o->index, o->strings, to->emit, to->self, err) < 0)
        return -1;
    if (o->cairo &&
        site_shared_emit(o->index, o->strings, &keys, o->cairo, to->emit, to->self, err) < 0)
        return -1;
    return site_data_emit(o->index, &keys, to->emit, to->self, err);
}

static void desk_init(struct desk *desk, const struct templates *templates,
                      const struct language languages[PAGE_LANGS])
{
    for (int lang = 0; lang < PAGE_LANGS; lang++) {
        templates_init_like(&desk->templates[lang], templates, &desk->arena);
        desk->templates[lang].constant = constant;
        desk->templates[lang].constants = &languages[lang];
        desk->templates[lang].text_cut = constant(&languages[lang], "text.cut");
        desk->templates[lang].text_max = desk->templates[lang].text_cut ? SHEET_TEXT_MAX : 0;
    }
}

int site_results_check(size_t n_results, const char *records, struct err *err)
{
    if (n_results <= SITE_RESULTS_MAX)
        return 0;
    return err_set(err, ERR_USAGE,
                   "%s: found %zu results, expected at most %zu in one site: move some vendors to "
                   "records of their own, and build a site of each",
                   records, n_results, SITE_RESULTS_MAX);
}

int site_render(const struct site *site, struct templates *templates, struct arena *arena,
                file_sink *emit, void *self, struct err *err)
{
    struct site_index index;
    struct strings strings;
    struct messages messages;
    struct language languages[PAGE_LANGS];
    struct cairo_library cairo;
    size_t workers = ordered_workers();
    struct output o = {.site = site, .index = &index, .strings = &strings, .messages = &messages};
    if (strings_load(&strings, templates, arena, err) < 0 ||
        messages_load(&messages, site->messages, site->n_messages, templates, arena, err) < 0)
        return -1;
    for (int lang = 0; lang < PAGE_LANGS; lang++)
        languages[lang] = (struct language){&strings, (enum page_lang)lang};
    o.cairo = cairo_library_open(&cairo) ? &cairo : NULL;
    o.desks = arena_array(arena, workers, sizeof *o.desks);
    for (size_t i = 0; i < workers; i++)
        desk_init(&o.desks[i], templates, languages);
    site_index_build(&index, site, arena);
    index.newest = site_newest_date(&index, arena);
    int rc = render_pages(&o, arena, &(struct sink){emit, self}, err);
    for (size_t i = 0; i < workers; i++)
        arena_release(&o.desks[i].arena);
    return rc;
}
