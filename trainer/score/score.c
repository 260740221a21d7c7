#include "trainer/score/score.h"

#include "trainer/score/scored_model.h"

#include <math.h>
#include <stdlib.h>

/* ---- prompts -------------------------------------------------------------------------------- */

static int add_prompts(struct score_prompts *p, const struct mmlu_subject *s,
                       const struct tokenizer *t, struct err *err)
{
    for (size_t i = 0; i < s->n_test; i++) {
        if (mmlu_prompt(p->way, s, &s->test[i], t, &p->tokens, err) < 0)
            return -1;
        int n = (int)(p->tokens.n - p->begin[p->n]);
        int length = (n + SCORE_LENGTH_STEP - 1) / SCORE_LENGTH_STEP * SCORE_LENGTH_STEP;
        p->longest = length > p->longest ? length : p->longest;
        p->begin[++p->n] = p->tokens.n;
    }
    return 0;
}

int score_prompts_make(struct score_prompts *p, const struct mmlu_way *way,
                       const struct mmlu *questions, const struct tokenizer *t, struct err *err)
{
    *p = (struct score_prompts){.way = way};
    size_t n = 0;
    for (size_t i = 0; i < questions->n; i++)
        n += questions->subjects[i].n_test;
    p->begin = memory_alloc((n + 1) * sizeof *p->begin);
    p->begin[0] = 0;
    int rc = letters_find(t, MMLU_CHOICES, p->letters, err);
    for (size_t i = 0; rc == 0 && i < questions->n; i++)
        rc = add_prompts(p, &questions->subjects[i], t, err);
    if (rc < 0)
        score_prompts_release(p);
    return rc;
}

void score_prompts_release(struct score_prompts *p)
{
    token_list_release(&p->tokens);
    free(p->begin);
    *p = (struct score_prompts){.way = NULL};
}

/* ---- answers -------------------------------------------------------------------------------- */

/* The first of the largest; logits that are no numbers are never the largest. */
static bool is_right(const struct score_prompts *p, const float *logits, int vocabulary, int answer)
{
    int32_t best = p->letters[0];
    for (int i = 1; i < MMLU_CHOICES; i++)
        if (logits[p->letters[i]] > logits[best])
            best = p->letters[i];
    if (best != p->letters[answer] || !isfinite(logits[best]))
        return false;
    for (int32_t token = 0; p->way->of_vocabulary && token < vocabulary; token++)
        if (logits[token] > logits[best] || (logits[token] == logits[best] && token < best))
            return false;
    return true;
}

struct score_share score_share_of(size_t right, size_t n)
{
    double share = (double)right / (double)n;
    return (struct score_share){share, n > 1 ? sqrt(share * (1 - share) / (double)(n - 1)) : NAN};
}

/* Question `number` of all. */
static int ask_question(const struct score_prompts *p, size_t number, const struct mmlu_question *q,
                        struct scored_model *model, bool *right, struct err *err)
{
    const float *logits;
    size_t begin = p->begin[number];
    if (scored_model_ask(model, p->tokens.ids + begin, p->begin[number + 1] - begin, &logits, err) <
        0)
        return -1;
    *right = is_right(p, logits, model->vocabulary, q->answer);
    return 0;
}

static int ask_subject(struct score_subject *out, const struct score_prompts *p,
                       const struct mmlu_subject *s, size_t first, struct scored_model *model,
                       const struct score_observer *observer, struct err *err)
{
    bool right;
    for (size_t i = 0; i < s->n_test; i++) {
        if (ask_question(p, first + i, &s->test[i], model, &right, err) < 0)
            return -1;
        out->right += right;
        if (observer)
            observer->asked(observer->context, first + i + 1);
    }
    out->n = s->n_test;
    out->share = score_share_of(out->right, out->n);
    return 0;
}

int score_run(struct score *s, const struct score_prompts *p, const struct mmlu *questions,
              struct scored_model *model, const struct score_observer *observer, struct err *err)
{
    size_t first = 0;
    int rc = 0;
    *s = (struct score){.subjects = memory_alloc(questions->n * sizeof *s->subjects)};
    for (size_t i = 0; i < questions->n; i++)
        s->subjects[i] = (struct score_subject){.n = 0};
    for (size_t i = 0; rc == 0 && i < questions->n; i++) {
        rc = ask_subject(&s->subjects[i], p, &questions->subjects[i], first, model, observer, err);
        first += questions->subjects[i].n_test;
    }
    if (rc == 0) {
        double shares = 0, squares = 0;
        for (size_t i = 0; i < questions->n; i++) {
            const struct score_subject *subject = &s->subjects[i];
            s->n += subject->n;
            s->right += subject->right;
            shares += subject->share.share;
            squares += subject->share.error * subject->share.error;
        }
        s->over_questions = score_share_of(s->right, s->n);
        s->over_subjects = (struct score_share){shares / (double)questions->n,
                                                sqrt(squares) / (double)questions->n};
    } else
        score_release(s);
    return rc;
}

void score_release(struct score *s)
{
    free(s->subjects);
    *s = (struct score){.n = 0};
}

const struct score_share *score_of(const struct score *s, const struct mmlu_way *way)
{
    return way->score == MMLU_OVER_SUBJECTS ? &s->over_subjects : &s->over_questions;
}
