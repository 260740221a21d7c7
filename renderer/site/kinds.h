/*
 * site_kinds: every kind of page that the site has, one row each (private to renderer/site*.c).
 * The same rows give paths, navigation, site map and the choice of language.
 */
#ifndef RENDERER_SITE_KINDS_H
#define RENDERER_SITE_KINDS_H

#include "renderer/site/sheet/sheet.h"

/* Which results a page shows anything of (renderer/site/sheet/reuse.h): when none of these changed,
 * it is as it was. A kind that is not sure depends on all. */
enum site_depends {
    SITE_ON_LISTS,  /* all, as lists show them */
    SITE_ON_RESULT, /* the one of its number */
    SITE_ON_PART,   /* those of the rows of its part as lists show them, and how long the list is */
    SITE_ON_LIST,   /* those of all rows of the list */
    SITE_ON_PAIR,   /* the two of its number */
    SITE_ON_OUTLINE, /* all, but nothing of their figures */
};

struct site_kind {
    const char *name;     /* what navigation and style sheet call it */
    const char *path;     /* below the language; {name} is the page's own */
    const char *template; /* "site/rules.html" */
    const char *nav;      /* string of its place in the navigation; NULL: it has none */
    const char *section;  /* "results": the kind whose place in it is marked for this one; NULL */
    bool root;            /* not below a language: one page for both */
    size_t (*count)(const struct site_index *index); /* NULL: one page */
    const char *(*name_of)(const struct site_index *index, size_t i, struct arena *arena);
    sheet_maker *make;
    enum site_depends depends;
    const struct site_parts *(*parts)(const struct site_index *index); /* of lists cut into pages */
    bool names_maker; /* of an accelerator, with a link where that vendor has a page */
};

const struct site_kind *site_kinds(size_t *n);

/* Path of the i-th page, "vendor/nvidia/index.html". */
const char *site_kind_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                           struct arena *arena);

/* map.c: how many files the site map has, and what stands in the i-th name, "" or "-1". */
size_t site_map_files(const struct site_index *index);
const char *site_map_name(const struct site_index *index, size_t i, struct arena *arena);

/* The kinds that have a place in it, as {"label", "href", "current": "page", of a page below it
 * "true", else ""}. */
void site_set_navigation(struct sheet *s, struct view *v, const struct site_kind *current);

/* What the site is called in the language of the page. */
const char *site_title(struct sheet *s);

size_t site_kind_count(const struct site_kind *kind, const struct site_index *index);

#endif
