/* Names in folders: made, moved, linked, removed; and what else a file's entry says. */
#include "faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int mkdir_any(int at, const char *path, mode_t mode)
{
    if (faults_fails(faults_due(FAULTS_STATE, "mkdir", path)))
        return -1;
    int rc = (int)syscall(SYS_mkdirat, at, path, mode);
    if (rc == 0)
        faults_path('D', at, path);
    return rc;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdir_any(AT_FDCWD, path, mode);
}

int mkdirat(int at, const char *path, mode_t mode)
{
    return mkdir_any(at, path, mode);
}

char *mkdtemp(char *template)
{
    if (faults_fails(faults_due(FAULTS_STATE, "mkdtemp", template)))
        return NULL;
    char *made = ((char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp"))(template);
    if (made)
        faults_path('D', AT_FDCWD, made);
    return made;
}

static int rename_any(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    if (faults_fails(faults_due(FAULTS_STATE, "rename", to)) ||
        ((flags & RENAME_EXCHANGE) && faults_fails(faults_exchange())))
        return -1;
    int rc = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (rc == 0)
        faults_two(flags & RENAME_EXCHANGE ? 'E' : 'R', from_at, from, to_at, to);
    return rc;
}

int rename(const char *from, const char *to)
{
    return rename_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    return rename_any(from_at, from, to_at, to, flags);
}

static int link_any(int from_at, const char *from, int to_at, const char *to, int flags)
{
    if (faults_fails(faults_due(FAULTS_STATE, "link", to)))
        return -1;
    int rc = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    if (rc == 0)
        faults_two('L', from_at, from, to_at, to);
    return rc;
}

int link(const char *from, const char *to)
{
    return link_any(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    return link_any(from_at, from, to_at, to, flags);
}

static int unlink_any(int at, const char *path, int flags)
{
    if (faults_fails(faults_due(FAULTS_STATE, "unlink", path)))
        return -1;
    int rc = (int)syscall(SYS_unlinkat, at, path, flags);
    if (rc == 0)
        faults_path('U', at, path);
    return rc;
}

int unlink(const char *path)
{
    return unlink_any(AT_FDCWD, path, 0);
}

int unlinkat(int at, const char *path, int flags)
{
    return unlink_any(at, path, flags);
}

int rmdir(const char *path)
{
    return unlink_any(AT_FDCWD, path, AT_REMOVEDIR);
}

int chmod(const char *path, mode_t mode)
{
    return faults_fails(faults_due(FAULTS_STATE, "chmod", path))
               ? -1
               : (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

int chown(const char *path, uid_t owner, gid_t group)
{
    if (faults_fails(faults_due(FAULTS_STATE, "chown", path)))
        return -1;
    return (int)syscall(SYS_fchownat, AT_FDCWD, path, owner, group, 0);
}

int utimensat(int at, const char *path, const struct timespec times[2], int flags)
{
    if (faults_fails(faults_due(FAULTS_STATE, "utimensat", path)))
        return -1;
    return (int)syscall(SYS_utimensat, at, path, times, flags);
}

/* Marks of folders (FS_TOPDIR_FL) are taken on every file system, as ext4 does: what a program does
 * after that is tried in memory, too. */
int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *about = va_arg(rest, void *);
    va_end(rest);
    if (request == FS_IOC_GETFLAGS) {
        *(int *)about = 0;
        return 0;
    }
    if (request == FS_IOC_SETFLAGS)
        return faults_fails(faults_due(FAULTS_STATE, "ioctl", "")) ? -1 : 0;
    return (int)syscall(SYS_ioctl, fd, request, about);
}
