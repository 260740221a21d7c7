#include "base/markdown/inert.h"

#include "base/foreign.h"
#include "base/markdown/contain.h"
#include "base/markdown/markdown.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

/* What is longer is none: each is looked through from wherever it may begin, to its end. */
#define URL_MAX 2048
#define COMMENT_MAX 4096

#define ROUNDS 4 /* what is text now may hold blocks that it did not before */

/* Controls that are neither a tab nor a line end. */
static bool is_control(uint32_t code)
{
    return code != '\n' && code != '\r' && code != '\t' &&
           (code < 0x20 || (code >= 0x7F && code < 0xA0));
}

const char *inert_without_controls(struct arena *arena, const char *text)
{
    static const bool special[128];
    uint32_t code = 0;
    size_t n = strlen(text), kept = text_plain_run(text, n, special);
    char *copy = NULL;
    for (size_t at = kept, len; at < n; at += len) {
        len = utf8_next(text + at, n - at, &code);
        bool gone = len && is_control(code);
        len = len ? len : 1;
        if (gone && !copy) {
            copy = arena_alloc(arena, n + 1);
            memcpy(copy, text, kept);
        }
        if (!gone && copy)
            memcpy(copy + kept, text + at, len);
        kept += gone ? 0 : len;
    }
    if (copy)
        copy[kept] = '\0';
    return copy ? copy : text;
}

/* An address is over at a line's end for some programs; others go on to the bracket, and browsers
 * drop tabs and line ends from what they got: then nobody knows what it is, but for its scheme. */
static bool is_cut_url(const char *url, char end)
{
    return (end == '\0' || strchr("\t\r\n", end)) && url[strcspn(url, ":/?#")] != ':';
}

/* Does a link's address begin here that may not be one? Entities could spell any scheme. */
static bool is_odd_url(const char *text, char before)
{
    char url[URL_MAX + 2];
    text += strspn(text, " \t<");
    size_t n = strnlen(text, URL_MAX + 1);
    memcpy(url, text, n);
    url[n] = '\0';
    n = strcspn(url, " \t\r\n)>");
    if (n == 0 || n > URL_MAX)
        return true;
    url[n] = '\0';
    return (before == '(' && is_cut_url(url, text[n])) || !foreign_url_allowed(url) ||
           memchr(url, '&', strcspn(url, ":/?"));
}

/* Does the comment that begins here end, and not too far away? */
static bool is_ended(const char *text)
{
    size_t n = strnlen(text, COMMENT_MAX);
    return memmem(text + strlen("<!--"), n - strlen("<!--"), "-->", 3) != NULL;
}

/* Elements that swallow what follows, even without attributes. */
static bool is_swallowing(const char *name, size_t len)
{
    static const char *const names[] = {
        "script",   "style",    "iframe",    "title",    "xmp",      "textarea", "noembed",
        "noframes", "object",   "plaintext", "noscript", "template", "select",   "datalist",
        "dialog",   "frameset", "svg",       "math",     "video",    "audio",    "canvas"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && strncasecmp(names[i], name, len) == 0)
            return true;
    return false;
}

/* "me@example.org>", "https://example.org>", and words such as "model_name>": of what is no address
 * for one program another makes an element, and what stands behind a '/' its attributes. */
static bool is_address(const char *text)
{
    char url[URL_MAX + 1];
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+._@");
    if (text[n] == '>')
        return true;
    n = strcspn(text, "> \t\r\n<");
    if (text[n] != '>' || n >= sizeof url || is_odd_url(text, '<'))
        return false;
    memcpy(url, text, n);
    url[n] = '\0';
    return foreign_url_whole(url);
}

/* "{: onclick=x}", "{onclick=x}": to some programs these are attributes of what stands in front,
 * and
 * "{::comment}" hides what is behind it. */
static bool is_attributes(const char *all, size_t at)
{
    const char *text = all + at;
    size_t n = 0, slashes = 0;
    while (slashes < at && text[-1 - (ptrdiff_t)slashes] == '\\')
        slashes++;
    if (slashes % 2)
        return false;
    while (n < URL_MAX && text[n] && !strchr("}\r\n", text[n]))
        n++;
    return n == URL_MAX || (text[n] == '}' && (text[1] == ':' || memchr(text, '=', n)));
}

/* What begins at a '<'. A plain tag such as <br> may stand, an address, too, where it is no HTML,
 * and comments, which base/markdown/contain.h ends. Whatever has attributes, declarations and
 * instructions may not, nor what only a browser takes for a tag: its name is all up to a blank, '/'
 * or '>'. */
enum angle { ANGLE_TEXT, ANGLE_PLAIN, ANGLE_ADDRESS, ANGLE_ODD };

static enum angle angle_of(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    const char *name = text + 1 + (text[1] == '/');
    size_t len = strspn(name, letters), blank = strspn(name + len, " ");
    const char *end = name + len;
    if (text[1] == '!' || text[1] == '?')
        return text_starts(text, "<!--") && is_ended(text) ? ANGLE_PLAIN : ANGLE_ODD;
    if (len == 0 || *name == '-' || (*name >= '0' && *name <= '9'))
        return ANGLE_TEXT;
    if (*end == '>' || strncmp(end + blank, "/>", 2) == 0)
        return is_swallowing(name, len) ? ANGLE_ODD : ANGLE_PLAIN;
    return name == text + 1 && is_address(name) ? ANGLE_ADDRESS : ANGLE_ODD;
}

bool inert_is_odd(const char *all, size_t at)
{
    const char *text = all + at;
    if (*text == '<')
        return angle_of(text) == ANGLE_ODD;
    if (*text == '{')
        return is_attributes(all, at);
    if (at == 0 || text[-1] != ']' || (*text != '(' && *text != ':'))
        return false;
    return is_odd_url(text + 1, *text);
}

/* ---- a text of several blocks -------------------------------------------------------------- */

/* A block of HTML stays none: programs differ in where it ends, and in it a backslash is no escape.
 * In HTML a backslash is no escape, and what is HTML others see in other places: the one in front
 * of a tag goes. */
static bool add_inert_line(struct buf *out, const char *line, bool is_html)
{
    bool escaped = false, changed = false;
    for (size_t at = 0; line[at]; at++) {
        bool tag = line[at] == '<', odd = (tag || is_html || !escaped) && inert_is_odd(line, at);
        odd = odd || (tag && is_html && angle_of(line + at) != ANGLE_TEXT);
        out->len -= odd && tag && escaped && !is_html;
        if (!odd)
            buf_char(out, line[at]);
        else if (tag)
            buf_str(out, "&lt;");
        else
            buf_printf(out, "\\%c", line[at]);
        changed = changed || odd;
        escaped = line[at] == '\\' && !escaped;
    }
    return changed;
}

/* Indented code is what it is by what stands around it; behind a list it is text. */
static bool is_fenced_block(const struct markdown_block *b, const char *line)
{
    line += strspn(line, " \t>-+*0123456789.)");
    return b->kind == MARKDOWN_CODE &&
           (strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0);
}

/* One comment and nothing else, which ends where every program sees it end. */
static bool is_comment_block(const struct markdown_block *b)
{
    const char *text = b->text + strspn(b->text, " "), *body = text + strlen("<!--");
    if (b->kind != MARKDOWN_HTML || !text_starts(text, "<!--") || *body == '>' ||
        text_starts(body, "->"))
        return false;
    const char *end = strstr(body, "--");
    return end && end[2] == '>' && end[3 + strspn(end + 3, " \n")] == '\0';
}

/* As text, its lines may be a table or a list, which they are not in it. */
static bool holds_lines(const struct markdown_block *b)
{
    return b && b->kind == MARKDOWN_HTML && b->end_line > b->start_line && !is_comment_block(b);
}

/* Programs that know no fences find HTML at the beginning of a line only. */
static const char *moved_in(struct arena *arena, const char *text)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '<' && (i == 0 || text[i - 1] == '\n'))
            buf_char(&out, ' ');
        buf_char(&out, text[i]);
    }
    text = arena_strndup(arena, out.data ? out.data : "", out.len);
    buf_release(&out);
    return text;
}

static const struct markdown_block *block_at(const struct markdown_page *page, size_t line,
                                             size_t *from)
{
    while (*from < page->n_blocks && (size_t)page->blocks[*from].end_line < line)
        ++*from;
    return *from < page->n_blocks && (size_t)page->blocks[*from].start_line <= line
               ? &page->blocks[*from]
               : NULL;
}

/* NULL: nothing had to be changed. */
static const char *make_inert(struct arena *arena, const char *text, struct err *err)
{
    struct markdown_page page;
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    size_t from = 0;
    bool changed = false, stays = false;
    if (markdown_page_read(&page, "", text, strlen(text), arena, err) < 0)
        return NULL;
    for (size_t i = 0; i < page.n_lines; i++) {
        const struct markdown_block *b = block_at(&page, i + 1, &from);
        const char *line = arena_strndup(arena, page.lines[i].data, page.lines[i].len);
        if (i)
            buf_char(&out, '\n');
        if (holds_lines(b) && (b->item || b->quote_depth)) {
            buf_release(&out);
            return contain_fence(arena, text);
        }
        if (holds_lines(b)) {
            buf_str(&out, contain_fence(arena, moved_in(arena, b->text)));
            i = (size_t)b->end_line - 1;
            changed = true;
            continue;
        }
        if (!b || (size_t)b->start_line == i + 1)
            stays = b && (is_fenced_block(b, line) || is_comment_block(b));
        if (stays)
            buf_str(&out, line);
        else
            changed |= add_inert_line(&out, line, !b || b->kind == MARKDOWN_HTML);
    }
    text = changed ? arena_strndup(arena, out.data, out.len) : NULL;
    buf_release(&out);
    return text;
}

const char *inert_text(struct arena *arena, const char *text)
{
    text = contain_text(arena, inert_without_controls(arena, text));
    for (int i = 0; strpbrk(text, "<]{") && !contain_is_fence(text); i++) {
        struct err err = ERR_INIT;
        const char *made = make_inert(arena, text, &err);
        if (err.kind || (made && i == ROUNDS))
            return contain_fence(arena, text);
        if (!made)
            return text;
        text = contain_text(arena, made);
    }
    return text;
}
