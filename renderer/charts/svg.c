#include "renderer/charts/svg.h"

#include "base/text.h"
#include "renderer/charts/pen.h"
#include "renderer/templates/escape.h"

#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"

/* Hundredths of an em of the characters from ' ' to '~'. */
static const unsigned char ascii_widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

static const struct {
    uint32_t first, last;
    unsigned char width;
} wide[] = {
    {0x00A0, 0x00A0, 32},  {0x00B7, 0x00B7, 32},  {0x0300, 0x036F, 0},     {0x1100, 0x115F, 100},
    {0x200B, 0x200F, 0},   {0x2010, 0x2013, 50},  {0x2014, 0x2014, 100},   {0x2018, 0x2019, 32},
    {0x201C, 0x201D, 52},  {0x2026, 0x2026, 100}, {0x2212, 0x2212, 84},    {0x2E80, 0xA4CF, 100},
    {0xAC00, 0xD7A3, 100}, {0xF900, 0xFAFF, 100}, {0xFE00, 0xFE0F, 0},     {0xFE30, 0xFE6F, 100},
    {0xFF01, 0xFF60, 100}, {0xFFE0, 0xFFE6, 100}, {0x1F000, 0x1FFFF, 130}, {0x20000, 0x3FFFD, 100},
};

static double em_of(uint32_t code)
{
    if (code >= ' ' && code <= '~')
        return ascii_widths[code - ' '] / 100.0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return wide[i].width / 100.0;
    return 0.8;
}

/* Bytes of the next character; an invalid byte is drawn as one replacement character. */
static size_t next_measured(const char *s, size_t left, double *em, uint32_t *code)
{
    *code = 0xFFFD;
    size_t n = utf8_next(s, left, code);
    *em = n ? em_of(*code) : 1.03;
    return n ? n : 1;
}

double text_width(const char *text, double size)
{
    double sum = 0, em;
    uint32_t code;
    for (size_t left = strlen(text); left;) {
        size_t n = next_measured(text, left, &em, &code);
        sum += em;
        text += n;
        left -= n;
    }
    return sum * size;
}

static bool is_wide_ideograph(uint32_t code)
{
    return code >= 0x2E80 && code <= 0xD7A3;
}

/* Bytes that fit into `width`; *breaks: bytes up to the last place where a line may end. */
static size_t bytes_within(const char *text, double size, double width, size_t *breaks)
{
    size_t length = strlen(text), at = 0;
    double sum = 0, em;
    uint32_t code, last = 0;
    *breaks = 0;
    while (at < length) {
        size_t n = next_measured(text + at, length - at, &em, &code);
        if (at &&
            (code == ' ' || is_wide_ideograph(last) || (is_wide_ideograph(code) && last != ' ')))
            *breaks = at;
        sum += em * size;
        if (sum > width)
            return at;
        at += n;
        last = code;
    }
    return at;
}

const char *text_fitted(struct arena *a, const char *text, double size, double width)
{
    size_t unused, all = strlen(text);
    if (bytes_within(text, size, width, &unused) == all)
        return text;
    size_t n = bytes_within(text, size, width - em_of(0x2026) * size, &unused);
    while (n && text[n - 1] == ' ')
        n--;
    return arena_printf(a, "%.*s" ELLIPSIS, (int)n, text);
}

size_t text_wrapped(struct arena *a, const char *text, double size, double width,
                    const char **lines, size_t max)
{
    size_t n = 0;
    while (*text && n + 1 < max) {
        size_t breaks, fits = bytes_within(text, size, width, &breaks), all = strlen(text);
        size_t cut = fits == all ? all : breaks ? breaks : fits ? fits : all;
        lines[n++] = arena_strndup(a, text, cut);
        text += cut;
        while (*text == ' ')
            text++;
    }
    if (*text)
        lines[n++] = text_fitted(a, text, size, width);
    return n;
}

/* Paths around 0,0: what is filled with the colour, what is drawn in it, and what is drawn on the
 * filled in the ground. */
static const struct {
    const char *filled, *drawn, *inside;
} signs[] = {
#define DISC "M0-6a6 6 0 1 1 0 12a6 6 0 1 1 0-12z"
#define RING "M0-5a5 5 0 1 1 0 10a5 5 0 1 1 0-10z"
    [STATE_VERIFIED] = {DISC, NULL, "M-2.8 .2l2 2l3.6-4.2"},
    [STATE_PARTIAL] = {"M0-5a5 5 0 1 0 0 10z", RING, NULL},
    [STATE_UNVERIFIED] = {NULL, RING, NULL},
    [STATE_FAILED] = {DISC, NULL, "M-2.2-2.2l4.4 4.4M2.2-2.2l-4.4 4.4"},
    [STATE_WITHDRAWN] = {NULL, RING "M-3.5 3.5l7-7", NULL},
};

static const struct icon_ink inks[] = {
#define GROUND "var(--chart-ground,#fff)"
    [STATE_VERIFIED] = {"var(--chart-good,#1a7f37)", GROUND},
    [STATE_PARTIAL] = {"var(--chart-warn,#9a6700)", GROUND},
    [STATE_UNVERIFIED] = {"currentColor", GROUND},
    [STATE_FAILED] = {"var(--chart-bad,#d1242f)", GROUND},
    [STATE_WITHDRAWN] = {"currentColor", GROUND},
};

struct icon_ink icon_ink_of(enum state state)
{
    return inks[state];
}

void icon_write(struct buf *out, enum state state, double x, double y, struct icon_ink ink)
{
    buf_str(out, "<g transform=\"translate(");
    pen_number(out, x);
    buf_char(out, ' ');
    pen_number(out, y);
    buf_str(out, ")\">");
    if (signs[state].filled)
        buf_printf(out, "<path fill=\"%s\" d=\"%s\"/>", ink.colour, signs[state].filled);
    if (signs[state].drawn)
        buf_printf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"%s\"/>",
                   ink.colour, signs[state].drawn);
    if (signs[state].inside)
        buf_printf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"%s\"/>",
                   ink.ground, signs[state].inside);
    buf_str(out, "</g>\n");
}

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
    buf_char(out, ' ');
    buf_str(out, name);
    buf_str(out, "=\"");
    pen_number(out, value);
    buf_char(out, '"');
}

/* Around a file: its ground ends where the picture does. */
static double margin_of(const struct svg_head *head)
{
    return head->file ? 14 : 0;
}

struct svg_head svg_head_of(struct arena *arena, const char *id, const char *title,
                            const char *description, bool narrow, bool file)
{
    struct svg_head head = {.id = arena_printf(arena, "%.80s%s", id, narrow ? "-n" : ""),
                            .title = title,
                            .description = description,
                            .class = narrow ? "chart-narrow" : "chart-wide",
                            .width = narrow ? 360 : 720,
                            .file = file};
    head.n_lines =
        text_wrapped(arena, text_or_empty(title), 15 * SVG_BOLD, head.width, head.lines, 3);
    return head;
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
    if (head->file) {
        double margin = margin_of(head);
        buf_str(out, file_style);
        svg_rect(out, -margin, -margin, head->width + 2 * margin, head->height + 2 * margin,
                 "fill=\"var(--chart-ground,#fff)\"");
    }
    for (size_t i = 0; i < head->n_lines; i++)
        svg_text(out, 0, 16 + SVG_TITLE_LINE * (double)i, ANCHOR_START,
                 SVG_STRONG " font-size=\"15\"", head->lines[i]);
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
    buf_str(out, anchors[anchor]);
    buf_str(out, *more ? " " : "");
    buf_str(out, more);
    buf_char(out, '>');
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
    buf_char(out, '<');
    buf_str(out, name);
    for (size_t i = 0; i < n; i++)
        put_svg_number(out, lengths[i].key, lengths[i].value);
    buf_char(out, ' ');
    buf_str(out, more);
    buf_str(out, "/>\n");
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
