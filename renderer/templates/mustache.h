/*
 * mustache: the template language, after the Mustache specification (mustache(5), spec 1.x).
 *
 *   {{name}}  {{a.b}}  {{.}}   value, escaped        {{{name}}}  {{&name}}  as it is
 *   {{#name}} … {{/name}}      for each item of a list, or once with the value as context
 *   {{^name}} … {{/name}}      when it is false, "" or an empty list, or not there
 *   {{! … }}                   comment               {{=<% %>=}}  other delimiters
 *   {{>name}}                  partial
 *
 * Names are looked up from the innermost context outwards; the later parts of a dotted name
 * only inside what its first part gave. A section, comment, partial or delimiter tag that
 * stands alone on its line takes the line with it; a partial that stands alone indents its own
 * lines (not empty ones). Lines end in LF or CRLF.
 *
 * Escaping is chosen once per template, when it is compiled, and the short form {{x}} is the
 * escaped one; raw views (view.h) are not escaped twice. Left out: lambdas (views hold no
 * code), inheritance ({{<x}} and {{$x}} are errors) and dynamic names.
 *
 * A template is compiled to a flat array of tokens in an arena and is never changed by
 * rendering. Faults of the template are one error `file:line:col: …` (col counts characters).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "renderer/templates/view.h"

#include <stddef.h>

#define MUSTACHE_SOURCE_MAX ((size_t)1 << 20)
#define MUSTACHE_DEPTH_MAX 64       /* sections in sections; partials in partials */
#define MUSTACHE_STEPS_MAX 50000000 /* texts, values, sections and partials of one rendering */

struct mustache; /* a compiled template; lives in its arena */

/* One of escape.h: append `text` so that it is safe where this template puts values. */
typedef void mustache_escape(struct buf *out, const char *text);

/* `file` is how messages name the template; `source` (len bytes) need not outlive the call. */
int mustache_compile(struct mustache **out, const char *file, const char *source, size_t len,
                     mustache_escape *escape, struct arena *arena, struct err *err);

/* The text of a constant, or NULL when there is none of this name. */
typedef const char *mustache_constant(const void *self, const char *name);

/*
 * Replace every {{prefix.name}} by its constant, escaped as a value would be: pages that have many
 * fixed words are then not slower for it. A name without a constant, or one used as a section, is
 * an error with its place.
 */
int mustache_fold(struct mustache *template, const char *prefix, mustache_constant *find,
                  const void *self, struct arena *arena, struct err *err);

struct mustache_options {
    /* Where {{>name}} comes from: a compiled template, or NULL when there is none, which
     * renders as nothing. The finder owns and keeps what it returns. */
    const struct mustache *(*find)(void *self, const char *name);
    void *self;
    /*
     * Strict rendering, if not NULL: every place whose name is in no context, whose partial
     * cannot be found, or whose value is a list or object where text is needed, adds one
     * warning here. The output is the same as without.
     */
    struct diags *strict;
    /* Of a text longer than this the beginning, and then these words, in which {n} is how many
     * characters are left; 0: every text is whole. Raw views are. In bytes. */
    size_t text_max;
    const char *text_cut;
};

/*
 * Append to `out`. -1 when sections or partials nest too deep, when there is no end of them
 * (MUSTACHE_STEPS_MAX: what writes nothing is counted, too), or out->max is passed; what was
 * written until then stays in `out`. `options` may be NULL.
 */
int mustache_render(const struct mustache *template, const struct view *view,
                    const struct mustache_options *options, struct buf *out, struct err *err);
