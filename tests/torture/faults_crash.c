/* Whose code breaks: the first above libc's that the stack names. */
#include "faults.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEPTH 64
#define N_SIGNALS (sizeof signals / sizeof *signals)

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

/* Set at the beginning, and by the program through sigaction and signal. */
static struct {
    bool on;
    atomic_int *whose;
    struct sigaction of_program[sizeof signals / sizeof *signals];
    const void *program, *libc, *own; /* where each begins in memory */
} crash;

/* Of what lies at this address. */
static const void *object_of(const void *address)
{
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : NULL;
}

/* An address that is in no object counts for nothing: the kernel's, of signals. */
static void note_crash(void)
{
    void *frames[DEPTH];
    int n = backtrace(frames, DEPTH);
    for (int i = 0; i < n; i++) {
        const void *object = object_of(frames[i]);
        if (!object || object == crash.libc || object == crash.own)
            continue;
        int now = object == crash.program ? FAULTS_OURS : FAULTS_THEIRS;
        if (atomic_load(crash.whose) < now)
            atomic_store(crash.whose, now);
        return;
    }
}

static int place_of(int number)
{
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (signals[i] == number)
            return (int)i;
    return -1;
}

/* Behind it the same instruction breaks once more, with what the program wants done then. */
static void on_crash(int number)
{
    int at = place_of(number);
    note_crash();
    void (*next)(int) = at < 0 ? SIG_DFL : crash.of_program[at].sa_handler;
    if (next != SIG_DFL && next != SIG_IGN)
        next(number);
}

static int real_sigaction(int number, const struct sigaction *want, struct sigaction *was)
{
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
    return real(number, want, was);
}

void faults_crash_begin(atomic_int *whose, bool is_program)
{
    static char beside[1 << 16]; /* a stack that has no end is told of, too: libgfortran's */
    void *frame[1];
    const struct sigaction ours = {.sa_handler = on_crash,
                                   .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
    const stack_t stack = {.ss_sp = beside, .ss_size = sizeof beside};
    sigaltstack(&stack, NULL);
    backtrace(frame, 1); /* its first call loads a library */
    crash.whose = whose;
    crash.program = is_program ? object_of((const void *)getauxval(AT_ENTRY)) : NULL; // NOLINT
    crash.libc = object_of((const void *)memcpy);
    crash.own = object_of(&crash);
    for (size_t i = 0; i < N_SIGNALS; i++)
        real_sigaction(signals[i], &ours, &crash.of_program[i]);
    crash.on = true;
}

int sigaction(int number, const struct sigaction *want, struct sigaction *was)
{
    int at = crash.on ? place_of(number) : -1;
    if (at < 0)
        return real_sigaction(number, want, was);
    if (was)
        *was = crash.of_program[at];
    if (want)
        crash.of_program[at] = *want;
    return 0;
}

void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction want = {.sa_handler = handler, .sa_flags = SA_RESTART}, was;
    return sigaction(number, &want, &was) < 0 ? SIG_ERR : was.sa_handler;
}

/* In a sandbox no signal is raised. */
void abort(void)
{
    if (crash.on)
        note_crash();
    ((void (*)(void))dlsym(RTLD_NEXT, "abort"))();
    __builtin_unreachable();
}
