#include "base/markdown/contain.h"

#include "base/markdown/markdown.h"
#include "base/text.h"

#include <string.h>

/* A paragraph that is still one when the text before it is closed. */
#define PROBE "fpreport-end-of-text"

static const struct {
    const char *begin, *end;
} html_ends[] = {
    {"<!--", "-->"},          {"<?", "?>"},
    {"<![CDATA[", "]]>"},     {"<!", ">"},
    {"<script", "</script>"}, {"<pre", "</pre>"},
    {"<style", "</style>"},   {"<textarea", "</textarea>"},
};

static const char *html_end(const char *begin)
{
    for (size_t i = 0; i < sizeof html_ends / sizeof *html_ends; i++)
        if (strncasecmp(begin, html_ends[i].begin, strlen(html_ends[i].begin)) == 0)
            return html_ends[i].end;
    return NULL;
}

/* The fence that line begins with, without what stands behind it; NULL when there is none. */
static char *fence_of(struct arena *arena, struct bytes line)
{
    size_t at = 0;
    while (at < line.len && strchr(" \t", line.data[at]))
        at++;
    size_t from = at;
    while (at < line.len && (line.data[at] == '`' || line.data[at] == '~') &&
           line.data[at] == line.data[from])
        at++;
    return at - from >= 3 ? arena_strndup(arena, line.data + from, at - from) : NULL;
}

/* Would a line that begins so begin a block of HTML? What stands in it is no Markdown then, and a
 * backslash in front of a tag no escape. Tags of words and addresses do not, where words follow. */
static bool begins_html(const char *s)
{
    static const char *const of_words[] = {"a",  "abbr", "b",      "br",  "code", "del",
                                           "em", "font", "i",      "img", "ins",  "kbd",
                                           "s",  "span", "strong", "sub", "sup",  "u"};
    if (*s != '<')
        return false;
    const char *name = s + 1 + (s[1] == '/');
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
    if (s[1] == '!' || s[1] == '?')
        return true;
    if (n == 0 || (name[n] && strchr(":.+@", name[n])))
        return false;
    const char *end = strchr(name, '>');
    for (size_t i = 0; i < sizeof of_words / sizeof *of_words; i++)
        if (strlen(of_words[i]) == n && strncasecmp(name, of_words[i], n) == 0)
            return !end || end[1 + strspn(end + 1, " \t")] == '\0';
    return true;
}

/* Where a backslash keeps the line from beginning a block of its own; -1: it begins none.
 * Behind the first line of a paragraph only some blocks can begin. */
static ptrdiff_t block_start(const char *s, bool first)
{
    size_t n = strspn(s, "#");
    if (n >= 1 && n <= 6 && strchr(" \t", s[n]))
        return 0;
    if (begins_html(s) || s[0] == '>' || strncmp(s, "```", 3) == 0 || strncmp(s, "~~~", 3) == 0)
        return 0;
    if (s[0] && strchr("-+*", s[0]) && (s[1] == ' ' || s[1] == '\t' || (first && !s[1])))
        return 0;
    for (const char *mark = "-*_="; *mark; mark++) {
        n = strspn(s, (char[]){*mark, '\0'});
        bool setext = !first && (*mark == '-' || *mark == '=');
        if (n >= (setext ? 1 : 3) && s[n + strspn(s + n, " \t")] == '\0')
            return 0;
    }
    n = strspn(s, "0123456789");
    if (n && n < 10 && s[n] && strchr(".)", s[n]) && strchr(" \t", s[n + 1]) &&
        (first || (s[n + 1] && n == 1 && s[0] == '1')))
        return (ptrdiff_t)n;
    return -1;
}

void contain_line(struct buf *out, const char *line, bool first)
{
    ptrdiff_t at = block_start(line, first);
    if (at >= 0) {
        buf_add(out, line, (size_t)at);
        buf_char(out, '\\');
        line += at;
    }
    buf_str(out, line);
}

/* Of `len` bytes of text. */
static size_t longest_run(const char *text, size_t len)
{
    size_t longest = 0;
    for (size_t at = 0, run = 0; at < len; at++) {
        run = text[at] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

bool contain_is_fence(const char *text)
{
    size_t fence = strspn(text, "`"), len = strlen(text);
    const char *end = text + len - fence;
    return fence >= 3 && len >= 2 * fence + 2 && text[fence] == '\n' && end[-1] == '\n' &&
           strspn(end, "`") == fence && longest_run(text + fence, len - 2 * fence) < fence;
}

char *contain_fence(struct arena *arena, const char *text)
{
    size_t longest = longest_run(text, strlen(text));
    longest = longest < 2 ? 2 : longest;
    char *fence = arena_alloc(arena, longest + 2);
    memset(fence, '`', longest + 1);
    return arena_printf(arena, "%s\n%s\n%s", fence, text, fence);
}

/* *end: what closes the block that is open at the end of the text; NULL when none is. False
 * when one is that cannot be closed. */
static bool find_open_block(struct arena *arena, const char *text, const char **end)
{
    struct markdown_page page;
    struct err err;
    char *probed = arena_printf(arena, "%s\n\n" PROBE "\n", text);
    *end = NULL;
    if (markdown_page_read(&page, "", probed, strlen(probed), arena, &err) < 0)
        return false;
    const struct markdown_block *last = &page.blocks[page.n_blocks - 1];
    if (last->kind == MARKDOWN_PARAGRAPH && strcmp(last->text, PROBE) == 0)
        return true;
    if (last->kind == MARKDOWN_CODE)
        *end = fence_of(arena, page.lines[last->start_line - 1]);
    if (last->kind == MARKDOWN_HTML)
        *end = html_end(last->text + strspn(last->text, " "));
    return *end != NULL;
}

const char *contain_text(struct arena *arena, const char *text)
{
    const char *end;
    if (!text_starts(text, "<") && !strstr(text, "\n") && !strstr(text, "```") &&
        !strstr(text, "~~~"))
        return text; /* one line of prose, the usual case */
    if (contain_is_fence(text))
        return text;
    bool closable = find_open_block(arena, text, &end);
    if (closable && !end)
        return text;
    if (closable) {
        const char *closed = arena_printf(arena, "%s\n%s", text, end);
        if (find_open_block(arena, closed, &end) && !end)
            return closed;
    }
    return contain_fence(arena, text);
}
