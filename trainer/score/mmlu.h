/*
 * mmlu: the questions of MMLU (Hendrycks et al. 2021, github.com/hendrycks/test) and what a model
 * is asked.
 *
 * A folder holds dev/SUBJECT_dev.csv and test/SUBJECT_test.csv: rows (question, A, B, C, D, answer)
 * without a header, MMLU_SHOTS or more of them in dev. A prompt is
 *
 *   The following are multiple choice questions (with answers) about␠␠{subject}.\n\n
 *   {question}\nA. {}\nB. {}\nC. {}\nD. {}\nAnswer: {X}\n\n        five times, of dev
 *   {question}\nA. {}\nB. {}\nC. {}\nD. {}\nAnswer:
 *
 * with blanks in the subject's name, and two in front of it as in the original. A cell that pandas,
 * which the original reads with, takes for a missing value is "nan" there, too.
 *
 * Two ways to ask and to count, rows of the table in mmlu.c:
 *
 *   mmlu            at most 2048 tokens, else fewer examples, the last ones left out first. The
 *                   largest of the logits of A, B, C and D is the answer. The score is the mean
 * over subjects. mmlu-flagperf   as FlagPerf's llama2_7b_finetune: at most 512 tokens, else parts
 * between empty lines are left out behind the header one by one, at last the question itself. The
 * largest logit of the whole vocabulary must be that of the answer. The score is the mean over
 * questions.
 *
 * Tokens: <s>, then those of the prompt. Source: FLAGPERF's code as NATIVE.md (3.5) describes it;
 * it left dropout on, which is off here.
 */
#pragma once

#include "base/arena.h"
#include "trainer/tokens/tokenizer.h"

#define MMLU_SHOTS 5
#define MMLU_CHOICES 4
#define MMLU_SUBJECTS_MAX 1000
#define MMLU_QUESTIONS_MAX 200000

enum mmlu_average { MMLU_OVER_SUBJECTS, MMLU_OVER_QUESTIONS };

struct mmlu_way {
    const char *name;
    int tokens_max;      /* of a prompt, with <s> */
    bool drops_by_parts; /* what makes a prompt shorter: parts behind the header, or examples */
    bool of_vocabulary; /* what the answer's logit must exceed: all others, or the other letters' */
    enum mmlu_average score;
};

struct mmlu_question {
    const char *text, *choices[MMLU_CHOICES];
    int answer; /* 0: A */
    int line;
};

struct mmlu_subject {
    const char *name; /* "abstract_algebra" */
    struct mmlu_question *dev, *test;
    size_t n_dev, n_test;
};

struct mmlu {
    struct mmlu_subject *subjects; /* sorted by name */
    size_t n;
    char sha256[HASH_HEX_SIZE]; /* of all files' digests, in the order of the subjects, dev first */
};

/* NULL: there is none of this name. */
const struct mmlu_way *mmlu_way_find(const char *name);

#define MMLU_WAY_NAMES "mmlu or mmlu-flagperf"

/* All subjects that are in test/, in `arena`; ERR_INPUT with file and line. */
int mmlu_load(const char *folder, struct arena *arena, struct mmlu *out, struct err *err);

/* Append the tokens of a prompt that fits; ERR_INPUT where none does. */
int mmlu_prompt(const struct mmlu_way *way, const struct mmlu_subject *s,
                const struct mmlu_question *q, const struct tokenizer *t, struct token_list *out,
                struct err *err);
