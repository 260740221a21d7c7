/*
 * adopt: `fpreport collect LOG… --case ID`: logs and monitors of a run that fpreport did not start,
 * with what the command line says of it (--cards, --nodes, --ranks, --parallel, --accelerator,
 * --fingerprint), as files to be sealed (collector/submission/adopted.h).
 */
#pragma once

#include "base/project/project.h"
#include "base/sealed/tar.h"
#include "cli/cli.h"

struct adoption {
    const char *name; /* of the run: "adopted0123abcd" */
    struct tar_member *members;
    size_t n;
};

/* An exit code, after a message. */
int adopt_logs(struct cli *cli, struct adoption *out);

/* The card of a run that no tool shows: that of --accelerator, by id or name; else `said`, the id
 * that the run or its case names; else the device of the vendor's record that is there already.
 * NULL: none of them says one, or the processor. An exit code as above. */
int adopt_stated_card(struct cli *cli, const struct project *p, const char *vendor,
                      const char *case_id, const char *said, const struct accelerator **out);
