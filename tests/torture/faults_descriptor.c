/* What is asked of a descriptor, of the process and of the kernel's random numbers: what hardly
 * ever fails, and is believed not to. Each fails by errnos that it may have. */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No fault of the call's own: it is EIO, or there is no memory or descriptor left. */
static bool fails(const char *call)
{
    return faults_fails(faults_due(FAULTS_DESCRIPTOR, call, ""));
}

int fstat(int fd, struct stat *st)
{
    return fails("fstat") ? -1 : faults_stat(fd, "", st, AT_EMPTY_PATH);
}

int fstat64(int fd, struct stat64 *st)
{
    return fails("fstat") ? -1 : faults_stat(fd, "", (struct stat *)st, AT_EMPTY_PATH);
}

off_t lseek(int fd, off_t to, int whence)
{
    return fails("lseek") ? -1 : syscall(SYS_lseek, fd, to, whence);
}

off64_t lseek64(int fd, off64_t to, int whence)
{
    return fails("lseek") ? -1 : syscall(SYS_lseek, fd, to, whence);
}

int dup2(int from, int to)
{
    return fails("dup2") ? -1 : (int)syscall(SYS_dup2, from, to);
}

DIR *fdopendir(int fd)
{
    static DIR *(*real)(int);
    if (fails("fdopendir"))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fdopendir");
    return real(fd);
}

int memfd_create(const char *name, unsigned flags)
{
    return fails("memfd_create") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    return fails("getrandom") ? -1 : syscall(SYS_getrandom, out, n, flags);
}

int getentropy(void *out, size_t n)
{
    return fails("getentropy") ? -1 : -(syscall(SYS_getrandom, out, n, 0) != (ssize_t)n);
}

char *getcwd(char *out, size_t n)
{
    static char *(*real)(char *, size_t);
    if (fails("getcwd"))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "getcwd");
    return real(out, n);
}

int setrlimit(__rlimit_resource_t what, const struct rlimit *to)
{
    return fails("setrlimit") ? -1 : (int)syscall(SYS_prlimit64, 0, what, to, NULL);
}

int getrlimit(__rlimit_resource_t what, struct rlimit *out)
{
    return fails("getrlimit") ? -1 : (int)syscall(SYS_prlimit64, 0, what, NULL, out);
}
