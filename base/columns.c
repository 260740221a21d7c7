#include "base/columns.h"

#include "base/text.h"

#include <string.h>

/* What a terminal shows two columns wide: East Asian Width W and F of Unicode 14, with the
 * unassigned places between two of them. What is ambiguous (quotes, the ellipsis, ≤) is narrow. */
static const struct {
    uint32_t first, last;
} wides[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
             {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
             {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
             {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
             {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
             {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
             {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
             {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
             {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
             {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4C6},   {0xA960, 0xA97C},
             {0xAC00, 0xD7A3},   {0xF900, 0xFAD9},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},
             {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004},
             {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
             {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
             {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E},
             {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
             {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
             {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2},
             {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0},
             {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6},
             {0x20000, 0x3FFFD}};

static bool is_wide_column(uint32_t c)
{
    size_t low = 0, high = sizeof wides / sizeof wides[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c < wides[middle].first)
            high = middle;
        else if (c > wides[middle].last)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

static size_t width_of(const char *s, size_t len)
{
    size_t n = 0;
    for (size_t at = 0; at < len;) {
        uint32_t c = 0;
        size_t step = utf8_next(s + at, len - at, &c);
        at += step ? step : 1;
        n += is_wide_column(c) ? 2 : 1;
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
