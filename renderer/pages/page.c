#include "renderer/pages/view.h"

#include "base/figures/labels.h"
#include "base/text.h"
#include "renderer/words/english.h"

#include <string.h>

static const struct {
    const char *file, *page, *vendor, *index;
} languages[PAGE_LANGS] = {
    [PAGE_ZH] = {"README.md", "page.zh.md", "vendor.zh.md", "index.zh.md"},
    [PAGE_EN] = {"README.en.md", "page.en.md", "vendor.en.md", "index.en.md"},
};

char *page_path(struct arena *arena, enum page_lang lang, const char *vendor, const char *case_id)
{
    return arena_printf(arena, "%s%s%s%s%s", vendor ? vendor : "", vendor ? "/" : "",
                        case_id ? case_id : "", case_id ? "/" : "", languages[lang].file);
}

static void set_page_heading(struct view *at, const char *key, const char *text)
{
    view_set_raw(at, key, text ? page_line(at->arena, text) : "");
}

static void set_page_environments(struct view *at, enum page_lang lang, const struct result *r)
{
    struct view *list = view_set_list(at, "environments");
    for (size_t i = 0; i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        struct view *v = view_push_object(list);
        set_page_heading(v, "title",
                         lang == PAGE_EN ? label_english(LABEL_SECTION, e->title, at->arena)
                                         : e->title);
        page_set_groups(v, "groups", lang, e->groups, e->n_groups);
    }
}

/* A list that would join the one before it is kept apart. Groups are lists with '-', batch
 * sizes hang below a '*'. */
static bool would_join(const char *text)
{
    text += strspn(text, " ");
    return *text == '-' || *text == '+' || (*text >= '0' && *text <= '9');
}

static void set_page_extras(struct view *at, const struct result *r)
{
    for (size_t p = 0; result_places[p]; p++) {
        struct view *list =
            view_set_list(at, arena_printf(at->arena, "after_%s", result_places[p]));
        for (size_t i = 0; i < r->n_extras; i++) {
            if (strcmp(r->extras[i].place, result_places[p]) != 0)
                continue;
            struct view *v = view_push_object(list);
            const char *text = page_block(at->arena, r->extras[i].text);
            view_set_raw(v, "text",
                         would_join(text)
                             ? arena_printf(at->arena, "%s\n\n%s", LABEL_LIST_BREAK, text)
                             : text);
        }
    }
}

static bool has_extra(const struct result *r, const char *place)
{
    for (size_t i = 0; i < r->n_extras; i++)
        if (strcmp(r->extras[i].place, place) == 0)
            return true;
    return false;
}

int page_result(const struct page_options *o, const struct page_entry *entry, struct buf *out,
                struct err *err)
{
    struct arena arena = ARENA_INIT;
    const struct result *r = entry->result;
    struct view *v = view_object(&arena);
    bool english = o->lang == PAGE_EN;
    const char *title = r->title && english ? english_title(&arena, r->title) : r->title;
    const char *run =
        r->run_title && english ? label_english(LABEL_SECTION, r->run_title, &arena) : r->run_title;
    view_set_raw(v, "preamble", r->preamble ? page_block(&arena, r->preamble) : "");
    set_page_heading(v, "title", title);
    set_page_environments(v, o->lang, r);
    set_page_heading(v, "run_title", run);
    page_set_batch(v, o->lang, r);
    page_set_groups(v, "run_groups", o->lang, r->run_groups, r->n_run_groups);
    page_set_general(v, o->lang, r->general);
    page_set_performance(v, o->lang, r);
    set_page_extras(v, r);
    view_set_flag(v, "has_batch", r->n_batch || has_extra(r, "batch"));
    view_set_flag(v, "has_general", r->general || has_extra(r, "general"));
    view_set_flag(v, "has_performance", r->n_performance > 0);
    page_set_verdict(v, o, entry);
    int code = templates_render(o->templates, languages[o->lang].page, v, out, err);
    arena_release(&arena);
    return code;
}

int page_vendor(const struct page_options *o, const char *vendor_id, const struct vendor *vendor,
                const struct page_entry *entries, size_t n, struct buf *out, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct view *v = page_vendor_view(&arena, o, vendor_id, vendor, entries, n);
    int code = templates_render(o->templates, languages[o->lang].vendor, v, out, err);
    arena_release(&arena);
    return code;
}

int page_index(const struct page_options *o, const struct project *project,
               const struct page_entry *entries, size_t n, struct buf *out, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct view *v = page_index_view(&arena, o, project, entries, n);
    int code = templates_render(o->templates, languages[o->lang].index, v, out, err);
    arena_release(&arena);
    return code;
}
