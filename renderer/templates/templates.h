/*
 * templates: the template files, found, compiled once and rendered.
 *
 * A project may override any of the shipped files: folders are searched in order, usually
 * `templates` of the project, then the installed one. A template is named by its path below
 * these folders ("site/index.html"), also in {{>partials}}; no link below them is followed
 * (base/files/beneath.h), so that pages hold nothing of what lies elsewhere. The suffix decides how
 * values are escaped: .html and .xml as HTML, .md as Markdown cells, everything else not at all.
 *
 * With `constant` set, {{t.name}} is a word that is the same on every page: it is put in when a
 * template is compiled, and one that is not there is an error.
 *
 * Rendering is strict: a name that a template uses and nobody set is an error, so that a
 * mistyped name cannot leave a hole in a page.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "renderer/templates/mustache.h"

#define TEMPLATES_FOLDERS_MAX 4

struct template_file; /* one compiled file */

struct templates {
    struct arena *arena; /* borrowed; compiled templates live in it */
    const char *folders[TEMPLATES_FOLDERS_MAX];
    size_t n_folders;
    mustache_constant *constant; /* NULL: none */
    const void *constants;       /* its first argument */
    size_t text_max;             /* bytes of a text on HTML pages (mustache.h); 0: all */
    const char *text_cut;
    struct template_file *files;
    size_t n_files;
};

void templates_init(struct templates *t, struct arena *arena);

/* Search this folder too, after those added before. */
void templates_add_folder(struct templates *t, const char *folder);

/* The same folders as `other`, nothing compiled yet: rendering changes what is in here, so that
 * threads need one each. */
void templates_init_like(struct templates *t, const struct templates *other, struct arena *arena);

/* Append the rendered template. ERR_INPUT for a missing, malformed or mistyped template. */
int templates_render(struct templates *t, const char *name, const struct view *view,
                     struct buf *out, struct err *err);
