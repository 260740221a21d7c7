/*
 * project_names: no two records of a project name one file, and what they name is there.
 *
 * Ids are folders of a site, and archives and references become files of it under their own paths.
 * A site has to be the same on every file system, so two names that differ in the case of ASCII
 * letters only are one; and what has the place of a page of the site cannot be evidence.
 *
 * Which of two such names was first is in no record. Of vendors, cards and models it is the one
 * with fewer capitals that stays: their ids are in small letters, so that nobody takes the place of
 * one by another spelling of it, whose file would come first by name.
 */
#pragma once

#include "base/project/project.h"

/* Leave out the later record (vendors, accelerators, models, cases, results, reproductions; by
 * capitals and file within each) of two with such names, and those whose paths are the site's: an
 * error each, but a warning for a result whose vendor or case another one has in other letters. -1
 * when there was an error. */
int project_names_check(struct project *p, struct diags *diags);

/* ASCII capitals of an id. */
size_t project_name_capitals(const char *id);

/* Vendors that show a name which a reader would take for another's (in capitals, full-width or
 * mathematical letters, with letters of other scripts or digits in place of Latin ones, with what
 * nobody sees): a warning at each but the first. Nothing is left out, as each has its own id. */
void project_vendors_check(const struct project *p, struct diags *diags);

/* The same of accelerators and models, whose names may be those of others letter by letter, and not
 * in letters that look alike. A name of any of these records with characters that nobody sees: a
 * warning, too. */
void project_looks_check(const struct project *p, struct diags *diags);

/* Sets card_names and model_names. */
void project_index_looks(struct project *p);

/* Names, ids and aliases of accelerators that another has too: an error at each but the one that
 * project_find_accelerator takes. Nothing is left out. The project is indexed. */
void project_cards_check(const struct project *p, struct diags *diags);

/* What a record names and is not there: a warning each, or one for many of a kind, which are
 * notices then. */
void project_check_named(struct project *p, struct diags *diags);
