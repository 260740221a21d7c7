#include "renderer/site/result/badges.h"

#include "renderer/output/ordered.h"
#include "renderer/output/reuse.h"
#include "renderer/site/history/history.h"
#include "renderer/site/result/badge.h"

static const char *const names[PAGE_LANGS] = {[PAGE_ZH] = "badge.zh.svg", [PAGE_EN] = "badge.svg"};

/* The listed ones, then those that are gone. */
static const struct site_entry *badge_entry(const struct site_index *index, size_t i)
{
    return i < index->n_entries ? &index->entries[i] : &index->gone[i - index->n_entries];
}

static const char *badge_path(const struct site_index *index, size_t i, enum page_lang lang,
                              struct arena *arena)
{
    return arena_printf(arena, "%s%s", badge_entry(index, i)->path, names[lang]);
}

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
    const struct site_entry *e = badge_entry(index, i);
    bool removed = e->gone && !e->unread;
    struct buf svg;
    sheet_set_state(&s, s.view, e->verdict->state);
    if (removed)
        sheet_set_removed(&s, s.view);
    const struct badge badge = {.vendor = sheet_vendor(&s, e),
                                .result = e->result->case_id,
                                .state = removed ? STATE_WITHDRAWN : e->verdict->state,
                                .state_word = view_get(s.view, "state_word")->text};
    buf_init(&svg, BUF_DEFAULT_MAX);
    badge_write(&svg, &badge);
    int rc = emit(self, badge_path(index, i, lang, &arena), svg.data, svg.len, err);
    buf_release(&svg);
    arena_release(&arena);
    return rc;
}

/* One badge that is to be made. */
struct badge_job {
    size_t i;
    enum page_lang lang;
};

struct badges {
    const struct site_index *index;
    const struct strings *strings;
    struct badge_job *jobs;
    size_t n;
};

static int make_badge(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                      struct err *err)
{
    (void)worker;
    const struct badges *b = context;
    return emit_badge(b->index, b->strings, b->jobs[i].i, b->jobs[i].lang, emit, self, err);
}

static bool is_badge_kept(const struct site_index *index, const struct badge_job *job)
{
    const struct reuse *reuse = index->site->reuse;
    struct arena arena = ARENA_INIT;
    bool kept =
        reuse && job->i < index->n_entries &&
        reuse_keeps(reuse, badge_path(index, job->i, job->lang, &arena), &reuse->results[job->i]);
    arena_release(&arena);
    return kept;
}

int site_badges_emit(const struct site_index *index, const struct strings *strings, file_sink *emit,
                     void *self, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct badges b = {.index = index, .strings = strings};
    for (size_t i = 0; i < index->n_entries + index->n_gone; i++)
        for (int lang = PAGE_LANGS; lang-- > 0;) { /* "badge.svg" stands before "badge.zh.svg" */
            const struct badge_job job = {i, (enum page_lang)lang};
            if (!is_badge_kept(index, &job))
                *(struct badge_job *)ARENA_PUSH(&arena, b.jobs, b.n) = job;
        }
    int rc = ordered_emit(b.n, make_badge, &b, emit, self, err);
    arena_release(&arena);
    return rc;
}
