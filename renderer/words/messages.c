#include "renderer/words/messages.h"

#include "base/text.h"
#include "renderer/words/strings.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows -------------------------------------------------------------------------------- */

/* The place that begins at s, "{2:said}" as 1 and true: its length; 0 when there is none. */
struct place {
    size_t value; /* from 0 */
    bool said;
};

static size_t read_place(const char *s, struct place *out)
{
    char *end;
    if (*s != '{' || s[1] < '1' || s[1] > '9')
        return 0;
    out->value = strtoul(s + 1, &end, 10) - 1;
    out->said = text_starts(end, ":said}");
    end += out->said ? strlen(":said") : 0;
    return *end == '}' ? (size_t)(end - s) + 1 : 0;
}

/* What is wrong with the translation, or NULL. */
static const char *fault_of_message(const char *format, const char *translation)
{
    bool used[SENTENCE_VALUES_MAX] = {false};
    size_t values = sentence_places(format);
    struct place place;
    if (!*translation)
        return "has no translation";
    if (values > SENTENCE_VALUES_MAX)
        return "has too many values";
    for (const char *s = translation; *s;) {
        size_t n = read_place(s, &place);
        if (!n && *s == '{')
            return "found '{', expected {1} or {1:said}";
        if (n && place.value >= values)
            return "the translation names a value that the message does not have";
        if (n)
            used[place.value] = true;
        s += n ? n : 1;
    }
    for (size_t i = 0; i < values; i++)
        if (!used[i])
            return "the translation leaves a value out";
    return NULL;
}

static int add_message(void *to, const char *file, const struct json *entry, struct arena *arena,
                       struct err *err)
{
    struct messages *m = to;
    const char *translation = entry->kind == JSON_STRING ? entry->text : "";
    const char *fault = fault_of_message(entry->key, translation);
    if (fault)
        return err_set(err, ERR_INPUT, "%s:%d:%d: \"%s\": %s", file, entry->key_line,
                       entry->key_col, entry->key, fault);
    *(struct words *)ARENA_PUSH(arena, m->rows, m->n) =
        (struct words){.en = entry->key, .zh = translation};
    return 0;
}

static const struct template_table table = {.file = MESSAGES_FILE,
                                            .schema = "fpreport.messages/1",
                                            .member = "messages",
                                            .add = add_message};

static int by_format(const void *a, const void *b)
{
    const struct words *x = a, *y = b;
    return strcmp(x->en, y->en);
}

static const struct words *find_row(const struct messages *m, const char *format)
{
    const struct words key = {.en = format};
    return m->n ? bsearch(&key, m->rows, m->n, sizeof key, by_format) : NULL;
}

int messages_load(struct messages *out, const struct words *rows, size_t n_rows,
                  const struct templates *templates, struct arena *arena, struct err *err)
{
    struct messages own = {0};
    *out = (struct messages){.rows = arena_array(arena, n_rows, sizeof *rows), .n = n_rows};
    if (template_table_load(&table, templates, &own, arena, err) < 0)
        return -1;
    for (size_t i = 0; i < n_rows; i++)
        out->rows[i] = rows[i];
    if (n_rows)
        qsort(out->rows, n_rows, sizeof *rows, by_format);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < own.n; k++)
            if (strcmp(out->rows[i].en, own.rows[k].en) == 0)
                out->rows[i].zh = own.rows[k].zh;
    return 0;
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
static void push_part(struct parts *p, const char *text, size_t len, bool foreign)
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

/* In front of a message stands the name of what it is about. */
#define NAMED "%s: "

static void say(struct parts *p, const struct sentence *made, int depth);

static void put_row(struct parts *p, const char *pattern, const struct sentence *values, size_t n,
                    int depth)
{
    struct place place;
    for (const char *s = pattern; *s;) {
        size_t len = read_place(s, &place);
        const struct sentence *value = len && place.value < n ? &values[place.value] : NULL;
        if (!len) {
            len = 1 + strcspn(s + 1, "{");
            push_part(p, s, len, false);
        } else if (value && place.said) {
            say(p, value, depth + 1);
        } else if (value) {
            push_part(p, value->text, strlen(value->text), false);
        }
        s += len;
    }
}

/* Two words of small letters: figures, names and addresses are in no language. */
static bool is_prose(const char *text)
{
    size_t words = 0;
    for (const char *s = text; *s && words < 2;) {
        size_t n = strcspn(s, " "), letters = strspn(s, "abcdefghijklmnopqrstuvwxyz");
        bool word =
            letters > 1 && (letters == n || (letters + 1 == n && strchr(",;:", s[letters])));
        words = word ? words + 1 : 0;
        s += n + (s[n] == ' ');
    }
    return words == 2;
}

static void say(struct parts *p, const struct sentence *made, int depth)
{
    const char *format = made->format ? made->format : made->text;
    const struct words *row = depth <= SENTENCE_DEPTH_MAX ? find_row(p->table, format) : NULL;
    bool named = !row && made->n_values && text_starts(format, NAMED);
    if (named)
        row = find_row(p->table, format + strlen(NAMED));
    if (!row) {
        push_part(p, made->text, strlen(made->text), is_prose(made->text));
        return;
    }
    if (named) {
        push_part(p, made->values[0].text, strlen(made->values[0].text), false);
        push_part(p, "：", strlen("："), false);
    }
    put_row(p, row->zh, named ? made->values + 1 : made->values, made->n_values - named, depth);
}

size_t messages_parts(const struct messages *m, enum page_lang lang, const char *english,
                      const struct sentence *made, struct arena *arena, struct message_part **out)
{
    static const struct messages none = {.n = 0};
    struct parts p = {.table = m ? m : &none, .arena = arena};
    const struct sentence bare = {.text = english};
    if (lang == PAGE_EN)
        push_part(&p, english, strlen(english), false);
    else
        say(&p, made && strcmp(made->text, english) == 0 ? made : &bare, 0);
    *out = p.items;
    return p.n;
}

const char *messages_text(const struct messages *m, enum page_lang lang, const char *english,
                          const struct sentence *made, struct arena *arena)
{
    struct message_part *parts;
    size_t n = messages_parts(m, lang, english, made, arena, &parts);
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s", text, parts[i].text);
    return text;
}
