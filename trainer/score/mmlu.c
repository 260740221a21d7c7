#include "trainer/score/mmlu.h"

#include "base/arena.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"
#include "trainer/score/csv.h"

#include <string.h>

#define CELLS (MMLU_CHOICES + 2)
#define TEST_END "_test.csv"

static const struct mmlu_way ways[] = {
    {"mmlu", 2048, false, false, MMLU_OVER_SUBJECTS},
    {"mmlu-flagperf", 512, true, true, MMLU_OVER_QUESTIONS},
};

const struct mmlu_way *mmlu_way_find(const char *name)
{
    return text_find(ways, sizeof ways / sizeof *ways, sizeof *ways, name);
}

/* What read_csv of pandas takes for a missing value. */
static const char *const missing_values[] = {
    "",     "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A",  "NA",       "NULL", "NaN",     "None",     "n/a",  "nan",  "null",
};

static const char *cell_as_pandas(const char *cell)
{
    return text_find(missing_values, sizeof missing_values / sizeof *missing_values, sizeof cell,
                     cell)
               ? "nan"
               : cell;
}

/* ---- files ---------------------------------------------------------------------------------- */

struct questions {
    struct mmlu_question *items;
    size_t n;
};

static int take_question(const char *path, const struct csv_row *row, struct mmlu_question *q,
                         struct err *err)
{
    if (row->n != CELLS)
        return err_set(err, ERR_INPUT,
                       "%s:%d: found %zu fields, expected %d: question, A, B, C, D, answer", path,
                       row->line, row->n, CELLS);
    const char *answer = row->fields[CELLS - 1];
    if (!answer[0] || answer[1] || answer[0] < 'A' || answer[0] > 'D')
        return err_set(err, ERR_INPUT, "%s:%d: found answer \"%.*s\", expected A, B, C or D", path,
                       row->line, text_cut(answer, 20), answer);
    q->text = cell_as_pandas(row->fields[0]);
    for (int i = 0; i < MMLU_CHOICES; i++)
        q->choices[i] = cell_as_pandas(row->fields[i + 1]);
    q->answer = answer[0] - 'A';
    q->line = row->line;
    return 0;
}

static int read_question_file(const char *path, struct arena *arena, struct questions *out,
                              struct hash *hash, struct err *err)
{
    struct bytes in;
    struct csv_row *rows;
    size_t n;
    char sha256[HASH_HEX_SIZE];
    if (file_read(path, CSV_BYTES_MAX, arena, &in, err) < 0 ||
        csv_parse(path, in, arena, &rows, &n, err) < 0)
        return -1;
    hash_sha256(in.data, in.len, sha256);
    hash_add(hash, sha256, strlen(sha256));
    out->items = arena_array(arena, n, sizeof *out->items);
    for (out->n = 0; out->n < n; out->n++)
        if (take_question(path, &rows[out->n], &out->items[out->n], err) < 0)
            return -1;
    return 0;
}

static int read_subject(const char *folder, struct mmlu_subject *s, struct arena *arena,
                        struct hash *hash, struct err *err)
{
    const char *dev_path = arena_printf(arena, "%s/dev/%s_dev.csv", folder, s->name);
    const char *test_path = arena_printf(arena, "%s/test/%s" TEST_END, folder, s->name);
    struct questions dev, test;
    if (read_question_file(dev_path, arena, &dev, hash, err) < 0 ||
        read_question_file(test_path, arena, &test, hash, err) < 0)
        return -1;
    if (dev.n < MMLU_SHOTS)
        return err_set(err, ERR_INPUT, "%s: found %zu questions, expected %d examples", dev_path,
                       dev.n, MMLU_SHOTS);
    if (test.n == 0)
        return err_set(err, ERR_INPUT, "%s: found no question, expected at least one", test_path);
    s->dev = dev.items;
    s->n_dev = dev.n;
    s->test = test.items;
    s->n_test = test.n;
    return 0;
}

static int find_subjects(const char *folder, struct arena *arena, struct mmlu *out, struct err *err)
{
    const char *test = path_join(arena, folder, "test");
    struct dir_entry *entries;
    size_t n;
    if (dir_list(test, arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(entries[i].name), end = sizeof TEST_END - 1;
        if (len <= end || !text_ends(entries[i].name, TEST_END))
            continue;
        if (out->n == MMLU_SUBJECTS_MAX)
            return err_set(err, ERR_INPUT, "%s: found more than %d subjects", test,
                           MMLU_SUBJECTS_MAX);
        struct mmlu_subject *s = arena_push(arena, &out->subjects, &out->n, sizeof *s);
        s->name = arena_strndup(arena, entries[i].name, len - end);
    }
    if (out->n == 0)
        return err_set(err, ERR_INPUT, "%s: found no file SUBJECT" TEST_END ", expected MMLU's",
                       test);
    return 0;
}

int mmlu_load(const char *folder, struct arena *arena, struct mmlu *out, struct err *err)
{
    struct hash hash;
    size_t questions = 0;
    *out = (struct mmlu){.n = 0};
    if (find_subjects(folder, arena, out, err) < 0)
        return -1;
    hash_init(&hash);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < out->n; i++) {
        rc = read_subject(folder, &out->subjects[i], arena, &hash, err);
        questions += out->subjects[i].n_test;
        if (rc == 0 && questions > MMLU_QUESTIONS_MAX)
            rc = err_set(err, ERR_INPUT, "%s: found more than %d questions", folder,
                         MMLU_QUESTIONS_MAX);
    }
    hash_final(&hash, out->sha256);
    return rc;
}

/* ---- prompts -------------------------------------------------------------------------------- */

static void put_question(struct buf *out, const struct mmlu_question *q, bool answered)
{
    buf_str(out, q->text);
    for (int i = 0; i < MMLU_CHOICES; i++)
        buf_printf(out, "\n%c. %s", 'A' + i, q->choices[i]);
    buf_str(out, "\nAnswer:");
    if (answered)
        buf_printf(out, " %c\n\n", 'A' + q->answer);
}

static void put_prompt(struct buf *out, const struct mmlu_subject *s, const struct mmlu_question *q,
                       int shots)
{
    buf_str(out, "The following are multiple choice questions (with answers) about  ");
    for (const char *c = s->name; *c; c++)
        buf_char(out, *c == '_' ? ' ' : *c);
    buf_str(out, ".\n\n");
    for (int i = 0; i < shots; i++)
        put_question(out, &s->dev[i], true);
    put_question(out, q, false);
}

/* The part behind the first empty line goes, up to the next one; false: there is none. */
static bool drop_part(struct buf *prompt)
{
    char *first = strstr(prompt->data, "\n\n");
    if (!first)
        return false;
    char *second = strstr(first + 2, "\n\n");
    const char *rest = second ? second : prompt->data + prompt->len;
    size_t n = prompt->len - (size_t)(rest - prompt->data);
    memmove(first, rest, n + 1);
    prompt->len = (size_t)(first - prompt->data) + n;
    return true;
}

static int encode_prompt(const struct buf *prompt, const struct tokenizer *t,
                         struct token_list *out, size_t begin, struct err *err)
{
    out->n = begin;
    if (t->bos != TOKEN_NONE)
        token_list_add(out, t->bos);
    return buf_check(prompt, "a prompt", err) < 0
               ? -1
               : tokenizer_encode(t, prompt->data, prompt->len, out, err);
}

static int fit_prompt(const struct mmlu_way *way, const struct mmlu_subject *s,
                      const struct mmlu_question *q, const struct tokenizer *t, struct buf *prompt,
                      struct token_list *out, struct err *err)
{
    size_t begin = out->n;
    int shots = MMLU_SHOTS;
    put_prompt(prompt, s, q, shots);
    while (encode_prompt(prompt, t, out, begin, err) == 0) {
        if (out->n - begin <= (size_t)way->tokens_max)
            return 0;
        bool shorter = way->drops_by_parts ? drop_part(prompt) : shots-- > 0;
        if (!shorter)
            return err_set(err, ERR_INPUT,
                           "%s, line %d: found a question of %zu tokens without an example, "
                           "expected at most %d",
                           s->name, q->line, out->n - begin, way->tokens_max);
        if (!way->drops_by_parts) {
            buf_clear(prompt);
            put_prompt(prompt, s, q, shots);
        }
    }
    return -1;
}

int mmlu_prompt(const struct mmlu_way *way, const struct mmlu_subject *s,
                const struct mmlu_question *q, const struct tokenizer *t, struct token_list *out,
                struct err *err)
{
    struct buf prompt = BUF_INIT(TOKENIZER_TEXT_MAX);
    int rc = fit_prompt(way, s, q, t, &prompt, out, err);
    buf_release(&prompt);
    return rc;
}
