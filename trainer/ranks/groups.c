#include "trainer/ranks/groups.h"

/* A comm of the ranks that name the same colour; none where the axis has one. */
static int split(struct groups *g, int size, int colour, struct comm **out, struct err *err)
{
    if (size == 1)
        return 0;
    if (!g->world->operations->split)
        return err_set(err, ERR_USAGE,
                       "found ranks that cannot be divided into groups, expected tensor and "
                       "pipeline 1");
    if (g->world->operations->split(g->world, colour, out, err) < 0)
        return -1;
    if (*out)
        g->owned[g->n_owned++] = *out;
    return 0;
}

/* Ranks of one column differ in their stage only. */
static int column(const struct groups *g)
{
    return g->place.data * g->plan.tensor + g->place.tensor;
}

static int open_data(struct groups *g, struct err *err)
{
    const struct plan *p = &g->plan;
    if (p->data == g->world->world) {
        g->data = g->world;
        return 0;
    }
    if (p->data == 1) {
        if (comm_self_open(&g->data, g->world->device, err) < 0)
            return -1;
        g->owned[g->n_owned++] = g->data;
        return 0;
    }
    return split(g, p->data, g->place.pipeline * p->tensor + g->place.tensor, &g->data, err);
}

static int open_tensor(struct groups *g, int copies, struct err *err)
{
    const struct plan *p = &g->plan;
    int row = g->place.pipeline * p->data + g->place.data;
    if (split(g, p->tensor, row, &g->tensor, err) < 0)
        return -1;
    if (copies == p->tensor) /* sums over all of them have the tensor's */
        return 0;
    return split(g, copies, row * p->tensor + g->place.tensor / copies, &g->copies, err);
}

/* Between stage `from` and the next; the last one's next is the first. */
static int open_link(struct groups *g, int from, struct err *err)
{
    int p = g->plan.pipeline, to = (from + 1) % p, at = g->place.pipeline;
    int colour = at == from || at == to ? column(g) : -1;
    struct comm *forth = NULL, *back = NULL;
    if (split(g, p, colour, &forth, err) < 0 || split(g, p, colour, &back, err) < 0)
        return -1;
    if (at == from) {
        g->activations.out = forth;
        g->gradients.in = back;
    } else if (at == to) {
        g->activations.in = forth;
        g->gradients.out = back;
    }
    return 0;
}

/* Chunks go round. */
static int open_links(struct groups *g, struct err *err)
{
    const struct plan *p = &g->plan;
    int links = p->chunks > 1 ? p->pipeline : p->pipeline - 1;
    for (int from = 0; from < links; from++)
        if (open_link(g, from, err) < 0)
            return -1;
    return 0;
}

static int open_ends(struct groups *g, bool tied, struct err *err)
{
    int at = g->place.pipeline, last = g->plan.pipeline - 1;
    return tied ? split(g, g->plan.pipeline, at == 0 || at == last ? column(g) : -1, &g->ends, err)
                : 0;
}

int groups_open(struct groups *g, const struct plan *plan, int copies, bool tied,
                struct comm *world, struct err *err)
{
    *g = (struct groups){.plan = *plan, .world = world};
    if (plan_complete(&g->plan, world->world, err) < 0)
        return -1;
    g->place = plan_place_of(&g->plan, world->rank);
    if (open_data(g, err) < 0 || open_tensor(g, copies, err) < 0 || open_links(g, err) < 0 ||
        open_ends(g, tied, err) < 0) {
        groups_close(g);
        return err_prefix(err, "groups of ranks");
    }
    return 0;
}

void groups_abandon(const struct groups *g)
{
    for (size_t i = g->n_owned; i-- > 0;)
        comm_abandon(g->owned[i]);
}

void groups_close(struct groups *g)
{
    for (size_t i = 0; i < g->n_owned; i++)
        comm_close(g->owned[i]);
    *g = (struct groups){.world = NULL};
}
