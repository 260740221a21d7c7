/*
 * page: results as Markdown pages, in Chinese and English.
 *
 *   page_result   one page per vendor and case, in the form in which results are published:
 *                 headings, bullets, batch sizes, general table, performance section
 *   page_vendor   what one vendor claims
 *   page_index    all vendors and results
 *
 * The words of the pages stand in templates/page.*.md, vendor.*.md and index.*.md; what they
 * are filled with is made here. Labels are printed as published in Chinese and through
 * base/figures/labels.h in English; published prose is printed in English where somebody wrote it.
 * Inline Markdown of records is kept as it is but cannot break out of its cell, bullet or block.
 *
 * Every result page ends with a section behind LABEL_VERIFICATION_MARK that says where its
 * numbers come from: which are only stated, which were recomputed and from what, by which tool
 * and rules. Importing leaves that section out, so that
 *     import(page_result(r)) is r, without evidence, withdrawal, origin and English words.
 */
#pragma once

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/verdict.h"
#include "renderer/output/reuse.h"
#include "renderer/templates/templates.h"
#include "renderer/words/strings.h"

struct messages;

struct page_options {
    struct templates *templates;
    enum page_lang lang;
    const char *tool; /* "fpreport 0.1.0": who says what the verification section says */
    const struct messages *messages; /* NULL: what was found is said in English */
};

/* A result with what was found about it; verdict NULL: it was not verified. */
struct page_entry {
    const struct result *result;
    const struct verdict *verdict;
};

/* "<vendor>/<case>/README.md", "README.en.md" in English; case or vendor NULL: one level up. */
char *page_path(struct arena *arena, enum page_lang lang, const char *vendor, const char *case_id);

/* Append a page. -1 when a template is missing or malformed, or the page too large. */
int page_result(const struct page_options *o, const struct page_entry *entry, struct buf *out,
                struct err *err);

/* `vendor` may be NULL: a vendor that has results but no record. */
int page_vendor(const struct page_options *o, const char *vendor_id, const struct vendor *vendor,
                const struct page_entry *entries, size_t n, struct buf *out, struct err *err);

/* `project` gives the names of vendors; NULL: ids are shown. Entries in the order of vendors. */
int page_index(const struct page_options *o, const struct project *project,
               const struct page_entry *entries, size_t n, struct buf *out, struct err *err);

/* What the index shows of a result, for a key (renderer/output/reuse.h). */
void page_index_hash(const struct page_entry *entry, struct hash *h);

/* All Markdown pages of a project, as a list of files.
 *
 *   README.md                  index             README.en.md in English
 *   <vendor>/README.md         one vendor        …
 *   <vendor>/<case>/README.md  one result        …
 *
 * The paths are those of the published pages, so that `import` reads them back. Files are handed
 * to the caller, who decides where they go. */

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
