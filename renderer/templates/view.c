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
    view->text = arena_strdup(arena, text ? text : "");
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

struct view *view_list(struct arena *arena)
{
    return view_new(arena, VIEW_LIST);
}

static struct view_member *member_find(const struct view *object, const char *key)
{
    for (size_t i = 0; i < object->n; i++)
        if (*object->members[i].key == *key && strcmp(object->members[i].key, key) == 0)
            return &object->members[i];
    return NULL;
}

void view_set(struct view *object, const char *key, const struct view *value)
{
    require(object, VIEW_OBJECT, "a key is set on what is not an object");
    struct view_member *member = member_find(object, key);
    if (!member) {
        member = ARENA_PUSH(object->arena, object->members, object->n);
        member->key = arena_strdup(object->arena, key);
    }
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
    struct view *view = text_new(object->arena, VIEW_FLAG, flag ? "true" : "false");
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
    struct view *list = view_list(object->arena);
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

const struct view *view_get(const struct view *object, const char *key)
{
    if (!object || object->kind != VIEW_OBJECT)
        return NULL;
    const struct view_member *member = member_find(object, key);
    return member ? member->value : NULL;
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
