/* git's helpers of passwords: one that does not listen is no reason to end. */
#include "tests/unit/folder.h"

#include "renderer/publish/credential.h"

#include <stdlib.h>
#include <unistd.h>

/* `git` is a program here that ends without having read what it is told. */
static void a_git_that_does_not_listen(void **state)
{
    struct folder *f = *state;
    const char *git = in_folder(state, "git");
    assert_int_equal(symlink("/bin/true", git), 0);
    setenv("PATH", f->path, 1);
    for (int i = 0; i < 100; i++)
        repo_credential_tell(".", "https://example.org/x.git", "name", "password", "approve");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_git_that_does_not_listen, folder_set_up,
                                        folder_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
