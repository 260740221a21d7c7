/*
 * build_previous: the publication before, which a site tells changes and history from.
 *
 * It is the folder that --previous names, else what the project's repository has on the branch
 * that is published (--branch, gh-pages), read from there; without either there is none.
 *
 * On the branch, history goes on from the newest commit; changes are told since the newest one
 * with other states. So a site does not change by being published: built once more it is what the
 * branch holds, and a publication of other words only keeps the changes that stood there.
 */
#pragma once

#include "cli/build/build.h"
#include "renderer/publish/past.h"

/* The branch that is published, and the remote whose branch may be further. */
const char *build_previous_branch(const struct cli *cli);
const char *build_previous_remote(const struct cli *cli);

/* The branch, at the commit that a site is built upon; NULL: none, or --previous is given. */
struct repo_past *build_previous_open(const struct cli *cli);

/* --previous, before anything is verified; -1 with a diagnostic when that is no site of ours. */
int build_previous_named(struct build *b);

/* Without --previous, when verdicts are known. What is damaged counts as not there, after a
 * warning. Where the machine could not read, an exit code after a message: else the site would tell
 * no history that there is. */
int build_previous_published(struct build *b);
