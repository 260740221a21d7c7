#include "collector/seal.h"

#include "base/json.h"

#include <string.h>
#include <sys/stat.h>

struct packing {
    const char *run_dir;
    struct arena *arena;
    struct diags *diags;
    struct tar_member *members;
    size_t n, total;
};

static void refuse(struct packing *p, const char *name, const char *why)
{
    diags_add(p->diags, SEVERITY_ERROR, path_join(p->arena, p->run_dir, name), 0, 0, "%s", why);
}

/* An error that already begins with its path, as a diagnostic about this run. */
static void refuse_err(struct packing *p, const struct err *err)
{
    diags_add(p->diags, SEVERITY_ERROR, p->run_dir, 0, 0, "%s", err->text);
}

static void add_file(struct packing *p, const char *name)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    const char *problem = tar_name_problem(name);
    if (!problem && strcmp(name, SUBMISSION_MANIFEST) == 0)
        problem = "is made by sealing and must not be there yet";
    if (problem) {
        refuse(p, tar_name_shown(name, p->arena), arena_printf(p->arena, "the name %s", problem));
        return;
    }
    size_t room = SUBMISSION_TOTAL_MAX - p->total;
    size_t max = room < ARCHIVE_MEMBER_MAX ? room : ARCHIVE_MEMBER_MAX;
    if (file_read(path_join(p->arena, p->run_dir, name), max, p->arena, &bytes, &err) < 0) {
        refuse_err(p, &err);
        return;
    }
    p->total += bytes.len;
    *(struct tar_member *)ARENA_PUSH(p->arena, p->members, p->n) = (struct tar_member){name, bytes};
}

static void add_folder(struct packing *p, const char *rel, int depth)
{
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (depth > TAR_DEPTH_MAX) {
        refuse(p, rel, "folders are nested too deep");
        return;
    }
    if (dir_list(path_join(p->arena, p->run_dir, rel), p->arena, &entries, &n, &err) < 0) {
        refuse_err(p, &err);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = path_join(p->arena, rel, entries[i].name);
        if (entries[i].is_dir && strcmp(name, SUBMISSION_CHECKPOINTS) == 0)
            continue;
        if (entries[i].is_dir)
            add_folder(p, name, depth + 1);
        else if (entries[i].is_regular)
            add_file(p, name);
        else
            refuse(p, tar_name_shown(name, p->arena), "is a link or a special file");
    }
}

struct seal_left seal_left_out(const char *run_dir, struct arena *arena)
{
    struct seal_left left = {0, 0};
    struct err ignored = ERR_INIT; /* what cannot be listed is left out all the same */
    struct dir_entry *folders;
    const char *root = path_join(arena, run_dir, SUBMISSION_CHECKPOINTS), **files;
    size_t n;
    struct stat st;
    if (!file_is_dir(root))
        return left;
    if (dir_list(root, arena, &folders, &n, &ignored) == 0)
        left.checkpoints = n;
    if (dir_walk(root, arena, &files, &n, &ignored) == 0)
        for (size_t i = 0; i < n; i++)
            left.bytes += stat(path_join(arena, root, files[i]), &st) == 0 ? (size_t)st.st_size : 0;
    return left;
}

static void check_state(struct packing *p)
{
    struct json *run;
    const char *path = path_join(p->arena, p->run_dir, "run.json");
    if (!file_is_dir(p->run_dir)) {
        diags_add(p->diags, SEVERITY_ERROR, p->run_dir, 0, 0, "not a run directory");
        return;
    }
    if (json_load(path, p->arena, &run, p->diags) < 0)
        return;
    const struct json *state = json_get(run, "state");
    const char *text = json_get_text(run, "state", "");
    const char *reason = json_get_text(run, "reason", NULL);
    if (strcmp(json_get_text(run, "schema", ""), "fpreport.run/1") != 0)
        diags_add(p->diags, SEVERITY_ERROR, path, run->line, run->col,
                  "expected an object whose 'schema' is \"fpreport.run/1\"");
    else if (strcmp(text, "complete") != 0)
        diags_add(p->diags, SEVERITY_ERROR, path, state ? state->line : run->line,
                  state ? state->col : run->col,
                  "state is '%s', only a 'complete' run can be sealed%s%s", text,
                  reason ? ": " : "", reason ? reason : "");
}

static int add_manifest(struct packing *p, struct err *err)
{
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    tar_sort(p->members, p->n);
    submission_manifest(p->members, p->n, &text);
    int rc = buf_check(&text, SUBMISSION_MANIFEST, err);
    struct bytes bytes = {arena_strndup(p->arena, text.data, text.len), text.len};
    *(struct tar_member *)ARENA_PUSH(p->arena, p->members, p->n) =
        (struct tar_member){SUBMISSION_MANIFEST, bytes};
    buf_release(&text);
    return rc;
}

int seal_pack(const char *run_dir, struct buf *packed, struct arena *arena, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct packing p = {.run_dir = run_dir, .arena = arena, .diags = diags};
    size_t before = diags->errors;
    check_state(&p);
    if (diags->errors == before)
        add_folder(&p, "", 1);
    if (diags->errors == before && p.n >= ARCHIVE_ENTRIES_MAX)
        diags_add(diags, SEVERITY_ERROR, run_dir, 0, 0, "more than %d files", ARCHIVE_ENTRIES_MAX);
    if (diags->errors != before)
        return -1;
    if (add_manifest(&p, &err) == 0 && archive_pack(p.members, p.n, packed, &err) == 0)
        return 0;
    refuse_err(&p, &err);
    return -1;
}

int seal_run(const char *run_dir, const char *out_path, struct arena *arena, struct submission *out,
             struct diags *diags, struct err *err)
{
    struct buf packed;
    buf_init(&packed, ARCHIVE_PACKED_MAX);
    int rc = seal_pack(run_dir, &packed, arena, diags);
    struct bytes bytes = {packed.data, packed.len};
    if (rc == 0)
        rc = submission_open_bytes(bytes, out_path, arena, out, diags);
    if (rc < 0 || !out->intact)
        rc = err_set(err, ERR_INPUT, "%s: cannot be sealed", run_dir);
    else
        rc = file_write(out_path, packed.data, packed.len, err);
    buf_release(&packed);
    return rc;
}
