/* The machine that a run sees: one processor (and no certificates: faults_look.c). */
#include "faults.h"

#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name)
{
    static long (*real)(int);
    if (name == _SC_NPROCESSORS_ONLN)
        return 1;
    if (!real)
        real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}
