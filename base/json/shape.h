/*
 * shape: one table of fields drives everything that is done with a record.
 *
 * A record is a C struct whose JSON form is described by a `struct shape`: an array of rows,
 * each with the key, the kind, where in the struct the value lies, what is allowed, the unit
 * and one sentence of documentation. From the same rows come loading with validation, saving,
 * comparison, the JSON Schema and the field lists of docs/FIELDS.md, so that they cannot
 * disagree.
 *
 * Every shaped struct of a record begins with `int line`: where in its file the object began (0
 * when it was made in memory). What is absent is NULL (text, object), 0 (count, flag, list length)
 * or NaN (real). All memory belongs to the arena that shape_load was given.
 */
#pragma once

#include "base/json/json.h"
#include "base/pack.h"
#include "base/sentence.h"

#include <math.h>

/* One table cell. In JSON a string; or {"as_published": "80.83.2%"} for text that stands in a
 * column of numbers although it is none: an importer keeps it so, a vendor may not write it. */
struct cell {
    int line;
    int col, character; /* in bytes and in characters, from 1; 0: not known */
    const char *text;
    bool as_published;
};

struct figure;

struct row {
    int line;
    struct cell *cells;
    size_t n_cells;
    /* In tables of figures: what each of the cells says, and behind them what no text says
     * (result_read_figures); NULL in other tables. */
    const struct figure *figures;
};

enum field_kind {
    FIELD_TEXT,    /* const char *: any string */
    FIELD_ID,      /* const char *: [A-Za-z0-9._+-], not beginning with '.' or '-' */
    FIELD_CHOICE,  /* const char *: one of `choices` (NULL-terminated) */
    FIELD_SHA256,  /* const char *: 64 lower-case hexadecimal digits */
    FIELD_DATE,    /* const char *: YYYY-MM-DD */
    FIELD_PATH,    /* const char *: relative, no "..", no backslash */
    FIELD_WORDS,   /* struct words */
    FIELD_REAL,    /* double in [min, max]; NaN when absent */
    FIELD_COUNT,   /* long long in [min, max]; 0 when absent */
    FIELD_FLAG,    /* bool */
    FIELD_TEXTS,   /* const char **, size_t at at_n */
    FIELD_OBJECT,  /* struct described by `shape`, by pointer */
    FIELD_OBJECTS, /* array of such structs, size_t at at_n */
    FIELD_ROWS,    /* array of struct row: an array of arrays of cells */
    /* Of what is derived, and not a record: */
    FIELD_PLACE,  /* int, 0 … INT_MAX; 0 when absent; what is below is not written */
    FIELD_SIZE,   /* size_t; 0 when absent */
    FIELD_NAMED,  /* an enum: the name that `choices` has at its number */
    FIELD_REALS,  /* double *, size_t at at_n, which lists of one length share: in JSON the base64
                   * of their bytes */
    FIELD_INSIDE, /* struct described by `shape`, by value */
    FIELD_PUT,    /* members that `put` writes, as no member of the struct is it */
};

/* Who a field is for. What is derived is handed on whole (by a worker, in a cache) and shown in
 * documents, which leave out some fields and have others. */
enum field_side { FIELD_EVERYWHERE, FIELD_HANDED_ON, FIELD_SHOWN };

#define SHAPE_ITEMS_MAX 1000000 /* of a list that is taken, where its field says no less */
#define SHAPE_COUNT_MAX 9007199254740992.0 /* 2^53: beyond it a double skips integers */

struct shape;

struct field {
    const char *key;
    enum field_kind kind;
    bool required;
    size_t at, at_n;
    const struct shape *shape;
    const char *const *choices;
    double min, max; /* both 0: no limits of its own (reals), 0 … 2^53 (counts); lists: at most */
    enum field_side side;
    bool null; /* written as null when absent */
    size_t
        only_if; /* where in the struct a flag lies, without which it is not written; 0: always */
    void (*put)(const void *value, struct json_writer *w);
    const char *unit;
    const char *doc;
};

/* What a semantic check is given beside the loaded struct. */
struct shape_load_ctx {
    const char *file;
    struct arena *arena;
    struct diags *diags;
};

struct shape {
    const char *name; /* as in docs/FIELDS.md, for example "result" */
    const char *doc;
    const char *schema; /* value that the key "schema" must have; NULL for inner objects */
    size_t size;
    const struct field *fields;
    size_t n_fields;
    bool flat;     /* written on one line */
    bool unplaced; /* the struct does not begin with its line */
    bool open;     /* keys that are no field are passed over: a later version may have them */
    /* Rules that need more than one field; adds its own diagnostics. May be NULL. */
    void (*check)(const void *value, const struct json *at, struct shape_load_ctx *ctx);
};

#define FIELD_AT(type, member) .at = offsetof(type, member)
#define FIELD_LIST_AT(type, member) .at = offsetof(type, member), .at_n = offsetof(type, n_##member)
/* A row whose key is the member's name, as FIELD(TEXT, struct item, value, .doc = "…"). */
#define FIELD(of_kind, type, member, ...)                                            \
    {                                                                                \
        .key = #member, .kind = FIELD_##of_kind, FIELD_AT(type, member), __VA_ARGS__ \
    }
#define FIELD_LIST(of_kind, type, member, ...)                                            \
    {                                                                                     \
        .key = #member, .kind = FIELD_##of_kind, FIELD_LIST_AT(type, member), __VA_ARGS__ \
    }
#define SHAPE_FIELDS(array) .fields = (array), .n_fields = sizeof(array) / sizeof((array)[0])
#define SHAPE(of_name, type, array, ...)                                        \
    {                                                                           \
        .name = of_name, .size = sizeof(type), SHAPE_FIELDS(array), __VA_ARGS__ \
    }

/* Set every field to "absent". */
void shape_init(const struct shape *shape, void *value);

/* Fill *value from `json`. Every fault becomes an error in `diags` at its own position; -1 if
 * there was one. */
int shape_load(const struct shape *shape, const struct json *json, const char *file, void *value,
               struct arena *arena, struct diags *diags);

/* json_load + shape_load of a whole file. */
int shape_load_file(const struct shape *shape, const char *path, void *value, struct arena *arena,
                    struct diags *diags);

/* The same of a file that was read already. */
int shape_load_text(const struct shape *shape, const char *path, struct bytes text, void *value,
                    struct arena *arena, struct diags *diags);

/* Append the whole file; absent fields are left out. */
void shape_save_text(const struct shape *shape, const void *value, struct buf *out);

/* The fields of one side, as a member of what is being written (`key` NULL: an element, or all). */
void shape_write(const struct shape *shape, const void *value, enum field_side side,
                 struct json_writer *w, const char *key);

/* What is handed on, on one line, and back. Bytes that may be forged are believed as far
 * as the shape goes: false where shape_load would find a fault, and then nothing of `value` holds.
 * No more memory than unpack_answer() says is asked for. */
void shape_hand_on(const struct shape *shape, const void *value, struct buf *out);
bool shape_take(const struct shape *shape, struct bytes text, void *value, struct arena *arena);

/* The same as one of the values of base/pack.h. */
void shape_pack_text(const struct shape *shape, const void *value, struct buf *out);
void shape_unpack_text(const struct shape *shape, void *value, struct arena *arena,
                       struct unpack *u);

/* As bytes for a cache of ours, with the lines, and back: into zeroed memory, texts borrowed from
 * the bytes. Nothing is checked again; bytes that were not packed so make `u` bad. */
void shape_pack(const struct shape *shape, const void *value, struct buf *out);
void shape_unpack(const struct shape *shape, void *value, struct arena *arena, struct unpack *u);

/* NULL when equal, else the path of the first difference, as `environments[0].title: "a" is not
 * "b"`. Lines do not count. */
const char *shape_diff(const struct shape *shape, const void *a, const void *b,
                       struct arena *arena);

/* JSON Schema (draft 2020-12) of the shape, with all inner shapes under $defs. */
void shape_schema(const struct shape *shape, struct buf *out);

/* A Markdown table of the fields for docs/FIELDS.md, then those of the inner shapes. */
void shape_document(const struct shape *shape, struct buf *out);

/* Is this text a valid FIELD_ID? */
bool shape_is_id(const char *text);

/* What the kinds have in common: loading, schema and documentation read the same row. */
struct shape_kind {
    const char *words;           /* how FIELDS.md calls it */
    const char *type;            /* JSON Schema type; NULL: composed (words, lists, objects) */
    bool (*valid)(const char *); /* rule for one string; NULL: any */
    const char *expected;        /* the rule in words */
    const char *pattern;         /* the rule as a regular expression, for the schema */
};
extern const struct shape_kind shape_kinds[]; /* by enum field_kind */

/* Where a struct has this field, and where how many items its list has. */
static inline void *field_of(const struct field *f, const void *value)
{
    return (char *)value + f->at;
}

static inline size_t *field_count_of(const struct field *f, const void *value)
{
    return (size_t *)((char *)value + f->at_n);
}
