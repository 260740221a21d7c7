/*
 * fsck_next: what to do about what `fpreport fsck` found, and what to name where it was given
 * something else.
 */
#pragma once

#include "collector/store/store_check.h"

/* Of an archive that is ours, or of a log or a site that somebody publishes; NULL: its findings say
 * it themselves. */
const char *fsck_next(enum store_finding_kind kind, bool ours);

/* Why this folder is neither archive nor site, and what is: it lies in a site, or has an archive in
 * it, or is a clone; NULL: it may be what it should be. */
const char *fsck_elsewhere(const char *folder, struct arena *arena);
