#include "renderer/charts/svg.h"

#include "base/text.h"
#include "renderer/charts/pen.h"
#include "renderer/templates/escape.h"

#include <string.h>

/* Bytes of a text, and of an attribute, of which there are many. */
#define TEXT_MAX 400
#define ATTRIBUTE_MAX 60

const char *const svg_palette[SVG_PALETTE_N] = {
    "var(--chart-1,#0072b2)", "var(--chart-2,#d55e00)", "var(--chart-3,#008f68)",
    "var(--chart-4,#b0549b)", "var(--chart-5,#a67c00)", "var(--chart-6,#6b7280)",
};

/* A file that is looked at by itself or in an <img>: no page gives it its colours. */
static const char file_style[] =
    "<style>svg{color-scheme:light dark;color:#1b1f24;--chart-ground:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6edf3;--chart-ground:#0d1117;"
    "--chart-1:#4aa3df;--chart-2:#f0883e;--chart-3:#2fb98d;--chart-4:#d483c1;"
    "--chart-5:#d0a215;--chart-6:#9aa3af;--chart-reference:#f0883e;--chart-limit:#ff7b72;"
    "--chart-bad:#ff7b72;--chart-good:#56d364;--chart-warn:#e3b341}}</style>\n";

static void put_cut_text(struct buf *out, const char *text, int most)
{
    char cut[TEXT_MAX + 1];
    size_t n = (size_t)text_cut(text ? text : "", most);
    memcpy(cut, text ? text : "", n);
    cut[n] = '\0';
    escape_html(out, cut);
}

void svg_words(struct buf *out, const char *text)
{
    put_cut_text(out, text, TEXT_MAX);
}

void svg_attribute(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, " %s=\"", name);
    put_cut_text(out, value, ATTRIBUTE_MAX);
    buf_char(out, '"');
}

static void put_svg_number(struct buf *out, const char *name, double value)
{
    buf_printf(out, " %s=\"", name);
    pen_number(out, value);
    buf_char(out, '"');
}

/* Around a file: its ground ends where the picture does. */
static double margin_of(const struct svg_head *head)
{
    return head->file ? 14 : 0;
}

void svg_begin(struct buf *out, const struct svg_head *head)
{
    buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart %s\" role=\"img\"",
               head->class);
    double margin = margin_of(head), width = head->width + 2 * margin;
    double height = head->height + 2 * margin;
    buf_printf(out, " preserveAspectRatio=\"xMinYMin\" viewBox=\"%.0f %.0f %.0f %.0f\"", 0 - margin,
               0 - margin, width, height);
    if (head->file)
        buf_printf(out, " width=\"%.0f\" height=\"%.0f\"", width, height);
    buf_printf(out, " font-size=\"%.0f\" fill=\"currentColor\"", SVG_SIZE);
    buf_str(out, " font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',"
                 "'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif\"");
    buf_str(out, " aria-labelledby=\"");
    svg_words(out, head->id);
    buf_str(out, "-t ");
    svg_words(out, head->id);
    buf_str(out, "-d\"");
}

void svg_ready(struct buf *out, const struct svg_head *head)
{
    buf_str(out, ">\n<title id=\"");
    svg_words(out, head->id);
    buf_str(out, "-t\">");
    svg_words(out, head->title);
    buf_str(out, "</title>\n<desc id=\"");
    svg_words(out, head->id);
    buf_str(out, "-d\">");
    svg_words(out, head->description);
    buf_str(out, "</desc>\n");
    if (!head->file)
        return;
    buf_str(out, file_style);
    double margin = margin_of(head);
    svg_rect(out, -margin, -margin, head->width + 2 * margin, head->height + 2 * margin,
             "fill=\"var(--chart-ground,#fff)\"");
}

void svg_end(struct buf *out)
{
    buf_str(out, "</svg>\n");
}

void svg_text(struct buf *out, double x, double y, enum anchor anchor, const char *more,
              const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    buf_str(out, "<text");
    put_svg_number(out, "x", x);
    put_svg_number(out, "y", y);
    buf_printf(out, "%s%s%s>", anchors[anchor], *more ? " " : "", more);
    svg_words(out, text);
    buf_str(out, "</text>\n");
}

struct length {
    const char *key;
    double value;
};

static void put_shape(struct buf *out, const char *name, const struct length *lengths, size_t n,
                      const char *more)
{
    buf_printf(out, "<%s", name);
    for (size_t i = 0; i < n; i++)
        put_svg_number(out, lengths[i].key, lengths[i].value);
    buf_printf(out, " %s/>\n", more);
}

void svg_title(struct buf *out, const char *text)
{
    buf_str(out, "<title>");
    svg_words(out, text);
    buf_str(out, "</title>\n");
}

void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *more)
{
    const struct length lengths[] = {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}};
    put_shape(out, "line", lengths, 4, more);
}

void svg_rect(struct buf *out, double x, double y, double width, double height, const char *more)
{
    const struct length lengths[] = {{"x", x}, {"y", y}, {"width", width}, {"height", height}};
    put_shape(out, "rect", lengths, 4, more);
}

void svg_circle(struct buf *out, double x, double y, double r, const char *more)
{
    const struct length lengths[] = {{"cx", x}, {"cy", y}, {"r", r}};
    put_shape(out, "circle", lengths, 3, more);
}
