/*
 * store_check_site: is a published site what its signed checkpoint says?
 *
 * Each file that MANIFEST.sha256 names is hashed, on all cores, and reached without a link; what
 * lies there beside them is found, but for `.git` of a clone; and the list, without the
 * checkpoint's own two lines, must have the SHA-256 that is the checkpoint's `root`. Who signed the
 * checkpoint is for store_check_checkpoint() to say.
 */
#pragma once

#include "collector/store/store_check.h"

/* Is there the list of a published site? 1, 0, or ERR_IO where the machine does not say. */
int store_site_is(const char *folder, struct arena *arena, struct err *err);

/* Findings of kind STORE_SITE. `checkpoint` is the path of the site's own, NULL where it has none:
 * then the files are held to the list alone. */
void store_check_site(struct store_report *r, const char *folder, const char *checkpoint);
