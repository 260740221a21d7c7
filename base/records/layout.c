#include "base/records/layout.h"

#include "base/arena.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct size_name {
    const char *key, *label;
} names[LAYOUT_SIZES] = {
    [LAYOUT_RANKS] = {"ranks", "number of ranks"},
    [LAYOUT_NODES] = {"nodes", "number of machines"},
    [LAYOUT_CARDS] = {"cards", "number of cards"},
    [LAYOUT_TENSOR] = {"tensor", "tensor-parallel ranks"},
    [LAYOUT_PIPELINE] = {"pipeline", "pipeline stages"},
    [LAYOUT_CONTEXT] = {"context", "context-parallel ranks"},
    [LAYOUT_CHUNKS] = {"chunks", "chunks of a stage"},
    [LAYOUT_DATA] = {"data", "data-parallel ranks"},
};

static long long one_at_least(long long size)
{
    return size > 0 ? size : 1;
}

static long long model_ranks(const struct layout_source *s)
{
    return one_at_least(s->size[LAYOUT_TENSOR]) * one_at_least(s->size[LAYOUT_PIPELINE]) *
           one_at_least(s->size[LAYOUT_CONTEXT]);
}

static bool divides_model(const struct layout_source *s)
{
    return s->size[LAYOUT_TENSOR] || s->size[LAYOUT_PIPELINE];
}

void layout_add(struct layout *l, const struct layout_source *source, struct arena *arena)
{
    struct layout_source s = *source;
    bool says = false;
    for (size_t i = 0; i < LAYOUT_SIZES; i++) {
        if (s.size[i] < 0 || s.size[i] > LAYOUT_SIZE_MAX)
            s.size[i] = 0;
        says = says || s.size[i];
    }
    if (!says || l->n >= LAYOUT_SOURCES_MAX)
        return;
    if (!s.size[LAYOUT_RANKS] && divides_model(&s) && s.size[LAYOUT_DATA])
        s.size[LAYOUT_RANKS] = model_ranks(&s) * s.size[LAYOUT_DATA];
    *(struct layout_source *)ARENA_PUSH(arena, l->items, l->n) = s;
}

static const struct layout_source *first_with(const struct layout *l, enum layout_size size)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i].size[size])
            return &l->items[i];
    return NULL;
}

void layout_resolve(const struct layout *l, long long ranks_per_card, struct layout_source *out)
{
    long long each = one_at_least(ranks_per_card), *size = out->size;
    *out = (struct layout_source){0};
    for (size_t i = 0; i < LAYOUT_SIZES; i++) {
        const struct layout_source *s = first_with(l, i);
        size[i] = s ? s->size[i] : 0;
    }
    if (!size[LAYOUT_RANKS] && size[LAYOUT_CARDS])
        size[LAYOUT_RANKS] = size[LAYOUT_CARDS] * each;
    if (!size[LAYOUT_RANKS] && size[LAYOUT_DATA])
        size[LAYOUT_RANKS] = model_ranks(out) * size[LAYOUT_DATA];
    if (!size[LAYOUT_CARDS])
        size[LAYOUT_CARDS] = (size[LAYOUT_RANKS] + each - 1) / each;
    if (!size[LAYOUT_DATA] && size[LAYOUT_RANKS] % model_ranks(out) == 0)
        size[LAYOUT_DATA] = size[LAYOUT_RANKS] / model_ranks(out);
}

bool layout_has_plan(const struct layout_source *resolved)
{
    return resolved->size[LAYOUT_RANKS] && divides_model(resolved) && resolved->size[LAYOUT_DATA];
}

const char *layout_plan_text(const struct layout_source *resolved, struct arena *arena)
{
    const long long *size = resolved->size;
    long long context = one_at_least(size[LAYOUT_CONTEXT]);
    const char *more = context > 1 ? arena_printf(arena, "CP%lld", context) : "";
    const char *chunks =
        size[LAYOUT_CHUNKS] > 1 ? arena_printf(arena, "VP%lld", size[LAYOUT_CHUNKS]) : "";
    return arena_printf(arena, "TP%lldPP%lldDP%lld%s%s", one_at_least(size[LAYOUT_TENSOR]),
                        one_at_least(size[LAYOUT_PIPELINE]), one_at_least(size[LAYOUT_DATA]), more,
                        chunks);
}

/* What each says of one size, when two of them differ; NULL. */
static const char *differing(const struct layout *l, enum layout_size size, struct arena *arena)
{
    const struct layout_source *first = first_with(l, size);
    struct buf list = BUF_INIT(BUF_DEFAULT_MAX);
    bool differ = false;
    if (!first)
        return NULL;
    for (size_t i = 0; i < l->n; i++) {
        const struct layout_source *s = &l->items[i];
        if (!s->size[size])
            continue;
        differ = differ || s->size[size] != first->size[size];
        buf_printf(&list, "%s %s says %lld", list.len ? "," : ":", s->name, s->size[size]);
    }
    const char *text = arena_strndup(arena, list.len ? list.data : "", list.len);
    buf_release(&list);
    return differ ? arena_printf(arena, "%s%s", names[size].label, text) : NULL;
}

/* Each source may be right, and what they say together wrong. */
static const char *odd_product(const struct layout *l, struct arena *arena)
{
    struct layout_source all;
    layout_resolve(l, 1, &all);
    long long ranks = all.size[LAYOUT_RANKS];
    if (!divides_model(&all) || !all.size[LAYOUT_DATA] ||
        model_ranks(&all) * all.size[LAYOUT_DATA] == ranks)
        return NULL;
    return arena_printf(arena, "number of ranks: found %lld, and the plan %s has %lld", ranks,
                        layout_plan_text(&all, arena), model_ranks(&all) * all.size[LAYOUT_DATA]);
}

const char *layout_contradiction(const struct layout *l, size_t *i, struct arena *arena)
{
    while (*i < LAYOUT_SIZES) {
        const char *text = differing(l, (*i)++, arena);
        if (text)
            return text;
    }
    return (*i)++ == LAYOUT_SIZES ? odd_product(l, arena) : NULL;
}

void layout_write(const struct layout *l, const char *key, struct json_writer *w)
{
    json_begin_array(w, key);
    for (size_t i = 0; i < l->n; i++) {
        json_begin_object_flat(w, NULL);
        json_string(w, "source", l->items[i].name);
        for (size_t k = 0; k < LAYOUT_SIZES; k++)
            if (l->items[i].size[k])
                json_integer(w, names[k].key, l->items[i].size[k]);
        json_end_object(w);
    }
    json_end_array(w);
}

bool layout_read(const struct json *list, struct arena *arena, struct layout *out)
{
    *out = (struct layout){0};
    if (!list || list->kind != JSON_ARRAY)
        return false;
    for (const struct json *at = list->child; at; at = at->next) {
        struct layout_source s = {.name = json_get_text(at, "source", NULL)};
        for (size_t k = 0; k < LAYOUT_SIZES; k++) {
            const struct json *size = json_get(at, names[k].key);
            if (size && size->kind == JSON_NUMBER && size->number >= 1 &&
                size->number <= LAYOUT_SIZE_MAX && size->number == floor(size->number))
                s.size[k] = (long long)size->number;
        }
        if (s.name)
            layout_add(out, &s, arena);
    }
    return true;
}
