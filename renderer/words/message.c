#include "renderer/words/message.h"

#include "base/buf.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- formats and translations ------------------------------------------------------------ */

/* The length of a conversion that begins at the percent sign, and what it prints; 0: it is a mere
 * sign, of a message that is no format. */
static size_t read_conversion(const char *s, enum message_kind *kind)
{
    size_t n = 1 + strspn(s + 1, "-+#0123456789.*");
    n += strspn(s + n, "hlzjt");
    *kind = s[n] == 's' ? MESSAGE_TEXT : MESSAGE_NUMBER;
    return s[n] && strchr("sdiufgexX", s[n]) ? n + 1 : 0;
}

static void end_words(struct message *m, struct buf *words, struct arena *arena)
{
    m->words[m->n_values] = arena_strndup(arena, words->data, words->len);
    m->lengths[m->n_values] = words->len;
    m->own += words->len;
    words->len = 0;
}

static const char *split_format(struct message *m, struct buf *words, struct arena *arena)
{
    const char *s = m->format;
    while (*s) {
        enum message_kind kind;
        size_t n = *s == '%' && s[1] != '%' ? read_conversion(s, &kind) : 0;
        if (!n) {
            buf_add(words, s, 1);
            s += 1 + (*s == '%' && s[1] == '%');
            continue;
        }
        if (m->n_values == MESSAGE_VALUES_MAX)
            return "has too many values";
        if (m->n_values && !words->len)
            return "two values touch, expected words between them";
        end_words(m, words, arena);
        m->kinds[m->n_values++] = kind;
        s += n;
    }
    end_words(m, words, arena);
    return NULL;
}

size_t message_place(const char *s, struct message_place *out)
{
    char *end;
    if (*s != '{' || s[1] < '1' || s[1] > '9')
        return 0;
    out->value = strtoul(s + 1, &end, 10) - 1;
    out->said = text_starts(end, ":said}");
    end += out->said ? strlen(":said") : 0;
    return *end == '}' ? (size_t)(end - s) + 1 : 0;
}

static const char *check_places(struct message *m)
{
    bool used[MESSAGE_VALUES_MAX] = {false};
    struct message_place place;
    for (const char *s = m->translation; *s;) {
        size_t n = message_place(s, &place);
        if (!n && *s == '{')
            return "found '{', expected {1} or {1:said}";
        if (n && place.value >= m->n_values)
            return "the translation names a value that the message does not have";
        if (n)
            used[place.value] = true;
        if (n && place.said)
            m->kinds[place.value] = MESSAGE_SAID;
        s += n ? n : 1;
    }
    for (size_t i = 0; i < m->n_values; i++)
        if (!used[i])
            return "the translation leaves a value out";
    return NULL;
}

const char *message_make(struct message *m, const char *format, const char *translation,
                         struct arena *arena)
{
    struct buf words;
    *m = (struct message){.format = format, .translation = translation};
    if (!*translation)
        return "has no translation";
    buf_init(&words, BUF_DEFAULT_MAX);
    const char *fault = split_format(m, &words, arena);
    buf_release(&words);
    return fault ? fault : check_places(m);
}

/* ---- texts ------------------------------------------------------------------------------- */

static bool is_number(const struct message_value *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (!strchr("0123456789+-.eEinfa", v->at[i]))
            return false;
    return v->len > 0;
}

bool message_is_prose(const char *text, size_t len)
{
    size_t words = 0;
    for (const char *s = text, *end = text + len; s < end && words < 2;) {
        const char *blank = memchr(s, ' ', (size_t)(end - s));
        size_t n = (size_t)((blank ? blank : end) - s), letters = 0;
        while (letters < n && s[letters] >= 'a' && s[letters] <= 'z')
            letters++;
        bool word =
            letters > 1 && (letters == n || (letters + 1 == n && strchr(",;:", s[letters])));
        words = word ? words + 1 : 0;
        s += n + 1;
    }
    return words == 2;
}

/* A format with hardly a word of its own ("%s to %s") would fit any sentence that has it. */
#define WORDS_FEW 12 /* bytes */

static bool may_be(const struct message *m, size_t i, const struct message_value *v)
{
    if (m->kinds[i] == MESSAGE_NUMBER)
        return is_number(v);
    return m->kinds[i] == MESSAGE_SAID || m->own >= WORDS_FEW || !message_is_prose(v->at, v->len);
}

/* The first place of the next words that may follow the value; the last words end the text. */
static const char *find_words(const struct message *m, size_t i, const char *s, const char *end)
{
    if (i == m->n_values)
        return end;
    return memmem(s, (size_t)(end - s), m->words[i], m->lengths[i]);
}

bool message_fits(const struct message *m, const char *text, size_t len,
                  struct message_value *values)
{
    size_t head = m->lengths[0], tail = m->n_values ? m->lengths[m->n_values] : 0;
    if (len < m->own || (!m->n_values && len != head) || memcmp(text, m->words[0], head) != 0 ||
        memcmp(text + len - tail, m->words[m->n_values], tail) != 0)
        return false;
    const char *s = text + head, *end = text + len - tail;
    for (size_t i = 0; i < m->n_values; i++) {
        const char *next = find_words(m, i + 1, s, end);
        values[i] = (struct message_value){s, next ? (size_t)(next - s) : 0};
        if (!next || !may_be(m, i, &values[i]))
            return false;
        s = next + (i + 1 < m->n_values ? m->lengths[i + 1] : 0);
    }
    return true;
}
