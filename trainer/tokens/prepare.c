#include "trainer/tokens/prepare.h"

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/text.h"
#include "trainer/tensors/partial_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct text_format formats[] = {
    {"text", TEXTS_WHOLE_FILE, NULL, true, true},
    {"lines", TEXTS_LINES, NULL, true, true},
    {"json", TEXTS_JSON, "{text}", true, true},
    {"samsum", TEXTS_JSON, "Summarize this dialog:\n{dialogue}\n---\nSummary:\n{summary}", true,
     true},
};

const struct text_format *text_format_find(const char *name)
{
    return text_find(formats, sizeof formats / sizeof *formats, sizeof *formats, name);
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
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
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

/* 0, or -1: `err` is set or, for JSON that is malformed, a diagnostic added. `file` names it. */
static int text_format_read(const struct text_format *f, const char *file, struct bytes in,
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

#define NPY_HEADER 128 /* bytes: a multiple of 64, as the format wants */
#define NARROW_PIECES 65536

/* ---- reading -------------------------------------------------------------------------------- */

int prepare_begin(struct prepare *p, const struct prepare_wish *wish, struct err *err)
{
    *p = (struct prepare){.wish = *wish, .arena = ARENA_INIT};
    if (tokenizer_load(&p->tokenizer, wish->tokenizer, err) < 0)
        return -1;
    bool lacks_bos = wish->format->bos && p->tokenizer.bos == TOKEN_NONE;
    bool lacks_eos = wish->format->eos && p->tokenizer.eos == TOKEN_NONE;
    if (lacks_bos || lacks_eos)
        return err_set(err, ERR_INPUT,
                       "%s: found no control piece for the %s of a text, expected one",
                       wish->tokenizer, lacks_bos ? "beginning" : "end");
    return 0;
}

static int tokenize_text(void *context, const char *text, size_t len, struct err *err)
{
    struct prepare *p = context;
    if (p->wish.format->bos)
        token_list_add(&p->tokens, p->tokenizer.bos);
    if (tokenizer_encode(&p->tokenizer, text, len, &p->tokens, err) < 0)
        return -1;
    if (p->wish.format->eos)
        token_list_add(&p->tokens, p->tokenizer.eos);
    p->texts++;
    return 0;
}

int prepare_file(struct prepare *p, const char *path, struct diags *diags, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct bytes in;
    char sha256[HASH_HEX_SIZE];
    struct prepared_file file = {arena_strdup(&p->arena, path), NULL, 0, p->texts, p->tokens.n};
    int rc = file_read(path, TEXTS_FILE_MAX, &arena, &in, err);
    if (rc == 0) {
        hash_sha256(in.data, in.len, sha256);
        rc = text_format_read(p->wish.format, path, in, tokenize_text, p, diags, err);
    }
    if (rc == 0) {
        file.sha256 = arena_strdup(&p->arena, sha256);
        file.bytes = in.len;
        file.texts = p->texts - file.texts;
        file.tokens = p->tokens.n - file.tokens;
        *(struct prepared_file *)arena_push(&p->arena, &p->files, &p->n_files, sizeof file) = file;
    }
    arena_release(&arena);
    return rc;
}

/* ---- packing -------------------------------------------------------------------------------- */

static int pack_tokens(struct prepare *p, struct err *err)
{
    size_t length = (size_t)p->wish.length, kept = length ? p->tokens.n / length * length : 0;
    if (p->tokens.n <= length)
        return err_set(err, ERR_INPUT,
                       "found texts of %zu tokens, expected at least one sequence of %zu",
                       p->tokens.n, length ? length : 1);
    if (length == 0)
        return 0;
    if (kept == p->tokens.n)
        token_list_add(&p->tokens, p->tokenizer.eos);
    else
        p->dropped = p->tokens.n - kept - 1;
    p->tokens.n = kept + 1;
    return 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool has_narrow_ids(const struct prepare *p)
{
    return p->tokenizer.n <= NARROW_PIECES;
}

static void npy_header(const struct prepare *p, char header[NPY_HEADER])
{
    char text[NPY_HEADER];
    int n =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }",
                 has_narrow_ids(p) ? "<u2" : "<i4", p->tokens.n);
    memset(header, ' ', NPY_HEADER);
    memcpy(header, "\x93NUMPY\x01\0", 8);
    header[8] = NPY_HEADER - 10;
    header[9] = 0;
    memcpy(header + 10, text, (size_t)n);
    header[NPY_HEADER - 1] = '\n';
}

/* In place: what is written lies behind what is still to be read. */
static size_t tokens_to_bytes(struct prepare *p)
{
    unsigned char *to = (unsigned char *)p->tokens.ids;
    size_t size = has_narrow_ids(p) ? 2 : 4;
    for (size_t i = 0; i < p->tokens.n; i++) {
        uint32_t id = (uint32_t)p->tokens.ids[i];
        for (size_t byte = 0; byte < size; byte++)
            to[size * i + byte] = (unsigned char)(id >> 8 * byte);
    }
    return size * p->tokens.n;
}

static int write_tokens(struct prepare *p, const char *path, struct err *err)
{
    char header[NPY_HEADER];
    struct hash hash;
    npy_header(p, header);
    size_t bytes = tokens_to_bytes(p);
    hash_init(&hash);
    hash_add(&hash, header, sizeof header);
    hash_add(&hash, p->tokens.ids, bytes);
    hash_final(&hash, p->sha256);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s", path);
    int rc = file_write_all(fd, header, sizeof header, path, err);
    if (rc == 0)
        rc = file_write_all(fd, p->tokens.ids, bytes, path, err);
    if (rc == 0 && fsync(fd) < 0)
        rc = err_errno(err, ERR_IO, "%s", path);
    if (close(fd) < 0 && rc == 0)
        rc = err_errno(err, ERR_IO, "%s", path);
    return rc;
}

static void write_file_entry(struct json_writer *w, const struct prepared_file *f)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "file", path_base(f->path));
    json_string(w, "sha256", f->sha256);
    json_integer(w, "bytes", (long long)f->bytes);
    json_integer(w, "texts", (long long)f->texts);
    json_integer(w, "tokens", (long long)f->tokens);
    json_end_object(w);
}

static int write_record(const struct prepare *p, const char *path, struct err *err)
{
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    json_begin_object(&w, NULL);
    json_string(&w, "format", p->wish.format->name);
    json_begin_object_flat(&w, "tokenizer");
    json_string(&w, "file", path_base(p->wish.tokenizer));
    json_string(&w, "sha256", p->tokenizer.sha256);
    json_integer(&w, "pieces", (long long)p->tokenizer.n);
    json_end_object(&w);
    json_begin_array(&w, "files");
    for (size_t i = 0; i < p->n_files; i++)
        write_file_entry(&w, &p->files[i]);
    json_end_array(&w);
    if (p->wish.length)
        json_integer(&w, "sequence_length", p->wish.length);
    json_integer(&w, "texts", (long long)p->texts);
    json_integer(&w, "tokens", (long long)p->tokens.n);
    json_integer(&w, "dropped_tokens", (long long)p->dropped);
    json_string(&w, "sha256", p->sha256);
    json_end_object(&w);
    json_finish(&w);
    int rc = buf_check(&out, path, err);
    if (rc == 0)
        rc = file_write(path, out.data, out.len, err);
    buf_release(&out);
    return rc;
}

int prepare_end(struct prepare *p, const char *folder, struct err *err)
{
    struct partial_folder partial;
    if (pack_tokens(p, err) < 0)
        return -1;
    partial_folder_init(&partial, folder);
    int rc = partial_folder_begin(&partial, err);
    if (rc == 0)
        rc = write_tokens(p, partial_folder_path(&partial, PREPARE_TOKENS), err);
    if (rc == 0)
        rc = write_record(p, partial_folder_path(&partial, PREPARE_RECORD), err);
    if (rc == 0)
        rc = partial_folder_commit(&partial, err);
    partial_folder_end(&partial, true);
    return rc;
}

void prepare_release(struct prepare *p)
{
    token_list_release(&p->tokens);
    tokenizer_release(&p->tokenizer);
    arena_release(&p->arena);
}
