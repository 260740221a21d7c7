/*
 * score: a model's share of right answers to MMLU, subject by subject.
 *
 *     score_prompts_make(&prompts, way, &mmlu, &tokenizer, &err);
 *     score_run(&score, &prompts, &mmlu, &model, NULL, NULL, &err);     model: of prompts.longest
 * tokens
 *
 * Of n answers the share p is right; its standard error is sqrt(p (1 - p) / (n - 1)), that of a
 * mean of n independent draws. The mean over S subjects has sqrt(sum of their squared errors) / S.
 * Both are NaN where a subject, or all of them, has one question only.
 */
#pragma once

#include "trainer/score/mmlu.h"
#include "trainer/score/scored_model.h"

#define SCORE_LENGTH_STEP 64 /* sequences are a multiple of it */

/* What is asked, question by question in the order of the subjects. */
struct score_prompts {
    const struct mmlu_way *way;
    struct token_list tokens;
    size_t *begin; /* [n + 1] */
    size_t n;
    int longest; /* tokens, rounded up to SCORE_LENGTH_STEP */
    int32_t letters[MMLU_CHOICES];
};

struct score_share {
    double share, error;
};

/* Of n answers, n at least 1. */
struct score_share score_share_of(size_t right, size_t n);

struct score_subject {
    size_t n, right;
    struct score_share share;
};

struct score {
    struct score_subject *subjects; /* [mmlu.n], to be freed by score_release */
    size_t n, right;
    struct score_share over_questions, over_subjects;
};

int score_prompts_make(struct score_prompts *p, const struct mmlu_way *way,
                       const struct mmlu *questions, const struct tokenizer *t, struct err *err);
void score_prompts_release(struct score_prompts *p);

/* Told after each answer how many there are; NULL: nobody is. */
struct score_observer {
    void (*asked)(void *context, size_t done);
    void *context;
};

int score_run(struct score *s, const struct score_prompts *p, const struct mmlu *questions,
              struct scored_model *model, const struct score_observer *observer, struct err *err);
void score_release(struct score *s);

/* The one that the way calls the score. */
const struct score_share *score_of(const struct score *s, const struct mmlu_way *way);
