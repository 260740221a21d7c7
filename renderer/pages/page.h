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

#include "base/project/project.h"
#include "base/records/verdict.h"
#include "renderer/output/reuse.h"
#include "renderer/templates/templates.h"
#include "renderer/words/lang.h"

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
