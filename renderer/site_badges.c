#include "renderer/site_badges.h"

#include "base/ordered.h"
#include "renderer/badge.h"
#include "renderer/site_sheet.h"

static const char *const names[PAGE_LANGS] = {[PAGE_ZH] = "badge.zh.svg", [PAGE_EN] = "badge.svg"};

static int emit_badge(const struct site_index *index, const struct strings *strings, size_t i,
                      enum page_lang lang, file_sink *emit, void *self, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct sheet s = {.site = index->site,
                      .index = index,
                      .strings = strings,
                      .lang = lang,
                      .arena = &arena,
                      .view = view_object(&arena)};
    const struct site_entry *e = &index->entries[i];
    struct buf svg;
    sheet_set_state(&s, s.view, e->verdict->state);
    const struct badge badge = {.vendor = sheet_vendor(&s, e),
                                .result = e->result->case_id,
                                .state = e->verdict->state,
                                .state_word = view_get(s.view, "state_word")->text};
    buf_init(&svg, BUF_DEFAULT_MAX);
    badge_write(&svg, &badge);
    const char *path = arena_printf(&arena, "%s%s", e->path, names[lang]);
    int rc = emit(self, path, svg.data, svg.len, err);
    buf_release(&svg);
    arena_release(&arena);
    return rc;
}

struct badges {
    const struct site_index *index;
    const struct strings *strings;
};

static int make_badges(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                       struct err *err)
{
    (void)worker;
    const struct badges *b = context;
    for (int lang = 0; lang < PAGE_LANGS; lang++)
        if (emit_badge(b->index, b->strings, i, (enum page_lang)lang, emit, self, err) < 0)
            return -1;
    return 0;
}

int site_badges_emit(const struct site_index *index, const struct strings *strings, file_sink *emit,
                     void *self, struct err *err)
{
    struct badges b = {index, strings};
    return ordered_emit(index->n_entries, make_badges, &b, emit, self, err);
}
