/* Work that one worker is given, and what came of it: for tests of workers and their sandbox. */
#pragma once

#include "base/process/worker.h"

#include <stdio.h>

/* What one worker is to do, and what came of it. */
struct task {
    void (*read)(struct worker *w);
    void (*work)(struct worker *w);
    int again; /* how often it is asked once more */
    int taken;
    enum worker_outcome outcome;
    char why[256], answer[256], head[64];
    size_t place;
};

static void read_task(void *context, size_t i, struct worker *w)
{
    struct task *t = (struct task *)context + i;
    if (t->read)
        t->read(w);
}

static void work_task(void *context, size_t i, struct worker *w)
{
    ((struct task *)context)[i].work(w);
}

static void copy(char *to, size_t room, struct bytes from)
{
    snprintf(to, room, "%.*s", (int)from.len, from.data ? from.data : "");
}

static bool take_task(void *context, size_t i, const struct worker_end *end)
{
    struct task *t = (struct task *)context + i;
    t->taken++;
    t->outcome = end->outcome;
    t->place = end->place;
    snprintf(t->why, sizeof t->why, "%s", end->why ? end->why : "");
    copy(t->answer, sizeof t->answer, end->answer);
    copy(t->head, sizeof t->head, end->head);
    return t->again-- > 0;
}

static void run_tasks(struct task *tasks, size_t n)
{
    const struct worker_crew crew = {.context = tasks,
                                     .read = read_task,
                                     .work = work_task,
                                     .take = take_task,
                                     .still_seconds = 2};
    worker_each(&crew, n);
}

static inline struct task run_task(void (*work)(struct worker *w))
{
    struct task t = {.work = work};
    run_tasks(&t, 1);
    return t;
}
