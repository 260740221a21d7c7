#include "base/json/json_scan.h"

#include "base/json/json.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    const char *file, *text;
    size_t len, at;
    int line;
    size_t line_at; /* byte offset of the line's first byte */
    size_t more;    /* bytes of the line so far that do not begin a character */
    int depth;
    struct arena *arena;
    struct diags *diags;
    struct json_mark *marks;
    size_t n;
};

/* Of the next byte, in characters from 1. */
static int scan_column(const struct scan *s)
{
    return (int)(s->at - s->line_at - s->more) + 1;
}

static int fault_column(const struct scan *s, size_t at)
{
    int col = 1;
    for (size_t i = s->line_at; i < at; i++)
        col += ((unsigned char)s->text[i] & 0xC0) != 0x80;
    return col;
}

static void start_line(struct scan *s, size_t at)
{
    s->line++;
    s->line_at = at;
    s->more = 0;
}

static int fail_at(struct scan *s, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int fail_at(struct scan *s, size_t at, const char *fmt, ...)
{
    char what[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    diags_add(s->diags, SEVERITY_ERROR, s->file, s->line, fault_column(s, at), "%s", what);
    return -1;
}

/* What stands at `at`, in words that fit "found …". */
static const char *found(const struct scan *s, size_t at, char room[48])
{
    uint32_t code;
    if (at >= s->len)
        return "the end of the file";
    size_t len = utf8_next(s->text + at, s->len - at, &code);
    if (code < 0x20 || code == 0x7F)
        snprintf(room, 48, "byte 0x%02X", (unsigned char)s->text[at]);
    else
        snprintf(room, 48, "'%.*s'", (int)len, s->text + at);
    return room;
}

static int fail_expected(struct scan *s, const char *expected)
{
    char room[48];
    return fail_at(s, s->at, "found %s, expected %s", found(s, s->at, room), expected);
}

static char peek(const struct scan *s)
{
    return s->at < s->len ? s->text[s->at] : '\0';
}

static void skip_json_space(struct scan *s)
{
    const char *text = s->text;
    size_t at = s->at, n = s->len;
    for (;; at++) {
        while (at < n && text[at] == ' ')
            at++;
        if (at < n && text[at] == '\n')
            start_line(s, at + 1);
        else if (at >= n || (text[at] != '\t' && text[at] != '\r'))
            break;
    }
    s->at = at;
}

static int hex4(struct scan *s, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, s->at++) {
        char c = peek(s);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return fail_expected(s, "four hexadecimal digits after \\u");
        *code = *code << 4 | (uint32_t)digit;
    }
    return 0;
}

/* Code points that no text has (RFC 7493, section 2.1). */
static int check_character(struct scan *s, size_t at, uint32_t code)
{
    if ((code & 0xFFFE) != 0xFFFE && (code < 0xFDD0 || code > 0xFDEF))
        return 0;
    return fail_at(s, at, "found U+%04X, which is not a character, expected text", code);
}

static int scan_unicode_escape(struct scan *s)
{
    size_t begin = s->at - 2;
    uint32_t code, low;
    if (hex4(s, &code) < 0)
        return -1;
    if (code == 0)
        return fail_at(s, begin, "found \\u0000, expected text without NUL");
    if (code < 0xD800 || code > 0xDFFF)
        return check_character(s, begin, code);
    if (code > 0xDBFF || peek(s) != '\\' || s->at + 1 >= s->len || s->text[s->at + 1] != 'u')
        return fail_at(s, begin, "found half of a surrogate pair, expected both halves");
    s->at += 2;
    if (hex4(s, &low) < 0)
        return -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return fail_at(s, begin, "found half of a surrogate pair, expected both halves");
    return check_character(s, begin, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
}

/* Bytes of strings that stand for themselves, in valid UTF-8. The first character that is none is
 * U+FDD0, which begins with 0xEF. */
static const bool plain_bytes[256] = {
    [0x20 ... '!'] = true, ['#' ... '['] = true, [']' ... 0xEE] = true};

static void skip_plain(struct scan *s)
{
    size_t at = s->at, more = s->more;
    for (; at < s->len && plain_bytes[(unsigned char)s->text[at]]; at++)
        more += ((unsigned char)s->text[at] & 0xC0) == 0x80;
    s->at = at;
    s->more = more;
}

static int scan_character(struct scan *s)
{
    uint32_t code = 0;
    size_t at = s->at, n = utf8_next(s->text + at, s->len - at, &code);
    s->at += n;
    s->more += n - 1;
    return check_character(s, at, code);
}

static int scan_escape(struct scan *s)
{
    s->at++;
    char c = peek(s);
    if (c == '\0' || !strchr("\"\\/bfnrtu", c))
        return fail_expected(s, "one of \" \\ / b f n r t u after a backslash");
    s->at++;
    return c == 'u' ? scan_unicode_escape(s) : 0;
}

static int scan_string(struct scan *s)
{
    size_t begin = s->at++;
    for (;;) {
        skip_plain(s);
        if (s->at >= s->len)
            return fail_at(s, begin, "found a string that does not end, expected '\"'");
        unsigned char c = (unsigned char)s->text[s->at];
        if (c == '"')
            break;
        if (c < 0x20)
            return fail_expected(s, "a character that is not a control character");
        if (c != '\\' ? scan_character(s) < 0 : scan_escape(s) < 0)
            return -1;
    }
    s->at++;
    return 0;
}

static size_t scan_json_digits(struct scan *s)
{
    size_t n = 0;
    for (; peek(s) >= '0' && peek(s) <= '9'; s->at++)
        n++;
    return n;
}

/* number = [ "-" ] int [ "." 1*digit ] [ "e" [ sign ] 1*digit ]   (RFC 8259, section 6) */
static bool number_is_valid(struct scan *s)
{
    if (peek(s) == '-')
        s->at++;
    bool zero = peek(s) == '0';
    size_t whole = scan_json_digits(s);
    if (whole == 0 || (zero && whole > 1))
        return false;
    if (peek(s) == '.') {
        s->at++;
        if (scan_json_digits(s) == 0)
            return false;
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        if (scan_json_digits(s) == 0)
            return false;
    }
    return true;
}

static int scan_number(struct scan *s)
{
    size_t begin = s->at;
    bool valid = number_is_valid(s);
    size_t rest = strcspn(s->text + s->at, ",]}: \t\r\n\"");
    size_t len = s->at + rest - begin;
    int shown = text_cut(s->text + begin, len > JSON_NUMBER_MAX ? JSON_NUMBER_MAX : (int)len);
    if (!valid || rest > 0)
        return fail_at(s, begin, "found '%.*s', expected a number", shown, s->text + begin);
    if (len > JSON_NUMBER_MAX)
        return fail_at(s, begin, "found a number of %zu characters, expected at most %d", len,
                       JSON_NUMBER_MAX);
    /* Without an exponent so few digits are always below it. */
    bool exponent = memchr(s->text + begin, 'e', len) || memchr(s->text + begin, 'E', len);
    if (exponent && isinf(strtod(s->text + begin, NULL)))
        return fail_at(s, begin, "found '%.*s', expected a number below 1.8e308", shown,
                       s->text + begin);
    return 0;
}

static int scan_word(struct scan *s)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t len = 0;
    while (s->at + len < s->len && s->text[s->at + len] >= 'a' && s->text[s->at + len] <= 'z')
        len++;
    for (size_t i = 0; i < 3; i++)
        if (len == strlen(words[i]) && memcmp(s->text + s->at, words[i], len) == 0) {
            s->at += len;
            return 0;
        }
    if (len > 0 && len <= 40)
        return fail_at(s, s->at, "found '%.*s', expected a value", (int)len, s->text + s->at);
    return fail_expected(s, "a value");
}

static int scan_json_value(struct scan *s, int key_line, int key_col);

static int scan_member(struct scan *s)
{
    int line = s->line, col = scan_column(s);
    if (peek(s) != '"')
        return fail_expected(s, "a key in double quotes");
    if (scan_string(s) < 0)
        return -1;
    skip_json_space(s);
    if (peek(s) != ':')
        return fail_expected(s, "':' after the key");
    s->at++;
    skip_json_space(s);
    return scan_json_value(s, line, col);
}

/* The inside of [ ] or { }: the two differ only in what one item is. */
static int scan_items(struct scan *s, char close)
{
    if (++s->depth > JSON_DEPTH_MAX)
        return fail_at(s, s->at, "found a deeper level, expected at most %d levels",
                       JSON_DEPTH_MAX);
    s->at++;
    skip_json_space(s);
    for (size_t n = 0; n > 0 || peek(s) != close; n++) {
        if (close == '}' && n == JSON_KEYS_MAX)
            return fail_at(s, s->at, "found another key, expected at most %d in one object",
                           JSON_KEYS_MAX);
        if ((close == '}' ? scan_member(s) : scan_json_value(s, 0, 0)) < 0)
            return -1;
        skip_json_space(s);
        if (peek(s) == close)
            break;
        if (peek(s) != ',')
            return fail_expected(s, close == '}' ? "',' or '}'" : "',' or ']'");
        s->at++;
        skip_json_space(s);
    }
    s->at++;
    s->depth--;
    return 0;
}

static int scan_json_value(struct scan *s, int key_line, int key_col)
{
    if (s->n == JSON_VALUES_MAX)
        return fail_at(s, s->at, "found another value, expected at most %d", JSON_VALUES_MAX);
    size_t index = s->n;
    *(struct json_mark *)ARENA_PUSH(s->arena, s->marks, s->n) =
        (struct json_mark){.line = s->line,
                           .col = scan_column(s),
                           .byte = (int)(s->at - s->line_at) + 1,
                           .key_line = key_line,
                           .key_col = key_col,
                           .begin = s->at};
    char c = peek(s);
    int rc = c == '{'                             ? scan_items(s, '}')
             : c == '['                           ? scan_items(s, ']')
             : c == '"'                           ? scan_string(s)
             : c == '-' || (c >= '0' && c <= '9') ? scan_number(s)
                                                  : scan_word(s);
    s->marks[index].end = s->at;
    return rc;
}

/* Invalid bytes are found before anything else, so that later messages can quote the text. */
static int check_utf8(struct scan *s)
{
    if (s->len >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0)
        return fail_at(s, 0, "found a byte order mark, expected JSON");
    size_t bad = utf8_valid_until(s->text, s->len);
    size_t nul = strnlen(s->text, s->len);
    size_t at = bad < nul ? bad : nul;
    if (at == s->len)
        return 0;
    for (size_t i = 0; i < at; i++)
        if (s->text[i] == '\n')
            start_line(s, i + 1);
    return fail_at(s, at, "found byte 0x%02X, expected UTF-8 text", (unsigned char)s->text[at]);
}

int json_scan(const char *file, struct bytes in, size_t max, struct arena *arena,
              struct json_mark **marks, size_t *n, struct diags *diags)
{
    struct scan s = {
        .file = file, .text = in.data, .len = in.len, .line = 1, .arena = arena, .diags = diags};
    if (in.len > max)
        return fail_at(&s, 0, "found %zu bytes, expected at most %zu", in.len, max);
    if (check_utf8(&s) < 0)
        return -1;
    skip_json_space(&s);
    if (scan_json_value(&s, 0, 0) < 0)
        return -1;
    skip_json_space(&s);
    if (s.at < s.len)
        return fail_expected(&s, "the end of the file");
    *marks = s.marks;
    *n = s.n;
    return 0;
}
