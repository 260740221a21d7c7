/* Workers: what comes back, what does not, and that nothing gets out of the sandbox. */
#include "tests/unit/unit.h"

#include "base/pack.h"
#include "tests/worker_task.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void note(struct worker *w)
{
    buf_str(&w->head, "noted");
}

static void answer(struct worker *w)
{
    worker_at(w, 3);
    worker_at(w, 7);
    buf_str(&w->answer, "answered");
}

static void answers_come_back(void **state)
{
    struct task tasks[100];
    (void)state;
    for (size_t i = 0; i < 100; i++)
        tasks[i] = (struct task){.read = note, .work = answer, .again = i == 50};
    run_tasks(tasks, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(tasks[i].outcome, WORKER_ANSWERED);
        assert_string_equal(tasks[i].head, "noted");
        assert_string_equal(tasks[i].answer, "answered");
        assert_int_equal(tasks[i].place, 7);
        assert_int_equal(tasks[i].taken, i == 50 ? 2 : 1);
    }
}

static void look_around(struct worker *w)
{
    bool closed = write(0, "x", 1) < 0 && write(1, "x", 1) < 0 && write(2, "x", 1) < 0;
    buf_printf(&w->answer, "%s %s", getenv("FPREPORT_SECRET") ? "secret" : "none",
               closed ? "closed" : "open");
}

static void neither_environment_nor_descriptors(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    setenv("FPREPORT_SECRET", "1", 1);
    struct task t = run_task(look_around);
    assert_string_equal(getenv("FPREPORT_SECRET"), "1");
    assert_int_equal(t.outcome, WORKER_ANSWERED);
    assert_string_equal(t.answer, "none closed");
}

/* Of descriptors there are none, so that no process can be had: not what is read is at fault. */
static void without_a_machine(void **state)
{
    struct rlimit old, none;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    none = old;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    struct task t = run_task(answer);
    setrlimit(RLIMIT_NOFILE, &old);
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_non_null(strstr(t.why, "cannot start a worker process: Too many open files"));
}

static void be_killed(struct worker *w)
{
    (void)w;
    raise(SIGKILL);
}

static void killed_from_outside(void **state)
{
    struct task t = {.read = be_killed, .work = answer};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    run_tasks(&t, 1);
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_string_equal(t.why, "the worker process was killed by signal 9");
}

/* ---- what breaks ------------------------------------------------------------------------- */

static void take_memory(struct worker *w)
{
    for (;;)
        memset(arena_alloc(&w->arena, 1 << 20), 1, 1 << 20);
}

static void take_time(struct worker *w)
{
    for (volatile int *i = (volatile int *)&w->pipe;;)
        *i = *i + 0;
}

static void hurry(struct worker *w)
{
    w->cpu_seconds = 1;
}

static void stand_still(struct worker *w)
{
    int never = 0;
    (void)w;
    syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
}

static void break_down(struct worker *w)
{
    *(volatile char *)(uintptr_t)(w->pipe / 1000) = 1;
}

/* With which errno this process's polls fail; 0. */
static int poll_errno;

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    errno = poll_errno;
    return poll_errno ? -1 : (int)syscall(SYS_poll, fds, n, timeout);
}

/* That no word of it can be heard is not its fault, nor is it waited for. */
static void not_heard(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    poll_errno = ENOMEM;
    struct task t = run_task(stand_still);
    poll_errno = 0;
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_non_null(strstr(t.why, "reply of the worker process: Cannot allocate memory"));
}

/* As a library that does not look at what malloc gave. Nothing of it is in use. */
static void break_without_memory(struct worker *w)
{
    for (size_t size = (size_t)1 << 30; size >= (size_t)1 << 20; size /= 2)
        while (mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
        }
    break_down(w);
}

static void stop_it(struct worker *w)
{
    (void)w;
    abort();
}

static void say_much(struct worker *w)
{
    static char piece[1 << 16];
    for (size_t n = 0; n <= WORKER_ANSWER_MAX; n += sizeof piece)
        buf_add(&w->answer, piece, sizeof piece);
}

static void say_raw(struct worker *w, const uint32_t *words, size_t n)
{
    ssize_t ignored = write(w->pipe, words, n * sizeof *words);
    (void)ignored;
    syscall(SYS_exit_group, 0);
}

static void end_silently(struct worker *w)
{
    say_raw(w, NULL, 0);
}

static void end_without_answer(struct worker *w)
{
    static const uint32_t words[] = {3, 0};
    say_raw(w, words, 2);
}

static void answer_in_wrong_order(struct worker *w)
{
    static const uint32_t words[] = {2, 0, 1, 8, 0, 0, 3, 0};
    say_raw(w, words, 8);
}

static void answer_twice(struct worker *w)
{
    static const uint32_t words[] = {2, 0, 2, 0, 3, 0};
    say_raw(w, words, 6);
}

static void go_on_after_the_end(struct worker *w)
{
    static const uint32_t words[] = {2, 0, 3, 0, 3, 0};
    say_raw(w, words, 6);
}

static void answer_less_than_said(struct worker *w)
{
    static const uint32_t words[] = {2, 100, 3, 0};
    say_raw(w, words, 4);
}

static void say_an_unknown_record(struct worker *w)
{
    static const uint32_t words[] = {9, 0, 3, 0};
    say_raw(w, words, 4);
}

static void say_a_long_place(struct worker *w)
{
    static const uint32_t words[] = {1, 4, 0, 2, 0, 3, 0};
    say_raw(w, words, 7);
}

/* What it says of itself must not pass for a word of the machine. */
static void end_oddly(struct worker *w)
{
    (void)w;
    syscall(SYS_exit_group, 99);
}

/* As one that found no memory. */
static void say_no_memory(struct worker *w)
{
    (void)w;
    syscall(SYS_exit_group, MEMORY_EXIT);
}

static void refuse_itself(struct worker *w)
{
    static const uint32_t words[] = {4, 4, 0x656e6f6e};
    ssize_t ignored = write(w->pipe, words, sizeof words);
    (void)ignored;
    syscall(SYS_exit_group, 6);
}

/* A word now and then, so that it is never still. */
static void dawdle(struct worker *w)
{
    const struct timespec nap = {0, 900000000};
    int never = 0;
    for (size_t i = 0; i < 20; i++) {
        worker_at(w, i);
        syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, &nap, NULL, 0);
    }
}

static void flood(struct worker *w)
{
    static char piece[1 << 16];
    while (write(w->pipe, piece, sizeof piece) > 0) {
    }
}

static void broken_ones_are_refused(void **state)
{
    static const char nonsense[] = "sent a reply of the wrong form";
    static const struct {
        void (*work)(struct worker *w);
        const char *why;
    } rows[] = {
        {take_memory, "takes over 1024 MiB of memory"},
        {take_time, "exceeds the CPU time limit"},
        {stand_still, "made no progress for 2 s"},
        {break_down, "killed by SIGSEGV while using "},
        {stop_it, "killed by SIGSYS while using "},
        {say_much, "the data read from the file exceeds 256 MiB"},
        {end_silently, nonsense},
        {end_without_answer, nonsense},
        {answer_in_wrong_order, nonsense},
        {answer_twice, nonsense},
        {go_on_after_the_end, nonsense},
        {answer_less_than_said, nonsense},
        {say_an_unknown_record, nonsense},
        {say_a_long_place, nonsense},
        {flood, "exceeds 256 MiB"},
        {end_oddly, "exited with status 99"},
        {say_no_memory, "takes over 1024 MiB of memory"},
        {break_without_memory, "takes over 1024 MiB of memory"},
        {refuse_itself, "exited with status 6"},
    };
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct task t = {.read = rows[i].work == take_time ? hurry : NULL, .work = rows[i].work};
        run_tasks(&t, 1);
        if (t.outcome != WORKER_BROKEN || !strstr(t.why, rows[i].why))
            fail_msg("%zu: %d %s", i, t.outcome, t.why);
    }
}

static void note_too_much(struct worker *w)
{
    static char much[WORKER_HEAD_MAX + 1];
    buf_add(&w->head, much, sizeof much);
}

/* Never a part of what was noted as if it were all. */
static void a_head_that_overflows_is_told(void **state)
{
    struct task t = {.read = note_too_much, .work = answer};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    run_tasks(&t, 1);
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_non_null(strstr(t.why, "exceed 64 KiB"));
}

static void none_goes_on_for_ever(void **state)
{
    struct task t = {.read = hurry, .work = dawdle};
    const struct worker_crew crew = {.context = &t,
                                     .read = read_task,
                                     .work = work_task,
                                     .take = take_task,
                                     .still_seconds = 2,
                                     .patience = 1};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    worker_each(&crew, 1);
    assert_int_equal(t.outcome, WORKER_BROKEN);
    assert_string_equal(t.why, "the worker process ran longer than 3 s");
}

/* Where this machine has none want of memory is no finding about what was read: so little was in
 * use that nobody can say that it asked for much, however it ended. */
static void broken_for_want_of_memory(void **state)
{
    static void (*const rows[])(struct worker *) = {break_without_memory, say_no_memory, end_oddly,
                                                    break_down, stop_it};
    struct rlimit old, less;
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    less = old;
    less.rlim_cur = WORKER_MEMORY / 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setrlimit(RLIMIT_AS, &less);
        struct task t = run_task(rows[i]);
        setrlimit(RLIMIT_AS, &old);
        assert_int_equal(t.outcome, WORKER_MACHINE);
        assert_string_equal(t.why, "not enough memory for the worker process");
    }
}

/* Untrusted bytes are not looked at before the sandbox. */
static void broken_before_it_reads(void **state)
{
    struct task t = {.read = break_down, .work = answer};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    run_tasks(&t, 1);
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_string_equal(t.why, "the worker process was killed by signal 11");
}

static int *tries; /* that all workers see */

static void count_the_try(struct worker *w)
{
    ++*tries;
    buf_printf(&w->head, "%d", *tries);
}

static void answer_the_second_time(struct worker *w, void (*first)(struct worker *w))
{
    if (w->head.data[0] == '1')
        first(w);
    buf_str(&w->answer, "answered");
}

/* As our own code, libarchive, what follows a null pointer, and abort(). */
#define AT_FIRST(how)                            \
    static void how##_at_first(struct worker *w) \
    {                                            \
        answer_the_second_time(w, how);          \
    }
AT_FIRST(say_no_memory)
AT_FIRST(end_oddly)
AT_FIRST(break_down)
AT_FIRST(stop_it)
AT_FIRST(end_silently)

static struct task run_counted(void (*work)(struct worker *w))
{
    struct task t = {.read = count_the_try, .work = work};
    *tries = 0;
    run_tasks(&t, 1);
    return t;
}

/* Of a moment without memory nobody is told. */
static void without_memory_once(void **state)
{
    static void (*const rows[])(struct worker *) = {say_no_memory_at_first, end_oddly_at_first,
                                                    break_down_at_first, stop_it_at_first};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    tries = mmap(NULL, sizeof *tries, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct task t = run_counted(rows[i]);
        assert_int_equal(t.outcome, WORKER_ANSWERED);
        assert_string_equal(t.head, "2");
        assert_int_equal(t.taken, 1);
    }
    /* Nothing says that this one had no memory. */
    assert_int_equal(run_counted(end_silently_at_first).outcome, WORKER_BROKEN);
    assert_int_equal(*tries, 1);
    assert_int_equal(run_counted(break_down).outcome, WORKER_BROKEN);
    assert_int_equal(*tries, 2);
    munmap(tries, sizeof *tries);
}

/* ---- how much of it lies here -------------------------------------------------------------- */

#define LONG_ANSWER ((size_t)24 << 20)
#define PAUSE_BEHIND ((size_t)23 << 20)
#define CREW 4

/* Most of an answer, and a while later the rest: all that run at a time have said as much. */
static void answer_at_length(struct worker *w)
{
    static char piece[1 << 20];
    const uint32_t head[] = {2, LONG_ANSWER}, end[] = {3, 0};
    const struct timespec nap = {0, 300000000};
    int never = 0;
    ssize_t ignored = write(w->pipe, head, sizeof head);
    for (size_t said = 0; said < LONG_ANSWER; said += sizeof piece) {
        if (said == PAUSE_BEHIND)
            syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, &nap, NULL, 0);
        for (size_t at = 0; at < sizeof piece; at += (size_t)ignored)
            ignored = write(w->pipe, piece + at, sizeof piece - at);
    }
    ignored = write(w->pipe, end, sizeof end);
    syscall(SYS_exit_group, 0);
}

static size_t memory_at_its_peak(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    return (size_t)used.ru_maxrss << 10;
}

/* One long answer at a time, and 4 MiB of each other, however many processors there are. */
static void long_answers_wait_for_each_other(void **state)
{
    struct task tasks[CREW] = {0};
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    sandbox_warm_submissions(); /* libraries are no answers */
    size_t before = memory_at_its_peak(), others = (size_t)sysconf(_SC_NPROCESSORS_ONLN) - 1;
    for (size_t i = 0; i < CREW; i++)
        tasks[i].work = answer_at_length;
    run_tasks(tasks, CREW);
    for (size_t i = 0; i < CREW; i++)
        assert_int_equal(tasks[i].outcome, WORKER_ANSWERED);
    others = others < CREW ? others : CREW - 1;
    assert_in_range(memory_at_its_peak() - before, 0, LONG_ANSWER + ((others * 5 + 2) << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_answers_wait_for_each_other), /* before others raise the peak */
        cmocka_unit_test(answers_come_back),
        cmocka_unit_test(neither_environment_nor_descriptors),
        cmocka_unit_test(without_a_machine),
        cmocka_unit_test(killed_from_outside),
        cmocka_unit_test(not_heard),
        cmocka_unit_test(broken_ones_are_refused),
        cmocka_unit_test(a_head_that_overflows_is_told),
        cmocka_unit_test(none_goes_on_for_ever),
        cmocka_unit_test(broken_for_want_of_memory),
        cmocka_unit_test(broken_before_it_reads),
        cmocka_unit_test(without_memory_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
