/* followed: what cannot be seen is not taken for missing, and what is missing is given its place.
 */
#include "tests/unit/folder.h"

#include "base/files/followed.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

/* In a process of its own that may not look everywhere: did it find what it should? */
static bool as_nobody(bool (*look)(void **state), void **state)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit((geteuid() == 0 && seteuid(NOBODY) < 0) || !look(state));
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Says the system's word, and that the machine is at fault? */
static bool is_unseen(const char *path)
{
    struct err err = ERR_INIT;
    char *place = followed_place(path, &err);
    bool unseen = !place && err.kind == ERR_IO && strstr(err.text, strerror(EACCES)) &&
                  strncmp(err.text, path, strlen(path)) == 0;
    free(place);
    return unseen;
}

static bool sees_nothing(void **state)
{
    return is_unseen(in_folder(state, "closed/link")) && is_unseen(in_folder(state, "closed/new"));
}

static void what_cannot_be_looked_at_is_not_missing(void **state)
{
    assert_int_equal(chmod(in_folder(state, ""), 0755), 0);
    assert_int_equal(mkdir(in_folder(state, "closed"), 0700), 0);
    assert_int_equal(symlink("/etc", in_folder(state, "closed/link")), 0);
    assert_int_equal(chmod(in_folder(state, "closed"), 0), 0);
    assert_true(as_nobody(sees_nothing, state));
    assert_int_equal(chmod(in_folder(state, "closed"), 0700), 0);
}

static void is_placed(void **state, const char *path, const char *want)
{
    struct folder *f = *state;
    struct err err = ERR_INIT;
    char *real = file_real(f->path);
    char *place = followed_place(in_folder(state, path), &err);
    assert_non_null(place);
    assert_string_equal(place, path_join(&f->arena, real, want));
    free(place);
    free(real);
}

static void what_is_missing_has_a_place(void **state)
{
    assert_int_equal(mkdir(in_folder(state, "there"), 0755), 0);
    assert_int_equal(symlink("there", in_folder(state, "up")), 0);
    assert_int_equal(symlink("nowhere", in_folder(state, "lost")), 0);
    assert_int_equal(symlink("round", in_folder(state, "round")), 0);
    is_placed(state, "there", "there");
    is_placed(state, "up", "there");
    is_placed(state, "up/new", "there/new");
    is_placed(state, "lost", "lost");
    is_placed(state, "round", "round");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_cannot_be_looked_at_is_not_missing),
        IN_FOLDER(what_is_missing_has_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
