/*
 * import_received: `fpreport import` of a zip or tar.gz: a submission is made of it
 * (collector/submission/received.h).
 *
 * One worker (base/process/worker.h) unpacks, checks and seals; a second one, which has not seen
 * what was received, opens what the first one made as any reader of it will, and what it does not
 * find whole and from this file is not written. This process looks into neither.
 */
#pragma once

#include "cli/cli.h"
#include "collector/submission/received.h"

struct import_made {
    struct bytes packed; /* the submission */
    const char *folder;  /* that was taken off; NULL */
    bool sealed;         /* it was sealed before: it is what it was */
    size_t n;            /* files */
    const char *id;
};

/* An exit code; what is wrong is said. */
int import_received(struct cli *cli, const struct received *in, struct import_made *out);
