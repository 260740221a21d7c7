#include "renderer/escape.h"

#include "base/foreign.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Length of the character that stands here; *code is U+FFFD for an invalid byte. */
static size_t next(const char *s, size_t n, uint32_t *code)
{
    size_t len = utf8_next(s, n, code);
    if (len == 0)
        *code = 0xFFFD;
    return len ? len : 1;
}

static const char *html_entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case 0xFFFD:
        return REPLACEMENT;
    default:
        return foreign_is_hidden(code) ? REPLACEMENT : NULL;
    }
}

/* How many bytes from here on are printable ASCII that stands for itself: most of all text. */
static size_t plain_run(const char *s, size_t n)
{
    size_t len = 0;
    while (len < n && s[len] >= ' ' && s[len] <= '~' && s[len] != '&' && s[len] != '<' &&
           s[len] != '>' && s[len] != '"' && s[len] != '\'')
        len++;
    return len;
}

void escape_html(struct buf *out, const char *text)
{
    uint32_t code;
    size_t n = strlen(text);
    for (size_t at = 0, len; at < n; at += len) {
        len = plain_run(text + at, n - at);
        buf_add(out, text + at, len);
        if (len)
            continue;
        len = next(text + at, n - at, &code);
        const char *entity = html_entity(code);
        if (entity)
            buf_str(out, entity);
        else
            buf_add(out, text + at, len);
    }
}

static bool is_line_end(uint32_t code)
{
    return code == '\n' || code == '\r';
}

/* Controls that are neither a tab nor a line end. */
static bool is_dropped(uint32_t code)
{
    return !is_line_end(code) && code != '\t' && (code < 0x20 || (code >= 0x7F && code < 0xA0));
}

static size_t skip_line_ends(const char *text)
{
    return strspn(text, "\r\n");
}

/* ---- Markdown that is more than text ------------------------------------------------------- */

static size_t url_length(const char *text)
{
    return strcspn(text, " \t\r\n)>");
}

/* Does a link's address begin here that may not be one? Entities could spell any scheme. */
static bool is_odd_url(const char *text)
{
    struct arena scratch = ARENA_INIT;
    text += strspn(text, " \t<");
    const char *url = arena_strndup(&scratch, text, url_length(text));
    size_t scheme = strcspn(url, ":/?");
    bool odd = !*url || !foreign_url_allowed(url) || memchr(url, '&', scheme);
    arena_release(&scratch);
    return odd;
}

/* Elements that swallow what follows, even without attributes. */
static bool is_swallowing(const char *name, size_t len)
{
    static const char *const names[] = {"script", "style",     "iframe",  "title",
                                        "xmp",    "textarea",  "noembed", "noframes",
                                        "object", "plaintext", "noscript"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && strncasecmp(names[i], name, len) == 0)
            return true;
    return false;
}

/* At a '<': a plain tag such as <br> and an address may stand, and comments, which
 * base/contain.h ends; whatever has attributes, declarations and instructions may not. */
static bool is_odd_tag(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    const char *name = text + 1 + (text[1] == '/');
    size_t len = strspn(name, letters), blank = strspn(name + len, " ");
    const char *end = name + len;
    if (text[1] == '!' || text[1] == '?')
        return strncmp(text, "<!--", 4) != 0;
    if (len == 0 || *name == '-' || (*name >= '0' && *name <= '9'))
        return false;
    if (*end == '>' || strncmp(end + blank, "/>", 2) == 0)
        return is_swallowing(name, len);
    if (*end == ':' || *end == '+' || *end == '.')
        return is_odd_url(name);
    return *end == '\0' || *end == '/' || strchr(" \t\r\n", *end) != NULL;
}

/* A character that needs a backslash to stay text: of a tag, of "](url" or of "]: url". */
static bool is_odd(const char *all, size_t at)
{
    const char *text = all + at;
    if (*text == '<')
        return is_odd_tag(text);
    return (*text == '(' || *text == ':') && at > 0 && text[-1] == ']' && is_odd_url(text + 1);
}

enum tags { TAGS_STAY, TAGS_ESCAPED };

/* `bar` is how an unescaped `|` is written. Returns whether an odd backslash stands at the end. */
static bool markdown_add(struct buf *out, const char *text, const char *bar, enum tags tags)
{
    uint32_t code;
    bool escaped = false;
    size_t n = strlen(text);
    for (size_t at = 0, len; at < n; at += len) {
        len = next(text + at, n - at, &code);
        if (is_dropped(code))
            continue;
        if (is_line_end(code)) {
            len = skip_line_ends(text + at);
            buf_char(out, ' ');
        } else if (code == 0xFFFD || foreign_is_hidden(code)) {
            buf_str(out, REPLACEMENT);
        } else if (code == '|' && !escaped) {
            buf_str(out, bar);
        } else if (!escaped && tags == TAGS_ESCAPED && is_odd(text, at)) {
            buf_printf(out, "\\%c", (int)code);
        } else {
            buf_add(out, text + at, len);
        }
        escaped = code == '\\' && !escaped;
    }
    return escaped;
}

void escape_markdown_cell(struct buf *out, const char *text)
{
    if (markdown_add(out, text, "\\|", TAGS_ESCAPED))
        buf_char(out, '\\');
}

void escape_markdown_line(struct buf *out, const char *text)
{
    markdown_add(out, text, "|", TAGS_ESCAPED);
}

void escape_markdown_kept(struct buf *out, const char *text)
{
    markdown_add(out, text, "|", TAGS_STAY);
}

void escape_none(struct buf *out, const char *text)
{
    buf_str(out, text);
}
