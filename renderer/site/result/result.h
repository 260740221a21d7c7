/*
 * site_result: the parts of a result's page (private to renderer/site/).
 *
 *   result.c    who, what, verdict sentence, findings, citation
 *   compared.c  stated | recomputed | reproduced | difference | tolerance | rule | log line
 *   mfu.c       how MFU was computed
 *   evidence.c  sealed files, fingerprint, second runs
 *   curves.c    loss with its reference, throughput, each drawn and as a table
 *   plan.c      parallel plans
 *   reproduce.c what to type to fetch, verify and run it again
 *   published.c the page as its vendor published it
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

void sheet_set_compared(struct sheet *s, const struct site_entry *e);

/* {"mfu": [{"name", "derivation", place…}], "inputs": [{"name", "value", "source", "cited",
 * "places": [{place…}]}], "has_mfu", "has_exact"}; places: where rows differ in it. */
void sheet_set_mfu(struct sheet *s, const struct site_entry *e);
void sheet_set_plans(struct sheet *s, const struct site_entry *e);
void sheet_set_evidence(struct sheet *s, const struct site_entry *e);
void sheet_set_reproductions(struct sheet *s, const struct site_entry *e);
void sheet_set_reproduce(struct sheet *s, const struct site_entry *e);
void sheet_set_published(struct sheet *s, const struct site_entry *e);

/* {"charts": [{"svg", "summary", "heads", "rows"}], "machine": {"charts"}} of the i-th evidence;
 * machine: what the monitors sampled, or false. */
void sheet_set_charts(struct sheet *s, struct view *v, const struct site_entry *of,
                      const struct row_evidence *e, size_t i);

/* For a comment of the shell: control characters, so that no second line begins, are blanks. */
const char *sheet_one_line(struct sheet *s, const char *text);

/* The text as one word for a shell. */
const char *sheet_shell_word(struct arena *arena, const char *text);

/* evidence.c: where the page says how to read the line of an archive that a figure is from, or
 * the lines, "line-3"; NULL: it is of none. And which they are: "253", or "24", `to` and "253". */
const char *sheet_cited_anchor(const struct verdict *v, const struct metric *m,
                               struct arena *arena);
const char *sheet_cited_lines(const struct metric *m, const char *to, struct arena *arena);

/* {"name", "name_word", "address", "sum_word", "commit", "no_commit"}: the archive, as words for a
 * shell, and of which source the run was, or why that is not known. */
void sheet_set_fetching(struct sheet *s, struct view *v, const struct row_evidence *e);
