#include "trainer/score/python_list.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* \xNN and its like, with `digits` of them; NULL: there are fewer. */
static const char *take_code(const char *at, int digits, char **to)
{
    char hex[9] = "";
    for (int i = 0; i < digits; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return NULL;
        hex[i] = at[i];
    }
    unsigned long code = strtoul(hex, NULL, 16);
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return NULL;
    *to += utf8_put(*to, (uint32_t)code);
    return at + digits;
}

/* Behind the escape whose letter is at `at`; NULL: there is none. */
static const char *take_python_escape(const char *at, char **to)
{
    static const struct {
        char letter, value;
        int digits;
    } escapes[] = {{'\\', '\\', 0}, {'\'', '\'', 0}, {'"', '"', 0}, {'n', '\n', 0}, {'r', '\r', 0},
                   {'t', '\t', 0},  {'x', 0, 2},     {'u', 0, 4},   {'U', 0, 8}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        if (*at != escapes[i].letter)
            continue;
        if (escapes[i].digits)
            return take_code(at + 1, escapes[i].digits, to);
        *(*to)++ = escapes[i].value;
        return at + 1;
    }
    return NULL;
}

/* The text whose quote is at `at` is written over itself, from behind the quote on; returns what is
 * behind it; NULL: it does not end. No text becomes longer than it is written. */
static char *take_literal(char *at)
{
    char quote = *at++, *to = at;
    const char *from = at;
    while (*from && *from != quote) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        from = take_python_escape(from + 1, &to);
        if (!from)
            return NULL;
    }
    if (!*from)
        return NULL;
    at += from - at;
    *to = '\0';
    return at + 1;
}

bool python_list_texts(const char *text, struct arena *arena, const char ***texts, size_t *n)
{
    *texts = NULL;
    *n = 0;
    if (text[strspn(text, BLANKS)] != '[')
        return false;
    char *at = arena_strdup(arena, text);
    at += strspn(at, BLANKS);
    for (at++; *(at += strspn(at, BLANKS)) != ']';) {
        const char *literal = at + 1;
        if (*at != '\'' && *at != '"')
            return false;
        at = take_literal(at);
        if (!at)
            return false;
        *(const char **)arena_push(arena, texts, n, sizeof **texts) = literal;
        at += strspn(at, BLANKS);
        if (*at == ',')
            at++;
        else if (*at != ']')
            return false;
    }
    return !at[1 + strspn(at + 1, BLANKS)];
}
