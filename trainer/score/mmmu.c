#include "trainer/score/mmmu.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/json/json.h"
#include "base/lookup.h"
#include "base/text.h"
#include "trainer/conversations/conversation.h"
#include "trainer/conversations/python_text.h"
#include "trainer/score/python_list.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define BYTES_MAX ((size_t)64 << 20)
#define ID_SHOWN 60 /* bytes of an id in a message */

static const struct mmmu_way ways[] = {{"mmmu", true}, {"mmmu-logits", false}};

const struct mmmu_way *mmmu_way_find(const char *name)
{
    return text_find(ways, sizeof ways / sizeof *ways, sizeof *ways, name);
}

/* ---- questions ------------------------------------------------------------------------------ */

struct mmmu_reading {
    const char *file;
    struct arena *arena;
    struct err *err;
    size_t number; /* of the question, from 1 on */
};

/* Many write all questions on one line. */
static const char *place_of_question(const struct mmmu_reading *r, const struct json *object)
{
    const char *id = json_get_text(object, "id", NULL);
    return id ? arena_printf(r->arena, "%s:%d: question %zu (%s)", r->file, object->line, r->number,
                             foreign_line(r->arena, id, ID_SHOWN))
              : arena_printf(r->arena, "%s:%d: question %zu", r->file, object->line, r->number);
}

static int refuse_question(const struct mmmu_reading *r, const struct json *object,
                           const char *expected)
{
    return err_set(r->err, ERR_INPUT, "%s: found a question without %s, expected one",
                   place_of_question(r, object), expected);
}

/* A text, which may be a list as Python writes it, or an array of texts. */
static bool read_texts(const struct mmmu_reading *r, const struct json *from, const char ***texts,
                       size_t *n)
{
    *texts = NULL;
    *n = 0;
    if (!from)
        return true;
    if (from->kind == JSON_STRING && python_list_texts(from->text, r->arena, texts, n))
        return true;
    *texts = NULL;
    *n = 0;
    bool many = from->kind == JSON_ARRAY;
    for (const struct json *t = many ? from->child : from; t; t = many ? t->next : NULL) {
        if (t->kind != JSON_STRING)
            return false;
        *(const char **)arena_push(r->arena, texts, n, sizeof **texts) = t->text;
    }
    return true;
}

/* A text is a list as Python writes it, or empty: a list that is broken would be one option. */
static bool read_question_options(const struct mmmu_reading *r, const struct json *from,
                                  struct mmmu_question *q)
{
    size_t n = 0;
    bool written = from && from->kind == JSON_STRING && *from->text;
    if (from && from->kind == JSON_STRING && !written)
        return true;
    if (!(written ? python_list_texts(from->text, r->arena, &q->choices, &n)
                  : read_texts(r, from, &q->choices, &n)) ||
        n > MMMU_CHOICES_MAX)
        return false;
    q->n_choices = (int)n;
    return true;
}

/* validation_Accounting_1 */
static const char *subject_of(const char *id, struct arena *arena)
{
    const char *first = strchr(id, '_'), *last = strrchr(id, '_');
    return first && last > first + 1 ? arena_strndup(arena, first + 1, (size_t)(last - first - 1))
                                     : NULL;
}

static int read_answer(const struct mmmu_reading *r, const struct json *object,
                       struct mmmu_question *q)
{
    if (!read_texts(r, json_get(object, "answer"), &q->answers, &q->n_answers) || !q->n_answers)
        return refuse_question(r, object, "a text \"answer\"");
    for (size_t i = 0; i < q->n_answers; i++)
        if (!python_words(q->answers[i])) /* which stands in every text */
            return refuse_question(r, object, "an \"answer\" that is not empty");
    if (q->n_choices == 0)
        return 0;
    q->answer = q->answers[0][0] - 'A';
    if (q->n_answers > 1 || q->answers[0][1] || q->answer < 0 || q->answer >= q->n_choices)
        return refuse_question(r, object, "an answer that is the letter of an option");
    return 0;
}

/* Where it is not said, options say it. */
static int read_question_type(const struct mmmu_reading *r, const struct json *object,
                              struct mmmu_question *q)
{
    const char *type = json_get_text(object, "question_type", NULL);
    if (json_get(object, "question_type") && !type)
        return refuse_question(r, object, "a \"question_type\" that is a text");
    if (type && strcmp(type, "open") == 0)
        q->n_choices = 0;
    else if (type && strcmp(type, "multiple-choice") != 0)
        return refuse_question(r, object, "a \"question_type\" multiple-choice or open");
    else if (type && q->n_choices == 0)
        return refuse_question(r, object, "\"options\" of a multiple-choice question");
    return 0;
}

/* MMMU's own tables have all seven columns, empty where there is no image. */
static bool has_more_images(const struct json *object)
{
    for (const struct json *j = object->child; j; j = j->next) {
        bool is_empty = j->kind == JSON_NULL || (j->kind == JSON_STRING && !*j->text);
        if (!is_empty && strncmp(j->key, "image_", 6) == 0 && j->key[6] >= '0' &&
            j->key[6] <= '9' && strcmp(j->key + 6, "1") != 0)
            return true;
    }
    return false;
}

static int read_mmmu_question(const struct mmmu_reading *r, const struct json *object,
                              struct mmmu_question *q)
{
    *q = (struct mmmu_question){.id = json_get_text(object, "id", NULL),
                                .text = json_get_text(object, "question", NULL),
                                .image = json_get_text(object, "image_1", NULL),
                                .place = place_of_question(r, object),
                                .has_more_images = has_more_images(object)};
    q->subject = q->id ? subject_of(q->id, r->arena) : NULL;
    if (!q->subject)
        return refuse_question(r, object, "an \"id\" like validation_Subject_1");
    if (!q->text)
        return refuse_question(r, object, "a text \"question\"");
    if (!q->image || !conversation_is_name_below(q->image))
        return refuse_question(r, object, "an \"image_1\" that is a file below the folder");
    if (!read_question_options(r, json_get(object, "options"), q))
        return refuse_question(r, object,
                               "\"options\" that are at most 26 texts, or such a list as Python "
                               "writes it");
    return read_question_type(r, object, q) < 0 ? -1 : read_answer(r, object, q);
}

int mmmu_load(const char *folder, struct arena *arena, struct mmmu *out, struct diags *diags,
              struct err *err)
{
    struct mmmu_reading r = {path_join(arena, folder, MMMU_FILE), arena, err, 0};
    struct json *root;
    struct bytes in;
    *out = (struct mmmu){.n = 0};
    if (file_read(r.file, BYTES_MAX, arena, &in, err) < 0)
        return -1;
    hash_sha256(in.data, in.len, out->sha256);
    if (json_parse_large(r.file, in, BYTES_MAX, arena, &root, diags) < 0)
        return -1;
    if (root->kind != JSON_ARRAY || root->n == 0)
        return err_set(err, ERR_INPUT, "%s: found no array of questions, expected one", r.file);
    out->questions = arena_array(arena, root->n, sizeof *out->questions);
    for (const struct json *o = root->child; o; o = o->next) {
        r.number++;
        if (read_mmmu_question(&r, o, &out->questions[out->n++]) < 0)
            return -1;
    }
    /* A question that is there twice would count twice. */
    const struct lookup ids = lookup_of(out->questions, out->n, sizeof *out->questions,
                                        offsetof(struct mmmu_question, id), r.arena);
    for (size_t i = 0; i < out->n; i++) {
        size_t same = lookup_find(&ids, out->questions[i].id);
        if (same != i)
            return err_set(r.err, ERR_INPUT,
                           "%s: found the id of question %zu again, expected another",
                           out->questions[i].place, same + 1);
    }
    return 0;
}

/* ---- what is asked -------------------------------------------------------------------------- */

void mmmu_prompt(const struct mmmu_question *q, struct buf *out)
{
    buf_printf(out, "%s\n", q->text);
    for (int i = 0; i < q->n_choices; i++)
        buf_printf(out, "(%c) %s\n", 'A' + i, q->choices[i]);
    buf_str(out, q->n_choices ? "Answer with the option's letter from the given choices directly."
                              : "Answer the question using a single word or phrase.");
}

/* ---- what was answered ---------------------------------------------------------------------- */

/* Where `part` stands last; -1: nowhere. */
static long last_place(const char *text, const char *part, bool any_case)
{
    long last = -1;
    size_t len = strlen(part), end = strlen(text);
    for (size_t at = 0; at + len <= end; at++)
        if ((any_case ? strncasecmp(text + at, part, len) : strncmp(text + at, part, len)) == 0)
            last = (long)at;
    return last;
}

/* The choice whose form stands last; of equals the first. */
static int last_choice(const struct mmmu_question *q, const char *text, const char *form)
{
    int found = MMMU_NO_CHOICE;
    long last = -1;
    for (int i = 0; i < q->n_choices; i++) {
        const char letter[] = {form ? form[0] : '\0', (char)('A' + i), form ? form[1] : '\0', '\0'};
        long at = last_place(text, form ? letter : q->choices[i], !form);
        found = at > last ? i : found;
        last = at > last ? at : last;
    }
    return found;
}

int mmmu_choice_of(const struct mmmu_question *q, const char *generated)
{
    struct arena arena = ARENA_INIT;
    /* Each mark once, from both ends, as often as it stands there: str.strip(mark) of one after the
     * other. */
    struct bytes words = {generated, strlen(generated)};
    for (const char *mark = ",.!?;:'"; *mark; mark++) {
        while (words.len && words.data[0] == *mark)
            words = (struct bytes){words.data + 1, words.len - 1};
        while (words.len && words.data[words.len - 1] == *mark)
            words.len--;
    }
    const char *text = arena_printf(&arena, " %.*s ", (int)words.len, words.data);
    int choice = last_choice(q, text, "()");
    if (choice == MMMU_NO_CHOICE)
        choice = last_choice(q, text, "  ");
    if (choice == MMMU_NO_CHOICE && python_words(text) > 5)
        choice = last_choice(q, text, NULL);
    arena_release(&arena);
    return choice;
}
