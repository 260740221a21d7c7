/* mustache_tokens: the compiled form, between mustache_compile.c and mustache_render.c. */
#pragma once

#include "renderer/templates/mustache.h"

enum token_kind {
    TOKEN_LITERAL,  /* text: part of one line, with its line ending if it reaches it */
    TOKEN_VALUE,    /* {{name}} */
    TOKEN_RAW,      /* {{{name}}}, {{&name}} */
    TOKEN_SECTION,  /* {{#name}}; peer: its TOKEN_END */
    TOKEN_INVERTED, /* {{^name}}; peer: its TOKEN_END */
    TOKEN_END,      /* {{/name}} */
    TOKEN_PARTIAL,  /* {{>name}} */
};

struct token {
    enum token_kind kind;
    bool starts_line; /* the first token of a line that stays: a partial's indentation goes here */
    const char *text; /* literal: the characters; else the name as it was written */
    size_t len;       /* of a literal */
    struct view_key *parts; /* of a dotted name; {{.}} has none */
    size_t n_parts;
    size_t peer;
    const char *indent; /* partial: the white space in front of it if it stands alone, else "" */
    int line, col;
};

struct mustache {
    const char *file;
    mustache_escape *escape;
    struct token *tokens;
    size_t n;
};
