/*
 * pages: all Markdown pages of a project, as a list of files.
 *
 *   README.md                  index             README.en.md in English
 *   <vendor>/README.md         one vendor        …
 *   <vendor>/<case>/README.md  one result        …
 *
 * The paths are those of the published pages, so that `import` reads them back. Files are handed
 * to the caller, who decides where they go.
 */
#pragma once

#include "base/files/file.h"
#include "renderer/output/reuse.h"
#include "renderer/pages/page.h"

struct pages {
    const struct project *project;
    const struct page_entry *entries; /* one a result, those of a vendor together */
    size_t n_entries;
    const char *tool; /* "fpreport 0.1.0, rules 2026.2" */
    bool langs[PAGE_LANGS];
    const struct words *messages; /* of rules, in both languages (renderer/words/messages.h) */
    size_t n_messages;
    bool results_only;         /* no vendor pages, no index */
    const struct reuse *reuse; /* pages that need not be made; NULL: all are */
};

int pages_render(const struct pages *pages, struct templates *templates, struct arena *arena,
                 file_sink *emit, void *self, struct err *err);
