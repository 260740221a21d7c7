#include "trainer/conversations/python_text.h"

#include "base/text.h"

#include <string.h>

static bool is_python_space(uint32_t code)
{
    return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) || code == 0x85 ||
           code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* The length of the character at `text`; *space: what it is. JSON's texts are valid UTF-8. */
static size_t look_at_character(const char *text, size_t len, bool *space)
{
    uint32_t code = 0;
    size_t n = utf8_next(text, len, &code);
    *space = n && is_python_space(code);
    return n ? n : 1;
}

struct bytes python_strip(const char *text, size_t len)
{
    size_t from = len, end = 0, n;
    for (size_t at = 0; at < len; at += n) {
        bool space;
        n = look_at_character(text + at, len - at, &space);
        if (space)
            continue;
        from = at < from ? at : from;
        end = at + n;
    }
    return from < end ? (struct bytes){text + from, end - from} : (struct bytes){text, 0};
}

size_t python_words(const char *text)
{
    size_t words = 0, len = strlen(text), n;
    bool in_word = false;
    for (size_t at = 0; at < len; at += n) {
        bool space;
        n = look_at_character(text + at, len - at, &space);
        words += !space && !in_word;
        in_word = !space;
    }
    return words;
}
