/*
 * spool: bytes that are needed once more, later, kept on the disk meanwhile.
 *
 * One file without a name, which goes with the process. It is read by who wrote it, and by nobody
 * else; that it is as it was written is not checked.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

struct spool {
    int fd; /* -1: there is none yet */
    size_t len;
};

#define SPOOL_INIT ((struct spool){-1, 0})

/* Behind what is there; *at is where it begins. The file is made by the first, in this folder.
 * ERR_IO when it cannot be made or the disk is full. */
int spool_add(struct spool *s, const char *folder, const void *data, size_t len, size_t *at,
              struct err *err);

/* In the arena. */
int spool_read(const struct spool *s, size_t at, size_t len, struct arena *arena, struct bytes *out,
               struct err *err);

void spool_close(struct spool *s);
