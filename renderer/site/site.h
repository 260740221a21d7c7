/*
 * site: the website, as a list of files.
 *
 *   index.html                          the choice of language
 *   zh/…, en/…                          the same pages in both languages (kinds.c lists them)
 *   result/<vendor>/<case>/             what belongs to a result in any language: verify.json …
 *   data/…                              every table as CSV and JSON, index.json
 *   feeds, sitemap.xml, robots.txt, style.css, site.js, verify.sh
 *
 * Tables come from the records, prose through base/markdown in safe mode, our own words from
 * renderer/words/strings.h, everything through the files of templates/site. Pages load nothing from
 * elsewhere; links are relative, so the site works from a folder and below any path, and without
 * its script. Every figure says where it comes from. Files are handed to the caller, who decides
 * where they go: nothing is written here. Nothing depends on the clock: dates are those of records.
 */
#pragma once

#include "base/files/file.h"
#include "renderer/site/index/input.h"
#include "renderer/templates/templates.h"

/* Of one site: with so many, data/index.json has 60 MB, and no file may have more than 64 MiB. */
#define SITE_RESULTS_MAX ((size_t)150000)

/* Before anything is verified or made of them: ERR_USAGE when they are too many for one site. */
int site_results_check(size_t n_results, const char *records, struct err *err);

int site_render(const struct site *site, struct templates *templates, struct arena *arena,
                file_sink *emit, void *self, struct err *err);
