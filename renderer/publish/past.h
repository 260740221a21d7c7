/*
 * repo_past: what was published on a branch, from its newest commit back along first parents.
 *
 * Read only, as base/git/repo.h is. The newest commit is the one that a new publication would build
 * upon (repo_branch_info.base): the branch's tip, or what was fetched of the remote's where that is
 * further.
 *
 *     struct repo_past *past = repo_past_open(".", "gh-pages", "origin");
 *     for (bool more = past; more; more = repo_past_step(past))
 *         if (repo_past_find(past, "data/index.json", id)) …
 *     repo_past_close(past);
 */
#pragma once

#include "renderer/publish/branch.h"

struct repo_past;

/* NULL: no repository, no such branch, or none that can be read. Where the machine could not look
 * it has trouble (below), and nothing is found. */
struct repo_past *repo_past_open(const char *path, const char *branch, const char *remote);
void repo_past_close(struct repo_past *p); /* NULL is fine */

/* -1, ERR_IO: the machine (descriptors, memory, the disk) refused something that was asked for
 * since, so that what was not found may be there. Each thing was asked for twice. */
int repo_past_trouble(const struct repo_past *p, struct err *err);

/* The commit that it stands at, as hex digits. */
const char *repo_past_commit(const struct repo_past *p, char id[REPO_ID_SIZE]);

/* On to the first parent; false: there is none, or a shallow clone ends here. */
bool repo_past_step(struct repo_past *p);

/* Is there a file of this name? id: of its bytes. */
bool repo_past_find(struct repo_past *p, const char *file, char id[REPO_ID_SIZE]);

/* The bytes that repo_past_find() named. */
int repo_past_read(struct repo_past *p, const char *id, size_t max, struct arena *arena,
                   struct bytes *out, struct err *err);
