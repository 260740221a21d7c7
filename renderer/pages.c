#include "renderer/pages.h"

#include <string.h>

/* Everything that the pages of one language share. */
struct batch {
    const struct pages *pages;
    struct page_options options;
    struct arena *arena;
    file_sink *emit;
    void *self;
    struct buf out;
};

static int hand_over(struct batch *b, int code, const char *path, struct err *err)
{
    if (code == 0)
        code = buf_check(&b->out, path, err);
    if (code == 0)
        code = b->emit(b->self, path, b->out.data, b->out.len, err);
    buf_clear(&b->out);
    return code;
}

static int render_result(struct batch *b, const struct page_entry *e, struct err *err)
{
    const struct result *r = e->result;
    return hand_over(b, page_result(&b->options, e, &b->out, err),
                     page_path(b->arena, b->options.lang, r->vendor, r->case_id), err);
}

static int render_vendor(struct batch *b, const struct page_entry *entries, size_t n,
                         struct err *err)
{
    const char *id = entries[0].result->vendor;
    const struct vendor *vendor = b->pages->project ? project_vendor(b->pages->project, id) : NULL;
    return hand_over(b, page_vendor(&b->options, id, vendor, entries, n, &b->out, err),
                     page_path(b->arena, b->options.lang, id, NULL), err);
}

static int render_lists(struct batch *b, struct err *err)
{
    const struct page_entry *e = b->pages->entries;
    size_t n = b->pages->n_entries, to;
    for (size_t from = 0; from < n; from = to) {
        for (to = from + 1; to < n && !strcmp(e[to].result->vendor, e[from].result->vendor);)
            to++;
        if (render_vendor(b, e + from, to - from, err) < 0)
            return -1;
    }
    return hand_over(b, page_index(&b->options, b->pages->project, e, n, &b->out, err),
                     page_path(b->arena, b->options.lang, NULL, NULL), err);
}

static int render_language(struct batch *b, struct err *err)
{
    for (size_t i = 0; i < b->pages->n_entries; i++)
        if (render_result(b, &b->pages->entries[i], err) < 0)
            return -1;
    return b->pages->results_only ? 0 : render_lists(b, err);
}

int pages_render(const struct pages *pages, struct templates *templates, struct arena *arena,
                 file_sink *emit, void *self, struct err *err)
{
    struct batch b = {.pages = pages, .arena = arena, .emit = emit, .self = self};
    int code = 0;
    buf_init(&b.out, BUF_DEFAULT_MAX);
    for (enum page_lang lang = PAGE_ZH; lang < PAGE_LANGS && code == 0; lang++) {
        b.options = (struct page_options){templates, lang, pages->tool};
        if (pages->langs[lang])
            code = render_language(&b, err);
    }
    buf_release(&b.out);
    return code;
}
