/* Workers: what comes back, what does not, and that nothing gets out of the sandbox. */
#include "tests/unit/unit.h"

#include "base/pack.h"
#include "base/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

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

static struct task run_task(void (*work)(struct worker *w))
{
    struct task t = {.work = work};
    run_tasks(&t, 1);
    return t;
}

/* ---- answers ----------------------------------------------------------------------------- */

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
    assert_non_null(strstr(t.why, "no process to read it in: Too many open files"));
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
    assert_string_equal(t.why, "the process that reads it was ended by signal 9");
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
    static const char nonsense[] = "answered what it should not";
    static const struct {
        void (*work)(struct worker *w);
        const char *why;
    } rows[] = {
        {take_memory, "takes more memory than 1024 MiB"},
        {take_time, "takes more time of the processor"},
        {stand_still, "stood still for 2 s"},
        {break_down, "ended by SIGSEGV, with "},
        {stop_it, "ended by SIGSYS, with "},
        {say_much, "what was found in it takes more than 256 MiB"},
        {end_silently, nonsense},
        {end_without_answer, nonsense},
        {answer_in_wrong_order, nonsense},
        {answer_twice, nonsense},
        {go_on_after_the_end, nonsense},
        {answer_less_than_said, nonsense},
        {say_an_unknown_record, nonsense},
        {say_a_long_place, nonsense},
        {flood, "takes more than 256 MiB"},
        {end_oddly, "ended with 99"},
        {refuse_itself, "ended with 6"},
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
    assert_non_null(strstr(t.why, "more than 64 KiB"));
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
    assert_string_equal(t.why, "the process that reads it took longer than 3 s");
}

/* A signal for want of memory is no finding about what was read: so little was in use that nobody
 * can say that it asked for much. */
static void broken_for_want_of_memory(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    struct task t = run_task(break_without_memory);
    assert_int_equal(t.outcome, WORKER_MACHINE);
    assert_string_equal(t.why, "there was no memory for the process that reads it");
}

/* ---- what is taken from it ----------------------------------------------------------------- */

static char seen[64]; /* what a bystander saw of a worker in its sandbox */

static void copy_file(const char *name, FILE *to)
{
    char piece[4096];
    FILE *from = fopen(name, "r");
    for (size_t n; from && (n = fread(piece, 1, sizeof piece, from)) > 0;)
        fwrite(piece, 1, n, to);
    if (from)
        fclose(from);
}

/* Until the last of it is entered, which is the filter. */
static void wait_for_filter(const char *status)
{
    char text[4096];
    for (int i = 0; i < 45; i++) {
        FILE *f = fopen(status, "r");
        size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
        text[n] = '\0';
        if (f)
            fclose(f);
        if (strstr(text, "Seccomp:\t2"))
            return;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
}

/* A child of the worker, from before the sandbox, looks at it from outside. */
static void be_watched(struct worker *w)
{
    pid_t worker = getpid();
    char name[64];
    (void)w;
    if (fork() != 0)
        return;
    FILE *to = fopen(seen, "w");
    snprintf(name, sizeof name, "/proc/%d/status", (int)worker);
    wait_for_filter(name);
    for (size_t i = 0; to && i < 2; i++) {
        snprintf(name, sizeof name, "/proc/%d/%s", (int)worker, i ? "limits" : "status");
        copy_file(name, to);
    }
    if (to)
        fclose(to);
    _exit(0);
}

static void wait_a_second(struct worker *w)
{
    const struct timespec nap = {1, 0};
    int never = 0;
    syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, &nap, NULL, 0);
    buf_str(&w->answer, "waited");
}

/* Each of the means by itself: a filter that refuses everything would hide that another is gone. */
static void limits_and_rights_are_gone(void **state)
{
    static const char *const lines[] = {
        "\nNoNewPrivs:\t1\n",
        "\nSeccomp:\t2\n",
        "\nCapEff:\t0000000000000000\n",
        "\nMax file size             0                    0 ",
        "\nMax processes             0                    0 ",
        "\nMax open files            0                    0 ",
        "\nMax core file size        0                    0 ",
    };
    static char text[16384];
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    strcpy(seen, "/tmp/test_worker.XXXXXX");
    int fd = mkstemp(seen);
    struct task t = {.read = be_watched, .work = wait_a_second};
    run_tasks(&t, 1);
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(fd);
    unlink(seen);
    assert_string_equal(t.answer, "waited");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("found no line %s in %s", lines[i] + 1, text);
}

/* ---- twelve ways out, and more ----------------------------------------------------------- */

static char outside[64]; /* a file that must stay as it is */

static void try_to_read(struct worker *w)
{
    buf_printf(&w->answer, "%d", open("/etc/passwd", O_RDONLY));
}

static void try_to_write(struct worker *w)
{
    buf_printf(&w->answer, "%d", open(outside, O_WRONLY | O_CREAT | O_TRUNC, 0600));
}

static void try_to_remove(struct worker *w)
{
    buf_printf(&w->answer, "%d", unlink(outside));
}

static void try_to_rename(struct worker *w)
{
    buf_printf(&w->answer, "%d", rename(outside, "/tmp/escaped"));
}

static void try_the_network(struct worker *w)
{
    buf_printf(&w->answer, "%d", socket(AF_INET, SOCK_STREAM, 0));
}

static void try_a_local_socket(struct worker *w)
{
    buf_printf(&w->answer, "%d", socket(AF_UNIX, SOCK_STREAM, 0));
}

static void try_a_program(struct worker *w)
{
    buf_printf(&w->answer, "%d", execl("/bin/true", "true", (char *)NULL));
}

static void try_a_child(struct worker *w)
{
    buf_printf(&w->answer, "%d", fork());
}

static void *no_work(void *self)
{
    return self;
}

static void try_a_thread(struct worker *w)
{
    pthread_t t;
    buf_printf(&w->answer, "%d", pthread_create(&t, NULL, no_work, NULL));
}

static void try_to_trace(struct worker *w)
{
    buf_printf(&w->answer, "%ld", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static void try_the_parents_memory(struct worker *w)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {outside, 1};
    buf_printf(&w->answer, "%zd", process_vm_readv(1, &here, 1, &there, 1, 0));
}

static void try_to_signal(struct worker *w)
{
    buf_printf(&w->answer, "%ld", syscall(SYS_kill, -1, 0));
}

static void try_to_run_data(struct worker *w)
{
    void *p =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    buf_printf(&w->answer, "%p", p);
}

static void try_to_make_data_run(struct worker *w)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    buf_printf(&w->answer, "%d", mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

static void try_a_file_in_memory(struct worker *w)
{
    buf_printf(&w->answer, "%ld", syscall(SYS_memfd_create, "x", 0));
}

static void try_more_limits(struct worker *w)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    buf_printf(&w->answer, "%d", setrlimit(RLIMIT_AS, &all));
}

static void try_another_filter(struct worker *w)
{
    buf_printf(&w->answer, "%d", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static void try_a_ring(struct worker *w)
{
    buf_printf(&w->answer, "%ld", syscall(425 /* io_uring_setup */, 1, NULL));
}

#if defined(__x86_64__)
/* The same calls have other numbers there: 5 is open. */
static void try_the_old_door(struct worker *w)
{
    long got = 5;
    __asm__ volatile("int $0x80" : "+a"(got) : "b"(0), "c"(0), "d"(0) : "memory");
    buf_printf(&w->answer, "%ld", got);
}

static void try_the_x32_door(struct worker *w)
{
    buf_printf(&w->answer, "%ld", syscall(0x40000000 | SYS_open, "/etc/passwd", O_RDONLY));
}
#endif

static void (*const ways_out[])(struct worker *w) = {
    try_to_read,        try_to_write,         try_to_remove,          try_to_rename,
    try_the_network,    try_a_local_socket,   try_a_program,          try_a_child,
    try_a_thread,       try_to_trace,         try_the_parents_memory, try_to_signal,
    try_to_run_data,    try_to_make_data_run, try_a_file_in_memory,   try_more_limits,
    try_another_filter, try_a_ring,
#if defined(__x86_64__)
    try_the_old_door,   try_the_x32_door,
#endif
};

static void nothing_gets_out(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    strcpy(outside, "/tmp/test_worker.XXXXXX");
    int fd = mkstemp(outside);
    assert_int_equal(write(fd, "kept", 4), 4);
    for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++) {
        struct task t = run_task(ways_out[i]);
        if (t.outcome != WORKER_BROKEN || !strstr(t.why, "SIGSYS"))
            fail_msg("way %zu: %d %s %s", i, t.outcome, t.why, t.answer);
    }
    assert_int_equal(lseek(fd, 0, SEEK_END), 4);
    assert_int_equal(access(outside, F_OK), 0);
    close(fd);
    unlink(outside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_back),
        cmocka_unit_test(neither_environment_nor_descriptors),
        cmocka_unit_test(without_a_machine),
        cmocka_unit_test(killed_from_outside),
        cmocka_unit_test(broken_ones_are_refused),
        cmocka_unit_test(a_head_that_overflows_is_told),
        cmocka_unit_test(none_goes_on_for_ever),
        cmocka_unit_test(broken_for_want_of_memory),
        cmocka_unit_test(limits_and_rights_are_gone),
        cmocka_unit_test(nothing_gets_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
