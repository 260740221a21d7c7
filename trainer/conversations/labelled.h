/*
 * labelled: a conversation becomes tokens and labels, as LLaVA 1.5 makes them with Vicuna's slow
 * tokenizer (llava/train/train.py, conversation.py, mm_utils.py; transformers 4.31).
 *
 *   llava-plain   <s> <image> {answer}\n                          pretraining: one question, one
 *                 answer, an image; of the question only the image stays. Targets: the answer
 *   llava-v1      <s> {system} USER: {question} ASSISTANT: {answer}</s>USER: …      fine-tuning: an
 *                 image's place is moved to the front of its turn, before a line end. Targets:
 *                 answers and their </s>
 *
 * The prompt is cut at its images' places and each piece is encoded by itself; </s>, <s> and <unk>
 * in a piece are those tokens, and what stands between them is encoded by itself, too. A place is
 * CONVERSATION_IMAGE, its label CONVERSATION_IGNORED.
 *
 * llava-v1 finds its answers by counting: a round (between </s>) has as many tokens as it has when
 * it is encoded alone, with <s> for the </s> that it lacks; its instruction, up to and with
 * " ASSISTANT: ", two less than that alone (<s>, and the last blank, which belongs to the answer).
 * Where the count does not meet the tokens, as when a question contains "ASSISTANT: ", nothing is a
 * target (`mismatch`); but of LABELLED_COUNT_MAX tokens on the count is not checked, as there.
 */
#pragma once

#include "trainer/conversations/conversation.h"
#include "trainer/images/fit.h"
#include "trainer/tokens/tokenizer.h"

#define LABELLED_COUNT_MAX 2048 /* model_max_length */

struct labelled {
    struct token_list tokens, labels;
    size_t targets;
    bool mismatch;
    int32_t length; /* words between white space, of all turns: positive with an image */
};

struct conversation_format {
    const char *name;
    enum image_fit fit;
    int (*label)(const struct conversation *c, const struct tokenizer *t, struct labelled *out,
                 struct err *err);
};

/* NULL: there is none of this name. */
const struct conversation_format *conversation_format_find(const char *name);

#define CONVERSATION_FORMAT_NAMES "llava-plain or llava-v1"

/* Replaces what is in *out, which may be all zero. ERR_INPUT for what the format cannot say: roles
 * that do not take turns, no image's place where there is an image, more than one. */
int labelled_make(const struct conversation_format *f, const struct conversation *c,
                  const struct tokenizer *t, struct labelled *out, struct err *err);
void labelled_release(struct labelled *l);

/* The prompt of a conversation in llava-v1, whose last turn may have no answer yet: then it ends in
 * "ASSISTANT:". Appends tokens, with <s>. */
int labelled_prompt(const struct conversation *c, const struct tokenizer *t, struct token_list *out,
                    struct err *err);
