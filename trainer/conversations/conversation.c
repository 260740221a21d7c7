#include "trainer/conversations/conversation.h"

#include "base/json/json.h"
#include "base/json/json_parts.h"

#include <string.h>

/* ---- one sample ----------------------------------------------------------------------------- */

static int read_turn(const struct json *object, struct turn *turn, struct err *err)
{
    turn->from = json_get_text(object, "from", NULL);
    turn->value = json_get_text(object, "value", NULL);
    if (turn->from && turn->value)
        return 0;
    return err_set(err, ERR_INPUT,
                   "found a turn without texts, expected {\"from\": …, \"value\": …}");
}

bool conversation_is_name_below(const char *name)
{
    if (!*name || *name == '/' || strlen(name) > CONVERSATION_IMAGE_NAME_MAX)
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
            return false;
    }
    return true;
}

static int read_image_name(const struct json *object, struct conversation *c, struct err *err)
{
    const struct json *image = json_get(object, "image");
    if (!image)
        return 0;
    if (image->kind != JSON_STRING)
        return err_set(err, ERR_INPUT, "image: found %s, expected a file's name",
                       json_kind_name(image->kind));
    if (!conversation_is_name_below(image->text))
        return err_set(err, ERR_INPUT, "image: found \"%.100s\", expected a file below the folder",
                       image->text);
    c->image = image->text;
    return 0;
}

static int read_conversation(const struct json *object, struct arena *arena, struct conversation *c,
                             struct err *err)
{
    const struct json *turns = json_get(object, "conversations");
    if (!turns || turns->kind != JSON_ARRAY)
        return err_set(err, ERR_INPUT,
                       "found no array \"conversations\", expected an object that has one");
    *c = (struct conversation){.turns = arena_array(arena, turns->n, sizeof *c->turns)};
    for (const struct json *t = turns->child; t; t = t->next)
        if (read_turn(t, &c->turns[c->n++], err) < 0)
            return -1;
    return read_image_name(object, c, err);
}

/* ---- a file --------------------------------------------------------------------------------- */

struct samples {
    const char *file;
    struct bytes in;
    size_t at, n; /* where it stands, and samples before it */
    int line;
    conversation_sink *sink;
    void *context;
    struct diags *diags;
    struct err *err;
};

static int read_sample(struct samples *s, struct bytes one, int line)
{
    struct arena arena = ARENA_INIT;
    const char *name = arena_printf(&arena, "%s:%d: sample %zu", s->file, line, s->n++);
    struct json *object;
    struct conversation c;
    int rc = json_parse(name, one, &arena, &object, s->diags);
    if (rc == 0) {
        rc = read_conversation(object, &arena, &c, s->err);
        rc = rc == 0 ? s->sink(s->context, &c, s->err) : rc;
        if (rc < 0)
            err_prefix(s->err, "%s", name);
    }
    arena_release(&arena);
    return rc;
}

static char byte_at(const struct samples *s)
{
    return s->at < s->in.len ? s->in.data[s->at] : '\0';
}

static void skip_between(struct samples *s)
{
    for (; s->at < s->in.len && strchr(" \t\r\n", byte_at(s)) && byte_at(s); s->at++)
        s->line += byte_at(s) == '\n';
}

static int refuse_array(const struct samples *s, const char *expected)
{
    return err_set(s->err, ERR_INPUT, "%s:%d: behind sample %zu: expected %s", s->file, s->line,
                   s->n, expected);
}

/* On to this place, past the ends of lines. */
static void move_to(struct samples *s, const char *place)
{
    for (size_t to = (size_t)(place - s->in.data); s->at < to; s->at++)
        s->line += byte_at(s) == '\n';
}

static int read_sample_array(struct samples *s)
{
    struct json_parts parts = json_parts_of(s->in);
    struct json_part part;
    while (json_parts_next(&parts, &part)) {
        move_to(s, part.value.data);
        if (read_sample(s, part.value, s->line) < 0)
            return -1;
    }
    move_to(s, parts.at);
    if (parts.bad)
        return refuse_array(s, "a comma or the end of the array, and a sample behind a comma");
    skip_between(s);
    return s->at == s->in.len ? 0 : refuse_array(s, "the end of the file");
}

static int read_sample_lines(struct samples *s)
{
    for (skip_between(s); s->at < s->in.len; skip_between(s)) {
        const char *from = s->in.data + s->at;
        const char *end = memchr(from, '\n', s->in.len - s->at);
        size_t n = end ? (size_t)(end - from) : s->in.len - s->at;
        s->at += n;
        if (read_sample(s, (struct bytes){from, n}, s->line) < 0)
            return -1;
    }
    return 0;
}

int conversations_parse(const char *file, struct bytes in, conversation_sink *sink, void *context,
                        struct diags *diags, struct err *err)
{
    struct samples s = {.file = file,
                        .in = in,
                        .line = 1,
                        .sink = sink,
                        .context = context,
                        .diags = diags,
                        .err = err};
    skip_between(&s);
    return byte_at(&s) == '[' ? read_sample_array(&s) : read_sample_lines(&s);
}
