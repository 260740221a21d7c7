/*
 * site_kinds: every kind of page that the site has (renderer/site/sheet/kind.h) (private to
 * renderer/site/). The same rows give paths, navigation, site map and the choice of language.
 */
#pragma once

#include "renderer/site/sheet/kind.h"

extern const struct site_kind *const site_kinds[]; /* in the order of the navigation; NULL ends */

/* map.c: how many files the site map has, and what stands in the i-th name, "" or "-1". */
size_t site_map_files(const struct site_index *index);
const char *site_map_name(const struct site_index *index, size_t i, struct arena *arena);

/* row_script.c: how many scripts of all rows there are; 0: the one page of results has them. */
size_t site_row_scripts(const struct site_index *index);

/* The kinds that have a place in it, as {"label", "href", "current": "page", of a page below it
 * "true", else ""}. */
void site_set_navigation(struct sheet *s, struct view *v, const struct site_kind *current);

/* What the site is called in the language of the page. */
const char *site_title(struct sheet *s);
