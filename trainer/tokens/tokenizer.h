/*
 * tokenizer: a SentencePiece BPE model (`tokenizer.model` of Llama, Vicuna, Baichuan), and text as
 * its tokens.
 *
 * The file is a protobuf message: field 1, repeated, is a piece {1 text, 2 score, 3 type}; field 2
 * the trainer's specification, of which {3 model type, 24 blanks as suffix, 35 byte fallback,
 * 45 to 47 the texts of <unk>, <s> and </s>} count; field 3 the normalizer's {2 table,
 * 3 add_dummy_prefix, 4 remove_extra_whitespaces, 5 escape_whitespaces}. A token's id is the place
 * of its piece in the file. Source: sentencepiece_model.proto of github.com/google/sentencepiece.
 *
 * Encoding gives the ids of SentencePiece's own encoder (bpe_model.cc, normalizer.cc):
 *
 *   1. A byte that is not part of valid UTF-8 becomes U+FFFD. A blank is put in front of a text
 * that is not empty (add_dummy_prefix), runs of blanks become one and those at the ends go
 *      (remove_extra_whitespaces), and every blank becomes U+2581.
 *   2. The text is cut into characters; a user-defined piece is one symbol that never merges.
 *   3. Of all neighbours that together are a piece, those with the highest score are merged, the
 *      leftmost of equals, until there are no more.
 *   4. A symbol without a piece becomes the pieces of its bytes (byte fallback), or <unk>, several
 *      in a row being one.
 *
 * It takes O(n log n) in the length of the text. Refused with ERR_INPUT: other kinds of models, a
 * table of the normalizer (its rule must be "identity"), unused pieces, a piece twice, scores that
 * are no numbers, and more of anything than the limits below.
 *
 * What it leaves to others: special tokens in the text (`</s>` is five characters here), templates
 * (prepare.h), files of tokens (prepare.h).
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/signing/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOKENIZER_FILE_MAX ((size_t)64 << 20)
#define TOKENIZER_PIECES_MAX ((size_t)1 << 20)
#define TOKENIZER_PIECE_BYTES_MAX 1024
#define TOKENIZER_TEXT_MAX ((size_t)8 << 20) /* bytes that are encoded at once */
#define TOKENS_MAX ((size_t)1 << 30)

#define TOKEN_NONE (-1)

enum piece_type {
    PIECE_NORMAL = 1,
    PIECE_UNKNOWN,
    PIECE_CONTROL,
    PIECE_USER_DEFINED,
    PIECE_UNUSED,
    PIECE_BYTE
};

struct piece {
    const char *text; /* no NUL stands behind it */
    size_t len;
    float score;
    enum piece_type type;
};

struct tokenizer {
    struct arena arena;
    char sha256[HASH_HEX_SIZE]; /* of the file */
    struct piece *pieces;
    size_t n;
    uint32_t *slots; /* [slot_mask + 1]: id + 1 by the hash of the text; 0: free */
    size_t slot_mask;
    size_t longest;              /* bytes of a piece */
    size_t longest_user_defined; /* 0: there are none */
    bool dummy_prefix, collapses_blanks, byte_fallback;
    int32_t unknown, bos, eos; /* bos, eos: TOKEN_NONE where the model has none */
    int32_t bytes[256];        /* ids, with byte fallback */
};

int tokenizer_load(struct tokenizer *t, const char *path, struct err *err);
void tokenizer_release(struct tokenizer *t); /* one that is all zero is allowed */

/* The id of the piece with this text; TOKEN_NONE: there is none. */
int32_t tokenizer_find(const struct tokenizer *t, const char *text, size_t len);

/* Ids that grow; all zero is an empty list. */
struct token_list {
    int32_t *ids;
    size_t n, room;
};
void token_list_add(struct token_list *l, int32_t id);
void token_list_release(struct token_list *l);

/* Append the tokens of a text: neither <s> nor </s>. ERR_INPUT where the text is too long or there
 * would be more than TOKENS_MAX tokens. */
int tokenizer_encode(const struct tokenizer *t, const char *text, size_t len,
                     struct token_list *out, struct err *err);

/* Append the text of tokens, of which <s>, </s> and their like have none: U+2581 is a blank, a
 * piece of a byte that byte (what they make may not be UTF-8), <unk> SentencePiece's " ⁇ ". The
 * blank that encoding puts in front stays. */
struct buf;
void tokenizer_decode(const struct tokenizer *t, const int32_t *ids, size_t n, struct buf *out);

/* The pieces of a tokenizer by their texts, an open hash table of FNV-1a's sums. */

/* The length of the longest user-defined piece that the text begins with; 0: it begins with none.
 */
size_t piece_table_user_defined(const struct tokenizer *t, const char *text, size_t len);
