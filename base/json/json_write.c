/* json, the way out: a cursor over a buffer (json.h). */
#include "base/json/json.h"

#include "base/foreign.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

void json_writer_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer)JSON_WRITER_INIT(out);
}

/* Bytes that stand for themselves. */
static const bool plain[256] = {[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true};

#define EACH_BYTE(c) (0x0101010101010101u * (uint64_t)(c))

/* Has the word a byte that is less than n? Of those below 0x80. */
static uint64_t has_less(uint64_t word, unsigned char n)
{
    return (word - EACH_BYTE(n)) & ~word & EACH_BYTE(0x80);
}

static bool all_plain(uint64_t word)
{
    uint64_t found = (word & EACH_BYTE(0x80)) | has_less(word, 0x20) |
                     has_less(word ^ EACH_BYTE('"'), 1) | has_less(word ^ EACH_BYTE('\\'), 1) |
                     has_less(word ^ EACH_BYTE(0x7F), 1);
    return found == 0;
}

/* One of most: U+4000 to U+9FFF. */
static bool is_ideograph(const char *s)
{
    unsigned char c = (unsigned char)*s;
    return c >= 0xE4 && c <= 0xE9 && (s[1] & 0xC0) == 0x80 && (s[2] & 0xC0) == 0x80;
}

/* As many of n bytes as stand for themselves, before the first that does not. */
static size_t copy_plain(char *to, const char *text, size_t n)
{
    size_t len = 0;
    uint64_t word;
    for (; n - len >= sizeof word; len += sizeof word) {
        memcpy(&word, text + len, sizeof word);
        if (!all_plain(word))
            break;
        memcpy(to + len, &word, sizeof word);
    }
    while (len < n)
        if (plain[(unsigned char)text[len]]) {
            to[len] = text[len];
            len++;
        } else if (is_ideograph(text + len)) {
            memcpy(to + len, text + len, 3);
            len += 3;
        } else
            break;
    return len;
}

static void put_character(struct buf *out, const char *text, size_t n, uint32_t code)
{
    static const char *const named[0x20] = {
        ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r",
    };
    if (code < 0x20 && named[code])
        buf_str(out, named[code]);
    else if (code < 0x20)
        buf_printf(out, "\\u%04x", code);
    /* What would not be seen, or would turn what is around it, by number: as a pair of surrogates
     * where it has more than 16 bits. */
    else if (foreign_is_hidden(code) && code > 0xFFFF)
        buf_printf(out, "\\u%04x\\u%04x", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
    else if (foreign_is_hidden(code))
        buf_printf(out, "\\u%04x", code);
    else {
        if (code == '"' || code == '\\')
            buf_char(out, '\\');
        buf_add(out, text, n);
    }
}

static void put_rest(struct buf *out, const char *text, size_t n)
{
    for (size_t at = 0, len; at < n; at += len) {
        uint32_t code = 0;
        char *room = buf_room(out, n - at);
        if (room && (len = copy_plain(room, text + at, n - at)) > 0)
            buf_took(out, len);
        else if ((len = utf8_next(text + at, n - at, &code)) > 0)
            put_character(out, text + at, len, code);
        else {
            buf_str(out, "\xEF\xBF\xBD");
            len = 1;
        }
    }
}

/* A name has a colon behind it. Most texts have nothing to escape. */
static void put_quoted(struct buf *out, const char *text, bool name)
{
    size_t n = strlen(text);
    char *room = buf_room(out, n + (name ? 4 : 2)), *at = room;
    if (!room)
        return;
    *at++ = '"';
    size_t len = copy_plain(at, text, n);
    at += len;
    if (len < n) {
        buf_took(out, 1 + len);
        put_rest(out, text + len, n - len);
        buf_str(out, name ? "\": " : "\"");
        return;
    }
    *at++ = '"';
    if (name) {
        *at++ = ':';
        *at++ = ' ';
    }
    buf_took(out, (size_t)(at - room));
}

static void begin_line(struct json_writer *w, bool comma)
{
    size_t blanks = 2 * (size_t)w->depth, n = comma + 1 + blanks;
    char *room = buf_room(w->out, n);
    if (!room)
        return;
    memset(room, ' ', n);
    room[0] = ',';
    room[comma] = '\n';
    buf_took(w->out, n);
}

static void begin_value(struct json_writer *w, const char *key)
{
    if (w->depth > 0 && w->flat == 0)
        begin_line(w, !w->fresh);
    else if (!w->fresh)
        buf_add(w->out, ", ", 2);
    w->fresh = false;
    if (key)
        put_quoted(w->out, key, true);
}

static void begin_group(struct json_writer *w, const char *key, char open, bool flat)
{
    begin_value(w, key);
    buf_char(w->out, open);
    w->depth++;
    w->flat += flat || w->flat > 0;
    w->fresh = true;
}

static void end_json_group(struct json_writer *w, char close)
{
    bool empty = w->fresh;
    w->depth--;
    if (!empty && w->flat == 0)
        begin_line(w, false);
    w->flat -= w->flat > 0;
    buf_char(w->out, close);
    w->fresh = false;
}

void json_begin_object(struct json_writer *w, const char *key)
{
    begin_group(w, key, '{', false);
}

void json_begin_object_flat(struct json_writer *w, const char *key)
{
    begin_group(w, key, '{', true);
}

void json_end_object(struct json_writer *w)
{
    end_json_group(w, '}');
}

void json_begin_array(struct json_writer *w, const char *key)
{
    begin_group(w, key, '[', false);
}

void json_begin_array_flat(struct json_writer *w, const char *key)
{
    begin_group(w, key, '[', true);
}

void json_end_array(struct json_writer *w)
{
    end_json_group(w, ']');
}

void json_begin_bytes(struct json_writer *w, const char *key)
{
    begin_value(w, key);
    buf_char(w->out, '"');
}

void json_end_bytes(struct json_writer *w)
{
    buf_char(w->out, '"');
}

void json_again(struct json_writer *w, const char *text, size_t len)
{
    begin_value(w, NULL);
    buf_add(w->out, text, len);
}

void json_string(struct json_writer *w, const char *key, const char *text)
{
    begin_value(w, key);
    if (text)
        put_quoted(w->out, text, false);
    else
        buf_str(w->out, "null");
}

void json_string_if(struct json_writer *w, const char *key, const char *text)
{
    if (text)
        json_string(w, key, text);
}

/* "1e-08" to "1e-8", "7e+22" to "7e22". */
static void shorten_exponent(char *text)
{
    char *from = strchr(text, 'e');
    if (!from)
        return;
    char *to = ++from;
    if (*from == '-')
        to++;
    from++; /* printf always writes the sign */
    from += strspn(from, "0");
    memmove(to, from, strlen(from) + 1);
}

void json_number_format(char *to, double value)
{
    if (fabs(value) < WHOLE_MAX && value == floor(value)) {
        snprintf(to, 32, "%.0f", value);
        return;
    }
    /* What 15 digits can say comes back from a double, and %g leaves out the zeros at its end; not
     * of the smallest, which have fewer digits. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
        snprintf(to, 32, "%.*g", digits, value);
        if (strtod(to, NULL) == value)
            break;
    }
    shorten_exponent(to);
}

void json_number(struct json_writer *w, const char *key, double value)
{
    char text[32];
    begin_value(w, key);
    if (value - value != 0) {
        buf_str(w->out, "null");
        return;
    }
    json_number_format(text, value);
    buf_str(w->out, text);
}

void json_number_text(struct json_writer *w, const char *key, const char *text)
{
    begin_value(w, key);
    buf_str(w->out, text);
}

/* Most of what is written in numbers are places of a few digits. */
void json_integer(struct json_writer *w, const char *key, long long value)
{
    char digits[24];
    size_t at = sizeof digits;
    unsigned long long left = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        digits[--at] = '-';
    begin_value(w, key);
    buf_add(w->out, digits + at, sizeof digits - at);
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
    begin_value(w, key);
    buf_str(w->out, value ? "true" : "false");
}

void json_null(struct json_writer *w, const char *key)
{
    begin_value(w, key);
    buf_str(w->out, "null");
}

void json_finish(struct json_writer *w)
{
    buf_char(w->out, '\n');
}
