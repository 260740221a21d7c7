/*
 * strings: every word of the website that is ours, in Chinese and English, in one table.
 *
 *     {"schema": "fpreport.strings/1",
 *      "strings": {"nav.results": {"zh": "结果", "en": "Results"}, …}}
 *
 * The table is templates/site/strings.json. A project's own file of that name is laid over the
 * shipped one: it may change words and add keys. A key without one of the languages is an error
 * that names file, line, key and language, and so is a key that somebody asks for and nobody has:
 * a page cannot have a hole in one language only.
 *
 * Templates write {{t.nav.results}}, which is put in when they are compiled
 * (renderer/templates/templates.h). Words may have places for values, {n}, which strings_fill()
 * fills in. A language that tells one from several has {n|row|rows}: the first where n is 1, else
 * the second.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/lookup.h"
#include "renderer/templates/templates.h"

/* The languages that pages are written in. */

enum page_lang { PAGE_ZH, PAGE_EN, PAGE_LANGS };

const char *page_lang_name(enum page_lang lang); /* "zh", "en" */

#define STRINGS_FILE "site/strings.json"

struct string {
    const char *key;
    const char *text[PAGE_LANGS];
};

struct strings {
    struct string *items;
    size_t n;
    struct lookup by_key;
};

/* From the folders of `templates`; those that come first win. */
int strings_load(struct strings *out, const struct templates *templates, struct arena *arena,
                 struct err *err);

/* NULL when there is no such key. */
const char *strings_get(const struct strings *s, enum page_lang lang, const char *key);

/* The text with {name} replaced by its value, for the n pairs of name and value. A place without a
 * value stays as it is. */
struct string_value {
    const char *name, *value;
};
char *strings_fill(const char *text, const struct string_value *values, size_t n,
                   struct arena *arena);

/* A table of texts among the templates, {"schema": "…", "MEMBER": {KEY: …}}.
 *
 * The shipped file is read first, then the project's own of the same name, whose entries are laid
 * over it: `add` is told of every entry in this order and decides what one is. */

struct template_table {
    const char *file; /* below a folder of templates */
    const char *schema, *member;
    int (*add)(void *to, const char *file, const struct json *entry, struct arena *arena,
               struct err *err);
};

/* A file that is not there has no entries. ERR_INPUT, with file, line and column, for one that is
 * no such table, and whatever `add` says. */
int template_table_load(const struct template_table *table, const struct templates *templates,
                        void *to, struct arena *arena, struct err *err);
