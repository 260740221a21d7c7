/*
 * import_worker: a published page is read in a worker (base/process/worker.h), for it is Markdown
 * of somebody else.
 *
 * As import_page (collector/page/import.h), for bytes that were read before. A page that breaks its
 * reader, or costs more than there is for one, is an error in `diags` like any that cannot be read
 * (diags.machine counts those that the machine is to blame for). -1 then. With `keep`, one that
 * breaks its reader is given to another worker, which keeps it as plain text (import_page_plain).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/records/result.h"

#include <stdbool.h>

int import_page_in_worker(struct bytes page, const char *file, const char *vendor,
                          const char *case_id, bool keep, struct arena *arena, struct result *out,
                          struct diags *diags);
