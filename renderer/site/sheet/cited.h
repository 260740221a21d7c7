/*
 * site_cited: how the site and its results are cited, for people and programs (private to
 * renderer/site/): BibTeX, schema.org's Dataset (JSON-LD), and what CITATION.cff says.
 *
 * The author is the operator of the site, or its title where no operator is named; the year is that
 * of the publication, else of what happened last.
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

/* {"bibtex"}: an entry with this key. `path` is below the site's address, which has none: no url.
 * `day` is that of what is cited, "" where nobody knows it, NULL: the site's. What TeX would take
 * for its own is escaped or left out. */
void sheet_set_bibtex(struct sheet *s, const char *key, const char *title, const char *path,
                      const char *note, const char *day);

/* {"json_ld"}: the data of the site as a Dataset, for a <script> that nothing runs. */
void sheet_set_dataset(struct sheet *s);

/* {"cff_title", "cff_author", "cff_date", "cff_url", "cff_licence", "cff_version"}: quoted for YAML
 * where it is not empty. */
void sheet_set_cff(struct sheet *s);
