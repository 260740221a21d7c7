#include "trainer/conversations/labelled.h"

#include "base/arena.h"
#include "base/text.h"
#include "trainer/conversations/python_text.h"
#include "trainer/data/conversations.h"

#include <string.h>

#define SYSTEM                                                                     \
    "A chat between a curious user and an artificial intelligence assistant. The " \
    "assistant gives helpful, detailed, and polite answers to the user's questions."
#define ANSWER " ASSISTANT: " /* between a question and its answer */
#define END "</s>"            /* behind an answer */
#define UNCOUNTED 2           /* tokens of an instruction alone that are not the answer's front */

static const char *const speakers[2] = {"human", "gpt"}, *const roles[2] = {"USER", "ASSISTANT"};

/* ---- text to tokens ------------------------------------------------------------------------- */

static bool has_text_at(struct bytes in, size_t at, const char *text)
{
    size_t n = strlen(text);
    return n <= in.len - at && memcmp(in.data + at, text, n) == 0;
}

/* Where `text` stands from `at` on; in.len: nowhere. */
static size_t find_text(struct bytes in, size_t at, const char *text)
{
    while (at < in.len && !has_text_at(in, at, text))
        at++;
    return at;
}

/* The special token at this place, and the length of its text; TOKEN_NONE. */
static int32_t special_at(const struct tokenizer *t, struct bytes in, size_t at, size_t *len)
{
    const int32_t ids[] = {t->bos, t->eos, t->unknown};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const struct piece *p = ids[i] == TOKEN_NONE ? NULL : &t->pieces[ids[i]];
        if (p && p->len && p->len <= in.len - at && memcmp(in.data + at, p->text, p->len) == 0) {
            *len = p->len;
            return ids[i];
        }
    }
    return TOKEN_NONE;
}

static int add_spoken_piece(const struct tokenizer *t, struct bytes in, struct token_list *out,
                            struct err *err)
{
    size_t from = 0, len = 0;
    for (size_t at = 0; at < in.len;) {
        int32_t special = special_at(t, in, at, &len);
        if (special == TOKEN_NONE) {
            at++;
            continue;
        }
        if (at > from && tokenizer_encode(t, in.data + from, at - from, out, err) < 0)
            return -1;
        token_list_add(out, special);
        from = at += len;
    }
    return in.len > from ? tokenizer_encode(t, in.data + from, in.len - from, out, err) : 0;
}

/* With <s> in front; places are cut out where there are `images`. */
static int add_prompt(const struct tokenizer *t, struct bytes in, bool images,
                      struct token_list *out, struct err *err)
{
    token_list_add(out, t->bos);
    for (size_t at = 0;;) {
        size_t end = images ? find_text(in, at, CONVERSATION_PLACE) : in.len;
        if (add_spoken_piece(t, (struct bytes){in.data + at, end - at}, out, err) < 0)
            return -1;
        if (end == in.len)
            return 0;
        token_list_add(out, CONVERSATION_IMAGE);
        at = end + strlen(CONVERSATION_PLACE);
    }
}

/* How many tokens a text has alone; SIZE_MAX on failure. */
static size_t count_prompt(const struct tokenizer *t, struct bytes in, bool images, struct err *err)
{
    struct token_list alone = {0};
    size_t n = add_prompt(t, in, images, &alone, err) < 0 ? SIZE_MAX : alone.n;
    token_list_release(&alone);
    return n;
}

/* ---- labels --------------------------------------------------------------------------------- */

static void ignore_labels(struct labelled *l, size_t from, size_t end)
{
    for (size_t i = from; i < end && i < l->labels.n; i++)
        l->labels.ids[i] = CONVERSATION_IGNORED;
}

static void begin_labels(struct labelled *l)
{
    for (size_t i = 0; i < l->tokens.n; i++) {
        bool image = l->tokens.ids[i] == CONVERSATION_IMAGE;
        token_list_add(&l->labels, image ? CONVERSATION_IGNORED : l->tokens.ids[i]);
    }
}

/* ---- llava-plain ---------------------------------------------------------------------------- */

static int label_plain(const struct conversation *c, const struct tokenizer *t,
                       struct labelled *out, struct err *err)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    if (c->n != 2 || !c->image || !strstr(c->turns[0].value, CONVERSATION_PLACE))
        return err_set(err, ERR_INPUT,
                       "expected an image, and two turns with " CONVERSATION_PLACE " in the first");
    buf_str(&text, CONVERSATION_PLACE);
    buf_str(&text, c->turns[1].value);
    buf_char(&text, '\n');
    int rc = buf_check(&text, "a text", err);
    if (rc == 0)
        rc = add_prompt(t, (struct bytes){text.data, text.len}, true, &out->tokens, err);
    buf_release(&text);
    begin_labels(out);
    ignore_labels(out, 0, 2); /* <s>, image */
    return rc;
}

/* ---- llava-v1 ------------------------------------------------------------------------------- */

/* The place at the front of its turn, as train.py's preprocess_multimodal moves it. */
static void put_turn(struct buf *text, const char *value, bool images)
{
    const struct bytes in = {value, strlen(value)};
    struct buf rest = BUF_INIT(BUF_DEFAULT_MAX);
    if (!images || find_text(in, 0, CONVERSATION_PLACE) == in.len) {
        buf_str(text, value);
        return;
    }
    for (size_t at = 0; at < in.len;) {
        size_t end = find_text(in, at, CONVERSATION_PLACE);
        buf_add(&rest, value + at, end - at);
        at = end < in.len ? end + strlen(CONVERSATION_PLACE) : end;
    }
    struct bytes words = python_strip(rest.data, rest.len);
    buf_str(text, words.len ? CONVERSATION_PLACE "\n" : CONVERSATION_PLACE);
    buf_add(text, words.data, words.len);
    buf_release(&rest);
}

/* A conversation begins with a question: one answer in front of it is left out. */
static size_t first_turn(const struct conversation *c)
{
    return c->n && strcmp(c->turns[0].from, speakers[1]) == 0;
}

static int put_v1(const struct conversation *c, struct buf *text, struct err *err)
{
    buf_str(text, SYSTEM " ");
    for (size_t i = first_turn(c), turn = 0; i < c->n; i++, turn++) {
        const struct turn *said = &c->turns[i];
        size_t role = turn % 2;
        if (strcmp(said->from, speakers[role]) != 0)
            return err_set(err, ERR_INPUT, "turn %zu: found one from \"%.40s\", expected \"%s\"", i,
                           said->from, speakers[role]);
        buf_str(text, roles[role]);
        buf_char(text, ':');
        if (!*said->value) /* who says nothing yet */
            continue;
        buf_char(text, ' ');
        put_turn(text, said->value, c->image != NULL);
        buf_str(text, role ? END : " ");
    }
    return buf_check(text, "a conversation", err);
}

/* Of one round; 1: it has not one question and one answer. */
static int measure_round(const struct tokenizer *t, struct bytes round, bool images, size_t *len,
                         size_t *instruction, struct err *err)
{
    size_t answer = find_text(round, 0, ANSWER) + strlen(ANSWER);
    if (answer > round.len || find_text(round, answer, ANSWER) < round.len)
        return 1;
    *len = count_prompt(t, round, images, err);
    *instruction = count_prompt(t, (struct bytes){round.data, answer}, images, err);
    if (*len == SIZE_MAX || *instruction == SIZE_MAX)
        return -1;
    *instruction -= UNCOUNTED < *instruction ? UNCOUNTED : *instruction;
    return 0;
}

static size_t known_tokens(const struct tokenizer *t, const struct labelled *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->tokens.n; i++)
        n += l->tokens.ids[i] != t->unknown;
    return n;
}

static int label_rounds(const struct tokenizer *t, struct bytes text, bool images,
                        struct labelled *out, struct err *err)
{
    size_t at = 0, counted = 1, len, instruction;
    ignore_labels(out, 0, counted);
    while (at < text.len) {
        size_t end = find_text(text, at, END);
        struct bytes round = {text.data + at, end - at};
        int rc = round.len ? measure_round(t, round, images, &len, &instruction, err) : 1;
        if (rc < 0)
            return -1;
        if (rc == 1)
            break;
        ignore_labels(out, counted, counted + instruction);
        counted += len;
        at = end < text.len ? end + strlen(END) : end;
    }
    ignore_labels(out, counted, out->labels.n);
    out->mismatch = counted < LABELLED_COUNT_MAX && counted != known_tokens(t, out);
    if (out->mismatch)
        ignore_labels(out, 0, out->labels.n);
    return 0;
}

static int label_v1(const struct conversation *c, const struct tokenizer *t, struct labelled *out,
                    struct err *err)
{
    bool images = c->image != NULL;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    int rc = put_v1(c, &text, err);
    const struct bytes in = {text.data, text.len};
    if (rc == 0)
        rc = add_prompt(t, in, images, &out->tokens, err);
    begin_labels(out);
    if (rc == 0)
        rc = label_rounds(t, in, images, out, err);
    buf_release(&text);
    return rc;
}

int labelled_prompt(const struct conversation *c, const struct tokenizer *t, struct token_list *out,
                    struct err *err)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    int rc = put_v1(c, &text, err);
    if (rc == 0)
        rc = add_prompt(t, (struct bytes){text.data, text.len}, c->image != NULL, out, err);
    buf_release(&text);
    return rc;
}

/* ---- all formats ---------------------------------------------------------------------------- */

static const struct conversation_format formats[] = {
    {"llava-plain", IMAGE_CROP, label_plain},
    {"llava-v1", IMAGE_PAD, label_v1},
};

const struct conversation_format *conversation_format_find(const char *name)
{
    return text_find(formats, sizeof formats / sizeof *formats, sizeof *formats, name);
}

static int check_places(const struct conversation *c, const struct labelled *l, struct err *err)
{
    size_t places = 0;
    for (size_t i = 0; i < l->tokens.n; i++)
        places += l->tokens.ids[i] == CONVERSATION_IMAGE;
    if (places == (c->image != NULL))
        return 0;
    return err_set(err, ERR_INPUT, "found %zu places for an image, expected one", places);
}

static int measure_words(const struct conversation *c, struct labelled *l, struct err *err)
{
    size_t words = 0;
    for (size_t i = 0; i < c->n; i++)
        words += python_words(c->turns[i].value);
    if (words == 0 || words > INT32_MAX)
        return err_set(err, ERR_INPUT, "found %zu words, expected at least one", words);
    l->length = c->image ? (int32_t)words : -(int32_t)words;
    return 0;
}

int labelled_make(const struct conversation_format *f, const struct conversation *c,
                  const struct tokenizer *t, struct labelled *out, struct err *err)
{
    out->tokens.n = out->labels.n = out->targets = 0;
    out->mismatch = false;
    if (f->label(c, t, out, err) < 0 || check_places(c, out, err) < 0 ||
        measure_words(c, out, err) < 0)
        return -1;
    for (size_t i = 0; i < out->labels.n; i++)
        out->targets += out->labels.ids[i] != CONVERSATION_IGNORED;
    return 0;
}

void labelled_release(struct labelled *l)
{
    token_list_release(&l->tokens);
    token_list_release(&l->labels);
}
