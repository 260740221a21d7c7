/* Who asks for an allocation: two that come the same way fail the same way. */
#include "faults.h"

#include <execinfo.h>
#include <stdint.h>

#define DEPTH 256

/* Set once. */
static struct {
    unsigned long long *of; /* a mapped file */
    size_t n;
} stacks;

void faults_stacks_begin(void)
{
    void *frame[1];
    size_t len = 0;
    backtrace(frame, 1); /* its first call loads a library */
    stacks.of = faults_shared("FAULTS_STACKS", &len);
    stacks.n = stacks.of ? len / sizeof *stacks.of : 0;
}

unsigned long long faults_stack(void)
{
    static _Thread_local bool asked; /* nobody that the walk may ask for memory is asked about */
    void *frames[DEPTH];
    unsigned long long hash = 0xcbf29ce484222325u;
    if (asked)
        return 0;
    asked = true;
    int n = backtrace(frames, DEPTH);
    asked = false;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 0x100000001b3u;
    return hash;
}

bool faults_stacks_wanted(long n)
{
    return n > 0 && (size_t)n <= stacks.n;
}

void faults_stacks_add(long n, unsigned long long stack)
{
    if (faults_stacks_wanted(n))
        stacks.of[n - 1] = stack;
}
