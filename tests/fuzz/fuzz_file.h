/* fuzz_file: bytes as a file, for readers that want a path. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define FUZZ_PATH_SIZE 64

/* A file in memory with these bytes, and its path; its descriptor, to be closed; -1. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH_SIZE])
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    snprintf(path, FUZZ_PATH_SIZE, "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size)
        return fd;
    close(fd);
    return -1;
}
