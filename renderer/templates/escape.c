#include "renderer/templates/escape.h"

#include "base/foreign.h"
#include "base/markdown/inert.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Length of the character that stands here; *code is U+FFFD for an invalid byte. */
static size_t next_escaped(const char *s, size_t n, uint32_t *code)
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

void escape_html(struct buf *out, const char *text)
{
    static const bool special[128] = {
        ['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true, ['\''] = true};
    uint32_t code;
    size_t n = strlen(text);
    for (size_t at = 0, len; at < n; at += len) {
        len = text_plain_run(text + at, n - at, special);
        buf_add(out, text + at, len);
        if (len)
            continue;
        len = next_escaped(text + at, n - at, &code);
        const char *entity = html_entity(code);
        if (entity)
            buf_str(out, entity);
        else
            buf_add(out, text + at, len);
    }
}

/* What is shorter has room wherever it stands. */
#define JOINED_MIN 12

/* A figure such as 2.0.1 is one word, and so is -2. */
static bool is_joint(const char *text, size_t at)
{
    bool figure = at == 0 || (isdigit((unsigned char)text[at - 1]) && text[at] == '.' &&
                              isdigit((unsigned char)text[at + 1]));
    return !isalnum((unsigned char)text[at]) && strchr("_./+@:=*-", text[at]) &&
           isalnum((unsigned char)text[at + 1]) && !figure;
}

static void put_word(struct buf *out, const char *word, size_t len)
{
    for (size_t at = 0; at < len; at++) {
        buf_char(out, word[at]);
        if (len >= JOINED_MIN && at + 1 < len && is_joint(word, at))
            buf_str(out, "<wbr>");
    }
}

void escape_html_joined(struct buf *out, const char *text)
{
    static const char blanks[] = " \t\r\n";
    struct buf escaped = BUF_INIT(SIZE_MAX);
    escape_html(&escaped, text);
    for (const char *at = escaped.data; *at;) {
        size_t len = strcspn(at, blanks), blank = strspn(at + len, blanks);
        put_word(out, at, len);
        buf_add(out, at + len, blank);
        at += len + blank;
    }
    buf_release(&escaped);
}

/* ---- Markdown ---------------------------------------------------------------------------- */

enum tags { TAGS_STAY, TAGS_ESCAPED };

/* `bar` is how an unescaped `|` is written. Returns whether an odd backslash stands at the end. */
static bool markdown_add(struct buf *out, const char *given, const char *bar, enum tags tags)
{
    /* Where something odd may begin (base/markdown/inert.h), too. */
    static const bool special[128] = {
        ['\\'] = true, ['|'] = true, ['<'] = true, ['{'] = true, ['('] = true, [':'] = true};
    struct arena scratch = ARENA_INIT;
    const char *text = inert_without_controls(&scratch, given);
    uint32_t code;
    bool escaped = false;
    size_t n = strlen(text);
    for (size_t at = 0, len; at < n; at += len) {
        len = escaped ? 0 : text_plain_run(text + at, n - at, special);
        buf_add(out, text + at, len);
        if (len)
            continue;
        len = next_escaped(text + at, n - at, &code);
        if (code == '\n' || code == '\r') {
            len = strspn(text + at, "\r\n");
            buf_char(out, ' ');
        } else if (code == 0xFFFD || foreign_is_hidden(code)) {
            buf_str(out, REPLACEMENT);
        } else if (code == '|' && !escaped) {
            buf_str(out, bar);
        } else if (code == '<' && tags == TAGS_ESCAPED && inert_is_odd(text, at)) {
            out->len -= escaped; /* not every program knows a backslash there */
            buf_str(out, "&lt;");
        } else if (!escaped && tags == TAGS_ESCAPED && inert_is_odd(text, at)) {
            buf_printf(out, "\\%c", (int)code);
        } else {
            buf_add(out, text + at, len);
        }
        escaped = code == '\\' && !escaped;
    }
    arena_release(&scratch);
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
