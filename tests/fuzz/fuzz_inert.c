/*
 * Markdown of others, made inert: a program that lets raw HTML through shows nothing of it that is
 * live, a second time changes nothing, and it does not grow beyond a few times its length.
 *
 * What is live is asked of the HTML as a browser takes it apart (HTML standard, 13.2.5): elements
 * that swallow or hide what follows, attributes that cmark itself does not write, links to other
 * schemes, declarations, comments without an end.
 */
#include "tests/fuzz/fuzz.h"

#include "base/markdown/inert.h"
#include "base/text.h"

#include <cmark.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GROWTH 12
#define GROWTH_LEAST 4096

static _Noreturn void found(const char *what, const char *html)
{
    fprintf(stderr, "%s: %.200s\n", what, html);
    abort();
}

static bool is_one_of(const char *name, size_t len, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == len && strncasecmp(name, names[i], len) == 0)
            return true;
    return false;
}

/* Text until an end tag that may never come, other rules of parsing, or content that is not shown.
 */
static bool is_live(const char *name, size_t len)
{
    static const char *const names[] = {
        "script",   "style",    "title",    "textarea", "xmp",       "iframe",   "noembed",
        "noframes", "object",   "noscript", "template", "plaintext", "select",   "svg",
        "math",     "frameset", "video",    "audio",    "canvas",    "datalist", "dialog"};
    return is_one_of(name, len, names, sizeof names / sizeof *names);
}

/* Of what cmark writes. */
static bool is_quiet_attribute(const char *name, size_t len)
{
    static const char *const names[] = {"href", "title", "class", "start", "src", "alt"};
    return is_one_of(name, len, names, sizeof names / sizeof *names);
}

/* cmark writes entities for `&`, quotes and angles only; controls are no part of a scheme. */
static void check_link(const char *value, size_t len, const char *tag)
{
    static const char *const schemes[] = {"https", "http", "mailto"};
    char scheme[64];
    size_t n = 0;
    while (len && (unsigned char)*value <= ' ')
        value++, len--;
    if (len >= 2 && memchr("/\\", value[0], 2) && memchr("/\\", value[1], 2))
        found("a link to another host", tag);
    for (size_t i = 0; i < len && n < sizeof scheme &&
                       (isalnum((unsigned char)value[i]) || strchr("+.-\t\n\r", value[i]));
         i++)
        if (!strchr("\t\n\r", value[i]))
            scheme[n++] = value[i];
    size_t raw = 0;
    while (raw < len && (isalnum((unsigned char)value[raw]) || strchr("+.-\t\n\r", value[raw])))
        raw++;
    if (n && isalpha((unsigned char)scheme[0]) && raw < len && value[raw] == ':' &&
        !is_one_of(scheme, n, schemes, sizeof schemes / sizeof *schemes))
        found("a link of another scheme", tag);
}

/* One attribute; behind it. */
static const char *check_attribute(const char *at, const char *tag)
{
    const char *name = at, *value = "";
    size_t len = strcspn(at, "= \t\n\r\f/>"), n = 0;
    at += len + (len == 0); /* a '=' at the beginning is part of the name */
    size_t blank = strspn(at, " \t\n\r\f");
    if (at[blank] == '=') {
        at += blank + 1;
        at += strspn(at, " \t\n\r\f");
        char quote = *at == '"' || *at == '\'' ? *at : '\0';
        value = at + (quote != '\0');
        const char *end = quote ? strchr(value, quote) : value + strcspn(value, " \t\n\r\f>");
        if (!end)
            found("an attribute without an end", tag);
        n = (size_t)(end - value);
        at = end + (quote != '\0');
    }
    if (!is_quiet_attribute(name, len))
        found("an attribute", tag);
    if (strncasecmp(name, "href", 4) == 0 || strncasecmp(name, "src", 3) == 0)
        check_link(value, n, tag);
    return at;
}

/* From the '<' of a tag; behind its '>'. */
static const char *check_tag(const char *tag)
{
    bool closes = tag[1] == '/';
    const char *name = tag + 1 + closes, *at = name + strcspn(name, " \t\n\r\f/>");
    if (!closes && is_live(name, (size_t)(at - name)))
        found("an element", tag);
    for (at += strspn(at, " \t\n\r\f/"); *at && *at != '>'; at += strspn(at, " \t\n\r\f/"))
        at = check_attribute(at, tag);
    if (!*at)
        found("a tag without an end", tag);
    return at + 1;
}

/* From "<!--"; behind its end. */
static const char *check_comment(const char *comment)
{
    const char *at = comment + strlen("<!--");
    if (*at == '>')
        return at + 1;
    if (strncmp(at, "->", 2) == 0)
        return at + 2;
    for (at = strstr(at, "--"); at; at = strstr(at + 1, "--"))
        if (at[2] == '>' || strncmp(at + 2, "!>", 2) == 0)
            return at + 3 + (at[2] == '!');
    found("a comment without an end", comment);
}

static void check_html(const char *html)
{
    for (const char *at = strchr(html, '<'); at; at = strchr(at, '<')) {
        const char *name = at + 1 + (at[1] == '/');
        if (strncmp(at, "<!--", 4) == 0)
            at = check_comment(at);
        else if (isalpha((unsigned char)*name))
            at = check_tag(at);
        else if (strchr("!?/", at[1]) && at[1])
            found("a declaration", at);
        else
            at++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    if (utf8_valid_until(text, strlen(text)) == strlen(text)) {
        const char *inert = inert_text(&arena, text);
        char *html = cmark_markdown_to_html(inert, strlen(inert), CMARK_OPT_UNSAFE);
        check_html(html);
        free(html);
        if (strcmp(inert_text(&arena, inert), inert) != 0)
            found("it is another the second time", inert);
        if (strlen(inert) > GROWTH * strlen(text) + GROWTH_LEAST)
            found("it has grown", inert);
    }
    arena_release(&arena);
    return 0;
}
