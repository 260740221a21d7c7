/*
 * followed: where a path leads through its links, of which nobody else laid one in our way.
 *
 * What is written through a link is written with our rights, wherever it leads. A link of ours, of
 * root, or of whom its folder belongs to was meant to be followed: `site -> /srv/www` is how people
 * keep a site elsewhere, and git, rsync and hugo follow it. In a folder that everybody can write to
 * (/tmp), any other link is somebody's who waits for us. The kernel refuses to follow it where
 * fs.protected_symlinks is set, but only who lets it follow; a path that was resolved before, by
 * realpath(), has no link any more that it could refuse. So this asks the same question of each
 * link, of those that links lead to as well, with the folder sticky or not.
 */
#pragma once

#include "base/err.h"

/* The absolute path without links, to be freed. NULL when there is no such file, with errno and no
 * message; ERR_USAGE with a message and errno EACCES when somebody else's link is on the way. */
char *followed_real(const char *path, struct err *err);

/* The same of what may not be there yet, and is to be made: a link that leads nowhere is no part
 * of it, and where its folder is missing, too, the path is given back. NULL with a message: another
 * user's link, or ERR_IO where the system does not say what is there (no right to look, a disk that
 * fails), for what is not seen must not be taken for missing. */
char *followed_place(const char *path, struct err *err);
