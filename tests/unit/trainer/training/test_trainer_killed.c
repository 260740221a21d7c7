/* A training that is killed wherever it changes its folder, or whose disk is full. */
#include "base/files/dir.h"
#include "tests/checkpoint_ground.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The system calls that change a folder end the process when the countdown does: 0 never ends. */
static int countdown;

static void count_call(void)
{
    if (countdown > 0 && --countdown == 0)
        _exit(9);
}

/* Bytes that the disk has room for; negative: any number. */
static long long room = -1;

int mkdir(const char *path, mode_t mode)
{
    count_call();
    return mkdirat(AT_FDCWD, path, mode);
}

int rename(const char *from, const char *to)
{
    count_call();
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int fd, const char *path, int flags)
{
    count_call();
    return (int)syscall(SYS_unlinkat, fd, path, flags);
}

int fsync(int fd)
{
    count_call();
    (void)fd; /* the power stays on here */
    return 0;
}

ssize_t write(int fd, const void *data, size_t n)
{
    count_call();
    if (room >= 0 && (long long)n > room) {
        errno = ENOSPC;
        return -1;
    }
    room -= room >= 0 ? (long long)n : 0;
    return syscall(SYS_write, fd, data, n);
}

/* Trains in a process that ends at the n-th of these calls; is it the training's own end? */
static bool trains_until(const struct training *t, int n)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct seen seen = {0};
        struct err err = ERR_INIT;
        countdown = n;
        _exit(train(t, &seen, &err) < 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0));
    return WEXITSTATUS(status) == 0;
}

static size_t count_checkpoints(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n = 0, found = 0;
    if (file_exists(path))
        assert_int_equal(dir_list(path, &arena, &entries, &n, &err), 0);
    for (size_t i = 0; i < n; i++)
        found += strlen(entries[i].name) == strlen("step-000000001");
    arena_release(&arena);
    return found;
}

/* Wherever it is killed, what is there is whole: the training goes on from it and ends as if it
 * had not been. Once there is a checkpoint there always is one, old or new. */
static void a_killed_training_goes_on(void **state)
{
    struct seen whole = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    bool ends = false, ever = false;
    int killed = 0;
    t.steps = 2;
    t.layers = 1;
    trains(&t, &whole);
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = t.checkpoint_keep = 1;
    for (int n = 1; !ends; n++) {
        struct seen resumed = {0};
        t.resume = NULL;
        ends = trains_until(&t, n);
        killed += !ends;
        size_t there = count_checkpoints(t.checkpoint_dir);
        assert_true(there > 0 || !ever);
        ever = there > 0;
        t.resume = ever ? t.checkpoint_dir : NULL;
        trains(&t, &resumed);
        assert_string_equal(whole.weights, resumed.weights);
        assert_int_equal(count_in(t.checkpoint_dir), ever && resumed.saved == 0 ? there : 1);
        assert_int_equal(file_remove_tree(t.checkpoint_dir, &err), 0);
        assert_true(n < 1000);
    }
    assert_true(ever && killed > 20);
}

/* A full disk ends the training with the file's name; what was there before stays, alone. */
static void a_full_disk_leaves_the_last_checkpoint(void **state)
{
    struct seen seen = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = 1;
    room = 700000; /* one has 290,000 bytes */
    int rc = train(&t, &seen, &err);
    room = -1;
    assert_int_equal(rc, -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_non_null(strstr(err.text, "checkpoint of step 3: "));
    assert_non_null(
        strstr(err.text, "step-000000003.partial/adam_m.safetensors: cannot write: No space"));
    assert_int_equal(seen.saved, 2);
    assert_int_equal(count_in(t.checkpoint_dir), 2);
    t.resume = t.checkpoint_dir;
    trains(&t, &seen);
    assert_int_equal(seen.resumed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_killed_training_goes_on),
        IN_FOLDER(a_full_disk_leaves_the_last_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
