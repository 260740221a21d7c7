/*
 * beneath: files below a folder, reached without a link.
 *
 * What is published, or served, out of a folder that others write to (records/ through pull
 * requests, a site) has to lie in that folder. So a path is opened part by part, and a part that is
 * a link, wherever it leads, ends it. The folder itself may be reached through links: whoever runs
 * the program names it. Nothing is decided before it is opened, so a link that is put there in
 * between is not followed either.
 *
 * A path is relative; a part that is "", "." or ".." is refused. Where a folder is mounted is not
 * looked at.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

/* Open for reading, without waiting for a pipe: a file of any kind, or a folder. -1 with errno;
 * ELOOP is a link, EINVAL what is no such path. */
int beneath_open(const char *folder, const char *path);

/* As file_read(); a link is ERR_INPUT and named so. Messages call the file "FOLDER/PATH". */
int beneath_read(const char *folder, const char *path, size_t max, struct arena *arena,
                 struct bytes *out, struct err *err);

/* The same for a worker (base/process/worker.h) that reads much once: the bytes are the file's own
 * pages where that can be, and not copied. A file that is cut or changed meanwhile may end the
 * process. They stay until it ends. */
int beneath_map(const char *folder, const char *path, size_t max, struct arena *arena,
                struct bytes *out, struct err *err);

/* The same of a file that may be missing, asked once: whoever asks whether it exists, and then
 * reads it, takes a machine that refused the one and not the other for a file that went.
 * BENEATH_NONE, and no error, where nothing is there. */
#define BENEATH_NONE 1
int beneath_read_if_there(const char *folder, const char *path, size_t max, struct arena *arena,
                          struct bytes *out, struct err *err);
