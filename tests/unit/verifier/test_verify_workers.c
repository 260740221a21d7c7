/* What is believed of a worker that somebody took over: a verdict of its own files, and no word
 * about this machine, which would stop a whole build. */
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "verifier/verify_workers.c" /* its answers are nobody else's business */

#include <sys/resource.h>

struct ground {
    struct arena arena;
    struct diags diags;
    struct project project;
    struct verdict verdict;
    struct err err;
    struct buf head, answer;
};

static void open_ground(struct ground *g)
{
    arena_init(&g->arena);
    diags_init(&g->diags, &g->arena);
    g->verdict = (struct verdict){.id = NULL};
    g->err = (struct err)ERR_INIT;
    buf_init(&g->head, WORKER_HEAD_MAX);
    buf_init(&g->answer, BUF_DEFAULT_MAX);
    project_load("tests/golden/build/records", &g->project, &g->arena, &g->diags);
}

static void close_ground(struct ground *g)
{
    buf_release(&g->head);
    buf_release(&g->answer);
    arena_release(&g->arena);
}

static bool take_answer(struct ground *g, struct job *job)
{
    const struct worker_end end = {.outcome = WORKER_ANSWERED,
                                   .place = WORKER_NOWHERE,
                                   .head = {g->head.data, g->head.len},
                                   .answer = {g->answer.data, g->answer.len}};
    struct verify_jobs x = {.project = &g->project, .jobs = job, .arena = &g->arena};
    return take_verdict(&x, job, &end);
}

/* A verdict in which the machine is said to be at fault; `noted` before, or not. */
static bool blames_the_machine(const char *noted)
{
    struct ground g;
    struct job job = {.file = "a.tar.zst", .err = &g.err};
    open_ground(&g);
    job.out = &g.verdict;
    job.result = project_result(&g.project, "acme", "toy");
    assert_non_null(job.result);
    pack_text(&g.head, noted);
    pack_number(&g.answer, 0);
    struct result none = *job.result;
    none.n_evidence = 0;
    job.result = &none;
    shape_hand_on(&verdict_shape, &(struct verdict){.machine = "I say so"}, &g.answer);
    bool taken = take_answer(&g, &job);
    close_ground(&g);
    return taken;
}

/* The same of a submission by itself, which is refused for that. */
static bool refuses_for(enum err_kind kind, const char *noted)
{
    struct ground g;
    struct job job = {.file = "a.tar.zst", .err = &g.err};
    open_ground(&g);
    job.out = &g.verdict;
    pack_text(&g.head, noted);
    pack_number(&g.answer, (uint64_t)kind);
    pack_text(&g.answer, "a.tar.zst: I say so");
    bool taken = take_answer(&g, &job) && job.rc < 0 && g.err.kind == kind;
    close_ground(&g);
    return taken;
}

static void the_machine_is_not_blamed(void **state)
{
    (void)state;
    assert_false(blames_the_machine(NULL));
    assert_true(blames_the_machine("a.tar.zst: Permission denied"));
    assert_true(refuses_for(ERR_INPUT, NULL));
    assert_false(refuses_for(ERR_IO, NULL));
    assert_true(refuses_for(ERR_IO, "a.tar.zst: Permission denied"));
}

static void look_at_nothing(const struct submission *s, struct buf *said)
{
    (void)s;
    (void)said;
}

/* A verdict with so many characters that are said beside it; SIZE_MAX: none are. */
static bool takes_what_is_said(size_t n)
{
    struct ground g;
    open_ground(&g);
    struct result none = *project_result(&g.project, "acme", "toy");
    struct job job = {.out = &g.verdict, .result = &none, .look = look_at_nothing};
    char *said = n == SIZE_MAX ? NULL : memset(arena_alloc(&g.arena, n + 1), 'a', n);
    none.n_evidence = 0;
    pack_text(&g.head, NULL);
    pack_number(&g.answer, 0);
    pack_text(&g.answer, said);
    shape_hand_on(&verdict_shape, &(struct verdict){.rules = ""}, &g.answer);
    bool taken = take_answer(&g, &job);
    if (taken)
        assert_string_equal(job.said, said);
    else
        assert_string_equal(job.said, "");
    close_ground(&g);
    return taken;
}

static void what_is_said_has_a_limit(void **state)
{
    (void)state;
    assert_true(takes_what_is_said(0));
    assert_true(takes_what_is_said(VERIFY_SAID_MAX));
    assert_false(takes_what_is_said(VERIFY_SAID_MAX + 1));
    assert_false(takes_what_is_said(SIZE_MAX));
}

/* Sums are told by the place of a file; one that is named twice has one. */
static void sums_belong_to_their_files(void **state)
{
    struct ground g;
    struct evidence evidence[] = {
        {.archive = "a"}, {.archive = "b"}, {.archive = "a"}, {.archive = "c"}};
    struct result result = {
        .vendor = "acme", .case_id = "toy", .evidence = evidence, .n_evidence = 4};
    const struct job job = {.result = &result};
    struct verdict_evidence *list;
    (void)state;
    open_ground(&g);
    const struct verify_jobs x = {.project = &g.project};
    pack_text(&g.head, NULL);
    pack_text(&g.head, "1");
    pack_text(&g.head, "");
    pack_text(&g.head, "3");
    const struct noted noted = noted_before((struct bytes){g.head.data, g.head.len});
    assert_int_equal(list_evidence(&job, &x, &noted, &g.arena, &list), 4);
    assert_string_equal(list[0].sha256, "1");
    assert_null(list[1].sha256);
    assert_string_equal(list[2].sha256, "1");
    assert_string_equal(list[3].sha256, "3");
    close_ground(&g);
}

static size_t memory_at_its_peak(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    return (size_t)used.ru_maxrss << 10;
}

/* A piece of evidence whose command has so many empty words, of four bytes each: taken, or not. */
static bool takes_words(size_t n, size_t *grown)
{
    struct ground g;
    struct row_evidence e = {.archive = "a"};
    open_ground(&g);
    shape_hand_on(&row_evidence_shape, &e, &g.answer);
    g.answer.len--; /* the end of the object */
    buf_str(&g.answer, ", \"command\": [\"\"");
    for (size_t i = 1; i < n; i++)
        buf_str(&g.answer, ", \"\"");
    buf_str(&g.answer, "]}");
    size_t before = memory_at_its_peak();
    bool taken =
        shape_take(&row_evidence_shape, (struct bytes){g.answer.data, g.answer.len}, &e, &g.arena);
    *grown = memory_at_its_peak() - before;
    close_ground(&g);
    return taken;
}

/* Twice an answer and 64 MiB is more than it may be made into, however many words it is. */
static void an_answer_takes_no_more_than_it_may(void **state)
{
    size_t grown;
    (void)state;
    assert_true(takes_words(1000, &grown));
    assert_false(takes_words(8 << 20, &grown));
    if (UNDER_ASAN)
        skip();
    assert_in_range(grown, 0, (2 * (16 << 20)) + (68 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_is_not_blamed),
        cmocka_unit_test(what_is_said_has_a_limit),
        cmocka_unit_test(sums_belong_to_their_files),
        cmocka_unit_test(an_answer_takes_no_more_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
