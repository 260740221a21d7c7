/*
 * text_format: how the texts of a training lie in a file, and what is made of each.
 *
 *   name     a text is                                   tokens
 *   text     the whole file                              <s> text </s>
 *   lines    a line, which ends at a line feed           <s> text </s>
 *   json     "text" of an object                         <s> text </s>
 *   samsum   "dialogue" and "summary" of an object,      <s> text </s>
 *            as in FlagPerf's llama2_7b_finetune:
 *            Summarize this dialog:\n{dialogue}\n---\nSummary:\n{summary}
 *
 * Objects are the elements of one array (at most TEXTS_JSON_MAX bytes of file, and what
 * base/json/json.h admits), or one a line (JSON Lines) where the file begins otherwise. Other keys
 * are ignored. Empty lines are left out. A format is a row of the table in text_format.c.
 */
#pragma once

#include "base/bytes.h"
#include "base/diag.h"
#include "base/err.h"

#include <stdbool.h>

#define TEXTS_FILE_MAX ((size_t)1 << 30)
#define TEXTS_JSON_MAX ((size_t)256 << 20)

enum texts_lie { TEXTS_WHOLE_FILE, TEXTS_LINES, TEXTS_JSON };

struct text_format {
    const char *name;
    enum texts_lie lie;
    const char *template; /* {key} stands for a member of the object; NULL: the text as it is */
    bool bos, eos;        /* in front of each text, behind it */
};

/* NULL: there is none of this name. */
const struct text_format *text_format_find(const char *name);

#define TEXT_FORMAT_NAMES "text, lines, json, samsum"

/* Receives each text of a file; -1 after setting err ends the reading. */
typedef int text_sink(void *context, const char *text, size_t len, struct err *err);

/* 0, or -1: `err` is set or, for JSON that is malformed, a diagnostic added. `file` names it. */
int text_format_read(const struct text_format *f, const char *file, struct bytes in,
                     text_sink *sink, void *context, struct diags *diags, struct err *err);
