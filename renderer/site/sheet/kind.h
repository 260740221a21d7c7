/*
 * site_kind: one kind of page of the site (private to renderer/site*.c): its path, its template,
 * the function that fills its view, and what it is made from.
 */
#ifndef RENDERER_SITE_SHEET_KIND_H
#define RENDERER_SITE_SHEET_KIND_H

#include "renderer/site/sheet/sheet.h"

/* Which results a page shows anything of (reuse.h): when none of these changed,
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

#endif
