/*
 * completed: a record that was drafted from this run before and completed by hand since.
 *
 * When the same run is sealed again, now signed, the archive has other bytes and the record must
 * have their sum. Everything else that its vendor wrote into it stays as it is, to the byte.
 */
#pragma once

#include "base/records/result.h"
#include "base/sealed/submission.h"
#include "cli/cli.h"

struct completed {
    const char *record_path, *archive_path;
    const char *archive; /* as the record names it */
    const struct submission *sealed;
};

/* Is the record there, does it name the archive, and does the archive hold the files that `sealed`
 * holds? Then *out is the record with the sum of `sealed`, `text` its bytes, and *found is true. A
 * record or archive that cannot be read is none. An exit code: not 0 where the machine refused. */
int completed_find(struct cli *cli, const struct completed *in, struct buf *text,
                   struct result *out, bool *found);
