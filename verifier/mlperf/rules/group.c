#include "verifier/mlperf/rules/group.h"

#include <math.h>

/* One group while it is gathered. */
struct gathered {
    struct mllog_value by;
    double time_ms;     /* the latest */
    uint32_t at;        /* of its first member */
    size_t first, last; /* of its members */
};

struct group_member {
    const char *field; /* a member of JSON: "FID": 88.1 */
    size_t next;       /* of the same group, 1 + its place; 0 */
};

struct gathering {
    const struct mlperf_group *group;
    struct arena *arena;
    struct gathered *groups;
    size_t n;
    struct group_member *members;
    size_t n_members;
    size_t *slots; /* of groups, by their value; 1 + place */
    size_t n_slots;
};

static uint32_t hash_group_value(const struct mllog_value *v)
{
    uint32_t h = 2166136261U;
    struct span bytes = v->json;
    double number = v->number + 0.0; /* -0 is 0 */
    if (mllog_is_number(v))
        bytes = (struct span){(const char *)&number, sizeof number};
    for (size_t i = 0; i < bytes.n; i++)
        h = (h ^ (unsigned char)bytes.p[i]) * 16777619U;
    return h ^ (h >> 15);
}

static size_t *slot_of_group(struct gathering *g, const struct mllog_value *by)
{
    size_t at = hash_group_value(by) & (g->n_slots - 1);
    while (g->slots[at] && !mllog_same(&g->groups[g->slots[at] - 1].by, by))
        at = (at + 1) & (g->n_slots - 1);
    return &g->slots[at];
}

static struct gathered *group_of_value(struct gathering *g, const struct mllog_value *by)
{
    if (2 * (g->n + 1) > g->n_slots) {
        g->n_slots = g->n_slots ? 2 * g->n_slots : 64;
        g->slots = arena_array(g->arena, g->n_slots, sizeof *g->slots);
        for (size_t i = 0; i < g->n; i++)
            *slot_of_group(g, &g->groups[i].by) = i + 1;
    }
    size_t *slot = slot_of_group(g, by);
    if (*slot)
        return &g->groups[*slot - 1];
    struct gathered *made = ARENA_PUSH(g->arena, g->groups, g->n);
    *made = (struct gathered){.by = *by, .time_ms = -INFINITY};
    *slot = g->n;
    return made;
}

static void gather_record(struct gathering *g, const struct mllog_record *record)
{
    struct mllog_value by = mlperf_path_value(&g->group->by, record);
    struct mllog_value name = mlperf_path_value(&g->group->field_name, record);
    struct mllog_value value = mlperf_path_value(&g->group->field_value, record);
    if (by.kind == MLLOG_MISSING || name.kind != MLLOG_TEXT || value.kind == MLLOG_MISSING)
        return;
    struct gathered *to = group_of_value(g, &by);
    struct group_member *member = ARENA_PUSH(g->arena, g->members, g->n_members);
    member->field = arena_printf(g->arena, "%.*s: %.*s", (int)name.json.n, name.json.p,
                                 (int)value.json.n, value.json.p);
    if (to->first)
        g->members[to->last - 1].next = g->n_members;
    else {
        to->first = g->n_members;
        to->at = record->at;
    }
    to->last = g->n_members;
    if (record->time_ms > to->time_ms)
        to->time_ms = record->time_ms;
}

static void finish_group(struct gathering *g, const struct gathered *from, struct mllog_record *out)
{
    const char *last = g->group->by.n ? g->group->by.parts[g->group->by.n - 1] : "by";
    struct buf value = BUF_INIT(MLLOG_BYTES_MAX);
    buf_printf(&value, "{\"%s\": %.*s", last, (int)from->by.json.n, from->by.json.p);
    for (size_t i = from->first; i; i = g->members[i - 1].next)
        buf_printf(&value, ", %s", g->members[i - 1].field);
    buf_char(&value, '}');
    *out =
        (struct mllog_record){.time_ms = from->time_ms,
                              .name = g->group->as,
                              .at = from->at,
                              .key = SPAN("\"\""),
                              .value = {arena_strndup(g->arena, value.data, value.len), value.len},
                              .metadata = SPAN("{}")};
    buf_release(&value);
}

struct mllog_record *mlperf_group_make(const struct mlperf_group *group, const struct mllog *log,
                                       struct mlperf_scope *scope, struct arena *arena, size_t *n)
{
    struct gathering g = {.group = group, .arena = arena};
    for (size_t i = 0; i < log->n; i++) {
        const struct mllog_record *r = &log->records[i];
        if (r->name == group->from &&
            mlperf_predicate_holds(&group->where, r, scope) == PREDICATE_HOLDS)
            gather_record(&g, r);
    }
    struct mllog_record *made = arena_array(arena, g.n, sizeof *made);
    for (size_t i = 0; i < g.n; i++)
        finish_group(&g, &g.groups[i], &made[i]);
    *n = g.n;
    return made;
}
