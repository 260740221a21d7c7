/*
 * messages: what the verifier says, in Chinese.
 *
 * A message comes as the English text that verdicts hold, whichever way it came: through a check, a
 * reader of logs, a fault of an archive, a verdict that was kept. The table has for each format of
 * the source what it is in Chinese, with the values of the format in places counted from 1:
 *
 *     {"schema": "fpreport.messages/1",
 *      "messages": {
 *        "row %zu of table %d has %zu %s": "表 {2} 第 {1} 行有 {3} {4:said}",
 *        "cells": "个单元格"}}
 *
 * {n} is put in as it stands: a figure, a name, a cell of the page. {n:said} is a message or a word
 * of ours again and is looked up itself. The messages of rules stand in their files
 * (verifier/claims/rule.h), the others in templates/site/messages.json; a project's own table is
 * laid over both. A message that leaves a value of its format out, or names one that the format
 * does not have, ends the build with file, line and message; so does a format whose values touch,
 * because nobody could tell them apart again. That every message of the source is in the table is
 * tested (tests/cli/messages.sh).
 *
 * A text is taken apart by the format that fits it; of several by the outermost. What is in no
 * table, as what the system says of a file, stays as it is and is marked as foreign, so that a page
 * can say which language it is in.
 */
#ifndef RENDERER_WORDS_MESSAGES_H
#define RENDERER_WORDS_MESSAGES_H

#include "base/json/shape.h"
#include "base/sentence.h"
#include "renderer/templates/templates.h"
#include "renderer/words/lang.h"

#define MESSAGES_FILE "site/messages.json"

struct message;

struct messages {
    struct message *items; /* by their first byte, then in the order in which they are tried */
    size_t n;
    size_t from[256 + 1]; /* where those of each first byte begin; 0: a value comes first */
};

/* The rows of rules, over which the tables of `templates` are laid: folders that come first win. */
int messages_load(struct messages *out, const struct words *rows, size_t n_rows,
                  const struct templates *templates, struct arena *arena, struct err *err);

/* A piece of a text; foreign: in English, on a page that is not. */
struct message_part {
    const char *text;
    bool foreign;
};

/* The text in the language of the page; `m` NULL: there is no table. Returns the number of parts,
 * which live in the arena; none of them is empty. */
size_t messages_parts(const struct messages *m, enum page_lang lang, const char *english,
                      struct arena *arena, struct message_part **out);

/* The message of a finding, made from what it was noted to be made of (base/sentence.h):
 * nothing is taken apart but values that no rule noted. `made` NULL, or of another text: as
 * messages_parts. */
size_t messages_finding(const struct messages *m, enum page_lang lang, const char *english,
                        const struct sentence *made, struct arena *arena,
                        struct message_part **out);

/* Parts in one piece, for pages that cannot mark a language. */
const char *messages_joined(const struct message_part *parts, size_t n, struct arena *arena);

/* messages_parts in one piece. */
const char *messages_text(const struct messages *m, enum page_lang lang, const char *english,
                          struct arena *arena);

#endif
