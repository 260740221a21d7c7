#include "trainer/score/mmmu_score.h"

#include "trainer/conversations/labelled.h"
#include "trainer/conversations/pictures.h"
#include "trainer/conversations/python_text.h"
#include "trainer/device/rng.h"
#include "trainer/model/model.h"
#include "trainer/score/mmmu_free.h"
#include "trainer/score/scored_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS_MAX ((size_t)8 << 30)

/* ---- prompts -------------------------------------------------------------------------------- */

static int add_mmmu_prompt(struct mmmu_prompts *p, const struct mmmu_question *q,
                           const struct tokenizer *t, struct err *err)
{
    struct buf text = BUF_INIT(TOKENIZER_TEXT_MAX);
    buf_str(&text, CONVERSATION_PLACE "\n");
    mmmu_prompt(q, &text);
    struct turn turns[] = {{"human", text.data}, {"gpt", ""}};
    const struct conversation c = {.image = q->image, .turns = turns, .n = 2};
    int rc = buf_check(&text, q->id, err);
    if (rc == 0)
        rc = labelled_prompt(&c, t, &p->tokens, err);
    buf_release(&text);
    return rc < 0 ? err_prefix(err, "%s", q->id) : 0;
}

static int measure_prompt(struct mmmu_prompts *p, const struct mmmu_question *q,
                          const struct training *t, struct err *err)
{
    size_t begin = p->begin[p->n], n = p->tokens.n - begin;
    int rows = scored_model_rows(t, p->tokens.ids + begin, n);
    rows += p->way->generates ? MMMU_TOKENS_NEW : 0;
    rows = (rows + MODEL_ROWS_STEP - 1) / MODEL_ROWS_STEP * MODEL_ROWS_STEP;
    if (rows > MMMU_ROWS_MAX)
        return err_set(err, ERR_INPUT, "%s: found a prompt of %d rows, expected at most %d", q->id,
                       rows, MMMU_ROWS_MAX);
    p->longest = rows > p->longest ? rows : p->longest;
    p->begin[++p->n] = p->tokens.n;
    return 0;
}

int mmmu_prompts_make(struct mmmu_prompts *p, const struct mmmu_way *way,
                      const struct mmmu *questions, const struct tokenizer *t,
                      const struct training *training, struct err *err)
{
    *p = (struct mmmu_prompts){.way = way};
    p->begin = memory_alloc((questions->n + 1) * sizeof *p->begin);
    p->begin[0] = 0;
    int most = 0;
    for (size_t i = 0; i < questions->n; i++)
        most = questions->questions[i].n_choices > most ? questions->questions[i].n_choices : most;
    int rc = letters_find(t, most, p->letters, err);
    for (size_t i = 0; rc == 0 && i < questions->n; i++) {
        const struct mmmu_question *q = &questions->questions[i];
        rc = add_mmmu_prompt(p, q, t, err);
        if (rc == 0)
            rc = measure_prompt(p, q, training, err);
    }
    if (rc < 0)
        mmmu_prompts_release(p);
    return rc;
}

static int keep_square(void *context, size_t row, const void *rgb, struct err *err)
{
    struct mmmu_prompts *p = context;
    (void)err;
    memcpy(p->pixels + row * p->picture_bytes, rgb, p->picture_bytes);
    return 0;
}

int mmmu_prompts_look(struct mmmu_prompts *p, const struct mmmu *questions, const char *folder,
                      int side, struct err *err)
{
    const char **names = memory_alloc(2 * questions->n * sizeof *names), **places;
    places = names + questions->n;
    const struct picture_files files = {folder, names, places, questions->n, IMAGE_CROP, side};
    const struct picture_rows rows = {keep_square, p};
    for (size_t i = 0; i < questions->n; i++) {
        names[i] = questions->questions[i].image;
        places[i] = questions->questions[i].place;
    }
    p->picture_bytes = (size_t)side * (size_t)side * IMAGE_CHANNELS;
    int rc = questions->n > PIXELS_MAX / p->picture_bytes
                 ? err_set(err, ERR_INPUT,
                           "found %zu questions, expected pictures of at most 8 GiB", questions->n)
                 : 0;
    if (rc == 0) {
        p->pixels = memory_alloc(questions->n * p->picture_bytes);
        rc = pictures_write(&files, &rows, p->images_sha256, NULL, NULL, err);
    }
    free(names);
    return rc;
}

void mmmu_prompts_release(struct mmmu_prompts *p)
{
    token_list_release(&p->tokens);
    free(p->begin);
    free(p->pixels);
    *p = (struct mmmu_prompts){.way = NULL};
}

/* ---- replies -------------------------------------------------------------------------------- */

struct mmmu_asking {
    struct mmmu_score *score;
    const struct mmmu_prompts *prompts;
    const struct mmmu *questions;
    const struct tokenizer *tokenizer;
    struct scored_model *model;
};

static void judge_text(struct mmmu_reply *r, const struct mmmu_question *q, size_t number)
{
    if (q->n_choices == 0) {
        r->right = mmmu_free_is_right(q->answers, q->n_answers, r->generated);
        return;
    }
    r->choice = mmmu_choice_of(q, r->generated);
    r->drawn = r->choice == MMMU_NO_CHOICE;
    if (r->drawn) {
        struct rng rng;
        rng_init(&rng, MMMU_SEED, RNG_ORDER, number);
        r->choice = (int)rng_below(&rng, (uint64_t)q->n_choices);
    }
    r->right = r->choice == q->answer;
}

static const char *text_of_tokens(struct mmmu_asking *a, const int32_t *tokens, size_t n)
{
    struct buf text = BUF_INIT(TOKENIZER_TEXT_MAX);
    tokenizer_decode(a->tokenizer, tokens, n, &text);
    struct bytes words = python_strip(text.data ? text.data : "", text.len);
    const char *copy = arena_strndup(&a->score->arena, words.data, words.len);
    buf_release(&text);
    return copy;
}

/* One that ends in logits that are no numbers is never right, and nothing is drawn for it. */
static int generate_reply(struct mmmu_asking *a, size_t number, struct mmmu_reply *r,
                          struct err *err)
{
    const struct mmmu_prompts *p = a->prompts;
    const struct generation g = {a->tokenizer->eos, MMMU_TOKENS_NEW};
    int32_t tokens[MMMU_TOKENS_NEW];
    size_t begin = p->begin[number], n;
    int rc = generation_run(&g, a->model, p->tokens.ids + begin, p->begin[number + 1] - begin,
                            p->pixels + number * p->picture_bytes, tokens, &n, err);
    if (rc < 0)
        return rc;
    r->asked = true;
    r->generated = text_of_tokens(a, tokens, n);
    r->numbers_lost = rc == 1;
    if (!r->numbers_lost)
        judge_text(r, &a->questions->questions[number], number);
    return 0;
}

/* The first of the largest; logits that are no numbers are never right. */
static int choose_reply(struct mmmu_asking *a, size_t number, struct mmmu_reply *r, struct err *err)
{
    const struct mmmu_prompts *p = a->prompts;
    const struct mmmu_question *q = &a->questions->questions[number];
    const float *logits;
    size_t begin = p->begin[number];
    if (q->n_choices == 0)
        return 0;
    if (scored_model_read(a->model, p->tokens.ids + begin, p->begin[number + 1] - begin,
                          p->pixels + number * p->picture_bytes, &logits, err) < 0)
        return -1;
    r->asked = true;
    r->choice = 0;
    for (int i = 1; i < q->n_choices; i++)
        if (logits[p->letters[i]] > logits[p->letters[r->choice]])
            r->choice = i;
    r->numbers_lost = !isfinite(logits[p->letters[r->choice]]);
    r->right = r->choice == q->answer && !r->numbers_lost;
    return 0;
}

int mmmu_score_run(struct mmmu_score *s, const struct mmmu_prompts *p, const struct mmmu *questions,
                   const struct tokenizer *t, struct scored_model *model,
                   const struct score_observer *observer, struct err *err)
{
    struct mmmu_asking a = {s, p, questions, t, model};
    int rc = 0;
    *s = (struct mmmu_score){.arena = ARENA_INIT};
    s->replies = arena_array(&s->arena, questions->n, sizeof *s->replies);
    for (size_t i = 0; rc == 0 && i < questions->n; i++) {
        s->replies[i] = (struct mmmu_reply){.choice = MMMU_NO_CHOICE};
        rc = p->way->generates ? generate_reply(&a, i, &s->replies[i], err)
                               : choose_reply(&a, i, &s->replies[i], err);
        if (rc == 0 && observer)
            observer->asked(observer->context, i + 1);
    }
    if (rc == 0)
        mmmu_score_add_up(s, questions);
    else
        mmmu_score_release(s);
    return rc;
}

void mmmu_score_release(struct mmmu_score *s)
{
    arena_release(&s->arena);
    *s = (struct mmmu_score){.arena = ARENA_INIT};
}
