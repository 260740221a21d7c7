/*
 * Lists of passes, run against a clock: every stage in turn, a forward pass of a chunk takes 1 /
 * chunks, a backward one twice that, and messages nothing. A stage begins a pass only when there is
 * a place for what it sends: of those (one, or two where it has several chunks) the one that was
 * used longest ago, which the receiver has begun to take.
 *
 *     test_trainer_pipeline print P M V      prints them as ../shared/peers/schedule_sim.py does
 */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "trainer/model/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGES 8
#define CHUNKS 4
#define MICRO_BATCHES 32
#define PASSES (2 * MICRO_BATCHES * CHUNKS)

struct simulation {
    struct pipeline of;
    struct pipeline_pass passes[STAGES][PASSES];
    int at[STAGES], held[STAGES], most[STAGES];
    double free[STAGES];
    /* when each pass of each chunk of the whole model ended; below 0: it has not begun */
    double ended[2][STAGES * CHUNKS][MICRO_BATCHES];
};

static double *end_of(struct simulation *s, bool backward, int number, int micro_batch)
{
    return &s->ended[backward][number][micro_batch];
}

/* When what the next pass of a stage needs is there; below 0: it is not yet. */
static double ready(struct simulation *s, int stage)
{
    const struct pipeline_pass *p = &s->passes[stage][s->at[stage]];
    int last = s->of.stages * s->of.chunks - 1, number = p->chunk * s->of.stages + stage;
    double when = s->free[stage];
    const double *needs[3] = {NULL, NULL, NULL};
    if (!p->backward && number > 0)
        needs[0] = end_of(s, false, number - 1, p->micro_batch);
    if (p->backward)
        needs[0] = end_of(s, false, number, p->micro_batch);
    if (p->backward && number < last)
        needs[1] = end_of(s, true, number + 1, p->micro_batch);
    for (int i = 0; i < 3; i++)
        if (needs[i])
            when = *needs[i] < 0 || when < 0 ? -1 : fmax(when, *needs[i]);
    return when;
}

/* Has what was sent from the next place been taken? */
static bool place_is_free(struct simulation *s, int stage)
{
    const struct pipeline_pass *p = &s->passes[stage][s->at[stage]];
    int last = s->of.stages * s->of.chunks - 1, others = s->of.chunks > 1;
    for (int i = s->at[stage] - 1; i >= 0; i--) {
        const struct pipeline_pass *q = &s->passes[stage][i];
        int number = q->chunk * s->of.stages + stage, to = number + (q->backward ? -1 : 1);
        if (q->backward != p->backward || to < 0 || to > last || others-- > 0)
            continue;
        return *end_of(s, q->backward, to, q->micro_batch) >= 0;
    }
    return true;
}

static bool step(struct simulation *s, int stage)
{
    const struct pipeline_pass *p = &s->passes[stage][s->at[stage]];
    double begin = ready(s, stage);
    if (begin < 0 || !place_is_free(s, stage))
        return false;
    double length = (p->backward ? 2.0 : 1.0) / s->of.chunks;
    s->free[stage] = begin + length;
    *end_of(s, p->backward, p->chunk * s->of.stages + stage, p->micro_batch) = s->free[stage];
    s->held[stage] += p->backward ? -1 : 1;
    s->most[stage] = s->held[stage] > s->most[stage] ? s->held[stage] : s->most[stage];
    s->at[stage]++;
    return true;
}

/* Returns when the last pass ended; fails where stages wait for each other. */
static double simulate(struct simulation *s, const struct pipeline *of)
{
    int n = 2 * of->micro_batches * of->chunks, done = 0;
    double end = 0;
    *s = (struct simulation){.of = *of};
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < STAGES * CHUNKS; k++)
            for (int i = 0; i < MICRO_BATCHES; i++)
                s->ended[b][k][i] = -1;
    for (int r = 0; r < of->stages; r++)
        pipeline_order(of, r, s->passes[r]);
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < of->stages; r++)
            while (s->at[r] < n && step(s, r)) {
                moved = true;
                done++;
            }
    }
    if (done != n * of->stages)
        fail_msg("p %d m %d v %d: stages wait for each other", of->stages, of->micro_batches,
                 of->chunks);
    for (int r = 0; r < of->stages; r++)
        end = fmax(end, s->free[r]);
    return end;
}

static bool exists(const struct pipeline *p)
{
    return p->chunks == 1 || (p->stages > 1 && p->micro_batches % p->stages == 0);
}

/* Each pass once, as many micro-batches under way as the memory is planned for, and the idle share
 * of the formula. */
static void schedules_end_in_time(void **state)
{
    (void)state;
    struct simulation *s = memory_alloc(sizeof *s);
    struct pipeline p;
    for (p.stages = 1; p.stages <= STAGES; p.stages++)
        for (p.chunks = 1; p.chunks <= CHUNKS; p.chunks++)
            for (p.micro_batches = 1; p.micro_batches <= MICRO_BATCHES; p.micro_batches++) {
                int m = p.micro_batches;
                if (!exists(&p))
                    continue;
                double idle = simulate(s, &p) / (3.0 * m) - 1;
                for (int r = 0; r < p.stages && p.chunks == 1; r++)
                    assert_int_equal(s->most[r], p.stages - r < m ? p.stages - r : m);
                if (m >= p.stages)
                    assert_float_equal(idle, (p.stages - 1.0) / (p.chunks * m), 1e-12);
            }
    free(s);
}

/* In a chunk, passes of either kind come in the order of micro-batches, and no two that are under
 * way have one slot; behind the head's forward pass its backward pass comes at once. */
static void slots_are_enough(void **state)
{
    (void)state;
    struct simulation *s = memory_alloc(sizeof *s);
    const struct pipeline p = {4, 3, 24};
    int slots[CHUNKS];
    for (int stage = 0; stage < p.stages; stage++) {
        int begun[CHUNKS] = {0}, done[CHUNKS] = {0}, sum = 0;
        pipeline_under_way(&p, stage, slots);
        pipeline_order(&p, stage, s->passes[stage]);
        for (int i = 0; i < 2 * 24 * 3; i++) {
            const struct pipeline_pass *q = &s->passes[stage][i];
            int *count = q->backward ? done : begun;
            assert_int_equal(q->micro_batch, count[q->chunk]++);
            assert_true(begun[q->chunk] - done[q->chunk] <= slots[q->chunk]);
            if (!q->backward && stage == 3 && q->chunk == 2)
                assert_true(q[1].backward && q[1].chunk == 2 && q[1].micro_batch == q->micro_batch);
        }
        for (int c = 0; c < p.chunks; c++)
            sum += slots[c];
        assert_true(sum >= 8 - 2 * stage && sum <= 24);
    }
    free(s);
}

static void what_has_no_schedule_is_refused(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    assert_int_equal(pipeline_check(&(struct pipeline){8, 1, 44}, &err), 0);
    assert_int_equal(pipeline_check(&(struct pipeline){4, 2, 44}, &err), 0);
    assert_int_equal(pipeline_check(&(struct pipeline){8, 2, 44}, &err), -1);
    assert_string_equal(err.text, "gradient_accumulation: found 44 for 2 chunks on each of 8 "
                                  "stages, expected a multiple of the stages");
}

static int print(const char *const argv[])
{
    static struct pipeline_pass passes[1 << 16];
    const struct pipeline p = {atoi(argv[0]), atoi(argv[2]), atoi(argv[1])};
    for (int r = 0; r < p.stages; r++) {
        pipeline_order(&p, r, passes);
        printf("%d", r);
        for (int i = 0; i < 2 * p.micro_batches * p.chunks; i++)
            printf(" %c%d.%d", passes[i].backward ? 'B' : 'F', passes[i].micro_batch,
                   passes[i].chunk);
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_end_in_time),
        cmocka_unit_test(slots_are_enough),
        cmocka_unit_test(what_has_no_schedule_is_refused),
    };
    if (argc == 5 && strcmp(argv[1], "print") == 0)
        return print((const char *const *)argv + 2);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
