#include "cli/verify/learn.h"

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/text.h"
#include "verifier/logs/rows/own_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARN_MAX ((size_t)64 << 20)
#define LEARN_LINE_MAX 1000
#define WORDS_MAX 40 /* bytes in front of a number that name it */

/* A number of the line, and the words in front of it. */
struct place {
    size_t words, at, n;
};

static bool is_of_number(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == '_';
}

/* The first place where the text stands by itself, not as a part of a number or word. */
static bool find_number(struct span line, const char *text, size_t behind, struct place *out)
{
    size_t n = strlen(text);
    for (size_t at = behind; n && at + n <= line.n; at++) {
        bool begins = at == 0 || !is_of_number(line.p[at - 1]);
        bool ends = at + n == line.n || !is_of_number(line.p[at + n]);
        if (!begins || !ends || memcmp(line.p + at, text, n) != 0)
            continue;
        *out = (struct place){at, at, n};
        return true;
    }
    return false;
}

/* Back over the signs and then the word in front of the number, which must hold a letter. */
static bool find_words_before(struct span line, struct place *p)
{
    size_t at = p->at, least = p->at > WORDS_MAX ? p->at - WORDS_MAX : 0;
    while (at > least && !isalpha((unsigned char)line.p[at - 1]) &&
           !isdigit((unsigned char)line.p[at - 1]))
        at--;
    size_t word = at;
    while (at > least && is_of_number(line.p[at - 1]))
        at--;
    if (at < word && at > least && !isdigit((unsigned char)line.p[at - 1]))
        at--; /* what divides it from a longer name */
    p->words = at;
    return word > at;
}

/* Bytes of the line that stand for themselves. */
static void add_line_bytes(struct buf *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '{' || p[i] == '*')
            buf_char(out, p[i]);
        buf_char(out, p[i] == '\t' ? ' ' : p[i]);
    }
}

static void add_learnt_field(struct buf *out, struct span line, const struct place *p,
                             const char *name)
{
    buf_char(out, '*');
    add_line_bytes(out, line.p + p->words, p->at - p->words);
    buf_printf(out, "{%s}", name);
}

static int draft_line(struct cli *cli, struct span line, struct buf *out)
{
    struct place step, loss;
    if (!find_number(line, cli->opt.step, 0, &step))
        return cli_usage(cli, "--step: found no '%s' in the line", cli->opt.step);
    bool found = find_number(line, cli->opt.loss, step.at + step.n, &loss) ||
                 find_number(line, cli->opt.loss, 0, &loss);
    if (!found || loss.at == step.at)
        return cli_usage(cli, "--loss: found no '%s' in the line", cli->opt.loss);
    if (!find_words_before(line, &step) || !find_words_before(line, &loss))
        return cli_usage(cli, "--learn: found a number without a word before it, so no pattern can "
                              "be drafted; write the record by hand");
    bool first = step.at < loss.at;
    struct place *second = first ? &loss : &step;
    const struct place *before = first ? &step : &loss;
    if (second->words < before->at + before->n)
        second->words = before->at + before->n;
    add_learnt_field(out, line, before, first ? "step" : "loss");
    add_learnt_field(out, line, second, first ? "loss" : "step");
    buf_char(out, '*');
    return 0;
}

/* What the lines that were not shown say of the row. */
struct judged {
    size_t read, falls;
    double first, last;
};

static struct judged judge_row(const struct pattern_row *row, struct bytes log, long shown)
{
    struct judged j = {0, 0, NAN, NAN};
    struct span rest = {log.data, log.len};
    for (long n = 1; rest.n; n++) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        double step, loss;
        if (n == shown || line.n > LEARN_LINE_MAX || !own_row_reads(row, line, &step, &loss))
            continue;
        j.falls += j.read && step < j.last;
        j.first = j.read++ ? j.first : step;
        j.last = step;
    }
    return j;
}

static void print_record(struct cli *cli, const char *id, const char *line, struct span sample)
{
    struct json_writer w;
    json_writer_init(&w, &cli->out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.format/1");
    json_string(&w, "id", id);
    json_string(&w, "line", line);
    json_string(&w, "sample", arena_strndup(&cli->arena, sample.p, sample.n));
    json_end_object(&w);
    buf_char(&cli->out, '\n');
}

static struct span find_line(struct bytes log, long number)
{
    struct span rest = {log.data, log.len}, line = {NULL, 0};
    long n = 0;
    for (; n < number && rest.n; n++)
        line = span_cut(&rest, '\n');
    return n == number ? span_trim(line) : (struct span){NULL, 0};
}

int cli_learn(struct cli *cli)
{
    const struct options *o = &cli->opt;
    struct err err = ERR_INIT;
    struct bytes log;
    struct buf line;
    char *end;
    long number = o->line ? strtol(o->line, &end, 10) : 0;
    if (!o->line || !o->step || !o->loss || *end || number < 1)
        return cli_usage(cli, "--learn: expected --line N, --step TEXT and --loss TEXT with it");
    if (file_read(o->learn, LEARN_MAX, &cli->arena, &log, &err) < 0)
        return cli_fail(cli, &err);
    struct span shown = find_line(log, number);
    if (!shown.n || shown.n > LEARN_LINE_MAX)
        return cli_usage(cli, "--line: found no line %ld of 1 to %d bytes in %s", number,
                         LEARN_LINE_MAX, o->learn);
    buf_init(&line, PATTERN_MAX);
    int code = draft_line(cli, shown, &line);
    if (code == 0) {
        const struct pattern_row row = {.name = "own", .line = line.data};
        struct judged j = judge_row(&row, log, number);
        print_record(cli, "own", line.data, shown);
        code = cli_deliver(cli);
        cli_note(cli,
                 "the draft reads %zu other lines of %s, steps %.15g to %.15g, which decrease %zu "
                 "times; save it as records/formats/own.json",
                 j.read, o->learn, j.first, j.last, j.falls);
        code = exit_worse(code, j.read && !j.falls ? EXIT_AGREED : EXIT_CHECK);
    }
    buf_release(&line);
    return code;
}
