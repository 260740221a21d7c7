/*
 * file: whole files in, whole files out, and folders in a fixed order.
 *
 * Reading has a maximum and refuses what is not a regular file. Writing goes to a temporary
 * name beside the target (FILE_TEMP_SUFFIX), is fsynced and then renamed, so that a reader sees the
 * old bytes or the new ones; who is killed leaves at most that, and the next to write the file
 * takes it. New folders are fsynced in theirs, so that what is in them cannot be lost. Folder
 * listings are sorted by bytes, never in readdir order.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* ERR_INPUT when missing, not a regular file, unreadable, or larger than `max` bytes. */
int file_read(const char *path, size_t max, struct arena *arena, struct bytes *out,
              struct err *err);

/* The same of an open descriptor, which stays open; `path` is what messages call it. */
int file_read_open(int fd, const char *path, size_t max, struct arena *arena, struct bytes *out,
                   struct err *err);

/* The same, but large files are mapped, not copied: for a process that lives no longer than the
 * bytes, and that may end where somebody cuts the file meanwhile. */
int file_map_open(int fd, const char *path, size_t max, struct arena *arena, struct bytes *out,
                  struct err *err);

#define FILE_TEMP_SUFFIX ".fpreport-tmp"

/* `len` bytes of it from `at` on; fewer are an error. */
int file_read_at(int fd, const char *path, size_t at, size_t len, struct arena *arena,
                 struct bytes *out, struct err *err);

/* The absolute path without links, to be freed; NULL with errno when there is no such file. */
char *file_real(const char *path);

/* Replace `path` by these bytes, atomically and durably. Missing folders are made (mode 0777
 * less umask). A link is followed; a device or a pipe is written to instead. */
int file_write(const char *path, const void *data, size_t len, struct err *err);

/* file_write, but only to a name that is free or a regular file's: a link, which may lead to
 * somebody else's file, is refused (ERR_INPUT), and one put there meanwhile is replaced itself. */
int file_write_there(const char *path, const void *data, size_t len, struct err *err);

/* Would it refuse? Asked before several are written. */
int file_check_there(const char *path, struct err *err);

/* file_write, unless anything is there, be it a link that leads nowhere: FILE_THERE, and nothing is
 * changed. Of two that write at once one finds the other's. */
#define FILE_THERE 1
int file_write_new(const char *path, const void *data, size_t len, struct err *err);

/* Is it a regular file, with no other name, of this user? */
bool file_is_own(const struct stat *st);

/*
 * For what is checked when it is read and can be made again: atomically, but not durably, so that
 * after a power failure anything may stand there. It is written while it is made: first room for a
 * front of `front_len` bytes, then one part behind the other, and the front at the end, which puts
 * it in place. file_cache_drop in any case; before the end, nothing comes of it. A link, or what is
 * another user's, is left as it is.
 */
struct file_cache {
    char *path, *temp; /* NULL: it was not begun, or is dropped */
    int fd;
    size_t len; /* so far, with the front */
};
int file_cache_begin(struct file_cache *c, const char *path, size_t front_len, struct err *err);
int file_cache_add(struct file_cache *c, const void *data, size_t len, struct err *err);
int file_cache_end(struct file_cache *c, const void *front, size_t front_len, struct err *err);
void file_cache_drop(struct file_cache *c);

/* write() all of it to an open descriptor, through short writes and EINTR. `what` names it in
 * the message. */
int file_write_all(int fd, const void *data, size_t len, const char *what, struct err *err);

/* fsync the folder that holds `path`, so that a rename in it is durable. */
int file_sync_folder_of(const char *path, struct err *err);

/* mkdir -p. */
int file_mkdirs(const char *path, struct err *err);

/* mkdir -p for the folder that `path` lies in. */
int file_mkdirs_for(const char *path, struct err *err);

/* Is it there? Where the machine does not say, asked twice: no. */
bool file_exists(const char *path);
/* The same where it must not be guessed: 1 or 0, or -1 and ERR_IO when the system does not say. */
int file_is_there(const char *path, struct err *err);
/* The same, with what it is; a link is looked at itself. */
int file_look(const char *path, struct stat *st, struct err *err);
bool file_is_dir(const char *path);
/* The same, where it matters that the machine may not say: 1, 0, or ERR_IO. */
int file_is_folder(const char *path, struct err *err);

/* Remove a file or a folder with all that is in it; links are removed, not followed. Missing is
 * no error. */
int file_remove_tree(const char *path, struct err *err);

/* "a/b" from "a" and "b"; "b" alone when a is "" or b is absolute. */
char *path_join(struct arena *arena, const char *a, const char *b);

/* "c/d" of "/a/b/c/d" below the root "/a/b/c", as it may be published: where a folder of the
 * operator lies is nobody's concern. As it is where the root is named from the folder at hand on,
 * or `path` is not below it. */
const char *path_published(struct arena *arena, const char *root, const char *path);

/* The part after the last '/', borrowed from path. */
const char *path_base(const char *path);

/* The folder that holds it: "a" of "a/b", "/" of "/b", "." of "b". */
const char *path_folder(struct arena *arena, const char *path);

/* Without '/' at its end, unless it is "/". */
const char *path_trimmed(struct arena *arena, const char *path);

/* Receives one file of a tree that somebody makes; `path` is relative to the tree. -1 after setting
 * err stops the maker. */
typedef int file_sink(void *self, const char *path, const void *data, size_t len, struct err *err);
