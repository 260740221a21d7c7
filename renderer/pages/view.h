/*
 * page_view: what the files that fill Markdown pages share; nobody else includes it.
 *
 *   page.c      languages, paths, a whole result page
 *   text.c      foreign text made safe for its place in Markdown
 *   items.c     groups and bullets, batch sizes
 *   tables.c    tables
 *   verdict.c   the verification section
 *   lists.c     vendor page and index
 */
#pragma once

#include "renderer/pages/page.h"

/* text.c: all return text in the arena. */
const char *page_line(struct arena *arena, const char *text);  /* one line: a label, a heading */
const char *page_cell(struct arena *arena, const char *text);  /* between "| " and " |" */
const char *page_label(struct arena *arena, const char *text); /* where an item begins */
/* Lines of a paragraph: those after the first are indented, and none begins another block; the
 * first cannot when it stands behind a label. */
/* Any Markdown, inert and closed at its end (base/markdown/inert.h), indented behind the first
 * line, or from the margin. */
const char *page_block(struct arena *arena, const char *text);

/* The published words, or the English ones where there are any and the page is English. */
const char *page_words(enum page_lang lang, const struct words *words);

/* items.c */
void page_set_groups(struct view *at, const char *key, enum page_lang lang,
                     const struct group *groups, size_t n);
void page_set_batch(struct view *at, enum page_lang lang, const struct result *r);

/* tables.c: key is set to an object with caption, header, rule and rows. */
void page_set_general(struct view *at, enum page_lang lang, const struct table *t);
void page_set_performance(struct view *at, enum page_lang lang, const struct result *r);

/* verdict.c */
void page_set_verdict(struct view *at, const struct page_options *o,
                      const struct page_entry *entry);
const char *page_state(enum page_lang lang, const struct verdict *v);
/* What was recomputed for a figure, or NULL. Table and row from 1. */
const struct metric *page_metric(const struct verdict *v, int table, int row, const char *column);

/* lists.c */
struct view *page_vendor_view(struct arena *arena, const struct page_options *o,
                              const char *vendor_id, const struct vendor *vendor,
                              const struct page_entry *entries, size_t n);
struct view *page_index_view(struct arena *arena, const struct page_options *o,
                             const struct project *project, const struct page_entry *entries,
                             size_t n);
