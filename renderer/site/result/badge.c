#include "renderer/site/result/badge.h"

#include "renderer/charts/icon.h"
#include "renderer/charts/measure.h"
#include "renderer/charts/svg.h"
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
               "height=\"20\" role=\"img\"",
               width, width);
    buf_str(out, " aria-label=\"");
    escape_html(out, title);
    buf_char(out, '"');
    buf_str(out, ">\n<title>");
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
