/*
 * prepare: texts become a folder of tokens that a training reads.
 *
 *     struct prepare p;
 *     prepare_begin(&p, &wish, &err);
 *     prepare_file(&p, path, diags, &err);      for each file, in the order of the training
 *     prepare_end(&p, folder, &err);
 *     prepare_release(&p);                      in any case
 *
 * The folder, which must not be there yet and is there whole or not at all, holds
 *
 *   tokens.npy      one dimension, uint16, or int32 where the tokenizer has more than 65,536 pieces
 *   prepared.json   how it was made: format, tokenizer and files with their SHA-256, counts, and
 * the SHA-256 of tokens.npy, which a case states of its data
 *
 * Packing (`length` > 0): all tokens are joined and cut at every length-th one, whatever text they
 * are of, and the rest is dropped, as FlagPerf's llama2_7b_finetune does. Sample i of a training is
 * tokens [i * length, (i + 1) * length], so one token more than a multiple of the length is kept,
 * which is </s> where the texts have ended.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "trainer/tokens/tokenizer.h"

#include <stdbool.h>

/* How the texts of a training lie in a file, and what is made of each.
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
 * are ignored. Empty lines are left out. A format is a row of the table in prepare.c. */

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

#define PREPARE_TOKENS "tokens.npy"
#define PREPARE_RECORD "prepared.json"

struct prepare_wish {
    const struct text_format *format;
    const char *tokenizer; /* path; borrowed */
    int length;            /* of a sequence, to pack; 0: nothing is dropped */
};

struct prepared_file {
    const char *path, *sha256;
    size_t bytes, texts, tokens;
};

struct prepare {
    struct prepare_wish wish;
    struct arena arena;
    struct tokenizer tokenizer;
    struct token_list tokens;
    struct prepared_file *files;
    size_t n_files, texts, dropped;
    char sha256[HASH_HEX_SIZE]; /* of tokens.npy */
};

/* ERR_INPUT where the tokenizer cannot be read, or lacks <s> or </s> that the format wants. */
int prepare_begin(struct prepare *p, const struct prepare_wish *wish, struct err *err);
int prepare_file(struct prepare *p, const char *path, struct diags *diags, struct err *err);
int prepare_end(struct prepare *p, const char *folder, struct err *err);
void prepare_release(struct prepare *p);
