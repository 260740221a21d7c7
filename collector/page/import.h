/*
 * import: a published result page in, a result out.
 *
 * The page is Markdown in the grammar of docs/FIELDS.md "Published pages": title, environment
 * blocks, strategies, run section with batch sizes, general table, performance section. Block
 * structure is CommonMark's (base/markdown/markdown.h), tables are GitHub's
 * (base/figures/pipe_table.h), headings, bullets and rows are recognised by the tables of
 * base/figures/labels.h and base/figures/metrics.h.
 *
 * Nothing is lost: what is not understood stays verbatim, in order, in the preamble, in
 * `extras`, in plain items or in text blocks of the performance section, and is a warning with
 * its line. A page whose tables are those of another benchmark or framework
 * (base/figures/foreign_table.h) has them in its performance section, columns as published. A page
 * of another kind altogether becomes a result that is all preamble. Only the
 * section that fpreport itself puts behind a page (LABEL_VERIFICATION_MARK) is left out: it is
 * derived.
 *
 * What Markdown does not show is not kept: list marks and indentation, heading levels, line
 * endings, trailing blanks of a line, padding of table cells, `:` or `：` behind a label.
 */
#pragma once

#include "base/diag.h"
#include "base/records/result.h"

#define IMPORT_PAGE_MAX \
    ((size_t)1 << 20) /* bytes; base/markdown/markdown.h has tighter limits of its own */

/*
 * Fill *out from `len` bytes of a page. `file` is its name in messages; vendor and case_id must
 * be identifiers (shape_is_id). Everything lives in `arena`, and lines of the result are lines
 * of the page. -1, with an error in `diags`, when the page is beyond a limit.
 */
int import_page(const char *source, size_t len, const char *file, const char *vendor,
                const char *case_id, struct arena *arena, struct result *out, struct diags *diags);

/*
 * The same page as plain text, where its Markdown could not be read: all of it in the preamble, in
 * a fence that nothing in it ends, hidden characters shown, and a warning that says `why`. No
 * Markdown is parsed.
 */
void import_page_plain(const char *source, size_t len, const char *file, const char *vendor,
                       const char *case_id, const char *why, struct arena *arena,
                       struct result *out, struct diags *diags);

/* Is nothing of the page understood, and has its text no heading of the benchmark in any form? */
bool import_is_prose(const struct result *r, const char *source, size_t len, struct arena *arena);

/* "…/<vendor>/<case>/README.md" (or README.en.md) -> vendor and case. False when the path does not
 * end so, or they are no identifiers. */
bool import_path_ids(const char *path, struct arena *arena, const char **vendor,
                     const char **case_id);
