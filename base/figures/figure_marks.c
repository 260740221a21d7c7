/* What is not part of a figure's text: Markdown's marks, HTML's. */
#include "base/figures/figure.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define TAGGED_CHARS_MAX 512 /* a longer cell is no figure with a footnote */

char *figure_plain(struct arena *arena, const char *text)
{
    size_t len = strlen(text), n = 0;
    char *out = arena_alloc(arena, len + 1);
    for (size_t at = 0, step; at < len; at += step) {
        uint32_t c;
        step = utf8_next(text + at, len - at, &c);
        if (step == 0) {
            step = 1;
            out[n++] = text[at];
        } else if (c >= 0xFF01 && c <= 0xFF5E) {
            out[n++] = (char)(c - 0xFEE0);
        } else if (text_is_space(c)) {
            out[n++] = ' ';
        } else if (c == '\\' && text[at + 1] && strchr("\\`*_{}[]()<>#+-.!|~", text[at + 1])) {
            out[n++] = text[at + 1];
            step = 2;
        } else if (text_starts(text + at, "**")) {
            step = 2;
        } else if (c != '`') {
            memcpy(out + n, text + at, step);
            n += step;
        }
    }
    out[n] = '\0';
    return text_trim(arena, out);
}

const char *figure_without_tags(struct arena *arena, const char *text)
{
    static const struct tag {
        const char *open, *close, *becomes;
    } tags[] = {
        {"<sup>", "</sup>", ""}, {"<sub>", "</sub>", ""}, {"<br", ">", ";"},
        {"<b>", ">", ""},        {"</b>", ">", ""},       {"<i>", ">", ""},
        {"</i>", ">", ""},       {"<strong>", ">", ""},   {"</strong>", ">", ""},
    };
    if (!strchr(text, '<') || strlen(text) > TAGGED_CHARS_MAX)
        return text;
    char *out = arena_alloc(arena, strlen(text) + 1), *to = out;
    while (*text) {
        const char *end = NULL;
        for (size_t i = 0; *text == '<' && !end && i < sizeof tags / sizeof tags[0]; i++) {
            const struct tag *tag = &tags[i];
            const char *close = text_starts(text, tag->open) ? strstr(text, tag->close) : NULL;
            if (!close)
                continue;
            end = close + strlen(tag->close);
            to += sprintf(to, "%s", tag->becomes);
        }
        if (end)
            text = end;
        else
            *to++ = *text++;
    }
    *to = '\0';
    return out;
}
