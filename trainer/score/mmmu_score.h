/*
 * mmmu_score: a model's share of right answers to MMMU, by subject and by discipline.
 *
 *     mmmu_prompts_make(&prompts, way, &mmmu, &tokenizer, &training, &err);
 *     mmmu_prompts_look(&prompts, &mmmu, folder, side, …, &err);   before threads and devices begin
 *     mmmu_score_run(&score, &prompts, &mmmu, &tokenizer, &model, &observer, &err);
 *
 * Two ways to ask and to count, rows of the table in mmmu.c:
 *
 *   mmmu          what the model goes on with greedily, at most MMMU_TOKENS_NEW tokens, is read by
 *                 MMMU's public rules (mmmu.h, mmmu_free.h). Where they draw an option, it is drawn
 *                 from the seed MMMU_SEED and the question's place in the file, by our generator
 *                 and not by Python's, and counted as drawn
 *   mmmu-logits   the largest of the logits of the options' letters is the answer; questions that
 *                 are answered freely are left out
 *
 * The score is the mean over questions, as MMMU's own evaluation adds them up; that of a discipline
 * is the mean over its questions. FlagPerf's page samples from five beams without a fixed seed:
 * its figure cannot be made again by anybody, and neither way is that one.
 */
#pragma once

#include "trainer/score/mmmu.h"
#include "trainer/score/score.h"

#define MMMU_TOKENS_NEW 128
#define MMMU_SEED 42
#define MMMU_ROWS_MAX 8192 /* of a prompt and its answer */

/* What is asked, question by question in the order of the file. */
struct mmmu_prompts {
    const struct mmmu_way *way;
    struct token_list tokens; /* with CONVERSATION_IMAGE once in each */
    size_t *begin;            /* [n + 1] */
    size_t n;
    int longest; /* rows, those that are generated among them */
    int32_t letters[MMMU_CHOICES_MAX];
    uint8_t *pixels; /* [n][picture_bytes] */
    size_t picture_bytes;
    char images_sha256[HASH_HEX_SIZE]; /* of the files' digests, in the order of the questions */
};

/* Of a training only what it sees with counts. ERR_INPUT for a prompt of more than MMMU_ROWS_MAX
 * rows. */
int mmmu_prompts_make(struct mmmu_prompts *p, const struct mmmu_way *way,
                      const struct mmmu *questions, const struct tokenizer *t,
                      const struct training *training, struct err *err);
/* Their pictures: decoded in workers, the process must have one thread. */
int mmmu_prompts_look(struct mmmu_prompts *p, const struct mmmu *questions, const char *folder,
                      int side, struct err *err);
void mmmu_prompts_release(struct mmmu_prompts *p); /* one that is all zero is allowed */

struct mmmu_reply {
    bool asked, right, drawn;
    bool numbers_lost;     /* its logits are no numbers; then it is not right */
    int choice;            /* of the options; MMMU_NO_CHOICE: it was answered freely */
    const char *generated; /* in the score's arena; NULL: nothing was */
};

struct mmmu_part {
    const char *name; /* of a subject, or of a discipline */
    size_t n, right;
    struct score_share share; /* of n = 0: NaN */
};

struct mmmu_score {
    struct arena arena;
    struct mmmu_reply *replies; /* [questions] */
    struct mmmu_part *subjects; /* sorted by name */
    size_t n_subjects;
    struct mmmu_part *disciplines; /* in MMMU's order, those that have questions */
    size_t n_disciplines;
    struct mmmu_part chosen, free, all;
    size_t drawn, left_out, numbers_lost;
    size_t more_images; /* questions asked that have more than image_1 */
};

int mmmu_score_run(struct mmmu_score *s, const struct mmmu_prompts *p, const struct mmmu *questions,
                   const struct tokenizer *t, struct scored_model *model,
                   const struct score_observer *observer, struct err *err);
void mmmu_score_release(struct mmmu_score *s);

/* Adds up replies that are there: subjects, disciplines and all. */
void mmmu_score_add_up(struct mmmu_score *s, const struct mmmu *questions);
