#include "trainer/tokens/text_format.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json/json.h"

#include <string.h>

static const struct text_format formats[] = {
    {"text", TEXTS_WHOLE_FILE, NULL, true, true},
    {"lines", TEXTS_LINES, NULL, true, true},
    {"json", TEXTS_JSON, "{text}", true, true},
    {"samsum", TEXTS_JSON, "Summarize this dialog:\n{dialogue}\n---\nSummary:\n{summary}", true,
     true},
};

const struct text_format *text_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* Who reads which file, for the functions below. */
struct texts {
    const struct text_format *format;
    const char *file;
    text_sink *sink;
    void *context;
    struct diags *diags;
    struct err *err;
};

static int give(const struct texts *t, int line, const char *text, size_t len)
{
    if (t->sink(t->context, text, len, t->err) == 0)
        return 0;
    return line ? err_prefix(t->err, "%s:%d", t->file, line) : err_prefix(t->err, "%s", t->file);
}

/* ---- objects -------------------------------------------------------------------------------- */

/* `line` is the first of the object in the file. */
static int fill_template(const struct texts *t, const struct json *object, int line,
                         struct buf *out)
{
    char key[32];
    for (const char *at = t->format->template; *at;) {
        size_t plain = strcspn(at, "{");
        buf_add(out, at, plain);
        at += plain;
        if (!*at)
            break;
        size_t n = strcspn(at, "}");
        memcpy(key, at + 1, n - 1);
        key[n - 1] = '\0';
        at += n + 1;
        const char *text = json_get_text(object, key, NULL);
        if (!text)
            return err_set(t->err, ERR_INPUT,
                           "%s:%d: found no text \"%s\", expected an object that has one", t->file,
                           line, key);
        buf_str(out, text);
    }
    return buf_check(out, "a text", t->err);
}

static int give_object(const struct texts *t, const struct json *object, int line)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    int rc = fill_template(t, object, line, &out);
    if (rc == 0)
        rc = give(t, line, out.data, out.len);
    buf_release(&out);
    return rc;
}

/* A line of JSON Lines. */
static int read_object_line(const struct texts *t, struct bytes in, int line)
{
    struct arena arena = ARENA_INIT;
    const char *name = arena_printf(&arena, "%s:%d", t->file, line);
    struct json *object;
    int rc = json_parse(name, in, &arena, &object, t->diags);
    if (rc == 0)
        rc = give_object(t, object, line);
    arena_release(&arena);
    return rc;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static int read_text_lines(const struct texts *t, struct bytes in, bool objects)
{
    int line = 1;
    for (size_t at = 0, n; at < in.len; at += n + 1, line++) {
        const char *end = memchr(in.data + at, '\n', in.len - at);
        n = end ? (size_t)(end - in.data) - at : in.len - at;
        struct bytes one = {in.data + at, n};
        if (n == 0)
            continue;
        if ((objects ? read_object_line(t, one, line) : give(t, line, one.data, one.len)) < 0)
            return -1;
    }
    return 0;
}

static bool begins_array(struct bytes in)
{
    size_t at = 0;
    while (at < in.len && strchr(" \t\r\n", in.data[at]) && in.data[at])
        at++;
    return at < in.len && in.data[at] == '[';
}

int text_format_read(const struct text_format *f, const char *file, struct bytes in,
                     text_sink *sink, void *context, struct diags *diags, struct err *err)
{
    const struct texts t = {f, file, sink, context, diags, err};
    if (f->lie == TEXTS_WHOLE_FILE)
        return in.len ? give(&t, 0, in.data, in.len) : 0;
    if (f->lie == TEXTS_JSON && begins_array(in)) {
        struct arena arena = ARENA_INIT;
        struct json *root;
        int rc = json_parse_large(t.file, in, TEXTS_JSON_MAX, &arena, &root, t.diags);
        for (const struct json *o = rc == 0 ? root->child : NULL; rc == 0 && o; o = o->next)
            rc = give_object(&t, o, o->line);
        arena_release(&arena);
        return rc;
    }
    return read_text_lines(&t, in, f->lie == TEXTS_JSON);
}
