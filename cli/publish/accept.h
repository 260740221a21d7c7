/*
 * publish_accept: whether changed verdicts may be published.
 *
 *   publish --accept                     whatever changed, and over what others published
 *   publish --accept acme/llama2_7b …    what changed of these results, and of no other
 *
 * Names are, with --accept, the arguments of the form VENDOR/CASE that are no folder, and the value
 * of --accept=.
 */
#pragma once

#include "cli/publish/changes.h"

struct publish_accept {
    bool all;           /* --accept, without names */
    const char **names; /* of results */
    size_t n;
    const char *site; /* the argument that is the folder; NULL: none */
};

/* From the command line. An exit code, after a message. */
int publish_accept_read(struct publish_accept *a, struct cli *cli);

/* An exit code: EXIT_CHECK, after a message, when something changed that is not accepted;
 * EXIT_USAGE when a name is given of which nothing changed. */
int publish_accept_judge(const struct publish_accept *a, const struct publish_changes *c,
                         const struct repo_branch_info *info, struct cli *cli);
