#include "renderer/pages/page.h"

#include "base/figures/labels.h"
#include "base/text.h"
#include "renderer/output/ordered.h"
#include "renderer/pages/view.h"
#include "renderer/words/english.h"
#include "renderer/words/messages.h"

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

/* What a worker compiled for itself. */
struct desk {
    struct templates templates;
    struct arena arena;
};

/* Everything that the pages of one language share. */
struct batch {
    const struct pages *pages;
    const struct messages *messages;
    enum page_lang lang;
    struct desk *desks; /* one a worker */
    size_t *wanted;     /* the entries that have a page to be made */
    size_t n_wanted;
    struct list_page *lists; /* those that are to be made; room for all */
    size_t n_lists;
};

/* The entries of one vendor, or all of them. */
struct list_page {
    const char *vendor; /* NULL: all */
    size_t first, n;
};

/* Where files go while they are made. */
struct sink {
    file_sink *emit;
    void *self;
};

static struct page_options options(const struct batch *b, size_t worker)
{
    return (struct page_options){&b->desks[worker].templates, b->lang, b->pages->tool, b->messages};
}

/* `out` is released. */
static int hand_over_page(int code, const char *path, struct buf *out, const struct sink *to,
                          struct err *err)
{
    if (code == 0)
        code = buf_check(out, path, err);
    if (code == 0)
        code = to->emit(to->self, path, out->data, out->len, err);
    buf_release(out);
    return code;
}

static int make_result(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                       struct err *err)
{
    const struct batch *b = context;
    const struct page_entry *e = &b->pages->entries[b->wanted[i]];
    const struct page_options o = options(b, worker);
    struct arena arena = ARENA_INIT;
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    const char *path = page_path(&arena, b->lang, e->result->vendor, e->result->case_id);
    int rc =
        hand_over_page(page_result(&o, e, &out, err), path, &out, &(struct sink){emit, self}, err);
    arena_release(&arena);
    return rc;
}

static bool keeps_result(const struct batch *b, size_t i)
{
    const struct result *r = b->pages->entries[i].result;
    const struct reuse *reuse = b->pages->reuse;
    struct arena arena = ARENA_INIT;
    bool kept = reuse && reuse_keeps(reuse, page_path(&arena, b->lang, r->vendor, r->case_id),
                                     &reuse->results[i]);
    arena_release(&arena);
    return kept;
}

/* A list is made from what it shows of its results. */
static bool keeps_list(const struct batch *b, const char *path, const struct list_page *list)
{
    struct hash h;
    const struct reuse *reuse = b->pages->reuse;
    if (!reuse)
        return false;
    hash_init(&h);
    for (size_t i = list->first; i < list->first + list->n; i++) {
        if (list->vendor)
            reuse_hash_key(&h, &reuse->listed[i]);
        else
            page_index_hash(&b->pages->entries[i], &h);
    }
    const struct reuse_key key = reuse_hash_final(&h);
    return reuse_keeps(reuse, path, &key);
}

static int write_list_page(const struct batch *b, size_t worker, const struct list_page *list,
                           struct buf *out, struct err *err)
{
    const struct project *project = b->pages->project;
    const struct page_entry *entries = b->pages->entries + list->first;
    const struct page_options o = options(b, worker);
    if (!list->vendor)
        return page_index(&o, project, entries, list->n, out, err);
    const struct vendor *vendor = project ? project_vendor(project, list->vendor) : NULL;
    return page_vendor(&o, list->vendor, vendor, entries, list->n, out, err);
}

static int make_list(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                     struct err *err)
{
    const struct batch *b = context;
    struct arena arena = ARENA_INIT;
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    int rc = hand_over_page(write_list_page(b, worker, &b->lists[i], &out, err),
                            page_path(&arena, b->lang, b->lists[i].vendor, NULL), &out,
                            &(struct sink){emit, self}, err);
    arena_release(&arena);
    return rc;
}

static void add_list_page(struct batch *b, const struct list_page *list)
{
    const char *path = page_path(&b->desks[0].arena, b->lang, list->vendor, NULL);
    if (!keeps_list(b, path, list))
        b->lists[b->n_lists++] = *list;
}

/* The longest first: that of all results. */
static int render_lists(struct batch *b, const struct sink *sink, struct err *err)
{
    const struct page_entry *e = b->pages->entries;
    size_t n = b->pages->n_entries, to;
    b->n_lists = 0;
    add_list_page(b, &(struct list_page){NULL, 0, n});
    for (size_t from = 0; from < n; from = to) {
        for (to = from + 1; to < n && !strcmp(e[to].result->vendor, e[from].result->vendor);)
            to++;
        add_list_page(b, &(struct list_page){e[from].result->vendor, from, to - from});
    }
    return ordered_emit(b->n_lists, make_list, b, sink->emit, sink->self, err);
}

static int render_language(struct batch *b, const struct sink *to, struct err *err)
{
    b->n_wanted = 0;
    for (size_t i = 0; i < b->pages->n_entries; i++)
        if (!keeps_result(b, i))
            b->wanted[b->n_wanted++] = i;
    if (ordered_emit(b->n_wanted, make_result, b, to->emit, to->self, err) < 0)
        return -1;
    return b->pages->results_only ? 0 : render_lists(b, to, err);
}

int pages_render(const struct pages *pages, struct templates *templates, struct arena *arena,
                 file_sink *emit, void *self, struct err *err)
{
    struct messages messages;
    size_t workers = ordered_workers();
    struct batch b = {.pages = pages,
                      .messages = &messages,
                      .wanted = arena_array(arena, pages->n_entries, sizeof *b.wanted),
                      .lists = arena_array(arena, pages->n_entries + 1, sizeof *b.lists),
                      .desks = arena_array(arena, workers, sizeof *b.desks)};
    int code = messages_load(&messages, pages->messages, pages->n_messages, templates, arena, err);
    for (size_t i = 0; i < workers; i++)
        templates_init_like(&b.desks[i].templates, templates, &b.desks[i].arena);
    for (b.lang = PAGE_ZH; b.lang < PAGE_LANGS && code == 0; b.lang++)
        if (pages->langs[b.lang])
            code = render_language(&b, &(struct sink){emit, self}, err);
    for (size_t i = 0; i < workers; i++)
        arena_release(&b.desks[i].arena);
    return code;
}
