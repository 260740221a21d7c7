#include "renderer/words/strings.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const char *page_lang_name(enum page_lang lang)
{
    static const char *const names[PAGE_LANGS] = {[PAGE_ZH] = "zh", [PAGE_EN] = "en"};
    return names[lang];
}

static int read_table(const struct template_table *t, const char *path, struct bytes text, void *to,
                      struct arena *arena, struct err *err)
{
    struct diags diags = DIAGS_INIT(arena);
    struct json *root;
    if (json_parse(path, text, arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s:%d:%d: %s", path, diags.items[0].line,
                       diags.items[0].col, diags.items[0].message);
    const struct json *entries = json_get(root, t->member);
    if (strcmp(json_get_text(root, "schema", ""), t->schema) != 0 || !entries ||
        entries->kind != JSON_OBJECT)
        return err_set(err, ERR_INPUT, "%s: expected \"schema\": \"%s\" and an object \"%s\"", path,
                       t->schema, t->member);
    for (const struct json *entry = entries->child; entry; entry = entry->next)
        if (t->add(to, path, entry, arena, err) < 0)
            return -1;
    return 0;
}

int template_table_load(const struct template_table *table, const struct templates *templates,
                        void *to, struct arena *arena, struct err *err)
{
    for (size_t i = templates->n_folders; i-- > 0;) {
        const char *folder = templates->folders[i], *path = path_join(arena, folder, table->file);
        struct bytes text;
        int rc = beneath_read_if_there(folder, table->file, JSON_BYTES_MAX, arena, &text, err);
        if (rc == BENEATH_NONE)
            continue;
        if (rc < 0 || read_table(table, path, text, to, arena, err) < 0)
            return -1;
    }
    return 0;
}

static int add_string_row(void *to, const char *file, const struct json *entry, struct arena *arena,
                          struct err *err)
{
    struct strings *s = to;
    size_t place = lookup_find(&s->by_key, entry->key);
    if (place == LOOKUP_NONE) {
        place = s->n;
        ((struct string *)ARENA_PUSH(arena, s->items, s->n))->key = entry->key;
        lookup_grow(&s->by_key, s->items, s->n, arena);
    }
    struct string *string = &s->items[place];
    for (int lang = 0; lang < PAGE_LANGS; lang++) {
        const char *text = json_get_text(entry, page_lang_name((enum page_lang)lang), "");
        if (!*text)
            return err_set(err, ERR_INPUT, "%s:%d:%d: \"%s\" has no text in \"%s\"", file,
                           entry->key_line, entry->key_col, entry->key,
                           page_lang_name((enum page_lang)lang));
        string->text[lang] = text;
    }
    return 0;
}

static const struct template_table table = {.file = STRINGS_FILE,
                                            .schema = "fpreport.strings/1",
                                            .member = "strings",
                                            .add = add_string_row};

int strings_load(struct strings *out, const struct templates *templates, struct arena *arena,
                 struct err *err)
{
    *out = (struct strings){
        .by_key = {.stride = sizeof *out->items, .at = offsetof(struct string, key)}};
    if (template_table_load(&table, templates, out, arena, err) < 0)
        return -1;
    if (out->n == 0)
        return err_set(err, ERR_INPUT, "template %s: not found, expected it in %s", STRINGS_FILE,
                       templates->n_folders ? templates->folders[0] : "a templates folder");
    return 0;
}

const char *strings_get(const struct strings *s, enum page_lang lang, const char *key)
{
    size_t place = lookup_find(&s->by_key, key);
    return place != LOOKUP_NONE ? s->items[place].text[lang] : NULL;
}

/* The words of "|one|many}" that go with this value, or NULL: it is none. */
static const char *counted(const char *at, const char *value, size_t *len, struct arena *arena)
{
    size_t one = *at == '|' ? strcspn(at + 1, "|{}") : 0;
    const char *many = *at == '|' && at[1 + one] == '|' ? at + 2 + one : NULL;
    size_t rest = many ? strcspn(many, "|{}") : 0;
    if (!many || many[rest] != '}')
        return NULL;
    *len = (size_t)(many + rest + 1 - at);
    return strcmp(value, "1") == 0 ? arena_strndup(arena, at + 1, one)
                                   : arena_strndup(arena, many, rest);
}

/* What the place that begins at `at` becomes, "{name}" or "{name|one|many}"; its length in *len. */
static const char *value_at(const char *at, const struct string_value *values, size_t n,
                            size_t *len, struct arena *arena)
{
    for (size_t i = 0; *at == '{' && i < n; i++) {
        size_t name = 1 + strlen(values[i].name), words;
        const char *behind = strncmp(at + 1, values[i].name, name - 1) == 0 ? at + name : "";
        const char *word = counted(behind, values[i].value, &words, arena);
        *len = word ? name + words : name + 1;
        if (word || *behind == '}')
            return word ? word : values[i].value;
    }
    return NULL;
}

char *strings_fill(const char *text, const struct string_value *values, size_t n,
                   struct arena *arena)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    size_t len;
    while (*text) {
        const char *value = value_at(text, values, n, &len, arena);
        if (value) {
            buf_str(&out, value);
            text += len;
        } else {
            len = 1 + strcspn(text + 1, "{");
            buf_add(&out, text, len);
            text += len;
        }
    }
    return buf_text(&out, arena);
}
