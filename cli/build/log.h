/*
 * build_log: the log of the archive in a site (base/store/store_log.h), which only grows there,
 * too.
 *
 * A site that is built where the archive is not, or is an older copy of it, lacks decisions that
 * readers were told of: withdrawn results would come back, and withheld files would be handed out.
 * So it takes the place of no site that has them, and no branch's (renderer/publish/site.h).
 */
#pragma once

#include "cli/build/build.h"

/* Does it begin with the log of the site that lies in the folder? An exit code, after a message. */
int build_log_check(struct build *b);

/* As it was read when the build began; empty where there is none. */
int build_log_read(const struct build *b, struct arena *arena, struct bytes *out, struct err *err);

int build_log_emit(struct build *b, struct err *err);
