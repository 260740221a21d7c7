#include "base/foreign.h"

#include "base/text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FOREIGN_SHOWN_MAX 120 /* bytes */

bool foreign_is_hidden(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x08},     {0x0B, 0x0C},       {0x0E, 0x1F},       {0x7F, 0x9F},
        {0xAD, 0xAD},     {0x034F, 0x034F},   {0x061C, 0x061C},   {0x115F, 0x1160},
        {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200B},   {0x200E, 0x200F},
        {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFDD0, 0xFDEF},
        {0xFE00, 0xFE0D}, {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
        {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    bool usual = (c >= 0x20 && c < 0x7F) || (c > 0x3164 && c < 0xFDD0); /* most of all text */
    if (usual)
        return false;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (c >= hidden[i].first && c <= hidden[i].last)
            return true;
    return c > 0xFFFF && (c & 0xFFFE) == 0xFFFE;
}

static bool is_foreign_space(uint32_t c)
{
    return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x200C || c == 0x200D || c == 0x202F ||
           c == 0x205F || c == 0x2800 || c == 0x3000 || c == 0xFE0E || c == 0xFE0F;
}

bool foreign_is_blank(const char *text)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        uint32_t code = 0;
        size_t step = utf8_next(text + at, len - at, &code);
        if (step && !is_foreign_space(code) && !foreign_is_hidden(code))
            return false;
        at += step ? step : 1;
    }
    return true;
}

#define REPLACEMENT "\xEF\xBF\xBD"
#define ELLIPSIS "\xE2\x80\xA6"

static size_t put_visible(char *to, const char *s, size_t step, uint32_t code)
{
    const char *shown = !step || foreign_is_hidden(code) ? REPLACEMENT : code < 0x20 ? " " : s;
    size_t n = shown == s ? step : strlen(shown);
    memcpy(to, shown, n);
    return n;
}

const char *foreign_line(struct arena *arena, const char *text, size_t max)
{
    static const bool special[128];
    size_t len = strlen(text), used = 0;
    size_t end = max && max < len ? max : len;
    char *out =
        arena_array(arena, end + 2, strlen(REPLACEMENT)); /* an invalid byte becomes three */
    for (size_t at = 0; at < len;) {
        uint32_t code = 0;
        size_t run = at < end ? text_plain_run(text + at, end - at, special) : 0;
        memcpy(out + used, text + at, run);
        used += run;
        at += run;
        if (at == len)
            break;
        size_t step = utf8_next(text + at, len - at, &code);
        if (at + (step ? step : 1) > end) {
            memcpy(out + used, ELLIPSIS, strlen(ELLIPSIS));
            return out;
        }
        used += put_visible(out + used, text + at, step, code);
        at += step ? step : 1;
    }
    return out;
}

bool foreign_url_allowed(const char *url)
{
    static const char *const schemes[] = {"https:", "http:", "mailto:"};
    for (const char *p = url; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7F || *p == '\\')
            return false;
    if (strncmp(url, "//", 2) == 0)
        return false;
    if (url[strcspn(url, ":/?#")] != ':')
        return true;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}

bool foreign_url_whole(const char *url)
{
    static const char *const heads[] = {"https://", "http://", "mailto:"};
    size_t len = strlen(url), head = 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !head; i++)
        if (strncasecmp(url, heads[i], strlen(heads[i])) == 0)
            head = strlen(heads[i]);
    if (!head || !url[head] || url[head] == '/' || !foreign_url_allowed(url))
        return false;
    for (size_t at = 0, step; at < len; at += step) {
        uint32_t code = 0;
        step = utf8_next(url + at, len - at, &code);
        if (!step || foreign_is_hidden(code) || (code < 0x80 && strchr("<>\"{}|^`", (int)code)))
            return false;
    }
    return true;
}

/* c is not NUL; whatever the locale. */
static bool name_may_hold(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) ||
           strchr("/._+:-", c);
}

const char *foreign_name_problem(const char *name)
{
    int depth = 1;
    if (!*name)
        return "is empty";
    if (strlen(name) > FOREIGN_NAME_MAX)
        return "is longer than 240 bytes";
    for (const char *at = name; *at; at++) {
        bool first = at == name || at[-1] == '/';
        if (first && *at == '/')
            return at == name ? "begins with '/'" : "has an empty component";
        if (first && (*at == '.' || *at == '-'))
            return "has a component that begins with '.' or '-'";
        if (!name_may_hold(*at))
            return "has a byte other than letters, digits and . _ + : -";
        depth += *at == '/';
        if (*at == '/' && !at[1])
            return "ends with '/'";
    }
    return depth > FOREIGN_DEPTH_MAX ? "is nested more than 12 levels deep" : NULL;
}

const char *foreign_name_shown(const char *name, struct arena *arena)
{
    size_t len = strlen(name), cut = len > FOREIGN_SHOWN_MAX ? FOREIGN_SHOWN_MAX : len, at = 0;
    char *shown = arena_alloc(arena, cut * 4 + sizeof "…");
    for (size_t i = 0; i < cut; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c >= 0x20 && c < 0x7f && c != '\\')
            shown[at++] = (char)c;
        else
            at += (size_t)sprintf(shown + at, "\\x%02x", c);
    }
    if (cut < len)
        memcpy(shown + at, "…", sizeof "…");
    return shown;
}
