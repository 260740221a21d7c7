/*
 * mmmu: the questions of MMMU (Yue et al. 2023, huggingface.co/datasets/MMMU/MMMU, validation),
 * what a model that sees is asked, and what a generated answer is taken for.
 *
 * A folder holds questions.json, an array of
 *
 *   {"id": "validation_Accounting_1", "question": "… <image 1> …", "options": ["$6", …],
 *    "answer": "B", "question_type": "multiple-choice",
 *    "image_1": "images/validation_Accounting_1.png"}
 *
 * of which `options` is empty or absent, or `question_type` "open", for a question that is answered
 * freely, whose `answer` may be an array of texts. No id is there twice, and no answer is empty,
 * which MMMU's rules would find in every text. An array may be a text that is one as Python writes
 * it ("['$6', '$7']"), which is how MMMU's own tables have it. The subject is what stands in
 * the id between its first and its last "_". Only image_1 is shown, as LLaVA's evaluation does; a
 * question with image_2 or further ones is asked without them, and the report counts it. A prompt
 * is, behind <image> and a line end,
 *
 *   {question}\n(A) {}\n(B) {}\n…\nAnswer with the option's letter from the given choices directly.
 *   {question}\nAnswer the question using a single word or phrase.
 *
 * and "<image 1>" stays in it as text. Source: FlagPerf's YAML, as NATIVE.md (5.7) describes it.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/signing/hash.h"

#include <stdbool.h>

#define MMMU_CHOICES_MAX 26
#define MMMU_FILE "questions.json"
#define MMMU_NO_CHOICE (-1)

struct mmmu_way { /* to ask and to count: mmmu_score.h */
    const char *name;
    bool generates;
};

#define MMMU_WAY_NAMES "mmmu or mmmu-logits"

/* NULL: there is none of this name. */
const struct mmmu_way *mmmu_way_find(const char *name);

struct mmmu_question {
    const char *id, *subject, *text, *image; /* a file below the folder */
    const char *place;                       /* in the file, for messages */
    bool has_more_images;                    /* than image_1, which are not shown */
    const char **choices;
    int n_choices;        /* 0: it is answered freely */
    int answer;           /* of choices; 0: A */
    const char **answers; /* of a free one */
    size_t n_answers;
};

struct mmmu {
    struct mmmu_question *questions; /* in the order of the file */
    size_t n;
    char sha256[HASH_HEX_SIZE]; /* of questions.json */
};

/* All in `arena`. ERR_INPUT, or diagnostics for JSON that is malformed. */
int mmmu_load(const char *folder, struct arena *arena, struct mmmu *out, struct diags *diags,
              struct err *err);

void mmmu_prompt(const struct mmmu_question *q, struct buf *out);

/*
 * The choice that a generated text names, by the rules of MMMU's eval_utils.py: marks , . ! ? ; : '
 * are taken off its ends; "(X)" counts, else " X ", else, of more than five words, a choice's own
 * text in either case (of ASCII); of several that one which stands last. MMMU_NO_CHOICE: none, for
 * which that file draws one with Python's generator (mmmu_score.h).
 */
int mmmu_choice_of(const struct mmmu_question *q, const char *generated);
