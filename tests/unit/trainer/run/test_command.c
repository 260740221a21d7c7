/* command: what a shell would say about the same command, and every way to end badly. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "trainer/run/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct place {
    struct arena arena;
    struct err err;
    char folder[64];
    const char *log;
    struct command_result result;
};

static int set_up(void **state)
{
    static struct place place;
    place = (struct place){.arena = ARENA_INIT};
    strcpy(place.folder, "/tmp/fpreport-command-XXXXXX");
    *state = &place;
    if (!mkdtemp(place.folder))
        return -1;
    place.log = path_join(&place.arena, place.folder, "rank0.out.log");
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    file_remove_tree(p->folder, &p->err);
    arena_release(&p->arena);
    return 0;
}

static int run_options(struct place *p, struct command_options options, const char *script)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    options.argv = options.argv ? options.argv : argv;
    options.log_path = options.log_path ? options.log_path : p->log;
    unlink(p->log);
    return command_run(&options, &p->result, &p->err);
}

static int run(struct place *p, const char *script)
{
    return run_options(p, (struct command_options){.grace_ms = 100}, script);
}

static const char *logged(struct place *p)
{
    struct bytes got;
    if (file_read(p->log, (size_t)64 << 20, &p->arena, &got, &p->err) < 0)
        fail_msg("%s", p->err.text);
    return got.data;
}

#define SLEEP_S 200 /* as long as commands sleep that are not waited for */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void both_outputs_in_order(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "for i in 1 2 3; do echo out $i; echo err $i >&2; done; cat"), 0);
    assert_string_equal(logged(p), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
    assert_int_equal(p->result.exit_status, 0);
    assert_true(p->result.started);
    assert_false(p->result.left_over);
    assert_int_equal(p->result.bytes, strlen(logged(p)));
}

static void exit_status_is_the_shells(void **state)
{
    static const struct {
        const char *script;
        int exit_status, signal;
    } rows[] = {
        {"true", 0, 0},
        {"exit 3", 3, 0},
        {"exit 255", 255, 0},
        {"kill -9 $$", 137, 9},
        {"kill -TERM $$", 143, 15},
        {"kill -SEGV $$", 139, 11},
        {"exec nonexistent-x", 127, 0},
    };
    struct place *p = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(p, rows[i].script), 0);
        if (p->result.exit_status != rows[i].exit_status || p->result.signal != rows[i].signal)
            fail_msg("%s: %d, signal %d", rows[i].script, p->result.exit_status, p->result.signal);
    }
}

static void what_cannot_be_started(void **state)
{
    struct place *p = *state;
    const char *plain = path_join(&p->arena, p->folder, "plain");
    assert_int_equal(file_write(plain, "x", 1, &p->err), 0);
    const char *rows[][2] = {{"no-such-program-x", "cannot run 'no-such-program-x': No such file"},
                             {"/nonexistent/x", "cannot run '/nonexistent/x': No such file"},
                             {plain, "Permission denied"},
                             {p->folder, "Permission denied"}};
    static const int want[] = {127, 127, 126, 126};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *argv[] = {rows[i][0], NULL};
        assert_int_equal(run_options(p, (struct command_options){.argv = argv}, NULL), 0);
        assert_int_equal(p->result.exit_status, want[i]);
        assert_false(p->result.started);
        assert_non_null(strstr(logged(p), rows[i][1]));
    }
}

static void a_log_has_a_maximum(void **state)
{
    struct place *p = *state;
    struct command_options options = {.log_max = 100000};
    assert_int_equal(run_options(p, options, "head -c 3000000 /dev/zero | tr '\\0' x"), 0);
    const char *text = logged(p);
    assert_int_equal(p->result.exit_status, 0);
    assert_int_equal(p->result.bytes, 3000000);
    assert_int_equal(p->result.dropped, 2900000);
    assert_int_equal(strspn(text, "x"), 100000);
    assert_string_equal(text + 100000, "\n[fpreport] output beyond 100000 bytes was left out "
                                       "(2900000 bytes)\n");
}

static void output_that_is_closed_early(void **state)
{
    struct place *p = *state;
    double start = seconds();
    assert_int_equal(run(p, "echo a; exec >&- 2>&-; sleep 0.3; exit 7"), 0);
    assert_int_equal(p->result.exit_status, 7);
    assert_true(seconds() - start > 0.25);
    assert_string_equal(logged(p), "a\n");
}

static bool alive(const char *pid)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", strtol(pid, NULL, 10));
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool zombie = fgets(text, sizeof text, f) && strstr(text, ") Z");
    fclose(f);
    return !zombie;
}

static void nobody_is_left_behind(void **state)
{
    struct place *p = *state;
    double start = seconds();
    assert_int_equal(run(p, "(trap '' TERM HUP INT; sleep 200) & echo $!; "
                            "sleep 200 >/dev/null 2>&1 & echo $!; exit 5"),
                     0);
    assert_true(seconds() - start < SLEEP_S / 2);
    assert_int_equal(p->result.exit_status, 5);
    assert_true(p->result.left_over);
    const char *text = logged(p);
    assert_non_null(strstr(text, "[fpreport] processes that the command left running were killed"));
    assert_false(alive(text));
    assert_false(alive(strchr(text, '\n') + 1));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void wait_for_log(struct place *p, off_t bytes)
{
    struct stat st;
    while (stat(p->log, &st) < 0 || st.st_size < bytes)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* A child of the test sends us a signal once the command says that it is ready, "go", and a second
 * one once it says that it was asked. */
static pid_t signal_us(struct place *p, int first, int second)
{
    pid_t us = getpid(), child = fork();
    if (child == 0) {
        wait_for_log(p, 3);
        kill(us, first);
        if (second) {
            wait_for_log(p, 4);
            kill(us, second);
        }
        close(open(path_join(&p->arena, p->folder, "asked"), O_WRONLY | O_CREAT, 0600));
        _exit(0);
    }
    return child;
}

static void signals_are_passed_on(void **state)
{
    static const struct {
        int first, second;
        const char *script, *log;
        int exit_status, signal;
    } rows[] = {
        {SIGTERM, 0, "trap 'echo bye; exit 9' TERM; echo go; sleep 200 & wait", "go\nbye\n", 9, 0},
        {SIGINT, 0, "trap 'echo int; exit 8' INT; echo go; while :; do sleep 0.05; done",
         "go\nint\n", 8, 0},
        {SIGHUP, 0, "echo go; exec sleep 200", "go\n", 129, SIGHUP},
        {SIGINT, SIGINT, "trap 'echo no' INT; echo go; while :; do sleep 0.05; done", "go\nno\n",
         137, SIGKILL},
    };
    struct place *p = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unlink(p->log);
        double start = seconds();
        pid_t child = signal_us(p, rows[i].first, rows[i].second);
        assert_int_equal(run(p, rows[i].script), 0);
        waitpid(child, NULL, 0);
        assert_int_equal(p->result.exit_status, rows[i].exit_status);
        assert_int_equal(p->result.signal, rows[i].signal);
        assert_int_equal(p->result.asked, rows[i].first);
        assert_memory_equal(logged(p), rows[i].log, strlen(rows[i].log));
        assert_true(seconds() - start < SLEEP_S / 2);
    }
}

static void an_ignored_signal_stays_ignored(void **state)
{
    struct place *p = *state;
    signal(SIGHUP, SIG_IGN);
    setenv("ASKED", path_join(&p->arena, p->folder, "asked"), 1);
    pid_t child = signal_us(p, SIGHUP, 0);
    assert_int_equal(run(p, "echo go; until [ -e $ASKED ]; do sleep 0.05; done"), 0);
    waitpid(child, NULL, 0);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(p->result.exit_status, 0);
    assert_int_equal(p->result.asked, 0);
}

/* Run with our standard output replaced. */
static void with_stdout(struct place *p, int fd, const char *script)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    struct command_options options = {.echo = true};
    int rc = run_options(p, options, script);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_int_equal(rc, 0);
}

static void output_is_echoed(void **state)
{
    struct place *p = *state;
    struct bytes got;
    const char *copy = path_join(&p->arena, p->folder, "copy");
    int fd = open(copy, O_WRONLY | O_CREAT, 0600);
    with_stdout(p, fd, "echo a; echo b >&2");
    close(fd);
    assert_int_equal(file_read(copy, 100, &p->arena, &got, &p->err), 0);
    assert_string_equal(got.data, "a\nb\n");
    assert_int_equal(p->result.echo_errno, 0);

    fd = open("/dev/full", O_WRONLY);
    with_stdout(p, fd, "echo a; echo b");
    close(fd);
    assert_int_equal(p->result.echo_errno, ENOSPC);
    assert_string_equal(logged(p), "a\nb\n");

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    with_stdout(p, ends[1], "echo a; echo b");
    close(ends[1]);
    assert_int_equal(p->result.echo_errno, EPIPE);
    assert_string_equal(logged(p), "a\nb\n");
}

static void a_log_that_cannot_be_written_stops_it(void **state)
{
    struct place *p = *state;
    double start = seconds();
    struct command_options options = {.log_path = "/dev/full"};
    assert_int_equal(run_options(p, options, "echo a; sleep 200"), -1);
    assert_int_equal(p->err.kind, ERR_IO);
    assert_non_null(strstr(p->err.text, "No space left"));
    assert_true(seconds() - start < SLEEP_S / 2);
    assert_int_equal(p->result.exit_status, 137);
    options.log_path = "/nonexistent/x";
    assert_int_equal(run_options(p, options, "true"), -1);
}

/* Signals, descriptors and children are afterwards as they were before. */
static void nothing_stays_behind_in_us(void **state)
{
    struct place *p = *state;
    sigset_t mask;
    struct sigaction action;
    int before = dup(0);
    close(before);
    assert_int_equal(run(p, "echo x"), 0);
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGINT));
    assert_false(sigismember(&mask, SIGCHLD));
    sigaction(SIGPIPE, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    /* A shell that starts us in the background has these ignored, and what is ignored stays so
     * in the commands that we start: then they could not be told to end. */
    static const int told[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        signal(told[i], SIG_DFL);
    const struct CMUnitTest tests[] = {
        IN_PLACE(both_outputs_in_order),
        IN_PLACE(exit_status_is_the_shells),
        IN_PLACE(what_cannot_be_started),
        IN_PLACE(a_log_has_a_maximum),
        IN_PLACE(output_that_is_closed_early),
        IN_PLACE(nobody_is_left_behind),
        IN_PLACE(signals_are_passed_on),
        IN_PLACE(an_ignored_signal_stays_ignored),
        IN_PLACE(output_is_echoed),
        IN_PLACE(a_log_that_cannot_be_written_stops_it),
        IN_PLACE(nothing_stays_behind_in_us),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
