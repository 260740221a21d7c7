#include "cli/score/mmmu_task.h"

#include "base/arena.h"
#include "base/foreign.h"
#include "base/json/json.h"
#include "cli/score/score_report.h"
#include "cli/score/score_task.h"
#include "cli/score/scoring.h"
#include "trainer/score/mmmu_score.h"

/* A score of MMMU as a table and as JSON, which has every answer, too. */

struct mmmu_report {
    const char *case_id, *device, *precision;
    const struct mmmu_way *way;
    const struct mmmu *questions;
    const struct mmmu_prompts *prompts;
    const struct tokenizer *tokenizer;
    const struct scored_model *model;
    const struct mmmu_score *score;
};

#define NOT_THE_PAGES                                                                             \
    "FlagPerf's page samples from five beams without a fixed seed, which nobody can make again: " \
    "its figure is not this one."

/* ---- text ----------------------------------------------------------------------------------- */

#define NAME_SHOWN 100 /* bytes of a subject's name */

static void put_parts(struct buf *out, const char *head, const struct mmmu_part *parts, size_t n)
{
    buf_printf(out, "%-40s %9s %6s\n", head, "questions", "right");
    for (size_t i = 0; i < n; i++) {
        /* Whoever wrote the questions named the subjects. */
        const struct mmmu_part *part = &parts[i];
        struct arena arena = ARENA_INIT;
        buf_printf(out, "%-40s %9zu %6zu ", foreign_line(&arena, part->name, NAME_SHOWN), part->n,
                   part->right);
        arena_release(&arena);
        if (part->n)
            score_report_share(out, &part->share, "one question");
        else
            buf_str(out, "left out\n");
    }
    buf_char(out, '\n');
}

static size_t without_discipline(const struct mmmu_score *s)
{
    size_t n = s->all.n;
    for (size_t i = 0; i < s->n_disciplines; i++)
        n -= s->disciplines[i].n;
    return n;
}

/* `one` or `many`, of whom there are n; 0: nothing. */
static void put_remark(struct buf *out, size_t n, const char *one, const char *many)
{
    if (n)
        buf_printf(out, "%zu %s\n", n, n == 1 ? one : many);
}

static void mmmu_report_text(const struct mmmu_report *r, struct buf *out)
{
    const struct mmmu_score *s = r->score;
    put_parts(out, "subject", s->subjects, s->n_subjects);
    if (s->n_disciplines)
        put_parts(out, "discipline", s->disciplines, s->n_disciplines);
    const struct mmmu_part kinds[] = {
        {"multiple choice", s->chosen.n, s->chosen.right, s->chosen.share},
        {"free answers", s->free.n, s->free.right, s->free.share},
        {"all", s->all.n, s->all.right, s->all.share},
    };
    put_parts(out, "kind", kinds, sizeof kinds / sizeof *kinds);
    buf_printf(out, "%s of %s, %s on %s, %s:\n", r->way->name, r->case_id, r->precision, r->device,
               r->way->generates ? "generated greedily" : "by the options' logits");
    if (s->drawn)
        buf_printf(out, "%zu answer%s named no option: drawn from seed %d\n", s->drawn,
                   s->drawn == 1 ? "" : "s", MMMU_SEED);
    put_remark(out, without_discipline(s),
               "question is of a subject that MMMU does not have: in no discipline",
               "questions are of subjects that MMMU does not have: in no discipline");
    put_remark(out, s->numbers_lost, "answer is wrong because the model's logits are not numbers",
               "answers are wrong because the model's logits are no numbers");
    put_remark(out, s->left_out, "question without options is left out",
               "questions without options are left out");
    put_remark(out, s->more_images, "question has more images than image_1, which are not shown",
               "questions have more images than image_1, which are not shown");
    buf_str(out, "mean over questions, the score: ");
    if (s->all.n)
        score_report_share(out, &s->all.share, "one question");
    else
        buf_str(out, "none was asked\n");
    buf_str(out, NOT_THE_PAGES "\n");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_parts(struct json_writer *w, const char *key, const char *kind,
                        const struct mmmu_part *parts, size_t n)
{
    json_begin_array(w, key);
    for (size_t i = 0; i < n; i++) {
        json_begin_object_flat(w, NULL);
        json_string(w, kind, parts[i].name);
        json_integer(w, "questions", (long long)parts[i].n);
        json_integer(w, "right", (long long)parts[i].right);
        json_number(w, "share", parts[i].share.share);
        json_number(w, "standard_error", parts[i].share.error);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_reply(struct json_writer *w, const struct mmmu_question *q,
                        const struct mmmu_reply *reply)
{
    const char letter[] = {(char)('A' + reply->choice), '\0'};
    json_begin_object_flat(w, NULL);
    json_string(w, "id", q->id);
    if (reply->choice != MMMU_NO_CHOICE)
        json_string(w, "choice", letter);
    json_string_if(w, "generated", reply->generated);
    if (reply->drawn)
        json_bool(w, "drawn", true);
    json_bool(w, "right", reply->right);
    json_end_object(w);
}

static void write_digests(struct json_writer *w, const struct mmmu_report *r)
{
    const struct scored_model *m = r->model;
    const struct {
        const char *key, *sha256;
    } digests[] = {
        {"weights_sha256", m->weights_sha256},       {"adapters_sha256", m->adapters_sha256},
        {"projector_sha256", m->projector_sha256},   {"tower_sha256", m->tower_sha256},
        {"tokenizer_sha256", r->tokenizer->sha256},  {"questions_sha256", r->questions->sha256},
        {"images_sha256", r->prompts->images_sha256}};
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++)
        json_string(w, digests[i].key, *digests[i].sha256 ? digests[i].sha256 : NULL);
}

static void mmmu_report_json(const struct mmmu_report *r, struct buf *out)
{
    const struct mmmu_score *s = r->score;
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "way", r->way->name);
    json_string(&w, "case", r->case_id);
    json_string(&w, "device", r->device);
    json_string(&w, "precision", r->precision);
    json_bool(&w, "dropout", false);
    json_string(&w, "decoding", r->way->generates ? "greedy" : "logits");
    if (r->way->generates) {
        json_integer(&w, "tokens_new_max", MMMU_TOKENS_NEW);
        json_integer(&w, "draw_seed", MMMU_SEED);
        json_integer(&w, "drawn", (long long)s->drawn);
    }
    json_string(&w, "not_reproduced", NOT_THE_PAGES);
    write_digests(&w, r);
    json_number(&w, "score", s->all.share.share);
    json_number(&w, "standard_error", s->all.share.error);
    json_integer(&w, "questions", (long long)s->all.n);
    json_integer(&w, "right", (long long)s->all.right);
    json_integer(&w, "left_out", (long long)s->left_out);
    json_integer(&w, "more_images", (long long)s->more_images);
    json_integer(&w, "logits_no_numbers", (long long)s->numbers_lost);
    write_parts(&w, "disciplines", "discipline", s->disciplines, s->n_disciplines);
    write_parts(&w, "subjects", "subject", s->subjects, s->n_subjects);
    json_begin_array(&w, "answers");
    for (size_t i = 0; i < r->questions->n; i++)
        if (r->score->replies[i].asked)
            write_reply(&w, &r->questions->questions[i], &r->score->replies[i]);
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

struct mmmu_scoring {
    struct scoring all;
    const struct mmmu_way *way;
    struct mmmu questions;
    struct mmmu_prompts prompts;
};

static void report_seen(struct mmmu_scoring *s, const struct device *device,
                        const struct scored_model *model, const struct mmmu_score *score)
{
    const struct mmmu_report report = {
        .case_id = s->all.task->record->id,
        .device = device->name,
        .precision = s->all.settings.precision,
        .way = s->way,
        .questions = &s->questions,
        .prompts = &s->prompts,
        .tokenizer = &s->all.tokenizer,
        .model = model,
        .score = score,
    };
    struct buf *out = &s->all.cli->out;
    if (cli_wants_json(s->all.cli))
        mmmu_report_json(&report, out);
    else
        mmmu_report_text(&report, out);
}

static int ask_seeing_model(void *context, struct device *device, struct err *err)
{
    struct mmmu_scoring *s = context;
    const struct score_task *task = s->all.task;
    const struct scored_model_files files = {.weights = task->weights,
                                             .adapters = task->adapters,
                                             .projector = task->projector,
                                             .tower = task->tower};
    const struct score_observer observer = scoring_observer(&s->all);
    struct scored_model model;
    struct mmmu_score score;
    if (scored_model_open(&model, &s->all.settings, &files, s->prompts.longest, device, err) < 0)
        return -1;
    int rc = mmmu_score_run(&score, &s->prompts, &s->questions, &s->all.tokenizer, &model,
                            &observer, err);
    scoring_clear_line(&s->all);
    if (rc == 0) {
        report_seen(s, device, &model, &score);
        mmmu_score_release(&score);
    }
    scored_model_close(&model);
    return rc;
}

static int look_at_questions(struct mmmu_scoring *s, struct err *err)
{
    const struct score_task *task = s->all.task;
    const struct training *t = &s->all.settings;
    if (t->tower.layers == 0)
        return err_set(err, ERR_USAGE,
                       "case %s: found a model without a vision tower, expected a multimodal model",
                       task->record->id);
    if (mmmu_load(task->questions, &s->all.cli->arena, &s->questions, &s->all.cli->diags, err) <
            0 ||
        mmmu_prompts_make(&s->prompts, s->way, &s->questions, &s->all.tokenizer, t, err) < 0)
        return -1;
    s->all.questions = s->questions.n;
    return mmmu_prompts_look(&s->prompts, &s->questions, task->questions, t->tower.side, err);
}

int mmmu_task_run(struct cli *cli, const struct score_task *task, const struct mmmu_way *way)
{
    struct mmmu_scoring s = {.way = way};
    struct err err = ERR_INIT;
    int rc = scoring_begin(&s.all, cli, task, &err);
    if (rc == 0)
        rc = look_at_questions(&s, &err);
    if (rc == 0)
        rc = scoring_on_machine(&s.all, ask_seeing_model, &s, &err);
    mmmu_prompts_release(&s.prompts);
    scoring_end(&s.all);
    if (rc < 0)
        return err.kind ? cli_fail(cli, &err) : cli_diags(cli);
    return cli_deliver(cli);
}
