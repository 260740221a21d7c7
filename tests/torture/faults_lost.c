/* A sync that fails once, as disks fail: the bytes that could not be written are gone, and the next
 * sync of that file finds nothing to do and succeeds. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MAX 256

/* From where on a file has bytes that were not synced; one that is not here was changed through
 * mapped memory only, or not at all. */
static struct {
    unsigned long long inode;
    long long from;
} dirty[FILES_MAX];

static int place_of(unsigned long long inode)
{
    int i = 0;
    while (i < FILES_MAX - 1 && dirty[i].inode && dirty[i].inode != inode)
        i++;
    return i;
}

void faults_dirty(int fd, long long from)
{
    unsigned long long inode = faults_inode(fd, S_IFREG);
    int i = place_of(inode);
    if (!inode)
        return;
    if (dirty[i].inode != inode || from < dirty[i].from)
        dirty[i].from = from;
    dirty[i].inode = inode;
}

void faults_clean(int fd)
{
    unsigned long long inode = faults_inode(fd, S_IFREG);
    int i = place_of(inode);
    if (inode && dirty[i].inode == inode)
        dirty[i].from = 1LL << 62;
}

void faults_lose(int fd)
{
    static const char zeros[65536];
    unsigned long long inode = faults_inode(fd, S_IFREG);
    int i = place_of(inode), saved = errno;
    long long at = inode && dirty[i].inode == inode ? dirty[i].from : 0;
    struct stat st;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int again = inode ? (int)syscall(SYS_openat, AT_FDCWD, link, O_WRONLY | O_CLOEXEC, 0) : -1;
    if (again >= 0 && fstat(again, &st) == 0)
        for (; at < st.st_size; at += (long long)sizeof zeros) {
            long long n = st.st_size - at;
            syscall(SYS_pwrite64, again, zeros,
                    n < (long long)sizeof zeros ? n : (long long)sizeof zeros, at);
        }
    if (again >= 0)
        syscall(SYS_close, again);
    faults_clean(fd);
    errno = saved;
}
