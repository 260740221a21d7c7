/*
 * repo_files: files of a folder as objects of a git repository, without holding their bytes.
 *
 * libgit2 asks for an object by its id; this backend of an object database knows which file that is
 * and reads it then, so that a pack of gigabytes is made in the memory of a few files. It only
 * reads. A file that has another length than when it was added is refused; one whose bytes changed
 * otherwise gives an object of another name, which whoever reads back what was written finds out.
 */
#pragma once

#include "base/git/repo_git.h"

struct repo_files;

/* `root` must live as long as the backend. It ends with the object database that it is added to. */
struct repo_files *repo_files_new(const char *root);
git_odb_backend *repo_files_backend(struct repo_files *files);

/* The object `id` is the file <root>/<path> of `len` bytes, or `text` where that is not NULL. The
 * strings must live as long as the backend. */
void repo_files_add(struct repo_files *files, const git_oid *id, const char *path, const char *text,
                    size_t len);
