#include "base/facts.h"

#include "base/json.h"

#include <stdbool.h>
#include <string.h>

const struct fact_kind fact_kinds[FACT_KINDS] = {
    [FACT_OS] = {"os", "OS release", NULL},
    [FACT_KERNEL] = {"kernel", "Kernel", NULL},
    [FACT_ARCHITECTURE] = {"architecture", "Architecture", NULL},
    [FACT_MACHINE] = {"machine", "Machine model", NULL},
    [FACT_CPU_MODEL] = {"cpu_model", "CPU model", NULL},
    [FACT_CPU_SOCKETS] = {"cpu_sockets", "CPU sockets", NULL},
    [FACT_CPU_CORES] = {"cpu_cores", "CPU cores", NULL},
    [FACT_CPU_THREADS] = {"cpu_threads", "CPU threads", NULL},
    [FACT_MEMORY] = {"memory", "Memory", "GiB"},
    [FACT_ACCELERATOR_VENDOR] = {"accelerator_vendor", "Accelerator vendor", NULL},
    [FACT_ACCELERATOR_MODEL] = {"accelerator_model", "Accelerator model", NULL},
    [FACT_ACCELERATOR_COUNT] = {"accelerator_count", "Accelerators", NULL},
    [FACT_ACCELERATOR_MEMORY] = {"accelerator_memory", "Accelerator memory, each", "MiB"},
    [FACT_ACCELERATOR_DRIVER] = {"accelerator_driver", "Accelerator driver", NULL},
    [FACT_ACCELERATOR_RUNTIME] = {"accelerator_runtime", "CUDA of the driver", NULL},
    [FACT_NETWORK] = {"network", "Network adapters", NULL},
    [FACT_INFINIBAND] = {"infiniband", "InfiniBand ports", NULL},
    [FACT_CONTAINER] = {"container", "Container", NULL},
    [FACT_CONTAINER_IMAGE] = {"container_image", "Container image", NULL},
    [FACT_FRAMEWORK_COMMIT] = {"framework_commit", "Framework commit", NULL},
    [FACT_FRAMEWORK_TREE] = {"framework_tree", "Framework tree", NULL},
    [FACT_FRAMEWORK_ORIGIN] = {"framework_origin", "Framework repository", NULL},
    [FACT_LIBC] = {"libc", "C library", NULL},
    [FACT_BLAS] = {"blas", "BLAS", NULL},
    [FACT_ZSTD] = {"zstd", "zstd", NULL},
    [FACT_LIBARCHIVE] = {"libarchive", "libarchive", NULL},
    [FACT_LIBGIT2] = {"libgit2", "libgit2", NULL},
    [FACT_FPREPORT] = {"fpreport", "fpreport", NULL},
    [FACT_CASE_SHA256] = {"case_sha256", "SHA-256 of the case", NULL},
    [FACT_DATA_SHA256] = {"data_sha256", "SHA-256 of the data", NULL},
};

struct fact_kind fact_kind_of(const char *key)
{
    for (size_t i = 0; i < FACT_KINDS; i++)
        if (strcmp(fact_kinds[i].key, key) == 0)
            return fact_kinds[i];
    return (struct fact_kind){key, key, NULL};
}

const struct fact *facts_get(const struct facts *f, const char *key)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->items[i].key, key) == 0)
            return &f->items[i];
    return NULL;
}

const char *facts_value(const struct facts *f, enum fact_id id)
{
    const struct fact *fact = facts_get(f, fact_kinds[id].key);
    return fact ? fact->value : NULL;
}

void facts_write(const struct facts *f, struct buf *out)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", FACTS_SCHEMA);
    json_begin_array(&w, "facts");
    for (size_t i = 0; i < f->n; i++) {
        const struct fact *fact = &f->items[i];
        json_begin_object_flat(&w, NULL);
        json_string(&w, "key", fact->key);
        json_string(&w, fact->value ? "value" : "unknown",
                    fact->value ? fact->value : fact->unknown);
        json_end_object(&w);
    }
    json_end_array(&w);
    measured_write(&f->measured, &w);
    json_end_object(&w);
    json_finish(&w);
}

static bool is_key(const char *key)
{
    return *key && strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(key);
}

struct reading {
    const char *file;
    struct facts *out;
    struct arena *arena;
    struct diags *diags;
};

static void complain(struct reading *r, const struct json *at, const char *message)
{
    diags_add(r->diags, SEVERITY_ERROR, r->file, at->line, at->col, "%s", message);
}

/* {"key": …, "value": …} or {"key": …, "unknown": …}, and nothing else. */
static void read_fact(struct reading *r, const struct json *j)
{
    struct fact fact = {json_get_text(j, "key", NULL), json_get_text(j, "value", NULL),
                        json_get_text(j, "unknown", NULL)};
    if (j->kind != JSON_OBJECT)
        complain(r, j, "expected an object with 'key' and 'value' or 'unknown'");
    else if (!fact.key || !is_key(fact.key))
        complain(r, j, "expected a 'key' of small letters, digits and '_'");
    else if (j->n != 2 || !fact.value == !fact.unknown)
        complain(r, j, "expected beside 'key' one string, 'value' or 'unknown'");
    else if (facts_get(r->out, fact.key))
        complain(r, j, arena_printf(r->arena, "the fact '%s' is there twice", fact.key));
    else
        *(struct fact *)ARENA_PUSH(r->arena, r->out->items, r->out->n) = fact;
}

static const struct json *read_list(struct reading *r, const struct json *root)
{
    const struct json *list = json_get(root, "facts");
    if (root->kind != JSON_OBJECT || strcmp(json_get_text(root, "schema", ""), FACTS_SCHEMA) != 0)
        complain(r, root, "expected an object whose 'schema' is \"" FACTS_SCHEMA "\"");
    else if (!list || list->kind != JSON_ARRAY)
        complain(r, list ? list : root, "expected 'facts' to be an array");
    else if (list->n > FACTS_MAX)
        complain(r, list, arena_printf(r->arena, "more than %d facts", FACTS_MAX));
    else
        return list;
    return NULL;
}

int facts_read(const char *file, struct bytes text, struct arena *arena, struct facts *out,
               struct diags *diags)
{
    size_t before = diags->errors;
    struct json *root;
    struct reading r = {file, out, arena, diags};
    *out = (struct facts){0};
    if (json_parse(file, text, arena, &root, diags) < 0)
        return -1;
    const struct json *list = read_list(&r, root);
    for (const struct json *j = list ? list->child : NULL; j; j = j->next)
        read_fact(&r, j);
    if (list)
        measured_read(file, json_get(root, "measured"), arena, &out->measured, diags);
    return diags->errors == before ? 0 : -1;
}

static bool same(const struct fact *a, const struct fact *b)
{
    if (!a || !b || !a->value || !b->value)
        return a && b && a->value == b->value;
    return strcmp(a->value, b->value) == 0;
}

void facts_diff(const struct facts *a, const struct facts *b, struct arena *arena,
                struct fact_change **out, size_t *n)
{
    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct fact *other = facts_get(b, a->items[i].key);
        if (!same(&a->items[i], other))
            *(struct fact_change *)ARENA_PUSH(arena, *out, *n) =
                (struct fact_change){a->items[i].key, &a->items[i], other};
    }
    for (size_t i = 0; i < b->n; i++)
        if (!facts_get(a, b->items[i].key))
            *(struct fact_change *)ARENA_PUSH(arena, *out, *n) =
                (struct fact_change){b->items[i].key, NULL, &b->items[i]};
}
