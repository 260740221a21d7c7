/*
 * site_kind: one kind of page of the site (private to renderer/site/): its path, its template,
 * the function that fills its view, and what it is made from.
 *
 * A kind is one file, which exports `const struct site_kind site_kind_NAME`, and one line of
 * renderer/site/kinds.c: docs/CONTRIBUTING.md.
 */
#pragma once

#include "renderer/site/sheet/sheet.h"

#include <stddef.h>

/* Which results a page shows anything of (reuse.h): when none of these changed,
 * it is as it was. A kind that is not sure depends on all. */
enum site_depends {
    SITE_ON_LISTS,  /* all, as lists show them */
    SITE_ON_RESULT, /* the one of its number */
    SITE_ON_PART,   /* those of the rows of its part as lists show them, and how long the list is */
    SITE_ON_LIST,   /* those of all rows of the list */
    SITE_ON_ROWS,   /* those of `rows`, as lists show them */
    SITE_ON_PAIR,   /* the two of its number */
    SITE_ON_OUTLINE, /* all, but nothing of their figures */
};

/* A page is a part of one of the lists of the index that are cut into pages: .parts =
 * SITE_PARTS(vendor). Its number and its name are those of the part. */
#define SITE_PARTS(list) offsetof(struct site_index, list##_parts)

/* As many pages as the index counts there. */
#define SITE_COUNT(member) offsetof(struct site_index, member)

struct site_kind {
    const char *name;                /* what navigation and style sheet call it */
    const char *path;                /* below the language; {name} is the page's own */
    const char *template;            /* "site/rules.html" */
    const char *title, *description; /* strings of the page; NULL: `fill` sets them */
    const char *data; /* "data/rules": the tables that have the same; NULL: none, or `fill` says */
    const char *nav;  /* string of its place in the navigation; NULL: it has none */
    const char *section; /* "results": the kind whose place in it is marked for this one; NULL */
    bool root;           /* not below a language: one page for both */
    size_t parts;        /* SITE_PARTS; 0: no list */
    size_t counted;      /* SITE_COUNT; 0: by count() */
    size_t (*count)(const struct site_index *index); /* NULL: one page, or as many as parts */
    const char *(*name_of)(const struct site_index *index, size_t i, struct arena *arena);
    void (*fill)(struct sheet *s, size_t i); /* s->view for the i-th page; NULL: nothing */
    enum site_depends depends;
    /* SITE_ON_ROWS: which. */
    const struct site_row *const *(*rows)(const struct site_index *index, size_t i, size_t *n);
    bool names_maker; /* of an accelerator, with a link where that vendor has a page */
};

/* The list that the pages of a kind with parts are of. */
const struct site_parts *site_kind_parts(const struct site_kind *kind,
                                         const struct site_index *index);

/* How many pages it has, and the path of the i-th, "vendor/nvidia/index.html". */
size_t site_kind_count(const struct site_kind *kind, const struct site_index *index);
const char *site_kind_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                           struct arena *arena);
