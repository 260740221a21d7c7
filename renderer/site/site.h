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
#ifndef RENDERER_SITE_SITE_H
#define RENDERER_SITE_SITE_H

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/verdict.h"
#include "renderer/output/reuse.h"
#include "renderer/site/index/previous.h"
#include "renderer/site/settings.h"
#include "renderer/templates/templates.h"

/* One check, as the rules page explains it (the verifier's table has the same rows). Those of a
 * kind stand together. */
struct site_rule {
    const char *id;
    const char *severity;          /* "error", "error or warning" … */
    const char *since;             /* rule set that it came with */
    const char *kind;              /* what it is about, "curves": its part of the page of rules */
    struct words kind_title;       /* the same for readers */
    struct words title, statement; /* what it is called; what must hold */
    const char *why, *how, *fix;   /* in English; renderer/words/messages.h has them in Chinese */
};

struct site {
    const struct project *project;
    const struct verdict *verdicts; /* one a result, in the order of project->results */
    size_t n_verdicts;
    const struct site_rule *rules;
    size_t n_rules;
    const struct site_settings *settings;
    const struct site_previous *previous; /* what changes are told since; NULL: none is known */
    const struct site_previous *history;  /* whose history goes on, mostly the same; NULL: none */
    /* Results that have a record which cannot be read: they are not in `project`, and not gone. */
    const char *const *unread;
    size_t n_unread;
    const char *tool, *rule_set; /* versions that made the verdicts */
    const struct reuse *reuse;   /* files that need not be made; NULL: all are. Of a result whose
                                    files are all kept only the state and the figures are looked at */
};

int site_render(const struct site *site, struct templates *templates, struct arena *arena,
                file_sink *emit, void *self, struct err *err);

#endif
