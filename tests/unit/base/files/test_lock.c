/* lock: who waits has it when it is free, or hears who has it. */
#include "tests/unit/folder.h"

#include "base/files/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELD 1200000000 /* us: until it is ended */

static int open_file(void **state)
{
    int fd = open(in_folder(state, "lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

/* A process that has the lock for so long. */
static pid_t holder(void **state, int kind, useconds_t microseconds)
{
    int ready[2];
    char said;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(in_folder(state, "lock"), O_RDWR | O_CREAT, 0600);
        if (flock(fd, kind) < 0 || write(ready[1], "", 1) != 1)
            _exit(1);
        usleep(microseconds);
        _exit(0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &said, 1), 1);
    close(ready[0]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void has_it_when_it_is_free(void **state)
{
    struct err err = ERR_INIT;
    pid_t pid = holder(state, LOCK_EX, 300000);
    int fd = open_file(state);
    unsetenv("FPREPORT_LOCK_TIMEOUT");
    assert_int_equal(lock_wait(fd, LOCK_EX, "x/lock", "at work", &err), 0);
    assert_int_equal(lock_holder(fd), getpid());
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(fd);
}

static void names_who_has_it(void **state)
{
    static const int kinds[] = {LOCK_EX, LOCK_SH};
    setenv("FPREPORT_LOCK_TIMEOUT", "0", 1);
    for (size_t i = 0; i < 2; i++) {
        struct err err = ERR_INIT;
        char text[100];
        pid_t pid = holder(state, kinds[i], HELD);
        int fd = open_file(state);
        assert_int_equal(lock_wait(fd, LOCK_EX, "x/lock", "at work", &err), -1);
        assert_int_equal(err.kind, ERR_IO);
        snprintf(text, sizeof text, "another fpreport is at work (process %d holds x/lock)", pid);
        assert_string_equal(err.text, text);
        end(pid);
        close(fd);
    }
}

static void readers_share_it(void **state)
{
    struct err err = ERR_INIT;
    pid_t pid = holder(state, LOCK_SH, HELD);
    int fd = open_file(state);
    setenv("FPREPORT_LOCK_TIMEOUT", "0", 1);
    assert_int_equal(lock_wait(fd, LOCK_SH, "x/lock", "at work", &err), 0);
    end(pid);
    close(fd);
}

/* That of a process that is no more is held by those that it started. */
static void a_dead_holder_is_not_named(void **state)
{
    struct err err = ERR_INIT;
    int fd = open_file(state), kept = open_file(state);
    pid_t pid = fork();
    if (pid == 0)
        _exit(flock(kept, LOCK_EX) < 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    setenv("FPREPORT_LOCK_TIMEOUT", "0", 1);
    assert_int_equal(lock_wait(fd, LOCK_EX, "x/lock", "at work", &err), -1);
    assert_string_equal(err.text, "another fpreport is at work (it holds x/lock)");
    close(kept);
    close(fd);
}

static void a_time_to_wait_is_seconds(void **state)
{
    static const char *const wrong[] = {"1m", "-1", " 1", "86401", "99999999999999999999"};
    pid_t pid = holder(state, LOCK_EX, HELD);
    int fd = open_file(state);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = ERR_INIT;
        setenv("FPREPORT_LOCK_TIMEOUT", wrong[i], 1);
        assert_int_equal(lock_wait(fd, LOCK_EX, "x/lock", "at work", &err), -1);
        assert_int_equal(err.kind, ERR_USAGE);
    }
    end(pid);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(has_it_when_it_is_free),    IN_FOLDER(names_who_has_it),
        IN_FOLDER(readers_share_it),          IN_FOLDER(a_dead_holder_is_not_named),
        IN_FOLDER(a_time_to_wait_is_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
