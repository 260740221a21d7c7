#include "renderer/words/messages.h"

#include "renderer/words/message.h"
#include "renderer/words/template_table.h"

#include <stdlib.h>
#include <string.h>

#define NESTED_MAX 6 /* messages in messages; honest ones have three */

/* ---- the table --------------------------------------------------------------------------- */

/* What is wrong with the translation, or NULL. */
static const char *push_message(struct messages *m, const char *format, const char *translation,
                                struct arena *arena)
{
    struct message fresh;
    const char *fault = message_make(&fresh, format, translation, arena);
    if (fault)
        return fault;
    fresh.number = m->n;
    *(struct message *)ARENA_PUSH(arena, m->items, m->n) = fresh;
    return NULL;
}

static int add(void *to, const char *file, const struct json *entry, struct arena *arena,
               struct err *err)
{
    const char *translation = entry->kind == JSON_STRING ? entry->text : "";
    const char *fault = push_message(to, entry->key, translation, arena);
    return fault ? err_set(err, ERR_INPUT, "%s:%d:%d: \"%s\": %s", file, entry->key_line,
                           entry->key_col, entry->key, fault)
                 : 0;
}

static int add_rows(struct messages *m, const struct words *rows, size_t n, struct arena *arena,
                    struct err *err)
{
    const char *fault = NULL;
    for (size_t i = 0; i < n; i++)
        if ((fault = push_message(m, rows[i].en, rows[i].zh, arena)) != NULL)
            return err_set(err, ERR_INPUT, "message \"%s\": %s", rows[i].en, fault);
    return 0;
}

static const struct template_table table = {
    .file = MESSAGES_FILE, .schema = "fpreport.messages/1", .member = "messages", .add = add};

static int first_byte(const struct message *m)
{
    return (unsigned char)m->words[0][0];
}

/* By first byte; then the order in which they are tried: find_message(). Of one format, those of
 * later tables come first. */
static int by_words(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (first_byte(x) != first_byte(y))
        return first_byte(x) - first_byte(y);
    if (x->lengths[0] != y->lengths[0])
        return x->lengths[0] < y->lengths[0] ? 1 : -1;
    if (x->own != y->own)
        return x->own < y->own ? 1 : -1;
    int c = strcmp(x->format, y->format);
    return c ? c : (x->number < y->number) - (x->number > y->number);
}

static void drop_replaced(struct messages *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (n == 0 || strcmp(m->items[n - 1].format, m->items[i].format) != 0)
            m->items[n++] = m->items[i];
    m->n = n;
}

static void sort(struct messages *m)
{
    if (m->n)
        qsort(m->items, m->n, sizeof *m->items, by_words);
    drop_replaced(m);
    for (size_t i = m->n, byte = 256; byte-- > 0;) {
        while (i > 0 && first_byte(&m->items[i - 1]) >= (int)byte)
            i--;
        m->from[byte] = i;
    }
    m->from[256] = m->n;
}

int messages_load(struct messages *out, const struct words *rows, size_t n_rows,
                  const struct templates *templates, struct arena *arena, struct err *err)
{
    *out = (struct messages){0};
    if (add_rows(out, rows, n_rows, arena, err) < 0 ||
        template_table_load(&table, templates, out, arena, err) < 0)
        return -1;
    sort(out);
    return 0;
}

/* ---- looking up -------------------------------------------------------------------------- */

/* Of those that begin with this byte. */
static const struct message *find_among(const struct messages *m, unsigned char byte,
                                        const char *text, size_t len, struct message_value *values)
{
    const struct message *best = NULL;
    struct message_value found[MESSAGE_VALUES_MAX] = {{NULL, 0}};
    for (size_t i = m->from[byte]; i < m->from[byte + 1]; i++) {
        const struct message *x = &m->items[i];
        if (best && x->lengths[0] < best->lengths[0])
            break;
        if (!message_fits(x, text, len, found) || (best && found[0].len >= values[0].len))
            continue;
        best = x;
        memcpy(values, found, x->n_values * sizeof *values);
    }
    return best;
}

/* The outermost first: of those that fit, the one with the longest beginning of its own, then the
 * one whose first value is the shortest, then the one with the most words. */
static const struct message *find_message(const struct messages *m, const char *text, size_t len,
                                          struct message_value *values)
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
    struct message_value values[MESSAGE_VALUES_MAX];
    struct message_place place;
    const struct message *m =
        len && depth < NESTED_MAX ? find_message(p->table, text, len, values) : NULL;
    if (!m) {
        push(p, text, len, message_is_prose(text, len));
        return;
    }
    for (const char *s = m->translation; *s;) {
        size_t n = message_place(s, &place);
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

static const struct message *find_row(const struct messages *m, const char *format)
{
    unsigned char byte = *format == '%' ? 0 : (unsigned char)*format;
    for (size_t i = m->from[byte]; i < m->from[byte + 1]; i++)
        if (strcmp(m->items[i].format, format) == 0)
            return &m->items[i];
    return NULL;
}

static void say_made(struct parts *p, const struct sentence *made, int depth)
{
    struct message_place place;
    const struct message *row = made->format ? find_row(p->table, made->format) : NULL;
    if (!row || depth >= NESTED_MAX) {
        say(p, made->text, strlen(made->text), depth);
        return;
    }
    for (const char *s = row->translation; *s;) {
        size_t n = message_place(s, &place);
        const struct sentence *value =
            n && place.value < made->n_values ? &made->values[place.value] : NULL;
        if (!n) {
            n = 1 + strcspn(s + 1, "{");
            push(p, s, n, false);
        } else if (value && place.said) {
            say_made(p, value, depth + 1);
        } else if (value) {
            push(p, value->text, strlen(value->text), false);
        }
        s += n;
    }
}

size_t messages_finding(const struct messages *m, enum page_lang lang, const char *english,
                        const struct sentence *made, struct arena *arena, struct message_part **out)
{
    static const struct messages none = {.n = 0};
    struct parts p = {.table = m ? m : &none, .arena = arena};
    if (lang == PAGE_EN || !made || strcmp(made->text, english) != 0)
        return messages_parts(m, lang, english, arena, out);
    say_made(&p, made, 0);
    *out = p.items;
    return p.n;
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

const char *messages_joined(const struct message_part *parts, size_t n, struct arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s", text, parts[i].text);
    return text;
}

const char *messages_text(const struct messages *m, enum page_lang lang, const char *english,
                          struct arena *arena)
{
    struct message_part *parts;
    size_t n = messages_parts(m, lang, english, arena, &parts);
    return messages_joined(parts, n, arena);
}
