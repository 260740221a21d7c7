/* The sandbox: nothing gets out of it, and each of its means does its part without the others. */
#include "tests/unit/unit.h"

static unsigned in_use;
#define SANDBOX_MEANS in_use
#include "base/process/sandbox.c" /* it can leave out means of it; nobody else can */

#include "tests/worker_task.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>

#define ALL (MEANS_RIGHTS | MEANS_LANDLOCK | MEANS_LIMITS | MEANS_FILTER)

static char outside[64]; /* a file that must stay as it is */
static char beside[64];  /* a folder to make something in, empty */

/* ---- what is taken from it ----------------------------------------------------------------- */

static char seen[64];   /* what a bystander saw of a worker in its sandbox */
static int *has_looked; /* it has, in memory of both */

static void copy_file(const char *name, FILE *to)
{
    char piece[4096];
    FILE *from = fopen(name, "r");
    for (size_t n; from && (n = fread(piece, 1, sizeof piece, from)) > 0;)
        fwrite(piece, 1, n, to);
    if (from)
        fclose(from);
}

/* Until the last of it is entered, which is the filter, or the worker is no more. */
static void wait_for_filter(const char *status)
{
    char text[4096];
    FILE *f;
    while ((f = fopen(status, "r"))) {
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
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
    *has_looked = 1;
    syscall(SYS_futex, has_looked, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
    _exit(0);
}

static void wait_for_bystander(struct worker *w)
{
    syscall(SYS_futex, has_looked, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
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
        "\nMax stack size            8388608              8388608 ",
    };
    static char text[16384];
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    strcpy(seen, "/tmp/test_sandbox.XXXXXX");
    int fd = mkstemp(seen);
    has_looked = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(has_looked != MAP_FAILED);
    struct task t = {.read = be_watched, .work = wait_for_bystander};
    run_tasks(&t, 1);
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(fd);
    unlink(seen);
    munmap(has_looked, 4096);
    assert_string_equal(t.answer, "waited");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("found no line %s in %s", lines[i] + 1, text);
}

/* ---- twelve ways out, and more ----------------------------------------------------------- */

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

/* ---- each of the means alone --------------------------------------------------------------- */

/* What a call that must be refused gave, as an error. */
static void say(struct worker *w, long got)
{
    buf_printf(&w->answer, "%s", got < 0 ? strerrorname_np(errno) : "done");
}

static const char *within(const char *name)
{
    static char path[80];
    snprintf(path, sizeof path, "%s/%s", beside, name);
    return path;
}

static void read_it(struct worker *w)
{
    say(w, open(outside, O_RDONLY));
}

static void write_it(struct worker *w)
{
    say(w, open(outside, O_WRONLY));
}

static void list_it(struct worker *w)
{
    say(w, open(beside, O_RDONLY | O_DIRECTORY));
}

static void remove_it(struct worker *w)
{
    say(w, unlink(outside));
}

static void remove_a_folder(struct worker *w)
{
    say(w, rmdir(beside));
}

static void cut_it(struct worker *w)
{
    say(w, truncate(outside, 1));
}

static void lengthen_it(struct worker *w)
{
    signal(SIGXFSZ, SIG_IGN);
    say(w, truncate(outside, 100));
}

static void move_it(struct worker *w)
{
    say(w, rename(outside, within("moved")));
}

static void make_a_file(struct worker *w)
{
    say(w, mknod(within("file"), S_IFREG | 0600, 0));
}

static void make_a_folder(struct worker *w)
{
    say(w, mkdir(within("folder"), 0700));
}

static void make_a_pipe(struct worker *w)
{
    say(w, mkfifo(within("pipe"), 0600));
}

static void make_a_link(struct worker *w)
{
    say(w, symlink("/etc", within("link")));
}

static void run_a_program(struct worker *w)
{
    say(w, execl("/bin/true", "true", (char *)NULL));
}

static void listen_at_a_name(struct worker *w)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", within("socket"));
    say(w, bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at));
}

static void listen_at_a_port(struct worker *w)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    say(w, bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at));
}

static void connect_to_a_port(struct worker *w)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    say(w, connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at));
}

static void signal_its_parent(struct worker *w)
{
    say(w, kill(getppid(), 0));
}

static void have_a_child(struct worker *w)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    say(w, child);
}

static void have_memory(struct worker *w)
{
    say(w, (long)mmap(NULL, 3 * WORKER_MEMORY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void have_more_memory(struct worker *w)
{
    const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    say(w, setrlimit(RLIMIT_AS, &all));
}

static void give_it_away(struct worker *w)
{
    say(w, chown(outside, 1, 1));
}

static void gain_rights(struct worker *w)
{
    buf_printf(&w->answer, "%s", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "none" : "done");
}

static void leave_its_memory(struct worker *w)
{
    buf_printf(&w->answer, "%s", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? "none" : "done");
}

/* Root may have as many processes as it likes. */
static void be_nobody(struct worker *w)
{
    (void)w;
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
        _exit(1);
}

/* What each does when all others are left out, or the filter alone is. */
static const struct lone {
    unsigned means;
    void (*work)(struct worker *w);
    const char *says;
    int abi; /* of Landlock, which it takes */
} lone[] = {
    {MEANS_LANDLOCK, read_it, "EACCES", 1},
    {MEANS_LANDLOCK, write_it, "EACCES", 1},
    {MEANS_LANDLOCK, list_it, "EACCES", 1},
    {MEANS_LANDLOCK, remove_it, "EACCES", 1},
    {MEANS_LANDLOCK, remove_a_folder, "EACCES", 1},
    {MEANS_LANDLOCK, move_it, "EACCES", 1},
    {MEANS_LANDLOCK, make_a_file, "EACCES", 1},
    {MEANS_LANDLOCK, make_a_folder, "EACCES", 1},
    {MEANS_LANDLOCK, make_a_pipe, "EACCES", 1},
    {MEANS_LANDLOCK, make_a_link, "EACCES", 1},
    {MEANS_LANDLOCK, run_a_program, "EACCES", 1},
    {MEANS_LANDLOCK, listen_at_a_name, "EACCES", 1},
    {MEANS_LANDLOCK, cut_it, "EACCES", 3},
    {MEANS_LANDLOCK, listen_at_a_port, "EACCES", 4},
    {MEANS_LANDLOCK, connect_to_a_port, "EACCES", 4},
    {MEANS_LANDLOCK, signal_its_parent, "EPERM", 6},
    {MEANS_LIMITS, read_it, "EMFILE", 0},
    {MEANS_LIMITS, write_it, "EMFILE", 0},
    {MEANS_LIMITS, list_it, "EMFILE", 0},
    {MEANS_LIMITS, lengthen_it, "EFBIG", 0},
    {MEANS_LIMITS, have_a_child, "EAGAIN", 0},
    {MEANS_LIMITS, have_memory, "ENOMEM", 0},
    {MEANS_LIMITS | MEANS_RIGHTS, have_more_memory, "EPERM", 0},
    {MEANS_RIGHTS, give_it_away, "EPERM", 0},
    {MEANS_RIGHTS, gain_rights, "none", 0},
    {MEANS_RIGHTS, leave_its_memory, "none", 0},
    {ALL & ~MEANS_FILTER, read_it, "EMFILE", 0},
    {ALL & ~MEANS_FILTER, remove_it, "EACCES", 1},
    {ALL & ~MEANS_FILTER, give_it_away, "EPERM", 0},
    {MEANS_FILTER, read_it, "SIGSYS", 0},
    {MEANS_FILTER, remove_it, "SIGSYS", 0},
};

static void open_outside(void)
{
    strcpy(outside, "/tmp/test_sandbox.XXXXXX");
    strcpy(beside, "/tmp/test_sandbox.XXXXXX");
    int fd = mkstemp(outside);
    assert_int_equal(write(fd, "kept", 4), 4);
    assert_non_null(mkdtemp(beside));
    close(fd);
}

/* It is as it was, and nothing is beside it. */
static void close_outside(void)
{
    struct stat now;
    assert_int_equal(stat(outside, &now), 0);
    assert_int_equal(now.st_size, 4);
    assert_int_equal(rmdir(beside), 0);
    assert_int_equal(unlink(outside), 0);
}

static void each_of_the_means_alone(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    if (sandbox_landlock() < 6)
        print_message("# Landlock has version %d here: not all of it is tried\n",
                      sandbox_landlock());
    open_outside();
    for (size_t i = 0; i < sizeof lone / sizeof *lone; i++) {
        const struct lone *x = &lone[i];
        struct task t = {.work = x->work, .read = x->work == have_a_child ? be_nobody : NULL};
        in_use = x->means;
        if (sandbox_landlock() >= x->abi)
            run_tasks(&t, 1);
        if (sandbox_landlock() >= x->abi && !strstr(t.answer, x->says) && !strstr(t.why, x->says))
            fail_msg("%zu: expected %s, found %d '%s' %s", i, x->says, t.outcome, t.answer, t.why);
    }
    in_use = ALL;
    close_outside();
}

static void nothing_gets_out(void **state)
{
    (void)state;
    if (SANDBOX_WIDE)
        skip();
    open_outside();
    for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++) {
        struct task t = run_task(ways_out[i]);
        if (t.outcome != WORKER_BROKEN || !strstr(t.why, "SIGSYS"))
            fail_msg("way %zu: %d %s %s", i, t.outcome, t.why, t.answer);
    }
    close_outside();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_and_rights_are_gone),
        cmocka_unit_test(each_of_the_means_alone),
        cmocka_unit_test(nothing_gets_out),
    };
    in_use = ALL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
