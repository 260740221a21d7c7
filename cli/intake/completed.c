#include "cli/intake/completed.h"

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/records/layout.h"
#include "base/text.h"

#include <string.h>

static const struct evidence *find_evidence(const struct result *r, const char *archive)
{
    for (size_t i = 0; i < r->n_evidence; i++)
        if (r->evidence[i].archive && strcmp(r->evidence[i].archive, archive) == 0)
            return &r->evidence[i];
    return NULL;
}

static int parse_completed(struct cli *cli, const char *path, struct bytes text, struct result *out,
                           struct diags *diags)
{
    struct json *json;
    if (json_parse(path, text, &cli->arena, &json, diags) < 0)
        return -1;
    return shape_load(&result_shape, json, path, out, &cli->arena, diags);
}

static bool holds_same_files(struct cli *cli, const struct completed *in, struct diags *diags)
{
    struct submission there;
    return file_exists(in->archive_path) &&
           submission_open(in->archive_path, &cli->arena, &there, diags) == 0 && there.intact &&
           strcmp(there.id, in->sealed->id) == 0;
}

static bool take_sum(struct cli *cli, const struct completed *in, struct buf *text,
                     struct result *out, struct diags *diags)
{
    struct bytes before;
    struct result r;
    struct err err = ERR_INIT;
    if (file_read(in->record_path, JSON_BYTES_MAX, &cli->arena, &before, &err) < 0) {
        diags_add_err(diags, in->record_path, 0, 0, &err);
        return false;
    }
    if (parse_completed(cli, in->record_path, before, &r, diags) < 0)
        return false;
    const struct evidence *e = find_evidence(&r, in->archive);
    if (!e || !e->sha256 || !holds_same_files(cli, in, diags))
        return false;
    /* A sum is 64 hexadecimal digits: whatever else has them means the same bytes. */
    const char *at = before.data, *end = at + before.len, *next;
    size_t n = strlen(e->sha256);
    for (; (next = memmem(at, (size_t)(end - at), e->sha256, n)) != NULL; at = next + n) {
        buf_add(text, at, (size_t)(next - at));
        buf_str(text, in->sealed->archive_sha256);
    }
    buf_add(text, at, (size_t)(end - at));
    const struct bytes after = {text->data, text->len};
    if (parse_completed(cli, in->record_path, after, out, diags) < 0)
        return false;
    out->file = in->record_path;
    return true;
}

int completed_find(struct cli *cli, const struct completed *in, struct buf *text,
                   struct result *out, bool *found)
{
    struct diags quiet =
        DIAGS_INIT(&cli->arena); /* what is no such record is told by whoever writes there */
    *found = take_sum(cli, in, text, out, &quiet);
    if (!quiet.machine)
        return EXIT_AGREED;
    diags_append(&cli->diags, &quiet);
    return cli_diags(cli);
}
