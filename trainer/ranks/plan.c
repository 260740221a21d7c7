#include "trainer/ranks/plan.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct axis {
    const char *name;
    size_t offset;
    int max;
} axes[] = {
    {"TP", offsetof(struct plan, tensor), 1024},
    {"CP", offsetof(struct plan, context), 1},
    {"PP", offsetof(struct plan, pipeline), 1024},
    {"DP", offsetof(struct plan, data), 1 << 16},
    {"VP", offsetof(struct plan, chunks), PLAN_CHUNKS_MAX},
};
#define AXES (sizeof axes / sizeof *axes)

static int *size_of(struct plan *p, const struct axis *a)
{
    return (int *)((char *)p + a->offset);
}

int plan_ranks(const struct plan *p)
{
    return p->tensor * p->context * p->data * p->pipeline;
}

static int check_sizes(struct plan *p, struct err *err)
{
    for (size_t i = 0; i < AXES; i++) {
        int size = *size_of(p, &axes[i]);
        if (size < 1 || size > axes[i].max)
            return err_set(err, ERR_USAGE, "%s: found %d, expected 1 to %d", axes[i].name, size,
                           axes[i].max);
    }
    if (p->chunks > 1 && p->pipeline == 1)
        return err_set(err, ERR_USAGE, "VP: found %d chunks on one stage, expected 1", p->chunks);
    return p->pipeline * p->chunks <= PLAN_STAGES_MAX
               ? 0
               : err_set(err, ERR_USAGE, "PP: found %d stages of %d chunks, expected at most %d",
                         p->pipeline, p->chunks, PLAN_STAGES_MAX);
}

int plan_complete(struct plan *p, int world, struct err *err)
{
    int data = p->data;
    for (size_t i = 0; i < AXES; i++)
        if (*size_of(p, &axes[i]) == 0)
            *size_of(p, &axes[i]) = 1;
    int model = p->tensor * p->context * p->pipeline;
    p->data = data ? data : world / (model > 0 ? model : 1);
    p->data = p->data ? p->data : 1; /* too few ranks for one model, as the product says */
    if (check_sizes(p, err) < 0)
        return -1;
    if (plan_ranks(p) == world)
        return 0;
    return err_set(err, ERR_USAGE,
                   "found %d rank%s, expected %d: tensor %d * data %d * pipeline %d", world,
                   world == 1 ? "" : "s", plan_ranks(p), p->tensor, p->data, p->pipeline);
}

struct plan_place plan_place_of(const struct plan *p, int rank)
{
    return (struct plan_place){
        .tensor = rank % p->tensor,
        .data = rank / (p->tensor * p->context) % p->data,
        .pipeline = rank / (p->tensor * p->context * p->data),
    };
}

#define SIZE_MOST (1 << 16) /* of what can be read; plan_complete() knows what can be trained */

/* What is behind the part's name, "TP", or "V" for chunks; NULL when it is another part. */
static const char *behind_name(const char *text, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(text, name, n) != 0)
        n = name[0] == 'V' && text[0] == 'V' ? 1 : 0;
    return n && text[n] >= '1' && text[n] <= '9' ? text + n : NULL;
}

/* One part; returns what is behind it, NULL when it is none. */
static const char *parse_part(const char *text, struct plan *p)
{
    for (size_t i = 0; i < AXES; i++) {
        const char *number = behind_name(text, axes[i].name);
        char *end;
        if (!number)
            continue;
        long size = strtol(number, &end, 10);
        if (*size_of(p, &axes[i]) || size > SIZE_MOST)
            return NULL;
        *size_of(p, &axes[i]) = (int)size;
        return end;
    }
    return NULL;
}

int plan_read(const char *text, struct plan *p, struct err *err)
{
    const char *at = text;
    *p = (struct plan){0};
    do
        at = parse_part(at, p);
    while (at && *at);
    if (!at)
        return err_set(err, ERR_USAGE,
                       "found '%.40s', expected a plan as TP4PP8DP1: TP, PP, DP, CP and V (chunks) "
                       "with a size each, in any order",
                       text);
    p->data = p->data ? p->data : 1;
    return 0;
}

void plan_text(const struct plan *p, char text[PLAN_TEXT])
{
    int n = snprintf(text, PLAN_TEXT, "TP%dPP%dDP%d", p->tensor, p->pipeline, p->data);
    if (p->chunks > 1)
        snprintf(text + n, (size_t)(PLAN_TEXT - n), "VP%d", p->chunks);
}
