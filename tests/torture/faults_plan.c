/* Which call goes wrong, and how: from the environment, once, before main(). */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct shared {
    atomic_long seen, failed;
    _Atomic unsigned long long stack;
    atomic_int whose;
};

/* Never set again, but for this: a process that a filter may kill for what we ask
 * (base/process/sandbox.h) only has its allocations counted. */
static struct {
    bool on, sticky, filtered;
    enum fault_class class;
    long at;
    int todo;
    int exchange;
    int trace; /* a descriptor; -1: none */
    struct shared *shared;
} plan = {.trace = -1};

int faults_open_named(const char *name, int flags)
{
    const char *path = getenv(name);
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        return -1;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* out of the way of who counts descriptors */
    syscall(SYS_close, fd);
    return high;
}

void *faults_shared(const char *name, size_t *len)
{
    struct stat st;
    int fd = faults_open_named(name, O_RDWR);
    if (fd < 0)
        return NULL;
    long at = fstat(fd, &st) < 0 ? -1
                                 : syscall(SYS_mmap, NULL, (size_t)st.st_size,
                                           PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
    syscall(SYS_close, fd);
    *len = (size_t)st.st_size;
    return at == -1 ? NULL : (void *)at; // NOLINT: as libc's mmap
}

static enum fault_class class_named(const char *name)
{
    static const char *const names[FAULTS_CLASSES] = {"state", "open",    "read", "memory",
                                                      "sync",  "process", "look", "descriptor"};
    for (int c = 0; name && c < FAULTS_CLASSES; c++)
        if (strcmp(names[c], name) == 0)
            return (enum fault_class)c;
    return FAULTS_STATE;
}

static int todo_named(const char *name)
{
    if (!name || strcmp(name, "kill") == 0)
        return FAULTS_KILL;
    if (strcmp(name, "term") == 0)
        return FAULTS_TERM;
    return strcmp(name, "short") == 0 ? FAULTS_SHORT : atoi(name);
}

void faults_begin(bool is_program)
{
    static struct shared own;
    const char *at = getenv("FAULTS_AT"), *sticky = getenv("FAULTS_STICKY");
    size_t len;
    plan.class = class_named(getenv("FAULTS_CLASS"));
    plan.at = at ? atol(at) : 0;
    plan.sticky = sticky && *sticky == '1';
    plan.exchange = getenv("FAULTS_NO_EXCHANGE") ? EINVAL : 0;
    plan.todo = todo_named(getenv("FAULTS_DO"));
    plan.trace = faults_open_named("FAULTS_TRACE", O_WRONLY | O_APPEND);
    plan.shared = faults_shared("FAULTS_COUNT", &len);
    if (!plan.shared || len < sizeof own)
        plan.shared = &own;
    faults_record_begin();
    faults_stacks_begin();
    faults_crash_begin(&plan.shared->whose, is_program);
    plan.on = true;
}

__attribute__((constructor)) static void begin_at_once(void)
{
    if (!getenv("FAULTS_SERVER"))
        faults_begin(false);
}

bool faults_is_on(void)
{
    return plan.on;
}

static void trace(long n, const char *call, const char *what)
{
    char line[PATH_MAX + 64];
    int len = snprintf(line, sizeof line, "%ld %s %s\n", n, call, what ? what : "");
    if (len > 0)
        syscall(SYS_write, plan.trace, line, (size_t)len < sizeof line ? (size_t)len : sizeof line);
}

/* Who asks, when that is written down or this one fails. */
static void note_stack(long n)
{
    if (!faults_stacks_wanted(n) && n != plan.at)
        return;
    unsigned long long stack = faults_stack();
    faults_stacks_add(n, stack);
    if (n == plan.at)
        plan.shared->stack = stack;
}

int faults_due(enum fault_class class, const char *call, const char *what)
{
    if (!plan.on || plan.class != class || (plan.filtered && class != FAULTS_MEMORY))
        return 0;
    long n = atomic_fetch_add(&plan.shared->seen, 1) + 1;
    if (plan.trace >= 0 && !plan.filtered)
        trace(n, call, what);
    bool due = plan.at && (n == plan.at || (n > plan.at && plan.sticky));
    if (class == FAULTS_MEMORY)
        note_stack(n);
    if (!due)
        return 0;
    atomic_fetch_add(&plan.shared->failed, 1);
    if (plan.todo == FAULTS_KILL)
        syscall(SYS_kill, getpid(), SIGKILL);
    if (plan.todo == FAULTS_TERM)
        syscall(SYS_kill, getpid(), SIGTERM);
    return plan.todo;
}

bool faults_fails(int todo)
{
    if (todo <= 0)
        return false;
    errno = todo;
    return true;
}

int faults_exchange(void)
{
    return plan.exchange;
}

bool faults_filtered(void)
{
    return plan.filtered;
}

int prctl(int option, ...)
{
    unsigned long a[4];
    va_list ap;
    va_start(ap, option);
    for (size_t i = 0; i < 4; i++)
        a[i] = va_arg(ap, unsigned long);
    va_end(ap);
    plan.filtered = plan.filtered || option == PR_SET_SECCOMP;
    return (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}
