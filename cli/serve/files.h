/*
 * serve_files: files of a built site, as a browser gets them.
 *
 * The folder is opened anew for each request, since a build replaces it as a whole. No link is
 * followed, and nothing whose name begins with '.' is given out.
 *
 * Pages get a script that loads them again after a build (templates/serve/reload.js): a file of
 * ours with the same origin, and the page's Content-Security-Policy is widened by 'self' for
 * scripts and connections. The files of the site never hold any of this.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>
#include <sys/types.h>

#define SERVE_OWN ".fpreport/" /* paths below it are ours */
#define SERVE_PAGE_MAX ((size_t)64 << 20)

struct serve_file {
    int fd; /* the caller closes it */
    off_t size;
    const char *type; /* "text/html; charset=utf-8" */
};

/* 200 with `file` filled; 301: a folder, asked for without its last '/'; 404. */
int serve_file_open(const char *root, const char *path, struct serve_file *file);

/* What a file of this name is. */
const char *serve_type(const char *path);

/* The page, which lies at the root, as it is shown at any path: relative links begin with '/', and
 * so do those by the address of the published site, which is that of its style sheet. */
void serve_page_from_root(const char *html, size_t len, struct buf *out);

/* The page with our script; `build` is the number of the build that it is from. */
void serve_page_with_script(const char *html, size_t len, const char *build, struct buf *out);
