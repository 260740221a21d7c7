/* store_add: a submission that was judged is kept (collector/store/write.h). */
#pragma once

#include "base/bytes.h"
#include "base/store/store.h"

/* Have the file that was judged for this entry as an object, and the entry in the log; *there: both
 * were before. ERR_CHECK: the run is in the archive as somebody else's. Locked. */
int store_add(struct store *s, const char *path, struct store_entry *e, bool *there,
              struct err *err);
