/* Processes, threads, pipes and what is waited for: each fails as it may, by the errnos that its
 * manual has. */
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAY 4

/* The errno with which this call fails now; 0. */
static int due(const char *call, const int may[MAY])
{
    int todo = faults_due(FAULTS_PROCESS, call, "");
    for (int i = 0; i < MAY; i++)
        if (todo > 0 && may[i] == todo)
            return todo;
    return 0;
}

static const int making[MAY] = {EAGAIN, ENOMEM}, ends[MAY] = {EMFILE, ENFILE},
                 waiting[MAY] = {EINTR}, looking[MAY] = {EINTR, ENOMEM};

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (faults_fails(due("fork", making)))
        return -1;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    return real();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (due("pthread_create", making))
        return EAGAIN;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, how, run, with);
}

int pipe2(int fds[2], int flags)
{
    return faults_fails(due("pipe2", ends)) ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    static int (*real)(struct pollfd *, nfds_t, int);
    if (faults_fails(due("poll", looking)))
        return -1;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "poll");
    return real(fds, n, timeout);
}

pid_t wait4(pid_t child, int *status, int options, struct rusage *used)
{
    if (faults_fails(due("wait4", waiting)))
        return -1;
    return (pid_t)syscall(SYS_wait4, child, status, options, used);
}

pid_t waitpid(pid_t child, int *status, int options)
{
    return wait4(child, status, options, NULL);
}
