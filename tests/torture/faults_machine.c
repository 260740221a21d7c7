/* The machine that a run sees: one processor, no certificates. */
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
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

int stat(const char *path, struct stat *st)
{
    if (strncmp(path, "/etc/ssl/", strlen("/etc/ssl/")) == 0) {
        errno = ENOENT;
        return -1;
    }
    return fstatat(AT_FDCWD, path, st, 0);
}
