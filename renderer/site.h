/*
 * site: the website, as a list of files.
 *
 *   index.html                        all results with their states
 *   result/<vendor>/<case>/index.html one result: verdict, stated beside recomputed, curves
 *   vendor/<vendor>/index.html        its results
 *   model/<model>/index.html          results that trained this model, vendor by vendor
 *   rules/index.html                  what every check does
 *   style.css
 *
 * Tables come from the records, prose through base/markdown in safe mode, everything through
 * the files of templates/site. Pages hold no script and load nothing from elsewhere; links are
 * relative, so the site works from a folder and below any path. Every figure says where it comes
 * from. Files are handed to the caller, who decides where they go: nothing is written here.
 */
#ifndef RENDERER_SITE_H
#define RENDERER_SITE_H

#include "base/project.h"
#include "base/verdict.h"
#include "renderer/templates.h"

/* One check, as the rules page explains it (the verifier's table has the same rows). */
struct site_rule {
    const char *id;
    const char *severity;
    struct words title, explanation;
};

struct site {
    const struct project *project;
    const struct verdict *verdicts; /* one a result, in the order of project->results */
    size_t n_verdicts;
    const struct site_rule *rules;
    size_t n_rules;
    const char *tool, *rule_set; /* versions that made the verdicts */
};

int site_render(const struct site *site, struct templates *templates, struct arena *arena,
                file_sink *emit, void *self, struct err *err);

#endif
