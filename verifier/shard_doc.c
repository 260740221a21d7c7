#include "verifier/shard_doc.h"

#include "base/json/json_parts.h"
#include "base/text.h"
#include "verifier/verdicts/shape.h"

#include <string.h>

#define PART_BYTES ((size_t)1 << 20) /* written at once */

#define SHARD_SHAPE(of_name, type, of_fields)                                  \
    {                                                                          \
        .name = of_name, .size = sizeof(type), .flat = true, .unplaced = true, \
        SHAPE_FIELDS(of_fields)                                                \
    }

static const struct field head_fields[] = {
    FIELD(PLACE, struct shard_head, number, .required = true),
    FIELD(PLACE, struct shard_head, of, .required = true),
    FIELD(TEXT, struct shard_head, tool, .required = true),
    FIELD(TEXT, struct shard_head, rules, .required = true),
    FIELD(TEXT, struct shard_head, only),
    FIELD(TEXT, struct shard_head, settings, .required = true),
    FIELD(PLACE, struct shard_head, fail_on),
    FIELD(SHA256, struct shard_head, list, .required = true),
    FIELD(SHA256, struct shard_head, own, .required = true),
};

static const struct shape head_shape = SHARD_SHAPE("shard", struct shard_head, head_fields);

static const struct field end_fields[] = {
    FIELD(PLACE, struct shard_end, code),
    FIELD(FLAG, struct shard_end, incomplete),
    FIELD(SHA256, struct shard_end, kept),
};

static const struct shape end_shape = SHARD_SHAPE("end", struct shard_end, end_fields);

static const struct field lent_fields[] = {
    FIELD(TEXT, struct shard_lent, name, .required = true),
    FIELD(TEXT, struct shard_lent, vendor, .required = true),
    {.key = "case", .kind = FIELD_TEXT, .required = true, FIELD_AT(struct shard_lent, case_id)},
    FIELD(SIZE, struct shard_lent, place),
    FIELD(FLAG, struct shard_lent, seen),
};

const struct shape shard_lent_shape = SHARD_SHAPE("lent", struct shard_lent, lent_fields);

static const struct field path_fields[] = {
    FIELD(TEXT, struct shard_path, path, .required = true),
    FIELD(TEXT, struct shard_path, file, .required = true),
};

const struct shape shard_path_shape = SHARD_SHAPE("path", struct shard_path, path_fields);

/* ---- written ------------------------------------------------------------------------------ */

static int flush_shard(struct shard_writer *s, bool all, struct err *err)
{
    if (buf_check(s->text, "the document", err) < 0)
        return -1;
    if (!s->file || (!all && s->text->len < PART_BYTES))
        return 0;
    hash_add(&s->hash, s->text->data, s->text->len);
    int rc = file_cache_add(s->file, s->text->data, s->text->len, err);
    buf_clear(s->text);
    return rc;
}

void shard_doc_begin(struct shard_writer *s, struct buf *text, struct file_cache *file,
                     const struct shard_head *head)
{
    *s = (struct shard_writer){.text = text, .file = file};
    hash_init(&s->hash);
    buf_init(&s->across, SHARD_DOC_MAX);
    json_writer_init(&s->across_w, &s->across);
    json_begin_array(&s->across_w, NULL);
    json_writer_init(&s->w, text);
    json_begin_object(&s->w, NULL);
    json_string(&s->w, "schema", "fpreport.verify/1");
    json_string(&s->w, "tool", head->tool);
    json_string(&s->w, "rules", head->rules);
    json_string_if(&s->w, "only", head->only);
    shape_write(&head_shape, head, FIELD_SHOWN, &s->w, "shard");
    json_begin_array(&s->w, "runs");
}

int shard_doc_add(struct shard_writer *s, const struct verdict *v, const struct across_result *of,
                  struct err *err)
{
    shape_write(&verdict_shape, v, FIELD_SHOWN, &s->w, NULL);
    shape_write(&across_shape, of, FIELD_SHOWN, &s->across_w, NULL);
    s->states[v->state]++;
    return flush_shard(s, false, err);
}

void shard_doc_summary(struct json_writer *w, const size_t states[STATE_WITHDRAWN + 1])
{
    json_begin_object_flat(w, "summary");
    for (enum state state = STATE_VERIFIED; state <= STATE_WITHDRAWN; state++)
        json_integer(w, state_name(state), (long long)states[state]);
    json_end_object(w);
}

/* The lines of another array, which stand one level deeper here. */
static void put_across(struct shard_writer *s)
{
    struct bytes all = {s->across.data, s->across.len};
    struct json_parts parts;
    struct json_part part;
    json_end_array(&s->across_w);
    all = (struct bytes){s->across.data, s->across.len};
    parts = json_parts_of(all);
    json_begin_array(&s->w, "across");
    while (json_parts_next(&parts, &part))
        json_again(&s->w, part.value.data, part.value.len);
    json_end_array(&s->w);
}

/* The digest is of all that stands in front of its line. */
static int put_shard_digest(struct shard_writer *s, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    buf_char(s->text, ',');
    buf_char(s->text, '\n');
    if (!s->file)
        hash_add(&s->hash, s->text->data, s->text->len);
    if (flush_shard(s, true, err) < 0)
        return -1;
    hash_final(&s->hash, hex);
    buf_printf(s->text, "  \"digest\": \"%s\"\n}\n", hex);
    return s->file ? file_cache_add(s->file, s->text->data, s->text->len, err) : 0;
}

int shard_doc_end(struct shard_writer *s, const struct shard_lent *lent, size_t n_lent,
                  const struct shard_path *paths, size_t n_paths, const struct shard_end *end,
                  struct err *err)
{
    struct json_writer *w = &s->w;
    json_end_array(w);
    shard_doc_summary(w, s->states);
    put_across(s);
    json_begin_array(w, "lent");
    for (size_t i = 0; i < n_lent; i++)
        shape_write(&shard_lent_shape, &lent[i], FIELD_SHOWN, w, NULL);
    json_end_array(w);
    json_begin_array(w, "paths");
    for (size_t i = 0; i < n_paths; i++)
        shape_write(&shard_path_shape, &paths[i], FIELD_SHOWN, w, NULL);
    json_end_array(w);
    shape_write(&end_shape, end, FIELD_SHOWN, w, "ended");
    return buf_check(&s->across, "the document", err) < 0 ? -1 : put_shard_digest(s, err);
}

void shard_doc_release(struct shard_writer *s)
{
    buf_release(&s->across);
}

/* ---- read --------------------------------------------------------------------------------- */

#define DIGEST_FRONT "  \"digest\": \""
#define DIGEST_BACK "\"\n}\n"
#define DIGEST_LEN (sizeof DIGEST_FRONT - 1 + HASH_HEX_LEN + sizeof DIGEST_BACK - 1)

static bool has_digest(struct bytes text)
{
    char hex[HASH_HEX_SIZE];
    if (text.len <= DIGEST_LEN)
        return false;
    const char *last = text.data + text.len - DIGEST_LEN;
    const char *digits = last + sizeof DIGEST_FRONT - 1;
    hash_sha256(text.data, text.len - DIGEST_LEN, hex);
    return memcmp(last, DIGEST_FRONT, sizeof DIGEST_FRONT - 1) == 0 &&
           memcmp(digits, hex, HASH_HEX_LEN) == 0 &&
           memcmp(digits + HASH_HEX_LEN, DIGEST_BACK, sizeof DIGEST_BACK - 1) == 0;
}

int shard_doc_take(const struct shard_doc *d, const struct shape *shape, struct bytes element,
                   void *value, struct arena *arena, struct err *err)
{
    struct diags diags = DIAGS_INIT(arena);
    struct json *json;
    struct bytes text = {NULL, element.len};
    if (element.data)
        text.data = arena_strndup(arena, element.data, element.len);
    if (text.data && json_parse(d->path, text, arena, &json, &diags) == 0 &&
        shape_load(shape, json, d->path, value, arena, &diags) == 0)
        return 0;
    return err_set(err, ERR_USAGE, "%s: found %s, expected what a shard has: verify it again",
                   d->path, diags.n ? diags.items[0].message : "a part that is missing");
}

int shard_doc_read(const char *path, struct arena *arena, struct shard_doc *out, struct err *err)
{
    *out = (struct shard_doc){.path = arena_strdup(arena, path)};
    if (file_read(path, SHARD_DOC_MAX, arena, &out->text, err) < 0) {
        if (err->kind == ERR_INPUT)
            err->kind = ERR_USAGE;
        return -1;
    }
    if (!has_digest(out->text))
        return err_set(err, ERR_USAGE,
                       "%s: found no document of a shard that is whole, expected one that "
                       "'fpreport verify --shard K/N --format json -o' wrote",
                       path);
    struct bytes head = {NULL, 0}, end = {NULL, 0};
    const struct {
        const char *key;
        struct bytes *to;
    } members[] = {{"shard", &head},     {"runs", &out->runs},   {"across", &out->across},
                   {"lent", &out->lent}, {"paths", &out->paths}, {"ended", &end}};
    struct json_parts parts = json_parts_of(out->text);
    struct json_part part;
    while (json_parts_next(&parts, &part))
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            if (json_part_is(&part, members[i].key))
                *members[i].to = part.value;
    if (shard_doc_take(out, &head_shape, head, &out->head, arena, err) < 0 ||
        shard_doc_take(out, &end_shape, end, &out->end, arena, err) < 0)
        return -1;
    return 0;
}
