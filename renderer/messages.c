#include "renderer/messages.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES_SCHEMA "fpreport.messages/1"
#define NESTED_MAX 6 /* messages in messages; honest ones have three */

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_SAID };

struct message {
    const char *format;
    const char *words[MESSAGE_VALUES_MAX + 1]; /* before, between and behind the values */
    size_t lengths[MESSAGE_VALUES_MAX + 1];
    enum value_kind kinds[MESSAGE_VALUES_MAX];
    size_t n_values;
    size_t own; /* bytes of all words */
    const char *translation;
};

/* Where a message was written, for what is wrong with it. */
struct place {
    const char *file;
    const struct json *entry;
};

static int complain(const struct place *at, const char *what, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%d:%d: \"%s\": %s", at->file, at->entry->key_line,
                   at->entry->key_col, at->entry->key, what);
}

/* ---- formats ----------------------------------------------------------------------------- */

/* The length of a conversion that begins at the percent sign, and what it prints; 0: it is a mere
 * sign, of a message that is no format. */
static size_t read_conversion(const char *s, enum value_kind *kind)
{
    size_t n = 1 + strspn(s + 1, "-+#0123456789.*");
    n += strspn(s + n, "hlzjt");
    *kind = s[n] == 's' ? VALUE_TEXT : VALUE_NUMBER;
    return s[n] && strchr("sdiufgexX", s[n]) ? n + 1 : 0;
}

static void end_words(struct message *m, struct buf *words, struct arena *arena)
{
    m->words[m->n_values] = arena_strndup(arena, words->data, words->len);
    m->lengths[m->n_values] = words->len;
    m->own += words->len;
    words->len = 0;
}

static int split_format(struct message *m, struct buf *words, const struct place *at,
                        struct arena *arena, struct err *err)
{
    const char *s = m->format;
    while (*s) {
        enum value_kind kind;
        size_t n = *s == '%' && s[1] != '%' ? read_conversion(s, &kind) : 0;
        if (!n) {
            buf_add(words, s, 1);
            s += 1 + (*s == '%' && s[1] == '%');
            continue;
        }
        if (m->n_values == MESSAGE_VALUES_MAX)
            return complain(at, "has too many values", err);
        if (m->n_values && !words->len)
            return complain(at, "two values touch, expected words between them", err);
        end_words(m, words, arena);
        m->kinds[m->n_values++] = kind;
        s += n;
    }
    end_words(m, words, arena);
    return 0;
}

/* ---- places of values -------------------------------------------------------------------- */

struct value_place {
    size_t value; /* from 0 */
    bool said;
};

/* "{2:said}" at s: its length; 0 when there is no place. */
static size_t read_place(const char *s, struct value_place *out)
{
    char *end;
    if (*s != '{' || s[1] < '1' || s[1] > '9')
        return 0;
    out->value = strtoul(s + 1, &end, 10) - 1;
    out->said = text_starts(end, ":said}");
    end += out->said ? strlen(":said") : 0;
    return *end == '}' ? (size_t)(end - s) + 1 : 0;
}

static int check_places(struct message *m, const struct place *at, struct err *err)
{
    bool used[MESSAGE_VALUES_MAX] = {false};
    struct value_place place;
    for (const char *s = m->translation; *s;) {
        size_t n = read_place(s, &place);
        if (!n && *s == '{')
            return complain(at, "found '{', expected {1} or {1:said}", err);
        if (n && place.value >= m->n_values)
            return complain(at, "the translation names a value that the message does not have",
                            err);
        if (n)
            used[place.value] = true;
        if (n && place.said)
            m->kinds[place.value] = VALUE_SAID;
        s += n ? n : 1;
    }
    for (size_t i = 0; i < m->n_values; i++)
        if (!used[i])
            return complain(at, "the translation leaves a value out", err);
    return 0;
}

/* ---- the table --------------------------------------------------------------------------- */

static struct message *find_format(const struct messages *m, const char *format)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->items[i].format, format) == 0)
            return &m->items[i];
    return NULL;
}

static int add(struct messages *m, const struct place *at, struct arena *arena, struct err *err)
{
    struct message *x = find_format(m, at->entry->key);
    struct message fresh = {.format = at->entry->key,
                            .translation = at->entry->kind == JSON_STRING ? at->entry->text : ""};
    struct buf words;
    if (!*fresh.translation)
        return complain(at, "has no translation", err);
    buf_init(&words, BUF_DEFAULT_MAX);
    int rc = split_format(&fresh, &words, at, arena, err);
    buf_release(&words);
    if (rc < 0 || check_places(&fresh, at, err) < 0)
        return -1;
    x = x ? x : ARENA_PUSH(arena, m->items, m->n);
    *x = fresh;
    return 0;
}

static int load_file(struct messages *m, const char *path, struct arena *arena, struct err *err)
{
    struct diags diags;
    struct json *root;
    diags_init(&diags, arena);
    if (json_load(path, arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s:%d:%d: %s", path, diags.items[0].line,
                       diags.items[0].col, diags.items[0].message);
    const struct json *messages = json_get(root, "messages");
    if (strcmp(json_get_text(root, "schema", ""), MESSAGES_SCHEMA) != 0 || !messages ||
        messages->kind != JSON_OBJECT)
        return err_set(
            err, ERR_INPUT,
            "%s: expected \"schema\": \"" MESSAGES_SCHEMA "\" and an object \"messages\"", path);
    for (const struct json *entry = messages->child; entry; entry = entry->next)
        if (add(m, &(struct place){path, entry}, arena, err) < 0)
            return -1;
    return 0;
}

static int first_byte(const struct message *m)
{
    return (unsigned char)m->words[0][0];
}

/* By first byte; then the order in which they are tried: find_message(). */
static int by_words(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (first_byte(x) != first_byte(y))
        return first_byte(x) - first_byte(y);
    if (x->lengths[0] != y->lengths[0])
        return x->lengths[0] < y->lengths[0] ? 1 : -1;
    return x->own != y->own ? (x->own < y->own) - (x->own > y->own) : strcmp(x->format, y->format);
}

static void sort(struct messages *m)
{
    if (m->n)
        qsort(m->items, m->n, sizeof *m->items, by_words);
    for (size_t i = m->n, byte = 256; byte-- > 0;) {
        while (i > 0 && first_byte(&m->items[i - 1]) >= (int)byte)
            i--;
        m->from[byte] = i;
    }
    m->from[256] = m->n;
}

int messages_load(struct messages *out, const struct templates *templates, struct arena *arena,
                  struct err *err)
{
    *out = (struct messages){0};
    for (size_t i = templates->n_folders; i-- > 0;) {
        const char *path = path_join(arena, templates->folders[i], MESSAGES_FILE);
        if (file_exists(path) && load_file(out, path, arena, err) < 0)
            return -1;
    }
    sort(out);
    return 0;
}

/* ---- taking apart ------------------------------------------------------------------------ */

/* A value of a text, between two pointers into it. */
struct value {
    const char *at;
    size_t len;
};

static bool is_number(const struct value *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (!strchr("0123456789+-.eEinfa", v->at[i]))
            return false;
    return v->len > 0;
}

/* Two words of small letters: figures, names and addresses are in no language. */
static bool is_prose(const char *text, size_t len)
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

static bool may_be(const struct message *m, size_t i, const struct value *v)
{
    if (m->kinds[i] == VALUE_NUMBER)
        return is_number(v);
    return m->kinds[i] == VALUE_SAID || m->own >= WORDS_FEW || !is_prose(v->at, v->len);
}

/* The first place of the next words that may follow the value; the last words end the text. */
static const char *find_words(const struct message *m, size_t i, const char *s, const char *end)
{
    if (i == m->n_values)
        return end;
    return memmem(s, (size_t)(end - s), m->words[i], m->lengths[i]);
}

static bool take_apart(const struct message *m, const char *text, size_t len, struct value *values)
{
    size_t head = m->lengths[0], tail = m->n_values ? m->lengths[m->n_values] : 0;
    if (len < m->own || (!m->n_values && len != head) || memcmp(text, m->words[0], head) != 0 ||
        memcmp(text + len - tail, m->words[m->n_values], tail) != 0)
        return false;
    const char *s = text + head, *end = text + len - tail;
    for (size_t i = 0; i < m->n_values; i++) {
        const char *next = find_words(m, i + 1, s, end);
        values[i] = (struct value){s, next ? (size_t)(next - s) : 0};
        if (!next || !may_be(m, i, &values[i]))
            return false;
        s = next + (i + 1 < m->n_values ? m->lengths[i + 1] : 0);
    }
    return true;
}

/* Of those that begin with this byte. */
static const struct message *find_among(const struct messages *m, unsigned char byte,
                                        const char *text, size_t len, struct value *values)
{
    const struct message *best = NULL;
    struct value found[MESSAGE_VALUES_MAX] = {{NULL, 0}};
    for (size_t i = m->from[byte]; i < m->from[byte + 1]; i++) {
        const struct message *x = &m->items[i];
        if (best && x->lengths[0] < best->lengths[0])
            break;
        if (!take_apart(x, text, len, found) || (best && found[0].len >= values[0].len))
            continue;
        best = x;
        memcpy(values, found, x->n_values * sizeof *values);
    }
    return best;
}

/* The outermost first: of those that fit, the one with the longest beginning of its own, then the
 * one whose first value is the shortest, then the one with the most words. */
static const struct message *find_message(const struct messages *m, const char *text, size_t len,
                                          struct value *values)
{
    const struct message *found = find_among(m, (unsigned char)*text, text, len, values);
    return found ? found : find_among(m, 0, text, len, values);
}

/* ---- putting together -------------------------------------------------------------------- */

struct parts {
    const struct messages *table;
    struct arena *arena;
    struct message_part *items;
    size_t n;
};

/* A Chinese character, but no Chinese sign: what is set with a blank beside Latin letters. */
static bool is_wide(const char *s)
{
    unsigned char a = (unsigned char)s[0], b = (unsigned char)s[1];
    return (a == 0xE3 && b >= 0x90) || (a >= 0xE4 && a <= 0xE9);
}

static bool is_narrow(const char *s)
{
    return (*s >= '0' && *s <= '9') || (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') ||
           *s == '%';
}

/* The character before the end of a text that is `n` bytes long; "" for none. */
static const char *last_of(const char *text, size_t n)
{
    while (n > 0 && ((unsigned char)text[n - 1] & 0xC0) == 0x80)
        n--;
    return n ? text + n - 1 : "";
}

/* Where two texts meet there is one blank between a Chinese and a Latin character, and none between
 * two Chinese ones, whatever the table has: it cannot know what a value is. */
static void set_joint(struct parts *p, const char **text, size_t *len)
{
    struct message_part *last = &p->items[p->n - 1];
    size_t n = strlen(last->text), blank = n && last->text[n - 1] == ' ';
    const char *left = last_of(last->text, n - blank), *right = *text;
    bool second = *len > 1 && *right == ' ';
    right += second;
    if (is_wide(left) && is_wide(right)) {
        last->text = blank ? arena_strndup(p->arena, last->text, n - 1) : last->text;
        *text += second;
        *len -= second;
    } else if (!blank && !second &&
               ((is_wide(left) && is_narrow(right)) || (is_narrow(left) && is_wide(right)))) {
        last->text = arena_printf(p->arena, "%s ", last->text);
    }
}

/* Beside a part of the same language it becomes one with it. */
static void push(struct parts *p, const char *text, size_t len, bool foreign)
{
    if (len && p->n)
        set_joint(p, &text, &len);
    struct message_part *last = p->n ? &p->items[p->n - 1] : NULL;
    if (!len)
        return;
    if (last && last->foreign == foreign) {
        last->text = arena_printf(p->arena, "%s%.*s", last->text, (int)len, text);
        return;
    }
    struct message_part *fresh = ARENA_PUSH(p->arena, p->items, p->n);
    *fresh = (struct message_part){arena_strndup(p->arena, text, len), foreign};
}

static void say(struct parts *p, const char *text, size_t len, int depth)
{
    struct value values[MESSAGE_VALUES_MAX];
    struct value_place place;
    const struct message *m =
        len && depth < NESTED_MAX ? find_message(p->table, text, len, values) : NULL;
    if (!m) {
        push(p, text, len, is_prose(text, len));
        return;
    }
    for (const char *s = m->translation; *s;) {
        size_t n = read_place(s, &place);
        if (!n) {
            n = 1 + strcspn(s + 1, "{");
            push(p, s, n, false);
        } else if (place.said) {
            say(p, values[place.value].at, values[place.value].len, depth + 1);
        } else {
            push(p, values[place.value].at, values[place.value].len, false);
        }
        s += n;
    }
}

size_t messages_parts(const struct messages *m, enum page_lang lang, const char *english,
                      struct arena *arena, struct message_part **out)
{
    static const struct messages none = {.n = 0};
    struct parts p = {.table = m ? m : &none, .arena = arena};
    if (lang == PAGE_EN)
        push(&p, english, strlen(english), false);
    else
        say(&p, english, strlen(english), 0);
    *out = p.items;
    return p.n;
}

const char *messages_text(const struct messages *m, enum page_lang lang, const char *english,
                          struct arena *arena)
{
    struct message_part *parts;
    const char *text = "";
    size_t n = messages_parts(m, lang, english, arena, &parts);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s", text, parts[i].text);
    return text;
}
