#include "base/columns.h"

#include "base/text.h"

#include <string.h>

/* Scripts of full width begin here (Hangul Jamo); the ellipsis is narrow wherever it stands. */
#define FIRST_WIDE 0x1100
#define ELLIPSIS 0x2026

static size_t width_of(const char *s, size_t len)
{
    size_t n = 0;
    for (size_t at = 0; at < len;) {
        uint32_t c = 0;
        size_t step = utf8_next(s + at, len - at, &c);
        at += step ? step : 1;
        n += c >= FIRST_WIDE && c != ELLIPSIS ? 2 : 1;
    }
    return n;
}

size_t columns_width(const char *text)
{
    return width_of(text, strlen(text));
}

void columns_pad(struct buf *out, const char *text, size_t width)
{
    buf_str(out, text);
    for (size_t n = columns_width(text); n < width; n++)
        buf_char(out, ' ');
    buf_char(out, ' ');
}

void columns_fit(struct buf *out, const char *text, size_t width)
{
    size_t len = strlen(text), fits = 0, wide = 0;
    if (columns_width(text) <= width) {
        columns_pad(out, text, width);
        return;
    }
    while (fits < len) {
        size_t step = utf8_next(text + fits, len - fits, NULL);
        size_t next = wide + width_of(text + fits, step ? step : 1);
        if (next + 1 > width)
            break;
        fits += step ? step : 1;
        wide = next;
    }
    buf_add(out, text, fits);
    columns_pad(out, "\xE2\x80\xA6", width - wide);
}

void columns_wrap(struct buf *out, size_t at, size_t indent, const char *text)
{
    bool fresh = true; /* no word stands on this line yet */
    while (*text) {
        size_t n = strcspn(text, " "), wide = width_of(text, n);
        if (!fresh && at + 1 + wide > COLUMNS_MAX) {
            buf_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!fresh) {
            buf_char(out, ' ');
            at++;
        }
        buf_add(out, text, n);
        at += wide;
        fresh = false;
        text += n + strspn(text + n, " ");
    }
    buf_char(out, '\n');
}

void columns_paragraph(struct buf *out, size_t first, size_t rest, const char *text)
{
    buf_printf(out, "%*s", (int)first, "");
    columns_wrap(out, first, rest, text);
}
