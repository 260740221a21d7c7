/*
 * project_names: no two records of a project name one file, and what they name is there.
 *
 * Ids are folders of a site, and archives and references become files of it under their own paths.
 * A site has to be the same on every file system, so two names that differ in the case of ASCII
 * letters only are one; and what has the place of a page of the site cannot be evidence.
 */
#ifndef BASE_PROJECT_NAMES_H
#define BASE_PROJECT_NAMES_H

#include "base/project.h"

/* Leave out the later record (vendors, accelerators, models, cases, results, reproductions; by file
 * within each) of two with such names, and those whose paths are the site's: an error each. -1 when
 * any was left out. */
int project_names_check(struct project *p, struct diags *diags);

/* Names, ids and aliases of accelerators that another has too: an error at each but the one that
 * project_find_accelerator takes. Nothing is left out. The project is indexed. */
void project_cards_check(const struct project *p, struct diags *diags);

/* What a record names and is not there: a warning each, or one for many of a kind, which are
 * notices then. */
void project_check_named(struct project *p, struct diags *diags);

#endif
