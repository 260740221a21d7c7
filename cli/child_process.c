#include "cli/child_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int child_process_run(struct cli *cli, child_process_fn *work, void *self)
{
    pid_t parent = getpid(), child = fork();
    struct err err = ERR_INIT;
    int status;
    if (child < 0)
        return work(cli, self);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) /* it ended before it could have told us */
            _exit(EXIT_IO);
        buf_clear(&cli->out);
        int code = work(cli, self);
        _exit(exit_worse(code, cli_flush(cli)));
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            err_errno(&err, ERR_IO, "building cannot be waited for");
            return cli_fail(cli, &err);
        }
    if (WIFEXITED(status)) /* what the child did is known: nothing, or a site that is whole */
        return WEXITSTATUS(status) == EXIT_UNKNOWN ? EXIT_IO : WEXITSTATUS(status);
    err_set(&err, ERR_IO,
            "the process that builds the site was ended by signal "
            "%d",
            WTERMSIG(status));
    return cli_fail(cli, &err);
}
