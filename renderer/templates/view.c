#include "renderer/templates/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct view *view_new(struct arena *arena, enum view_kind kind)
{
    struct view *view = arena_alloc(arena, sizeof *view);
    view->kind = kind;
    view->arena = arena;
    return view;
}

static struct view *text_new(struct arena *arena, enum view_kind kind, const char *text)
{
    struct view *view = view_new(arena, kind);
    view->text = text && *text ? arena_strdup(arena, text) : "";
    return view;
}

static void require(const struct view *view, enum view_kind kind, const char *what)
{
    if (view->kind == kind)
        return;
    fprintf(stderr, "fpreport: fatal: view: %s\n", what);
    abort();
}

struct view *view_object(struct arena *arena)
{
    return view_new(arena, VIEW_OBJECT);
}

struct view_key view_key(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return (struct view_key){name, hash};
}

#define BITS 64
#define MANY 12

static uint32_t bit_of(const struct view_key *key)
{
    return key->hash >> 26;
}

static bool is_member(const struct view_member *member, const struct view_key *key)
{
    return member->key.hash == key->hash && strcmp(member->key.name, key->name) == 0;
}

static struct view_member *member_find(const struct view *object, const struct view_key *key)
{
    if (!(object->has >> bit_of(key) & 1))
        return NULL;
    if (object->first) {
        for (uint32_t i = object->first[bit_of(key)]; i; i = object->members[i - 1].next)
            if (is_member(&object->members[i - 1], key))
                return &object->members[i - 1];
        return NULL;
    }
    for (size_t i = 0; i < object->n; i++)
        if (is_member(&object->members[i], key))
            return &object->members[i];
    return NULL;
}

static void chain_members(struct view *object, size_t from)
{
    for (size_t i = from; i < object->n; i++) {
        uint32_t *first = &object->first[bit_of(&object->members[i].key)];
        object->members[i].next = *first;
        *first = (uint32_t)(i + 1);
    }
}

static struct view_member *member_add(struct view *object, struct view_key key)
{
    struct view_member *member = ARENA_PUSH(object->arena, object->members, object->n);
    member->key = key;
    object->has |= (uint64_t)1 << bit_of(&key);
    bool many = object->n == MANY;
    if (many)
        object->first = arena_array(object->arena, BITS, sizeof *object->first);
    if (object->first)
        chain_members(object, many ? 0 : object->n - 1);
    return member;
}

void view_set(struct view *object, const char *name, const struct view *value)
{
    const struct view_key key = view_key(name);
    require(object, VIEW_OBJECT, "a key is set on what is not an object");
    struct view_member *member = member_find(object, &key);
    if (!member)
        member = member_add(object, key);
    member->value = value;
}

void view_set_text(struct view *object, const char *key, const char *text)
{
    view_set(object, key, text_new(object->arena, VIEW_TEXT, text));
}

void view_set_raw(struct view *object, const char *key, const char *raw)
{
    view_set(object, key, text_new(object->arena, VIEW_RAW, raw));
}

void view_set_flag(struct view *object, const char *key, bool flag)
{
    struct view *view = view_new(object->arena, VIEW_FLAG);
    view->text = flag ? "true" : "false";
    view->flag = flag;
    view_set(object, key, view);
}

void view_set_printf(struct view *object, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    view_set_text(object, key, arena_vprintf(object->arena, fmt, ap));
    va_end(ap);
}

struct view *view_set_object(struct view *object, const char *key)
{
    struct view *inner = view_object(object->arena);
    view_set(object, key, inner);
    return inner;
}

struct view *view_set_list(struct view *object, const char *key)
{
    struct view *list = view_new(object->arena, VIEW_LIST);
    view_set(object, key, list);
    return list;
}

void view_push(struct view *list, const struct view *value)
{
    require(list, VIEW_LIST, "an item is pushed to what is not a list");
    *(const struct view **)ARENA_PUSH(list->arena, list->items, list->n) = value;
}

struct view *view_push_object(struct view *list)
{
    struct view *object = view_object(list->arena);
    view_push(list, object);
    return object;
}

const struct view *view_get_key(const struct view *object, const struct view_key *key)
{
    if (!object || object->kind != VIEW_OBJECT)
        return NULL;
    const struct view_member *member = member_find(object, key);
    return member ? member->value : NULL;
}

const struct view *view_get(const struct view *object, const char *name)
{
    const struct view_key key = view_key(name);
    return view_get_key(object, &key);
}

bool view_is_true(const struct view *view)
{
    if (!view)
        return false;
    switch (view->kind) {
    case VIEW_TEXT:
    case VIEW_RAW:
        return *view->text;
    case VIEW_FLAG:
        return view->flag;
    case VIEW_LIST:
        return view->n > 0;
    case VIEW_OBJECT:
        return true;
    }
    return false;
}
