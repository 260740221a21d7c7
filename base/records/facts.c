#include "base/records/facts.h"

#include "base/json/json.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct fact_kind fact_kinds[FACT_KINDS] = {
    [FACT_OS] = {"os", "OS release", NULL, FACT_STABLE},
    [FACT_KERNEL] = {"kernel", "Kernel", NULL, FACT_STABLE},
    [FACT_ARCHITECTURE] = {"architecture", "Architecture", NULL, FACT_STABLE},
    [FACT_MACHINE] = {"machine", "Machine model", NULL, FACT_STABLE},
    [FACT_CPU_MODEL] = {"cpu_model", "CPU model", NULL, FACT_STABLE},
    [FACT_CPU_SOCKETS] = {"cpu_sockets", "CPU sockets", NULL, FACT_STABLE},
    [FACT_CPU_CORES] = {"cpu_cores", "CPU cores", NULL, FACT_STABLE},
    [FACT_CPU_THREADS] = {"cpu_threads", "CPU threads", NULL, FACT_STABLE},
    [FACT_MEMORY] = {"memory", "Memory", "GiB", FACT_STABLE},
    [FACT_ACCELERATOR_VENDOR] = {"accelerator_vendor", "Accelerator vendor", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_MODEL] = {"accelerator_model", "Accelerator model", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_COUNT] = {"accelerator_count", "Accelerators", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_MEMORY] = {"accelerator_memory", "Accelerator memory, each", "MiB",
                                 FACT_STABLE},
    [FACT_ACCELERATOR_DRIVER] = {"accelerator_driver", "Accelerator driver", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_RUNTIME] = {"accelerator_runtime", "Runtime of the driver", NULL,
                                  FACT_STABLE},
    [FACT_ACCELERATOR_FIRMWARE] = {"accelerator_firmware", "Accelerator firmware", NULL,
                                   FACT_STABLE},
    [FACT_ACCELERATOR_PCIE] = {"accelerator_pcie", "PCIe of the cards", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_NVLINK] = {"accelerator_nvlink", "NVLink", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_TOPOLOGY] = {"accelerator_topology", "Between the cards", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_NUMA] = {"accelerator_numa", "NUMA nodes of the cards", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_ECC] = {"accelerator_ecc", "ECC", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_MIG] = {"accelerator_mig", "MIG", NULL, FACT_STABLE},
    [FACT_ACCELERATOR_POWER_LIMIT] = {"accelerator_power_limit", "Power limit of a card", NULL,
                                      FACT_STABLE},
    [FACT_ACCELERATOR_CLOCK_LIMITS] = {"accelerator_clock_limits", "Highest clocks", NULL,
                                       FACT_STABLE},
    [FACT_ACCELERATOR_PERSISTENCE] = {"accelerator_persistence", "Persistence mode", NULL,
                                      FACT_STABLE},
    [FACT_ACCELERATOR_COMPUTE_MODE] = {"accelerator_compute_mode", "Compute mode", NULL,
                                       FACT_STABLE},
    [FACT_NETWORK] = {"network", "Network adapters", NULL, FACT_STABLE},
    [FACT_INFINIBAND] = {"infiniband", "InfiniBand ports", NULL, FACT_STABLE},
    [FACT_CONTAINER] = {"container", "Container", NULL, FACT_STABLE},
    [FACT_CONTAINER_IMAGE] = {"container_image", "Container image", NULL, FACT_STABLE},
    [FACT_CGROUP] = {"cgroup", "Control groups", NULL, FACT_STABLE},
    [FACT_FRAMEWORK_COMMIT] = {"framework_commit", "Framework commit", NULL, FACT_STABLE},
    [FACT_FRAMEWORK_TREE] = {"framework_tree", "Framework tree", NULL, FACT_STABLE},
    [FACT_FRAMEWORK_ORIGIN] = {"framework_origin", "Framework repository", NULL, FACT_STABLE},
    [FACT_LIBC] = {"libc", "C library", NULL, FACT_STABLE},
    [FACT_BLAS] = {"blas", "BLAS", NULL, FACT_STABLE},
    [FACT_ZSTD] = {"zstd", "zstd", NULL, FACT_STABLE},
    [FACT_LIBARCHIVE] = {"libarchive", "libarchive", NULL, FACT_STABLE},
    [FACT_LIBGIT2] = {"libgit2", "libgit2", NULL, FACT_STABLE},
    [FACT_FPREPORT] = {"fpreport", "fpreport", NULL, FACT_STABLE},
    [FACT_CASE_SHA256] = {"case_sha256", "SHA-256 of the case", NULL, FACT_OF_RUN},
    [FACT_DATA_SHA256] = {"data_sha256", "SHA-256 of the data", NULL, FACT_OF_RUN},
    [FACT_TAKEN] = {"taken", "Taken", NULL, FACT_MOMENT},
    [FACT_UPTIME] = {"uptime", "Uptime", "s", FACT_MOMENT},
    [FACT_MEMORY_FREE] = {"memory_free", "Memory available", "GiB", FACT_MOMENT},
    [FACT_HOST] = {"host", "Host name", NULL, FACT_NAMES},
    [FACT_MACHINE_ID] = {"machine_id", "Installation", NULL, FACT_NAMES},
    [FACT_MACHINE_SERIAL] = {"machine_serial", "Machine's serial", NULL, FACT_NAMES},
    [FACT_NETWORK_ADDRESS] = {"network_address", "Network addresses", NULL, FACT_NAMES},
    [FACT_INFINIBAND_GUID] = {"infiniband_guid", "InfiniBand adapters", NULL, FACT_NAMES},
    [FACT_ACCELERATOR_SERIAL] = {"accelerator_serial", "Serials of the cards", NULL, FACT_NAMES},
    [FACT_ACCELERATOR_UUID] = {"accelerator_uuid", "UUIDs of the cards", NULL, FACT_NAMES},
    [FACT_ACCELERATOR_TEMPERATURE] = {"accelerator_temperature", "Temperatures", "C", FACT_MOMENT},
    [FACT_ACCELERATOR_POWER] = {"accelerator_power", "Power drawn", "W", FACT_MOMENT},
    [FACT_ACCELERATOR_MEMORY_USED] = {"accelerator_memory_used", "Accelerator memory used", "MiB",
                                      FACT_MOMENT},
    [FACT_ACCELERATOR_CLOCKS] = {"accelerator_clocks", "Clocks", "MHz", FACT_MOMENT},
    [FACT_ACCELERATOR_PCIE_NOW] = {"accelerator_pcie_now", "PCIe now", NULL, FACT_MOMENT},
    [FACT_ACCELERATOR_ECC_ERRORS] = {"accelerator_ecc_errors", "ECC errors", NULL, FACT_MOMENT},
    [FACT_ACCELERATOR_REMAPPED_ROWS] = {"accelerator_remapped_rows", "Remapped rows", NULL,
                                        FACT_MOMENT},
};

struct fact_kind fact_kind_of(const char *key)
{
    const struct fact_kind *kind = text_find(fact_kinds, FACT_KINDS, sizeof *kind, key);
    return kind ? *kind : (struct fact_kind){key, key, NULL, FACT_STABLE};
}

bool fact_is_unstable(enum fact_class class)
{
    return class == FACT_MOMENT || class == FACT_NAMES;
}

const struct fact *facts_get(const struct facts *f, const char *key)
{
    const struct fact *stable = text_find(f->items, f->n, sizeof *stable, key);
    return stable ? stable : text_find(f->unstable, f->n_unstable, sizeof *stable, key);
}

const char *facts_value(const struct facts *f, enum fact_id id)
{
    const struct fact *fact = facts_get(f, fact_kinds[id].key);
    return fact ? fact->value : NULL;
}

/* ---- the digest ------------------------------------------------------------------------------ */

const char *facts_digest(const struct facts *f, struct arena *arena)
{
    char *hex = arena_alloc(arena, HASH_HEX_SIZE);
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    const char **lines = arena_array(arena, f->n, sizeof *lines);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->items[i].value && fact_kind_of(f->items[i].key).class != FACT_OF_RUN)
            lines[n++] = arena_printf(arena, "%s=%s", f->items[i].key, f->items[i].value);
    if (n > 1)
        qsort(lines, n, sizeof *lines, text_by_bytes);
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%s\n", lines[i]);
    hash_sha256(text.data, text.len, hex);
    buf_release(&text);
    return hex;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_fact_list(struct json_writer *w, const char *name, const struct fact *list,
                            size_t n)
{
    json_begin_array(w, name);
    for (size_t i = 0; i < n; i++) {
        const struct fact *fact = &list[i];
        json_begin_object_flat(w, NULL);
        json_string(w, "key", fact->key);
        json_string(w, fact->value ? "value" : "unknown",
                    fact->value ? fact->value : fact->unknown);
        json_end_object(w);
    }
    json_end_array(w);
}

void facts_write(const struct facts *f, struct buf *out)
{
    struct arena arena = ARENA_INIT;
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", FACTS_SCHEMA);
    json_string(&w, "sha256", facts_digest(f, &arena));
    write_fact_list(&w, "facts", f->items, f->n);
    json_string_if(&w, "salt", f->salt);
    if (f->n_unstable)
        write_fact_list(&w, "unstable", f->unstable, f->n_unstable);
    measured_write(&f->measured, &w);
    json_end_object(&w);
    json_finish(&w);
    arena_release(&arena);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reading {
    const char *file;
    struct facts *out;
    struct arena *arena;
    struct diags *diags;
};

__attribute__((format(printf, 3, 4))) static void
complain_of_facts(struct reading *r, const struct json *at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(r->diags, SEVERITY_ERROR, r->file, at->line, at->col, fmt, ap);
    va_end(ap);
}

/* One line: what is hashed as lines must not hold their ends. */
static bool is_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; c && *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            return false;
    return true;
}

/* {"key": …, "value": …} or {"key": …, "unknown": …}, and nothing else. */
static void read_fact(struct reading *r, const struct json *j, struct fact **list, size_t *n)
{
    struct fact fact = {json_get_text(j, "key", NULL), json_get_text(j, "value", NULL),
                        json_get_text(j, "unknown", NULL)};
    if (j->kind != JSON_OBJECT)
        complain_of_facts(r, j, "expected an object with 'key' and 'value' or 'unknown'");
    else if (!fact.key || !*fact.key ||
             fact.key[strspn(fact.key, "abcdefghijklmnopqrstuvwxyz0123456789_")])
        complain_of_facts(r, j, "expected a 'key' of lower-case letters, digits and '_'");
    else if (j->n != 2 || !fact.value == !fact.unknown)
        complain_of_facts(r, j, "expected exactly one string beside 'key': 'value' or 'unknown'");
    else if (!is_line(fact.value))
        complain_of_facts(r, j, "expected a 'value' on one line, without control characters");
    else if (strlen(fact.value ? fact.value : fact.unknown) > FACT_TEXT_MAX) /* no document */
        complain_of_facts(r, j, "the fact '%s' is longer than %d bytes", fact.key, FACT_TEXT_MAX);
    else if (facts_get(r->out, fact.key))
        complain_of_facts(r, j, "the fact '%s' appears twice", fact.key);
    else
        *(struct fact *)ARENA_PUSH(r->arena, *list, *n) = fact;
}

static void read_fact_list(struct reading *r, const struct json *root, const char *name,
                           struct fact **out, size_t *n)
{
    const struct json *list = json_get(root, name);
    if (!list || list->kind != JSON_ARRAY)
        complain_of_facts(r, list ? list : root, "expected '%s' to be an array", name);
    else if (list->n > FACTS_MAX)
        complain_of_facts(r, list, "more than %d facts", FACTS_MAX);
    else
        for (const struct json *j = list->child; j; j = j->next)
            read_fact(r, j, out, n);
}

/* A text that may be absent. */
static void read_fact_text(struct reading *r, const struct json *root, const char *name,
                           const char **out)
{
    const struct json *j = json_get(root, name);
    if (j && (j->kind != JSON_STRING || !is_line(j->text)))
        complain_of_facts(r, j, "expected '%s' to be a string on one line", name);
    else
        *out = j ? j->text : NULL;
}

static int read_facts_json(const char *file, struct bytes text, struct arena *arena,
                           struct facts *out, struct diags *diags)
{
    size_t before = diags->errors;
    struct json *root;
    struct reading r = {file, out, arena, diags};
    *out = (struct facts){0};
    if (json_parse(file, text, arena, &root, diags) < 0)
        return -1;
    if (root->kind != JSON_OBJECT || strcmp(json_get_text(root, "schema", ""), FACTS_SCHEMA) != 0) {
        complain_of_facts(&r, root, "expected an object whose 'schema' is \"" FACTS_SCHEMA "\"");
        return -1;
    }
    read_fact_text(&r, root, "sha256", &out->sha256);
    read_fact_text(&r, root, "salt", &out->salt);
    read_fact_list(&r, root, "facts", &out->items, &out->n);
    if (json_get(root, "unstable"))
        read_fact_list(&r, root, "unstable", &out->unstable, &out->n_unstable);
    measured_read(file, json_get(root, "measured"), arena, &out->measured, diags);
    return diags->errors == before ? 0 : -1;
}

/* A submission may hold thousands that are none, and is asked for each. */
int facts_read(const char *file, struct bytes text, struct arena *arena, struct facts *out,
               struct diags *diags)
{
    struct arena own = ARENA_INIT;
    int rc = read_facts_json(file, text, &own, out, diags);
    if (rc == 0) {
        arena_adopt(arena, &own);
        return 0;
    }
    arena_release(&own);
    *out = (struct facts){0};
    return -1;
}

/* ---- comparing ------------------------------------------------------------------------------- */

void facts_diff(const struct facts *a, const struct facts *b, struct arena *arena,
                struct fact_change **out, size_t *n)
{
    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct fact *other = text_find(b->items, b->n, sizeof *other, a->items[i].key);
        if (!other || !text_equal(a->items[i].value, other->value))
            *(struct fact_change *)ARENA_PUSH(arena, *out, *n) =
                (struct fact_change){a->items[i].key, &a->items[i], other};
    }
    for (size_t i = 0; i < b->n; i++)
        if (!text_find(a->items, a->n, sizeof *a->items, b->items[i].key))
            *(struct fact_change *)ARENA_PUSH(arena, *out, *n) =
                (struct fact_change){b->items[i].key, NULL, &b->items[i]};
}

static size_t split_fact_list(const char *list, struct arena *arena, const char ***out)
{
    size_t n = 0;
    *out = NULL;
    for (const char *at = list; *at;) {
        size_t len = strcspn(at, ",");
        *(const char **)ARENA_PUSH(arena, *out, n) = arena_strndup(arena, at, len);
        at += len;
        at += strspn(at, ", ");
    }
    return n;
}

bool facts_share(const struct facts *a, const struct facts *b, enum fact_id id, struct arena *arena,
                 struct facts_shared *out)
{
    const char *x = facts_value(a, id), *y = facts_value(b, id);
    const char **of_a, **of_b;
    *out = (struct facts_shared){0};
    if (!x || !y || !a->salt || !b->salt || strcmp(a->salt, b->salt) != 0)
        return false;
    out->a = split_fact_list(x, arena, &of_a);
    out->b = split_fact_list(y, arena, &of_b);
    for (size_t i = 0; i < out->a; i++) {
        size_t k = 0;
        while (k < out->b && strcmp(of_a[i], of_b[k]) != 0)
            k++;
        out->both += k < out->b;
    }
    return true;
}
