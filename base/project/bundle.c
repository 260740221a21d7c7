#include "base/project/bundle.h"

#include "base/files/file.h"
#include "base/text.h"

#include <string.h>

#define ITEMS_MAX 1000

static const struct field bundle_fields[] = {
    FIELD(TEXT, struct bundle_about, result, .required = true, .doc = "`VENDOR/CASE`"),
    FIELD(NAMED, struct bundle_about, state, .required = true, .choices = state_names,
          .doc = "state on the result page"),
    FIELD(TEXT, struct bundle_about, tool, .required = true, .doc = "version of fpreport"),
    FIELD(TEXT, struct bundle_about, rules, .required = true, .doc = "rule set"),
    FIELD(DATE, struct bundle_about, date, .doc = "date of the site, from site.json"),
    FIELD(COUNT, struct bundle_about, peers,
          .doc = "number of other results of the case that the bundle does not contain"),
    FIELD_LIST(TEXTS, struct bundle_about, withheld, .max = ITEMS_MAX,
               .doc = "submissions with withheld files, which nobody can verify again from the "
                      "bundle"),
    FIELD_LIST(TEXTS, struct bundle_about, left_out, .max = ITEMS_MAX,
               .doc = "files that the bundle does not contain, because the bundle would be too "
                      "large"),
};

const struct shape bundle_shape = SHAPE("bundle", struct bundle_about, bundle_fields,
                                        .doc = "The file BUNDLE of a bundle names the result and "
                                               "describes the contents of the bundle.",
                                        .schema = "fpreport.bundle/1");

const char *bundle_name(const struct result *r, struct arena *arena)
{
    if (strlen(r->case_id) > BUNDLE_ID_MAX || strlen(r->vendor) > BUNDLE_ID_MAX)
        return NULL;
    return arena_printf(arena, "%s-%s" BUNDLE_ENDING, r->vendor, r->case_id);
}

bool bundle_begins(struct bytes text)
{
    return text.len > sizeof BUNDLE_ABOUT &&
           memcmp(text.data, BUNDLE_ABOUT, sizeof BUNDLE_ABOUT) == 0;
}

static const struct bytes *find_bundled(const struct tar_member *members, size_t n,
                                        const char *name)
{
    const struct tar_member *found = text_find(members, n, sizeof *found, name);
    return found ? &found->bytes : NULL;
}

static int read_about(const char *path, const struct bytes *text, struct arena *arena,
                      struct bundle_about *out, struct diags *diags)
{
    struct json *json;
    const char *name = path_join(arena, path, BUNDLE_ABOUT);
    if (text)
        return json_parse(name, *text, arena, &json, diags) < 0
                   ? -1
                   : shape_load(&bundle_shape, json, name, out, arena, diags);
    diags_add(diags, SEVERITY_ERROR, path, 0, 0,
              "holds no " BUNDLE_ABOUT ", expected a bundle from the page of a result");
    return -1;
}

static void hold_records(const struct tar_member *members, size_t n, struct arena *arena,
                         struct held_files *out)
{
    *out = (struct held_files){.items = arena_array(arena, n, sizeof *out->items)};
    for (size_t i = 0; i < n; i++)
        if (text_starts(members[i].name, BUNDLE_RECORDS))
            out->items[out->n++] =
                (struct held_file){members[i].name + strlen(BUNDLE_RECORDS), members[i].bytes};
}

static int read_bundled_signers(struct bundle *b, const char *path, struct arena *arena,
                                struct diags *diags)
{
    const struct bytes *own = held_find(&b->files, SIGNERS_FILE);
    const struct bytes *revoked = held_find(&b->files, SIGNERS_REVOKED_FILE);
    int rc = 0;
    if (own)
        rc = signers_read(path_join(arena, path, SIGNERS_FILE), *own, arena, &b->signers, diags);
    if (own && revoked)
        rc |= signers_read_revoked(path_join(arena, path, SIGNERS_REVOKED_FILE), *revoked, arena,
                                   &b->signers, diags);
    b->signers.file = own ? SIGNERS_FILE : NULL;
    b->project.signers = own ? &b->signers : NULL;
    return rc;
}

/* Of an archive without one nothing is known, as of none. */
static int read_bundled_log(struct bundle *b, const char *path, const struct bytes *log,
                            struct arena *arena, struct diags *diags)
{
    b->store = (struct store){.root = path, .held = &b->files, .arena = arena, .lock_fd = -1};
    b->project.store = &b->store;
    if (!log)
        return 0;
    if (store_log_read_bytes(path_join(arena, path, BUNDLE_LOG), *log, arena, &b->store.log,
                             diags) < 0)
        return -1;
    store_index_make(&b->store.log, arena, &b->store.index);
    return 0;
}

int bundle_open(const char *path, const struct tar_member *members, size_t n, struct arena *arena,
                struct bundle *out, struct diags *diags)
{
    *out = (struct bundle){.result = NULL};
    if (read_about(path, find_bundled(members, n, BUNDLE_ABOUT), arena, &out->about, diags) < 0)
        return -1;
    hold_records(members, n, arena, &out->files);
    if (project_load_held(path, &out->files, &out->project, arena, diags) < 0 ||
        read_bundled_signers(out, path, arena, diags) < 0 ||
        read_bundled_log(out, path, find_bundled(members, n, BUNDLE_LOG), arena, diags) < 0)
        return -1;
    out->project.dated = out->about.date;
    out->result = project_result_by_name(&out->project, out->about.result, arena);
    if (!out->result)
        diags_add(diags, SEVERITY_ERROR, path, out->about.line, 0,
                  "holds no record of %s, expected the result that its " BUNDLE_ABOUT " names",
                  out->about.result);
    return out->result ? 0 : -1;
}
