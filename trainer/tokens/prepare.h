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

#include "trainer/tokens/text_format.h"
#include "trainer/tokens/tokenizer.h"

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
