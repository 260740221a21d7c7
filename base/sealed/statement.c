#include "base/sealed/statement.h"

#include "base/files/file.h"
#include "base/records/facts.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <string.h>

#define TYPE "https://in-toto.io/Statement/v1"
#define PREDICATE "https://slsa.dev/provenance/v1"
#define BUILD_TYPE "urn:fpreport:training-run:1"
#define BUILDER "urn:fpreport:train"

/* The files of the run that a statement is made from. */
struct source {
    const struct tar_member *members;
    size_t n;
    struct arena *arena;
    struct diags ignored; /* of malformed files: they are taken for absent */
    const struct json *kase, *run, *imported;
    struct facts facts; /* of the first fingerprint; n 0: none */
};

static const struct tar_member *find_source_member(const struct source *s, const char *name)
{
    return text_find(s->members, s->n, sizeof *s->members, name);
}

static const struct json *read_source_json(struct source *s, const char *name)
{
    const struct tar_member *m = find_source_member(s, name);
    struct json *root = NULL;
    return !m || json_parse(name, m->bytes, s->arena, &root, &s->ignored) < 0 ? NULL : root;
}

static bool is_fingerprint_file(const struct tar_member *m)
{
    return strcmp(path_base(m->name), "fingerprint.json") == 0;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static void put_digest(struct json_writer *w, const char *kind, const char *hex)
{
    json_begin_object(w, "digest");
    json_string(w, kind, hex);
    json_end_object(w);
}

/* {"name": …, "digest": {"sha256": …}}; nothing when it is no digest. */
static void put_named(struct json_writer *w, const char *name, const char *sha256)
{
    if (!hash_is_hex(sha256))
        return;
    json_begin_object(w, NULL);
    json_string(w, "name", name);
    put_digest(w, "sha256", sha256);
    json_end_object(w);
}

static void put_member(struct json_writer *w, const struct tar_member *m)
{
    char hex[HASH_HEX_SIZE];
    if (!m)
        return;
    hash_sha256(m->bytes.data, m->bytes.len, hex);
    put_named(w, m->name, hex);
}

/* A value of the run as it stands there; null and what is absent are left out. */
static void copy_run_value(struct json_writer *w, const char *key, const struct json *v)
{
    if (!v)
        return;
    switch (v->kind) {
    case JSON_NULL:
        break;
    case JSON_BOOL:
        json_bool(w, key, v->truth);
        break;
    case JSON_NUMBER:
        json_number_text(w, key, v->text);
        break;
    case JSON_STRING:
        json_string(w, key, v->text);
        break;
    case JSON_ARRAY:
        json_begin_array(w, key);
        for (const struct json *c = v->child; c; c = c->next)
            copy_run_value(w, NULL, c);
        json_end_array(w);
        break;
    case JSON_OBJECT:
        json_begin_object(w, key);
        for (const struct json *c = v->child; c; c = c->next)
            copy_run_value(w, c->key, c);
        json_end_object(w);
        break;
    }
}

/* ---- what the run was made from ---------------------------------------------------------- */

static void put_framework(const struct source *s, struct json_writer *w)
{
    const char *commit = facts_value(&s->facts, FACT_FRAMEWORK_COMMIT);
    const char *origin = facts_value(&s->facts, FACT_FRAMEWORK_ORIGIN);
    const char *tree = facts_value(&s->facts, FACT_FRAMEWORK_TREE);
    if (!commit)
        return;
    json_begin_object(w, NULL);
    json_string(w, "name", "framework");
    if (origin)
        json_string(w, "uri", arena_printf(s->arena, "git+%s", origin));
    put_digest(w, "gitCommit", commit);
    if (tree) {
        json_begin_object(w, "annotations");
        json_string(w, "tree", tree);
        json_end_object(w);
    }
    json_end_object(w);
}

/* As the version of a package URL: everything but letters, digits and . _ ~ - in hex. */
static const char *percent(const char *text, struct arena *arena)
{
    struct buf to = BUF_INIT(BUF_DEFAULT_MAX);
    for (const char *at = text; *at; at++)
        if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
            (*at >= '0' && *at <= '9') || strchr("._~-", *at))
            buf_char(&to, *at);
        else
            buf_printf(&to, "%%%02X", (unsigned char)*at);
    const char *out = arena_strndup(arena, to.data, to.len);
    buf_release(&to);
    return out;
}

/* Image, driver and libraries, by what the fingerprint calls them. */
static void put_packages(const struct source *s, struct json_writer *w)
{
    static const enum fact_id packages[] = {
        FACT_CONTAINER_IMAGE,     FACT_OS,      FACT_KERNEL,   FACT_ACCELERATOR_DRIVER,
        FACT_ACCELERATOR_RUNTIME, FACT_LIBC,    FACT_BLAS,     FACT_ZSTD,
        FACT_LIBARCHIVE,          FACT_LIBGIT2, FACT_FPREPORT,
    };
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        const char *key = fact_kinds[packages[i]].key;
        const char *value = facts_value(&s->facts, packages[i]);
        if (!value)
            continue;
        json_begin_object(w, NULL);
        json_string(w, "name", key);
        json_string(w, "uri",
                    arena_printf(s->arena, "pkg:generic/%s@%s", key, percent(value, s->arena)));
        json_end_object(w);
    }
}

static void put_definition(const struct source *s, struct json_writer *w)
{
    static const char *const external[] = {"id", "model", "trainer", "precision", "steps", "seed"};
    json_begin_object(w, "buildDefinition");
    json_string(w, "buildType", BUILD_TYPE);
    json_begin_object(w, "externalParameters");
    for (size_t i = 0; i < sizeof external / sizeof *external; i++)
        copy_run_value(w, strcmp(external[i], "id") == 0 ? "case" : external[i],
                       json_get(s->kase, external[i]));
    copy_run_value(w, "challenge", json_get(s->run, "challenge"));
    json_end_object(w);
    json_begin_object(w, "internalParameters");
    copy_run_value(w, "command", json_get(s->run, "command"));
    copy_run_value(w, "resumed", json_get(s->run, "resumed"));
    json_end_object(w);
    json_begin_array(w, "resolvedDependencies");
    put_member(w, find_source_member(s, "case.json"));
    put_named(w, "data", facts_value(&s->facts, FACT_DATA_SHA256));
    put_named(w, "initial_weights",
              json_get_text(json_get(s->kase, "initial_weights"), "sha256", NULL));
    put_named(w, "imported-from", json_get_text(s->imported, "sha256", NULL));
    put_framework(s, w);
    put_packages(s, w);
    json_end_array(w);
    json_end_object(w);
}

static void put_details(const struct source *s, struct json_writer *w)
{
    const char *version = json_get_text(s->run, "fpreport", NULL);
    const struct tar_member *run = find_source_member(s, "run.json");
    char hex[HASH_HEX_SIZE];
    json_begin_object(w, "runDetails");
    json_begin_object(w, "builder");
    json_string(w, "id", BUILDER);
    if (version) {
        json_begin_object(w, "version");
        json_string(w, "fpreport", version);
        json_end_object(w);
    }
    json_end_object(w);
    json_begin_object(w, "metadata");
    if (run) {
        hash_sha256(run->bytes.data, run->bytes.len, hex);
        json_string(w, "invocationId", arena_printf(s->arena, "sha256:%s", hex));
    }
    json_string_if(w, "startedOn", json_get_text(s->run, "started", NULL));
    json_string_if(w, "finishedOn", json_get_text(s->run, "finished", NULL));
    json_end_object(w);
    json_begin_array(w, "byproducts");
    for (size_t i = 0; i < s->n; i++)
        if (is_fingerprint_file(&s->members[i]))
            put_member(w, &s->members[i]);
    json_end_array(w);
    json_end_object(w);
}

void statement_write(const struct tar_member *members, size_t n, const char *manifest_sha256,
                     struct buf *out)
{
    struct arena own = ARENA_INIT;
    struct source s = {.members = members, .n = n, .arena = &own};
    struct json_writer w = JSON_WRITER_INIT(out);
    diags_init(&s.ignored, s.arena);
    s.kase = read_source_json(&s, "case.json");
    s.run = read_source_json(&s, "run.json");
    s.imported = read_source_json(&s, "imported-from.json");
    for (size_t i = 0, tried = 0; i < s.n && !s.facts.n && tried < FACTS_TRIED; i++)
        if (is_fingerprint_file(&s.members[i]) && ++tried)
            facts_read(s.members[i].name, s.members[i].bytes, s.arena, &s.facts, &s.ignored);
    json_begin_object_flat(&w, NULL);
    json_string(&w, "_type", TYPE);
    json_begin_array(&w, "subject");
    put_named(&w, "SHA256SUMS", manifest_sha256);
    json_end_array(&w);
    json_string(&w, "predicateType", PREDICATE);
    json_begin_object(&w, "predicate");
    put_definition(&s, &w);
    put_details(&s, &w);
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
    arena_release(&own);
}
