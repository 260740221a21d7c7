/*
 * view: what a template sees, a tree of named values.
 *
 * A view is text, raw text, a flag, a list or an object. There are no numbers: figures arrive as
 * the text that is to be shown. Raw text is written in the language of the page already (HTML
 * made by base/markdown/markdown.h or renderer/charts/chart.h in an HTML template) and is not
 * escaped.
 *
 *     struct view *page = view_object(arena);
 *     view_set_text(page, "title", title);
 *     struct view *rows = view_set_list(page, "rows");
 *     for (...) {
 *         struct view *row = view_push_object(rows);
 *         view_set_printf(row, "line", "%d", line);
 *     }
 *
 * Everything lives in the arena of the view that it is put into; texts are copied, keys are
 * borrowed. A subtree may be put in several places (view_set, view_push), as long as no view is put
 * into itself. To set a key again replaces its value. Setting on what is not an object, or pushing
 * to what is not a list, is a broken invariant and ends the process.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum view_kind { VIEW_TEXT, VIEW_RAW, VIEW_FLAG, VIEW_LIST, VIEW_OBJECT };

struct view_member;

struct view {
    enum view_kind kind;
    const char *text;            /* text and raw: the characters; flag: "true" or "false" */
    bool flag;                   /* flags only */
    const struct view **items;   /* lists only */
    struct view_member *members; /* objects only, in the order of their first setting */
    size_t n;                    /* of items or members */
    uint64_t has;                /* objects only: a bit for the hash of each key */
    uint32_t *first;             /* objects of many members: by that bit, a member's place + 1 */
    struct arena *arena;         /* borrowed */
};

/* The name of a member, as it is looked for. */
struct view_key {
    const char *name;
    uint32_t hash;
};

struct view_member {
    struct view_key key;
    uint32_t next; /* of the same bit, by its place + 1; 0: none */
    const struct view *value;
};

struct view *view_object(struct arena *arena);

void view_set(struct view *object, const char *name, const struct view *value);
void view_set_text(struct view *object, const char *key, const char *text); /* NULL: "" */
void view_set_raw(struct view *object, const char *key, const char *raw);   /* NULL: "" */
void view_set_flag(struct view *object, const char *key, bool flag);
void view_set_printf(struct view *object, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
struct view *view_set_object(struct view *object, const char *key); /* new and empty */
struct view *view_set_list(struct view *object, const char *key);   /* new and empty */

void view_push(struct view *list, const struct view *value);
struct view *view_push_object(struct view *list); /* new and empty */

/* The value of a key, or NULL if it is not there or `object` is NULL or not an object. */
const struct view *view_get(const struct view *object, const char *key);

/* The same for who asks many objects. */
struct view_key view_key(const char *name);
const struct view *view_get_key(const struct view *object, const struct view_key *key);

/* What a section asks: false for NULL, a false flag, empty text and an empty list. */
bool view_is_true(const struct view *view);
