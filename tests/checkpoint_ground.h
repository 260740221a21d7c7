/*
 * checkpoint_ground: what tests of checkpoints and of weights in files stand on: a training of
 * twenty steps, an observer that keeps what it sees, and what a folder holds.
 */
#pragma once

#include "base/files/dir.h"
#include "tests/unit/folder.h"

#include "tests/small_training.h"
#include "tests/train_cpu.h"

#include <stdio.h>
#include <string.h>

static const struct training small = {
    SMALL_TRAINING,
    .layers = 2,
    .hidden = 32,
    .ffn = 48,
    .sequence_length = 16,
    .micro_batch = 2,
    .gradient_accumulation = 2,
    .steps = 20,
    .warmup_steps = 2,
    .lr = 3e-3,
    .min_lr = 3e-4,
    .seed = 18446744073709551615u,
};

struct seen {
    int stop_after, resumed, first_saved, saved, steps;
    double loss[21];
    char weights[65], path[256], initial[65], went_on[65];
};

static inline int see_start(void *context, const struct train_start *start)
{
    struct seen *s = context;
    s->resumed = start->resumed;
    snprintf(s->initial, sizeof s->initial, "%s",
             start->initial_sha256 ? start->initial_sha256 : "");
    snprintf(s->went_on, sizeof s->went_on, "%s",
             start->resumed_sha256 ? start->resumed_sha256 : "");
    return 0;
}

static inline int see_step(void *context, const struct train_step *step)
{
    struct seen *s = context;
    s->loss[step->step] = step->loss;
    return step->step == s->stop_after;
}

static inline void see_saved(void *context, const struct train_saved *saved)
{
    struct seen *s = context;
    if (!s->first_saved)
        s->first_saved = saved->step;
    s->saved = saved->step;
    assert_true(file_exists(saved->path));
    assert_true(saved->bytes > 0 && saved->seconds > 0);
    snprintf(s->path, sizeof s->path, "%s", saved->path);
}

static inline void see_end(void *context, const struct train_end *end)
{
    struct seen *s = context;
    s->steps = end->steps;
    snprintf(s->weights, sizeof s->weights, "%s", end->weights_sha256);
}

static inline int train(const struct training *t, struct seen *seen, struct err *err)
{
    const struct train_observer observer = {.context = seen,
                                            .started = see_start,
                                            .stepped = see_step,
                                            .ended = see_end,
                                            .saved = see_saved};
    return train_on_cpu(t, &observer, err);
}

static inline void trains(const struct training *t, struct seen *seen)
{
    struct err err = ERR_INIT;
    if (train(t, seen, &err) < 0)
        fail_msg("%s", err.text);
}

static inline void refuses(const struct training *t, enum err_kind kind, const char *message)
{
    struct err err = ERR_INIT;
    struct seen seen = {0};
    assert_int_equal(train(t, &seen, &err), -1);
    if (!strstr(err.text, message) || err.kind != kind)
        fail_msg("%d: %s\n    expected %d: %s", err.kind, err.text, kind, message);
    assert_int_equal(seen.steps, 0);
}

static inline size_t count_in(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    assert_int_equal(dir_list(path, &arena, &entries, &n, &err), 0);
    arena_release(&arena);
    return n;
}
