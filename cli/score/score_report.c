#include "cli/score/score_report.h"

#include "base/json/json.h"

#include <math.h>

/* ---- text ----------------------------------------------------------------------------------- */

void score_report_share(struct buf *out, const struct score_share *s, const char *one)
{
    buf_printf(out, "%6.2f %%", 100 * s->share);
    if (isfinite(s->error))
        buf_printf(out, " ± %.2f", 100 * s->error);
    else
        buf_printf(out, " (standard error: not defined with %s)", one);
    buf_char(out, '\n');
}

static const char *way_of_counting(const struct mmlu_way *way, enum mmlu_average average)
{
    return way->score == average ? ", the score" : "";
}

void score_report_text(const struct score_report *r, struct buf *out)
{
    const struct score *s = r->score;
    buf_printf(out, "%-40s %9s %6s\n", "subject", "questions", "right");
    for (size_t i = 0; i < r->questions->n; i++) {
        const struct score_subject *subject = &s->subjects[i];
        buf_printf(out, "%-40s %9zu %6zu ", r->questions->subjects[i].name, subject->n,
                   subject->right);
        score_report_share(out, &subject->share, "one question");
    }
    buf_printf(out, "%-40s %9zu %6zu\n", "all", s->n, s->right);
    buf_printf(out, "\n%s of %s, %s on %s, without dropout:\n", r->way->name, r->case_id,
               r->precision, r->device);
    buf_printf(out, "mean over subjects%s: ", way_of_counting(r->way, MMLU_OVER_SUBJECTS));
    score_report_share(out, &s->over_subjects, "one question in a subject");
    buf_printf(out, "mean over questions%s: ", way_of_counting(r->way, MMLU_OVER_QUESTIONS));
    score_report_share(out, &s->over_questions, "one question");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_share(struct json_writer *w, const char *key, const struct score_share *s)
{
    json_begin_object_flat(w, key);
    json_number(w, "share", s->share);
    json_number(w, "standard_error", s->error);
    json_end_object(w);
}

static void write_subject(struct json_writer *w, const char *name, const struct score_subject *s)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "subject", name);
    json_integer(w, "questions", (long long)s->n);
    json_integer(w, "right", (long long)s->right);
    json_number(w, "share", s->share.share);
    json_number(w, "standard_error", s->share.error);
    json_end_object(w);
}

void score_report_json(const struct score_report *r, struct buf *out)
{
    const struct score *s = r->score;
    const char *adapters = r->model->adapters_sha256;
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "way", r->way->name);
    json_string(&w, "case", r->case_id);
    json_string(&w, "device", r->device);
    json_string(&w, "precision", r->precision);
    json_bool(&w, "dropout", false);
    json_integer(&w, "shots", MMLU_SHOTS);
    json_integer(&w, "tokens_max", r->way->tokens_max);
    json_string(&w, "weights_sha256", r->model->weights_sha256);
    json_string(&w, "adapters_sha256", *adapters ? adapters : NULL);
    json_string(&w, "tokenizer_sha256", r->tokenizer->sha256);
    json_string(&w, "questions_sha256", r->questions->sha256);
    json_number(&w, "score", score_of(s, r->way)->share);
    json_number(&w, "standard_error", score_of(s, r->way)->error);
    json_integer(&w, "questions", (long long)s->n);
    json_integer(&w, "right", (long long)s->right);
    write_share(&w, "over_subjects", &s->over_subjects);
    write_share(&w, "over_questions", &s->over_questions);
    json_begin_array(&w, "subjects");
    for (size_t i = 0; i < r->questions->n; i++)
        write_subject(&w, r->questions->subjects[i].name, &s->subjects[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
