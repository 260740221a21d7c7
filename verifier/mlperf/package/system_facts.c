/* Descriptions of systems, scaling.json and package_checker_params. */
#include "verifier/mlperf/package/small_facts.h"

#include "base/foreign.h"
#include "base/sentence.h"
#include "verifier/mlperf/log/json_walk.h"

#include <math.h>
#include <strings.h>

/* system_desc_checker.py, of 7bbf7926 */
static const char *const fields[] = {
    "submitter",
    "division",
    "status",
    "system_name",
    "number_of_nodes",
    "host_processors_per_node",
    "host_processor_model_name",
    "host_processor_core_count",
    "host_processor_vcpu_count",
    "host_processor_frequency",
    "host_processor_caches",
    "host_processor_interconnect",
    "host_memory_capacity",
    "host_storage_type",
    "host_storage_capacity",
    "host_networking",
    "host_networking_topology",
    "host_memory_configuration",
    "accelerators_per_node",
    "accelerator_model_name",
    "accelerator_host_interconnect",
    "accelerator_frequency",
    "accelerator_on-chip_memories",
    "accelerator_memory_configuration",
    "accelerator_memory_capacity",
    "accelerator_interconnect",
    "accelerator_interconnect_topology",
    "cooling",
    "hw_notes",
    "framework",
    "other_software_stack",
    "operating_system",
    "sw_notes",
};
#define FIELDS (sizeof fields / sizeof *fields)

static const char *const availabilities[] = {
    "Available on-premise",
    "Available cloud",
    "Preview",
    "Research, Development, or Internal (RDI)",
};

/* Words of earlier rounds (result_summarizer/config.yaml), in any letter case. */
static const struct {
    const char *word;
    size_t means; /* of `availabilities` */
} older_words[] = {
    {"onprem", 0}, {"available", 0}, {"available onprem", 0}, {"cloud", 1},
    {"rdi", 3},    {"research", 3},  {"development", 3},      {"internal", 3},
};

const char *mlperf_availability(const char *status)
{
    for (size_t i = 0; status && i < sizeof availabilities / sizeof *availabilities; i++)
        if (strcasecmp(status, availabilities[i]) == 0)
            return availabilities[i];
    for (size_t i = 0; status && i < sizeof older_words / sizeof *older_words; i++)
        if (strcasecmp(status, older_words[i].word) == 0)
            return availabilities[older_words[i].means];
    return NULL;
}

/* Line ends are white space here, and none inside of records of a log: they become blanks, but for
 * those in a string, where JSON allows none. */
static struct span without_lines(struct bytes bytes, struct arena *arena)
{
    char *text = arena_room(arena, bytes.len + 1);
    bool in_string = false;
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.data[i];
        text[i] = (c == '\n' || c == '\r') && !in_string ? ' ' : c;
        in_string ^= c == '"';
        if (c == '\\' && in_string && i + 1 < bytes.len) { /* what it escapes ends no string */
            i++;
            text[i] = bytes.data[i];
        }
    }
    text[bytes.len] = '\0';
    return (struct span){text, bytes.len};
}

/* The object that the whole file is; n 0: it is not one. */
static struct span object_of(struct bytes bytes, struct arena *arena)
{
    struct span text = without_lines(bytes, arena);
    const char *from = json_walk_blank(text.p);
    const char *end =
        *from == '{' ? json_walk_value(from, text.p + text.n, JSON_WALK_DEPTH_MAX) : NULL;
    bool whole = end && json_walk_blank(end) == text.p + text.n;
    return whole ? (struct span){from, (size_t)(end - from)} : (struct span){"", 0};
}

/* What stands under each of `fields`; n 0: nothing. Of one that is there twice the last counts. */
struct described {
    struct span values[FIELDS];
};

static struct described describe_system(struct span object)
{
    struct described d = {{{NULL, 0}}};
    struct json_items items = json_items(object);
    struct span name, value;
    while (json_items_next(&items, &name, &value))
        for (size_t i = 0; i < FIELDS; i++)
            if (mllog_name_is(name, fields[i]))
                d.values[i] = value;
    return d;
}

static struct mllog_value described_value(const struct described *d, const char *field)
{
    size_t i = 0;
    while (strcmp(fields[i], field) != 0) /* it is one of them */
        i++;
    return mllog_value(d->values[i]);
}

/* Text, or another value as it is written; NULL: no such field. */
static const char *system_text(const struct described *d, const char *field, struct arena *arena)
{
    struct mllog_value v = described_value(d, field);
    if (v.kind == MLLOG_MISSING)
        return NULL;
    if (v.kind == MLLOG_TEXT)
        return foreign_line(arena, mllog_text_utf8(v.json, arena), 2 * MLLOG_SHOWN_MAX);
    return mllog_show(&v, arena);
}

static double system_count(const struct described *d, const char *field, struct arena *arena,
                           struct mlperf_system_facts *out)
{
    struct mllog_value v = described_value(d, field);
    double n;
    if (v.kind == MLLOG_MISSING)
        return NAN;
    if (mllog_read_whole(&v, &n) && n >= 0)
        return n;
    mlperf_found(&out->findings, arena, "FP7014", SEVERITY_ERROR, NULL, 0,
                 "%s: found '%s', expected a whole number", field, mllog_show(&v, arena));
    return NAN;
}

static void check_status(struct mlperf_system_facts *out, struct arena *arena)
{
    const char *means = mlperf_availability(out->status);
    if (!out->status || (means && strcmp(means, out->status) == 0))
        return;
    if (means)
        mlperf_found(&out->findings, arena, "FP7014", SEVERITY_WARNING, NULL, 0,
                     "status: found '%s', an older word or spelling of '%s'", out->status, means);
    else
        mlperf_found(&out->findings, arena, "FP7014", SEVERITY_ERROR, NULL, 0,
                     "status: found '%s', expected '%s', '%s', '%s' or '%s'", out->status,
                     availabilities[0], availabilities[1], availabilities[3], availabilities[2]);
}

void mlperf_read_system(struct bytes bytes, struct arena *arena, struct mlperf_system_facts *out)
{
    struct span object = object_of(bytes, arena);
    *out = (struct mlperf_system_facts){
        .nodes = NAN, .processors_per_node = NAN, .accelerators_per_node = NAN};
    if (!object.n) {
        out->fault = "found no JSON object, expected the description of a system";
        return;
    }
    const struct described d = describe_system(object);
    for (size_t i = 0; i < FIELDS; i++)
        if (!d.values[i].n)
            mlperf_found(&out->findings, arena, "FP7014", SEVERITY_ERROR, NULL, 0,
                         "found no field '%s'", fields[i]);
    out->submitter = system_text(&d, "submitter", arena);
    out->division = system_text(&d, "division", arena);
    out->status = system_text(&d, "status", arena);
    out->system_name = system_text(&d, "system_name", arena);
    out->processor = system_text(&d, "host_processor_model_name", arena);
    out->accelerator = system_text(&d, "accelerator_model_name", arena);
    out->framework = system_text(&d, "framework", arena);
    out->hw_notes = system_text(&d, "hw_notes", arena);
    out->sw_notes = system_text(&d, "sw_notes", arena);
    out->nodes = system_count(&d, "number_of_nodes", arena, out);
    out->processors_per_node = system_count(&d, "host_processors_per_node", arena, out);
    out->accelerators_per_node = system_count(&d, "accelerators_per_node", arena, out);
    check_status(out, arena);
}

void mlperf_read_scaling(struct bytes bytes, struct arena *arena, struct mlperf_scaling_facts *out)
{
    struct span object = object_of(bytes, arena);
    struct mllog_value v = mllog_member(object, "scaling_factor");
    *out = (struct mlperf_scaling_facts){.factor = v.number};
    if (!object.n)
        out->fault = "found no JSON object, expected {\"scaling_factor\": number}";
    else if (v.kind != MLLOG_NUMBER || !isfinite(v.number) || v.number <= 0)
        out->fault = sentence_say(arena, "scaling_factor: found %s, expected a positive number",
                                  mllog_show(&v, arena));
}

void mlperf_read_bypass(struct bytes bytes, struct mlperf_bypass *out)
{
    struct span rest = {bytes.data, bytes.len};
    *out = (struct mlperf_bypass){false, false};
    while (rest.n) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        while (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        out->rcp |= span_is(line, "rcp-bypass");
        out->seeds |= span_is(line, "seed-checker-bypass");
    }
}
