/* What is asked about names: stat and its kin, access, where a link leads, what a folder holds. */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int faults_stat(int at, const char *path, struct stat *st, int flags)
{
    return (int)syscall(SYS_newfstatat, at, path, st, flags);
}

/* The machine that a run sees has no certificates (faults.h). */
static int stat_any(const char *call, int at, const char *path, struct stat *st, int flags)
{
    if (path && strncmp(path, "/etc/ssl/", strlen("/etc/ssl/")) == 0) {
        errno = ENOENT;
        return -1;
    }
    return faults_fails(faults_due(FAULTS_LOOK, call, path)) ? -1
                                                             : faults_stat(at, path, st, flags);
}

#define STAT(name, st_type, flags)                                        \
    int name(const char *path, st_type *st)                               \
    {                                                                     \
        return stat_any(#name, AT_FDCWD, path, (struct stat *)st, flags); \
    }
STAT(stat, struct stat, 0)
STAT(stat64, struct stat64, 0)
STAT(lstat, struct stat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, struct stat64, AT_SYMLINK_NOFOLLOW)

int fstatat(int at, const char *path, struct stat *st, int flags)
{
    return stat_any("fstatat", at, path, st, flags);
}

int fstatat64(int at, const char *path, struct stat64 *st, int flags)
{
    return stat_any("fstatat", at, path, (struct stat *)st, flags);
}

int statx(int at, const char *path, int flags, unsigned mask, struct statx *st)
{
    if (faults_fails(faults_due(FAULTS_LOOK, "statx", path)))
        return -1;
    return (int)syscall(SYS_statx, at, path, flags, mask, st);
}

int access(const char *path, int how)
{
    if (faults_fails(faults_due(FAULTS_LOOK, "access", path)))
        return -1;
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, how);
}

/* Flags are libc's to understand. */
int faccessat(int at, const char *path, int how, int flags)
{
    static int (*real)(int, const char *, int, int);
    if (faults_fails(faults_due(FAULTS_LOOK, "faccessat", path)))
        return -1;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "faccessat");
    return real(at, path, how, flags);
}

ssize_t readlink(const char *path, char *out, size_t n)
{
    if (faults_fails(faults_due(FAULTS_LOOK, "readlink", path)))
        return -1;
    return syscall(SYS_readlinkat, AT_FDCWD, path, out, n);
}

ssize_t readlinkat(int at, const char *path, char *out, size_t n)
{
    if (faults_fails(faults_due(FAULTS_LOOK, "readlinkat", path)))
        return -1;
    return syscall(SYS_readlinkat, at, path, out, n);
}

char *realpath(const char *path, char *out)
{
    static char *(*real)(const char *, char *);
    if (faults_fails(faults_due(FAULTS_LOOK, "realpath", path)))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "realpath");
    return real(path, out);
}

/* Opens a file, and has no descriptor left where a name would be stale. */
DIR *opendir(const char *path)
{
    static DIR *(*real)(const char *);
    int todo = faults_due(FAULTS_LOOK, "opendir", path);
    if (faults_fails(todo == ESTALE ? EMFILE : todo))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "opendir");
    return real(path);
}

static struct dirent *readdir_any(DIR *dir)
{
    static struct dirent *(*real)(DIR *);
    if (faults_fails(faults_due(FAULTS_LOOK, "readdir", "")))
        return NULL;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "readdir");
    return real(dir);
}

struct dirent *readdir(DIR *dir)
{
    return readdir_any(dir);
}

struct dirent64 *readdir64(DIR *dir)
{
    return (struct dirent64 *)readdir_any(dir);
}
