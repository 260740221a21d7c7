#include "renderer/site/result/badge.h"

#include "renderer/charts/svg.h"
#include "renderer/output/ordered.h"
#include "renderer/output/reuse.h"
#include "renderer/site/history/history.h"
#include "renderer/templates/escape.h"

#include <math.h>
#include <stdio.h>

#define HEIGHT 20.0
#define SIZE 11.0
#define PAD 7.0
#define TEXT_WIDTH_MAX 220.0
#define ICON_WIDTH 17.0

/* At 4.5:1 and more below white. */
static const char *const grounds[] = {
    [STATE_VERIFIED] = "#1a7f37", [STATE_PARTIAL] = "#8a5a00",   [STATE_UNVERIFIED] = "#57606a",
    [STATE_FAILED] = "#bf1f2f",   [STATE_WITHDRAWN] = "#57606a",
};

struct badge_field {
    const char *text, *ground;
    double x, width, text_x, text_width;
};

static struct badge_field field_at(double x, const char *text, const char *ground, double before,
                                   struct arena *arena)
{
    const char *fitted = text_fitted(arena, text ? text : "", SIZE, TEXT_WIDTH_MAX);
    double width = ceil(text_width(fitted, SIZE));
    return (struct badge_field){fitted,           ground, x, before + width + 2 * PAD,
                                x + PAD + before, width};
}

static void put_field(struct buf *out, const struct badge_field *f)
{
    char more[128];
    snprintf(more, sizeof more, "fill=\"%s\"", f->ground);
    svg_rect(out, f->x, 0, f->width, HEIGHT, more);
    if (!*f->text)
        return;
    snprintf(more, sizeof more, "textLength=\"%.0f\" lengthAdjust=\"spacingAndGlyphs\"",
             f->text_width);
    svg_text(out, f->text_x, 14, ANCHOR_START, more, f->text);
}

void badge_write(struct buf *out, const struct badge *badge)
{
    struct arena arena = ARENA_INIT;
    struct badge_field f[3];
    f[0] = field_at(0, badge->vendor, "#24292f", 0, &arena);
    f[1] = field_at(f[0].width, badge->result, "#424a53", 0, &arena);
    f[2] =
        field_at(f[1].x + f[1].width, badge->state_word, grounds[badge->state], ICON_WIDTH, &arena);
    double width = f[2].x + f[2].width;
    const char *title = arena_printf(&arena, "%s: %s: %s", f[0].text, f[1].text, f[2].text);
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f 20\" width=\"%.0f\" "
               "height=\"20\" role=\"img\" aria-label=\"",
               width, width);
    escape_html(out, title);
    buf_str(out, "\">\n<title>");
    escape_html(out, title);
    buf_str(out, "</title>\n<clipPath id=\"r\">");
    svg_rect(out, 0, 0, width, HEIGHT, "rx=\"3\"");
    buf_printf(out, "</clipPath>\n<g clip-path=\"url(#r)\" fill=\"#fff\" font-size=\"%.0f\" ",
               SIZE);
    buf_str(out, "font-family=\"Verdana,'DejaVu Sans','Noto Sans CJK SC','Microsoft YaHei',"
                 "sans-serif\">\n");
    for (size_t i = 0; i < 3; i++)
        put_field(out, &f[i]);
    icon_write(out, badge->state, f[2].x + PAD + 6, HEIGHT / 2,
               (struct icon_ink){"#fff", grounds[badge->state]});
    buf_str(out, "</g>\n");
    svg_rect(out, 0.5, 0.5, width - 1, HEIGHT - 1,
             "rx=\"2.5\" fill=\"none\" stroke=\"#8b949e\" stroke-opacity=\".6\"");
    buf_str(out, "</svg>\n");
    arena_release(&arena);
}

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
    const struct badge_job *job = &b->jobs[i];
    const struct site_entry *e = badge_entry(b->index, job->i);
    struct arena arena = ARENA_INIT;
    struct sheet s = {.site = b->index->site,
                      .index = b->index,
                      .strings = b->strings,
                      .lang = job->lang,
                      .arena = &arena,
                      .view = view_object(&arena)};
    bool removed = e->gone && !e->unread;
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    sheet_set_state(&s, s.view, e->verdict->state);
    if (removed)
        sheet_set_removed(&s, s.view);
    const struct badge badge = {.vendor = sheet_vendor(&s, e),
                                .result = e->result->case_id,
                                .state = removed ? STATE_WITHDRAWN : e->verdict->state,
                                .state_word = view_get(s.view, "state_word")->text};
    badge_write(&svg, &badge);
    int rc = emit(self, badge_path(b->index, job->i, job->lang, &arena), svg.data, svg.len, err);
    buf_release(&svg);
    arena_release(&arena);
    return rc;
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
